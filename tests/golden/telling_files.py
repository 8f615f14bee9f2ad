"""Files of an owner, a curator or a player, as plain JSON: each opened as the program opens it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
from click.testing import CliRunner, Result

from bench.scoring.baseline import Baseline
from calibration.board.kept import load_lens
from companion.cli import main
from companion.commands.play.saved import load as load_game
from companion.fairness.outcomes import Outcomes, outcomes_of
from companion.fairness.reader_file import read_reader
from companion.fairness.report.sequence import read_sequence
from companion.rules.dice import dice_set, find_dice_set
from companion.rules.registry import game
from companion.settings.file import SettingsFile, settings_to_json
from companion.vision.boards import board_profile
from companion.vision.dice.memory.profile import open_profile
from companion.web.access.pin import PinGate, read_pin
from companion.web.kiosk.folder import Curated, check_folder
from companion.web.kiosk.statistics import read_statistics
from companion.web.laboratory.museum import DayCounts
from firmware_bridge.frame import Colour
from firmware_bridge.wiring import Wiring
from tests.golden.comparing import plain
from tests.golden.telling_matches import told_position
from tests.golden.telling_series import without_program

Json = dict[str, Any]

DAY, NEXT_DAY = "2026-11-22", "2026-11-23"
PINS: Final = ("246810", "4711", "1234")
DICE: Final = {"cube": "wibold/1", "red": "pips/1", "reader": "wibold/1"}
"""Of which die the throws of a file are, or its reader's measurement."""

COARSE: Final = 4
"""Places across and down at which a picture's colours are told: other libraries decode a JPEG a little otherwise."""


def told_dice_profile(path: Path) -> Json:
    """Return what a table knows of somebody's dice that an earlier program learnt."""
    memory = open_profile(path)
    assert memory.origin is not None
    return {
        "name": memory.origin.name,
        "set": memory.origin.set_name,
        "made": memory.origin.made,
        "faces": [[one.outline, one.bag, one.source, one.named] for one in memory.exemplars],
    }


