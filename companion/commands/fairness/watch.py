"""``companion fairness watch``: count throws under a camera, or typed in, and judge them as they come."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from companion.commands.fairness.lines import SeriesPrinter
from companion.commands.fairness.options import fear_option
from companion.commands.fairness.watch_groups import Prompt, folder_of_throws, refuse_ungrouped
from companion.commands.refusing import refusing
from companion.commands.serve.owners import journal_file, owners
from companion.commands.serve.page_options import page_options
from companion.commands.serve.sights import chosen_lamps
from companion.commands.setting_options import setting_options
from companion.rules.strict_json import read_json

if TYPE_CHECKING:
    from companion.commands.serve.owners import Owners
    from companion.live.laboratory.laboratory import Laboratory
    from companion.vision.sources.source import FrameSource
    from firmware_bridge.lamps import Lamps

THROWS = "throws.db"  # where series are kept if nobody names a file

GROUP_ALONE = (
    "Expected --camera or --phone and one --die beside --group, and neither --museum nor --reader: the rows "
    "themselves show how well they can be distinguished."
)
BY_ROWS = "Expected --group without --profile, --lamps and --twins-apart: its rows compare pictures in one light."
NO_CAMERA = "Expected --camera or --phone beside --profile, --mat and --lamps: no camera sees the dice."
WHOLE = "Expected a folder of throws without --mat: each of its pictures counts as a whole."


@click.command(short_help="Count throws under a camera, or typed in.")
@setting_options("camera")
@click.option("--sample", metavar="NAME", help="Count the sample throws of this die, without a camera: pips.")
@click.option(
    "--die",
    "dice",
    multiple=True,
    metavar="SET[/DIE]",
    help="Begin a series of this die; several times for several dice of one set. Without it the page asks.",
)
@click.option("--twins-apart", is_flag=True, help="Faces with the same sign are told apart (X/1, X/2).")
@click.option(
    "--smallest", type=click.FloatRange(0.001, 0.5), help="The bias that matters to you, as a difference of chances."
)
@fear_option
@click.option("--fixed", type=click.IntRange(1, 1_000_000), help="The number of throws, if you fix it beforehand.")
@click.option("--title", help="A name for the series.")
@setting_options("profile")
@click.option(
    "--reader",
    "measured",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="How the reader read known faces of such a die, as JSON: its errors are then taken into account.",
)
@setting_options("mat", "lamps")
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="The file that stores the series.")
@click.option("--museum", is_flag=True, help="Begin with the museum's page: three dice for visitors.")
@click.option("--group", is_flag=True, help="Sort throws that look alike into rows and ask once what each row shows.")
@click.option(
    "--throws", type=click.IntRange(6, 1_000), help="After how many throws --group asks; by default 8 for each face."
)
@click.option(
    "--sheet", type=click.Path(dir_okay=False, path_type=Path), help="Where --group --no-page draws its rows, as a PNG."
)
@click.option(
    "--no-page", is_flag=True, help="Print one JSON line per throw instead of opening a page; Ctrl-C ends it."
)
@page_options
def watch(
    *,
    camera: str | None,
    sample: str | None,
    dice: tuple[str, ...],
    twins_apart: bool,
    smallest: float | None,
    fear: str | None,
    fixed: int | None,
    title: str | None,
    profile: str | None,
    measured: Path | None,
    mat: str,
    lamps: str | None,
    journal: Path | None,
    museum: bool,
    group: bool,
    throws: int | None,
    sheet: Path | None,
    no_page: bool,
    phone: bool,
    pin: str | None,
    pin_file: Path | None,
    settings_file: Path | None,
    **page: Any,
) -> None:
    """Count the throws of a die, one by one, and give a verdict after each."""
    _refuse_conflicts(click.get_current_context().params)
    about = {"title": title, "smallest": smallest, "fear": fear, "fixed": fixed}
    if group and ((camera is None and not phone) or len(dice) > 1 or museum or measured is not None):
        raise click.ClickException(GROUP_ALONE)
    if group and (profile is not None or lamps is not None or twins_apart):
        raise click.ClickException(BY_ROWS)
    folder = folder_of_throws(camera) if group and no_page else None
    if folder is not None and mat != "whole" and _given("mat"):
        raise click.ClickException(WHOLE)
    if group and no_page and dice:
        refuse_ungrouped(dice[0])
    with journal_file(journal, sample, THROWS) as path:
        known = owners(journal, settings=settings_file, pin_file=pin_file, pin=pin)
        camera = "phone" if phone else camera
        source, sampled = _source(None if folder is not None else camera, sample)
        if camera is None and (lamps is not None or (sample is None and (profile is not None or _given("mat")))):
            raise click.ClickException(NO_CAMERA)
        switched = chosen_lamps(lamps)
        laboratory = _laboratory(
            path,
            known,
            source,
            profile,
            sample=sample,
            measured=measured,
            whole=mat == "whole",
            lamps=switched,
            by_likeness=group,
            learn=throws,
        )
        try:
            if dice or sampled:
                named = title or ("" if sample is None else f"Sample: {sample}")
                _begin(laboratory, dice or sampled, about | {"title": named}, twins_apart=twins_apart)
            if no_page and group:
                again = f"companion fairness watch --group --no-page --journal {path} --camera {camera}"
                rows = sheet or path.with_suffix(".rows.png")
                Prompt(laboratory, SeriesPrinter(laboratory), rows, again).run(source, folder)
            elif no_page:
                SeriesPrinter(laboratory).follow()
            else:
                first = "/lab/museum" if museum else "/lab"
                _serve(laboratory, known, first, path.with_suffix(".day.json"), phone=phone, **page)
        except KeyboardInterrupt:
            pass
        finally:
            laboratory.stop()
    kept = journal is not None or sample is None
    message = "Stopped; the throws are safe in the journal." if kept else "Stopped."
    click.echo(message, err=no_page)


def _refuse_conflicts(given: Mapping[str, Any]) -> None:
    """Refuse options that contradict each other; ``given``: the command's arguments by their names."""
    camera, sample, no_page = given["camera"], given["sample"], given["no_page"]
    about = [given[name] for name in ("title", "smallest", "fear", "fixed") if given[name] is not None]
    conflicts = (
        (no_page and given["museum"], "Expected --no-page or --museum, but got both: the museum is a page."),
        (
            given["phone"] and (no_page or camera not in (None, "push")),
            "Expected --phone without --camera and --no-page: the phone is the camera.",
        ),
        (
            sample is not None and (given["phone"] or given["museum"] or given["group"] or camera is not None),
            "Expected --sample without --camera, --phone, --museum and --group: it has its own pictures.",
        ),
        (
            no_page and camera is None and sample is None,
            "Expected --camera beside --no-page: without a page you cannot type in throws.",
        ),
        (
            not given["dice"] and about,
            "Expected --die beside --smallest, --fear, --fixed and --title: they are about the new series.",
        ),
        (
            given["pin"] is not None and given["pin_file"] is not None,
            "Expected --pin or --pin-file, but got both: name one.",
        ),
        (
            not given["group"] and (given["throws"] is not None or given["sheet"] is not None),
            "Expected --group beside --throws and --sheet: they are about the rows to name.",
        ),
        (
            given["sheet"] is not None and not no_page,
            "Expected --no-page beside --sheet: the page shows the rows itself.",
        ),
    )
    for conflict, sentence in conflicts:
        if conflict:
            raise click.ClickException(sentence)


