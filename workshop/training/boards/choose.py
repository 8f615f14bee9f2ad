"""Choose the temperatures of the board reader, and the posteriors from which it reads a site without asking.

All are measured on boards drawn with the validation fonts and found by the reader itself. ``python -m
workshop.training.boards.choose DATA WEIGHTS`` measures, chooses and writes the model card. A kind of board
of which DATA has no check boards keeps the figures of the card that is there.
"""

import hashlib
import logging
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.vision.board_readings import Men
from companion.vision.boards import nets
from companion.vision.boards.layout import RITHMOMACHIA, TABLES, layout
from companion.vision.boards.reader import BoardReader, Chosen
from companion.vision.dice.nets import CARD
from workshop.board_scenes.store import Boards, TrueBoard

log = logging.getLogger(__name__)

UNCHOSEN: Final = Chosen(1.0, 0.5, 1.0, 1.0, 0.5, 0.012, 0.012, 0.8)
"""Placeholder until figures are chosen; when a board's place counts as doubtful is set by judgement and stays."""

TEMPERATURES: Final = (0.2, 0.25, 0.3)
NUMBERS_TEMPERATURES: Final = (1.0, 1.6, 2.2)
"""Temperatures that are tried: of the sites, and of the numbers on the men."""

BEYOND: Final = 0.1
"""Margin of the limit: a site is read only if its doubt is smaller by this share than that of the surest wrong site."""

LET: Final = {TABLES: 0.0005, RITHMOMACHIA: 0.0005}
"""Target: the share of all sites on the validation boards that may be read wrongly."""

FAR: Final = 0.03
"""A corner counts as not found if it is off by more than this, as a share of the field's width."""

Site = tuple[float, bool, bool]
"""Posterior of a site's reading, whether the reading is right, and whether the site is asked about at any limit."""

Sites = list[Site]


def true_sites(truth: TrueBoard) -> tuple[dict[str, Men], frozenset[str]]:
    """Return what stands on each occupied site, and the sites that are unclear because of piles or a hand."""
    counted: dict[str, Men] = {}
    unclear = set()
    for man in truth.men:
        before = counted.get(man.site)
        what = Men(man.colour, 1, man.shape, man.number)
        counted[man.site] = what if before is None else replace(before, count=before.count + 1)
        if man.upper or not man.legible or (before is not None and before.colour != man.colour):
            unclear.add(man.site)
    return counted, frozenset(unclear)


def measured(boards: Boards, board: str, chosen: Chosen) -> tuple[Sites, Sites, dict[str, float]]:
    """Return the occupied sites, the empty sites, and figures of how well boards are found.

    Boards that the reader itself finds doubtful are not among the sites; the figures count them.
    """
    reader = BoardReader(layout(board))
    reader.chosen = chosen
    reader._numbers.temperature = chosen.numbers_temperature  # noqa: SLF001 (the chooser judges what it is to choose)
    occupied: Sites = []
    empty: Sites = []
    errors, chances, guessed, doubtful = [], [], [], 0
    for number, truth in enumerate(boards.truths):
        image = boards.picture(number)
        field = reader.find(image)
        if field is None:
            errors.append(9.0)
            chances.append(0.0)
            guessed.append(9.0)
            continue
        wide = float(np.linalg.norm(truth.corners[0] - truth.corners[1]))
        errors.append(float(np.linalg.norm(field.corners - truth.corners, axis=1).max()) / wide)
        chances.append(field.chance)
        guessed.append(field.error)
        reading = reader.read(image, field)
        if reading.status != "read":
            doubtful += 1
            continue
        true, unclear = true_sites(truth)
        for name, site in reading.sites.items():
            if site.status == "hidden" or name in unclear:
                continue
            here = true.get(name)
            became = (site.confidence, site.standing == here, site.status == "ask")
            (empty if here is None else occupied).append(became)
    off = np.array(errors)
    figures = {
        "boards": float(len(off)),
        "found": float((off <= FAR).mean()),
        "doubtful": float(doubtful),
        "corner_median": float(np.median(off)),
        "corner_95": float(np.percentile(off, 95)),
        "worst_error_of_found": float(max([g for g, e in zip(guessed, off, strict=True) if e <= FAR], default=0.0)),
        "least_error_of_lost": float(min([g for g, e in zip(guessed, off, strict=True) if e > FAR], default=9.0)),
    }
    return occupied, empty, figures