def told_board_profile(path: Path) -> Json:
    """Return what was found out of a board, and what is said of it when it is old."""
    profile = board_profile.load(path)
    later = datetime.fromisoformat(profile.made) + timedelta(days=40)
    picture = profile.picture
    height, width = (length // COARSE for length in picture.shape[:2])
    means = picture[: COARSE * height, : COARSE * width].reshape(COARSE, height, COARSE, width, 3).mean(axis=(1, 3))
    return {
        **plain(profile.to_json()),
        "picture": [list(picture.shape), np.round(means / 4).astype(int).tolist()],
        "pose": np.round(profile.pose.corners, 6).tolist(),
        "stale": [str(sentence) for sentence in board_profile.stale(profile, later)],
        "fresh": [str(sentence) for sentence in board_profile.stale(profile, later - timedelta(days=39), picture)],
    }


def told_lens(path: Path) -> Json:
    """Return what was measured of a lens."""
    return load_lens(path).to_json()


def told_led_map(path: Path) -> Json:
    """Return which LED lights which site, and the frame that one site makes."""
    wiring = Wiring.load(path)
    first, lit = next(iter(wiring.sites)), Colour(9, 8, 7)
    return {
        "name": wiring.name,
        "board": wiring.board,
        "leds": wiring.leds,
        "sites": {site: list(leds) for site, leds in wiring.sites.items()},
        "squares": dict(wiring.squares),
        "frame": [index for index, colour in enumerate(wiring.frame({first: lit}).colours) if colour == lit],
        "as_written": wiring.text() == path.read_text(encoding="utf-8"),
    }


def told_settings(path: Path) -> Json:
    """Return what the owner chose on the page."""
    kept = SettingsFile(path)
    now = kept.now
    return {
        "languages": list(now.languages),
        "pictures": [now.keeping.which, now.keeping.days],
        "lights": now.lights,
        "notice": None if kept.notice is None else str(kept.notice),
        "json": settings_to_json(now),
    }


def told_pin(path: Path) -> Json:
    """Return which PINs a file lets in."""
    kept = read_pin(path)
    return {pin: PinGate(None, kept=kept).check(pin, "127.0.0.1", "127.0.0.1") for pin in PINS}


def told_hall(folder: Path) -> Json:
    """Return what is in force in a curator's folder, and how the hall was used."""
    curated = Curated(folder)
    return {
        "usable": curated.usable,
        "faults": [str(fault) for fault in check_folder(folder)],
        "settings": plain(asdict(curated.settings)),
        "words": {language: plain(asdict(curated.words(language))) for language in curated.settings.languages},
        "statistics": {name: day.to_json() for name, day in read_statistics(folder / "statistics.json").items()},
    }


def told_day(path: Path) -> Json:
    """Return what all visitors together threw on the day of the file, and on the next one."""
    return {"day": DayCounts(path, lambda: DAY).counts(), "next": DayCounts(path, lambda: NEXT_DAY).counts()}


def told_game(path: Path) -> Json:
    """Return a saved game and where it stands."""
    saved = load_game(path)
    positions = saved.replayed()
    return {
        "game": saved.slug,
        "players": list(saved.players),
        "options": dict(saved.options),
        "seed": saved.seed,
        "moves": list(saved.moves),
        "stands": plain(told_position(positions[-1])),
    }


def told_positions(path: Path) -> list[Json]:
    """Return what the rules say of positions that were written as JSON, and whether each is written so again."""
    found = []
    for data in json.loads(path.read_text(encoding="utf-8")):
        position: Json = plain(told_position(game(data["game"]).from_json(data)))
        found.append({"game": data["game"], **position, "position": position["position"] == data})
    return found


def told_dice_set(path: Path) -> Json:
    """Return an owner's own dice."""
    dice: Json = plain(asdict(find_dice_set(str(path))))
    return dice


def told_table(path: Path) -> list[Any]:
    """Return the throws of a CSV that a report wrote."""
    throws = read_sequence(path.read_text(encoding="utf-8"), _outcomes(path))
    return [list(one) for one in throws]


def told_reader(path: Path) -> Json:
    """Return how a reader read known faces."""
    reader = read_reader(path.read_text(encoding="utf-8"), _outcomes(path))
    beforehand = None if reader.beforehand is None else reader.beforehand.tolist()
    return {"seen": reader.seen.tolist(), "beforehand": beforehand}


def told_report(path: Path) -> Json:
    """Return how a command judges the throws of a CSV, read by the reader whose report lies beside it."""
    judged = report_on(path.with_suffix(".csv"), "--reader", str(path))
    assert judged.exit_code == 0, judged.stderr
    report: Json = without_program(json.loads(judged.stdout))
    return report


def report_on(path: Path, *options: str) -> Result:
    """Let the command judge the throws of a file."""
    return CliRunner().invoke(main, ["fairness", "report", str(path), "--die", DICE[path.stem], *options, "--json"])


def _outcomes(path: Path) -> Outcomes:
    which, _, die = DICE[path.stem].partition("/")
    return outcomes_of(dice_set(which).die(die))


def told_baseline(path: Path) -> Json:
    """Return what a reader once made of fixed pictures."""
    kept = Baseline.load(path)
    return {"pictures": plain(kept.pictures), "allowed_silent": kept.allowed_silent, "counts": kept.counts()}


FILES: Final[Mapping[str, Callable[[Path], Any]]] = {
    "profiles/own.dice": told_dice_profile,
    "profiles/oak board.board": told_board_profile,
    "profiles/desk.lens": told_lens,
    "profiles/oak.leds.toml": told_led_map,
    "profiles/own-dice.toml": told_dice_set,
    "profiles/baseline.json": told_baseline,
    "owner/settings.json": told_settings,
    "owner/owner-pin": told_pin,
    "owner/owner-pin-plain": told_pin,
    "hall": told_hall,
    "laboratory/throws.day.json": told_day,
    "laboratory/cube.csv": told_table,
    "laboratory/red.csv": told_table,
    "laboratory/reader.json": told_reader,
    "laboratory/cube.json": told_report,
    "saved/wheel.txt": told_game,
    "saved/ludus.txt": told_game,
    "saved/todas-tablas.txt": told_game,
    "saved/baralie.txt": told_game,
    "saved/ludix.txt": told_game,
    "saved/mebben.txt": told_game,
    "positions.json": told_positions,
}
"""Each golden file or folder but the journals, and what tells of it."""
