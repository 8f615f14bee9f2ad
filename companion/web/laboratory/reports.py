"""The report on a die of a series: as a page, as a PDF, as the raw sequence, or as all figures."""

from base64 import b64encode
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort

from companion.rules.strict_json import written_json
from companion.web.laboratory.api import LABORATORY
from companion.web.languages import here

if TYPE_CHECKING:
    from companion.fairness.account import DieAccount

TYPES: Final = {"html": "text/html", "pdf": "application/pdf", "csv": "text/csv", "json": "application/json"}

blueprint = Blueprint("laboratory_reports", __name__)


@blueprint.get("/lab/report/<int:series>/<path:die>.<any(html, pdf, csv, json):form>")
def report(series: int, die: str, form: str) -> Response:
    """Return the report on one die, by its name in the series."""
    accounts = LABORATORY.get().accounts(series)
    account = next((one for one in accounts or () if one.name == die), None)
    if account is None:
        abort(404, "There is no such series, or it has no die with this name.")
    response = Response(_written(account, form), mimetype=TYPES[form])
    if form == "html":
        response.headers["Content-Security-Policy"] = _policy()
    else:
        from companion.fairness.report.provenance import stem_of  # noqa: PLC0415  (only a report needs it)

        how = "inline" if form == "pdf" else "attachment"
        response.headers["Content-Disposition"] = f'{how}; filename="{stem_of(account)}.{form}"'
    return response


def _written(account: "DieAccount", form: str) -> bytes:
    from companion.fairness.report.as_json import report_json  # noqa: PLC0415  (only a report needs these)
    from companion.fairness.report.contents import report_of  # noqa: PLC0415
    from companion.fairness.report.html import to_html  # noqa: PLC0415
    from companion.fairness.report.sequence import to_csv  # noqa: PLC0415

    if form == "csv":
        return to_csv(account).encode()
    today = datetime.now().astimezone().date().isoformat()
    computed, words = report_of(replace(account, made=today)), here()
    if form == "html":
        return to_html(computed, words).encode()
    if form == "pdf":
        from companion.fairness.report.paper import to_pdf  # noqa: PLC0415

        return to_pdf(computed, words)
    return written_json(report_json(computed), ensure_ascii=False).encode("utf-8", "backslashreplace")


def _policy() -> str:
    """Return the report page's content policy: only its own style sheet and its embedded pictures."""
    from companion.fairness.report.html import stylesheet  # noqa: PLC0415  (likewise)

    sheet = b64encode(sha256(stylesheet().encode()).digest()).decode()
    return (
        f"default-src 'none'; img-src data:; style-src 'sha256-{sheet}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