def _given(option: str) -> bool:
    """Return whether a person gave this option, even with its default."""
    return click.get_current_context().get_parameter_source(option) is not ParameterSource.DEFAULT


def _source(camera: str | None, sample: str | None) -> tuple["FrameSource | None", tuple[str, ...]]:
    """Return where pictures come from, None: nowhere, and the die that a sample shows."""
    from companion.vision.sources import open_source
    from companion.vision.sources.scripted import open_sample_throws
    from companion.vision.sources.source import SourceError

    with refusing(SourceError):
        if sample is not None:
            source, die = open_sample_throws(sample)
            return source, (die,)
        return None if camera is None else open_source(camera, waits=True), ()


def _laboratory(
    path: Path,
    known: "Owners",
    source: "FrameSource | None",
    profile: str | None,
    *,
    sample: str | None,
    measured: Path | None,
    whole: bool,
    lamps: "Lamps | None",
    by_likeness: bool,
    learn: int | None,
) -> "Laboratory":
    """Start a laboratory; the arguments are as for `Laboratory`.

    ``source``: None where throws are typed in; ``measured``: a file with the reader's errors; ``whole``: the whole
    picture counts.
    """
    from companion.commands.serve.sights import known_dice
    from companion.commands.teach import usual_journal
    from companion.fairness.series.fold import SAMPLE
    from companion.ledger.entries import JournalError
    from companion.live.dice_memory.folder import MemoryFolder
    from companion.live.laboratory.laboratory import Laboratory
    from companion.program import program_version
    from companion.vision.mat import Mat

    reader = {} if measured is None else {"": _measured(measured)}
    # beside the series, or else where a table that nobody gave a file keeps what it was taught
    beside = usual_journal() if path.name == THROWS else path
    folder, camera = MemoryFolder(beside.with_suffix(".memory")), "" if source is None else source.name
    laboratory = Laboratory(
        path,
        taught=lambda name: folder.load(name, camera)[0] if folder.holds(name, camera) else None,
        source=source,
        mat=Mat() if whole else None,
        keeping=known.settings.now.keeping,
        profile=known_dice(profile),
        about={"profile": profile or "", "software": f"alea-companion {program_version()}"}
        | ({} if sample is None else {SAMPLE: sample}),
        measured=reader,
        lamps=lamps,
        by_likeness=by_likeness,
        learn=learn,
    )
    try:
        laboratory.start()
    except (JournalError, OSError) as error:
        raise click.ClickException(f"The journal {path} cannot be used: {error}") from error
    return laboratory


def _measured(file: Path) -> Any:
    try:
        return read_json(file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as why:
        raise click.ClickException(f"{file}: expected JSON about how the reader read known faces ({why}).") from why


def _begin(laboratory: "Laboratory", dice: tuple[str, ...], about: dict[str, Any], *, twins_apart: bool) -> None:
    from companion.fairness.library import set_and_die

    named = []
    for one in dice:
        of, which = set_and_die(one)
        named.append({"set": of, "die": which, "name": which or Path(of).stem, "twins_apart": twins_apart})
    reply = laboratory.command("begin", {"dice": named, **about}, "owner")
    if not reply.ok:
        raise click.ClickException(str(reply.sentence))


def _serve(
    laboratory: "Laboratory",
    known: "Owners",
    first: str,
    day: Path,
    *,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    base_path: str,
    phone: bool,
    phone_port: int,
) -> None:
    """Serve the pages until somebody stops them; the arguments are as for `create_laboratory_app` and the options."""
    from companion.commands.serve.web_runner import phone_door
    from companion.web.laboratory.app import create_laboratory_app
    from companion.web.serving.server import keep_small, serve

    app = create_laboratory_app(laboratory, first=first, day=day, **known.of_page(host, allow_host))
    with phone_door(app, phone_port, allow_host, opens=phone):
        keep_small()
        serve(app, host, port, lambda address: click.echo(f"The laboratory is at {address}"), base_path)