def threshold(sites: Sequence[Site], let: float, least: float = 0.9) -> float:
    """Return the posterior from which sites are read: at least ``least``, and above all but a few wrong sites."""
    wrong = sorted((chance for chance, right, asked in sites if not right and not asked), reverse=True)
    surest = wrong[min(int(let * len(sites)), len(wrong) - 1)] if wrong else least
    return float(max(least, 1 - (1 - surest) * (1 - BEYOND)))


def read_right(sites: Sequence[Site], above: float) -> int:
    """Return how many sites are read right, given the posterior from which they are read."""
    return sum(right and chance >= above and not asked for chance, right, asked in sites)


def reported(name: str, occupied: Sequence[Site], empty: Sequence[Site], above: float) -> dict[str, float]:
    """Return how many sites there are, are read right and are silently wrong at a threshold."""
    out = {}
    for kind, sites in (("occupied", occupied), ("empty", empty)):
        out[f"{name}_{kind}"] = float(len(sites))
        out[f"{name}_{kind}_right"] = float(sum(right and p >= above and not asked for p, right, asked in sites))
        out[f"{name}_{kind}_silent"] = float(sum(not right and p >= above and not asked for p, right, asked in sites))
    return out


def choose(
    data: Path, chosen: Chosen, figures: dict[str, float], temperatures: Sequence[float] = TEMPERATURES
) -> tuple[Chosen, dict[str, float]]:
    """Return the chosen figures, and what was measured with them on the validation boards.

    ``chosen``, ``figures``: those so far; they stay for the kinds of boards of which ``data`` has no check boards.
    """
    for board, temperature, above in (
        (TABLES, "tables_temperature", "tables_above"),
        (RITHMOMACHIA, "numbered_temperature", "numbered_above"),
    ):
        if not (data / f"check-{board}.jsonl").is_file():
            continue
        boards = Boards(data, [f"check-{board}"])
        best: tuple[int, Chosen, Any] | None = None
        for value in temperatures:
            trial = replace(chosen, **{temperature: value, above: getattr(UNCHOSEN, above)})
            numbers = NUMBERS_TEMPERATURES if board == RITHMOMACHIA else (trial.numbers_temperature,)
            trials = [replace(trial, numbers_temperature=t) for t in numbers]
            for one in trials:
                result = measured(boards, board, one)
                limit = threshold([*result[0], *result[1]], LET[board])
                read = read_right(result[0], limit)
                log.info(
                    "%s: temperature %.2f %.1f, limit %.4f, read %d", board, value, one.numbers_temperature, limit, read
                )
                if best is None or read > best[0]:
                    best = read, one, result
        assert best is not None
        _, chosen, (occupied, empty, found) = best
        limit = threshold([*occupied, *empty], LET[board])
        chosen = replace(chosen, **{above: limit})
        figures = (
            figures
            | reported(board, occupied, empty, limit)
            | {f"{board}_{key}": value for key, value in found.items()}
        )
        log.info("%s", {key: round(value, 5) for key, value in figures.items() if key.startswith(board)})
    return chosen, figures


def write_card(folder: Path, chosen: Chosen, figures: dict[str, float]) -> None:
    """Write the card of the weights in a folder: their hashes, the chosen figures, the measurements."""
    lines = [
        "# Model card of the board reader; written by `python -m workshop.training.boards.choose`.",
        "",
    ]
    for name in nets.ALL:
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        lines += [f'[files."{name}"]', f'sha256 = "{digest}"', ""]
    lines += ["[chosen]", *(f"{key} = {value:.5f}" for key, value in asdict(chosen).items()), ""]
    lines += ["[measured]", *(f"{key} = {value:.5g}" for key, value in figures.items())]
    (folder / CARD).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    material, weights = Path(sys.argv[1]), Path(sys.argv[2])
    known = weights / CARD
    before = tomllib.loads(known.read_text(encoding="utf-8")) if known.is_file() else {}
    begun = Chosen(**before["chosen"]) if before else UNCHOSEN
    write_card(weights, begun, {})  # the reader takes no weights that are not those of the card
    nets.use_weights(weights)
    given = [float(value) for value in sys.argv[3:]] or TEMPERATURES
    best_figures, report = choose(material, begun, before.get("measured", {}), given)
    write_card(weights, best_figures, report)
