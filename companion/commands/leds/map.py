"""``companion leds map``: find which LED lights which site, by lighting one at a time and asking."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.leds.session import leds_option
from companion.commands.refusing import refusing
from companion.whole_file import write_whole

if TYPE_CHECKING:
    from companion.rules.board import Board
    from firmware_bridge.driver import Driver
    from firmware_bridge.mapping import Guide
    from firmware_bridge.wiring import Wiring

BY_THE_WAY = "Enter: the proposed site. NAME: another. +: same as the LED before. -: none. <: back. .: stop, and "
"continue later."


@click.command(name="map")
@click.argument("board")
@click.option("--name", help="A name for the map; by default that of the board.")
@leds_option
@click.option(
    "--count", type=click.IntRange(1), help="How many LEDs the chain has; by default as many as the sites need."
)
@click.option("--each", type=click.IntRange(1, 16), default=1, show_default=True, help="LEDs per site.")
@click.option(
    "--serpentine", metavar="ROWSxCOLUMNS", help="Make the map of one strip that runs back and forth, and ask nothing."
)
@click.option(
    "--rows", metavar="ROWSxCOLUMNS", help="Make the map of strips that all run the same way, and ask nothing."
)
@click.option("--sites", metavar="a,b,c", help="Make the map of one strip over these sites, and ask nothing.")
@click.option(
    "--first-square",
    type=click.IntRange(0, 63),
    help="The sensors' first bit: the sensors are in the order of the sites.",
)
@click.option("--file", "path", type=click.Path(path_type=Path, dir_okay=False), help="Where to save it.")
@click.option("--anew", "again", is_flag=True, help="Start again if a map of this name already exists.")
def command(
    *,
    board: str,
    name: str | None,
    words: str,
    count: int | None,
    each: int,
    serpentine: str | None,
    rows: str | None,
    sites: str | None,
    first_square: int | None,
    path: Path | None,
    again: bool,
) -> None:
    """Make the map of the LEDs of BOARD (tables, 8x16, rim, or a game): light one at a time and ask for its site.

    The map is saved after each answer; the same command continues from there on another day.
    """
    from firmware_bridge.wiring import WiringError

    with refusing(WiringError):
        drawn = find_board(board)
        order = [place for run in _runs(drawn, serpentine, rows, sites) for place in run]
        name = name or drawn.name
        path = path or _kept(name)
        begun = _begun(name, drawn, count or len(order) * each, first_square)
        if serpentine or rows or sites:
            made = strung(begun, order, each)
            _save(made, path)
            click.echo(f"The map {name} of {made.leds} LEDs on {len(made.sites)} sites is saved in {path}.")
        else:
            _ask(begun if again else _known(path, begun), order, each, path, words)


def _save(wiring: "Wiring", path: Path) -> None:
    write_whole(path, wiring.text().encode(), folders=True)


def strung(begun: "Wiring", order: Sequence[str], each: int) -> "Wiring":
    """Return the map of one strip that runs through the sites in this order.

    Raises:
        WiringError: the chain has fewer LEDs than the sites need.
    """
    from dataclasses import replace

    from firmware_bridge.wiring import strips

    return replace(begun, sites=strips(begun.name, begun.board, [order], each=each).sites)


def _begun(name: str, board: "Board", count: int, first_square: int | None) -> "Wiring":
    """Return a map in which no site has an LED yet."""
    from companion.desk.lights.usual_wiring import wired_sites
    from firmware_bridge.wiring import Wiring

    squares = {}
    if first_square is not None:
        squares = {place[0]: first_square + index for index, place in enumerate(wired_sites(board))}
    return Wiring(name, board.name, count, {}, squares)


def _known(path: Path, begun: "Wiring") -> "Wiring":
    """Return the map with the answers from another day, or the new one if there is none."""
    from firmware_bridge.wiring import Wiring, WiringError

    if not path.exists():
        return begun
    known = Wiring.load(path)
    if known.board != begun.board:
        raise WiringError(f"The map {known.name} is for the board {known.board}: choose another --name, or --anew.")
    return known


def find_board(name: str) -> "Board":
    """Return a board by its own name, or by the name of a game on it.

    Raises:
        WiringError: no game has such a board.
    """
    from companion.rules.registry import games
    from firmware_bridge.wiring import WiringError

    if name in games():
        return games()[name].board
    boards = {board.name: board for game in games().values() for board in game.boards}
    if name not in boards:
        raise WiringError(f"Expected a board ({', '.join(boards)}) or a game, but got {name!r}.")
    return boards[name]


def _runs(board: "Board", serpentine: str | None, rows: str | None, sites: str | None) -> Sequence[Sequence[str]]:
    """Return the sites in the order of the wire, as given or as guessed."""
    from companion.desk.lights.usual_wiring import seats, wired_sites
    from firmware_bridge.wiring import WiringError, rows_of, shortest
    from firmware_bridge.wiring import serpentine as to_and_fro

    if sum(given is not None for given in (serpentine, rows, sites)) > 1:
        raise WiringError("Expected one of --serpentine, --rows and --sites, but got several.")
    places = wired_sites(board)
    names = [place[0] for place in places]
    if sites is not None:
        wanted = [site.strip() for site in sites.split(",") if site.strip()]
        known = {site.name for site in board.sites} | set(seats())
        strangers = [site for site in wanted if site not in known]
        if strangers:
            raise WiringError(f"Expected sites of the board {board.name}, but got {', '.join(strangers)}.")
        return [wanted]
    if serpentine is not None:
        return to_and_fro(rows_of(names, *_across(serpentine)))
    if rows is not None:
        return rows_of(names, *_across(rows))
    return shortest(places)


def _across(text: str) -> tuple[int, int]:
    from firmware_bridge.wiring import WiringError

    rows, cross, columns = text.lower().partition("x")
    if not (cross and rows.isdecimal() and columns.isdecimal()):
        raise WiringError(f"Expected ROWSxCOLUMNS such as 8x16, but got {text!r}.")
    return int(rows), int(columns)


def _kept(name: str) -> Path:
    from companion.commands.leds.kept import map_path
    from firmware_bridge.wiring import NAME, WiringError

    if not NAME.fullmatch(name):
        raise WiringError(f"Expected a name of letters, digits, - and _ for the map, but got {name!r}.")
    return map_path(name)


def _ask(begun: "Wiring", order: Sequence[str], each: int, path: Path, words: str) -> None:
    """Light one LED at a time and ask; keep the map after each answer."""
    from companion.commands.leds.session import driven
    from companion.desk.lights.usual_wiring import seats
    from firmware_bridge.mapping import Guide

    guide = Guide(begun, order, each, (*seats(), "hand", "off"))
    click.echo(BY_THE_WAY)
    with driven(words) as driver:
        try:
            _answers(guide, driver, lambda: _save(guide.wiring, path))
        except click.Abort:  # Ctrl-C or the end of the input: the answers so far are kept
            click.echo()
    missing = [site for site in guide.missing if site in order]
    if missing:
        click.echo(f"Saved in {path}; still without an LED: {', '.join(missing)}.")
    else:
        click.echo(f"Every site has its LED; saved in {path}.")


def _answers(guide: "Guide", driver: "Driver", keep: Callable[[], None]) -> None:
    from firmware_bridge.wiring import WiringError

    trouble: str | None = None
    while not guide.ended:
        driver.show(guide.frame())
        if driver.trouble is not None and driver.trouble != trouble:
            trouble = driver.trouble
            click.echo(trouble, err=True)
        typed = click.prompt(f"LED {guide.led} lights", default=guide.proposed or "", show_default=bool(guide.proposed))
        try:
            guide.answer(str(typed))
        except WiringError as why:
            click.echo(str(why), err=True)
        else:
            keep()
