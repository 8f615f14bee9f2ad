"""``companion leds``: which LED boards are there, whether one works, and what it reports."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from companion.commands.common_options import as_json, show_json
from companion.commands.leds.map import command as map_command
from companion.commands.leds.session import driven, leds_option
from companion.commands.refusing import refusing
from companion.commands.setting_options import setting_options

if TYPE_CHECKING:
    from firmware_bridge.driver import Driver
    from firmware_bridge.ports import Port
    from firmware_bridge.protocols.uplink import Message
    from firmware_bridge.transport import ConnectedBoard


@click.group(name="leds")
def command() -> None:
    """Find, test and watch a board with LEDs.

    'companion leds list' shows what is plugged in, 'companion leds test' lights everything and says what to look for,
    'companion leds map' asks which LED lights which place; the table then uses the board with 'companion serve --leds
    auto'.
    """


command.add_command(map_command)


@command.command(name="list")
@click.argument("ports", nargs=-1, metavar="[PORT]...")
@click.option("--no-ask", is_flag=True, help="Do not probe any port.")
@as_json
def list_command(ports: tuple[str, ...], *, no_ask: bool, as_json: bool) -> None:
    """List the serial ports, and what answers at those that may be probed.

    Only ports with a chip that LED boards have are probed, and others if you name them as PORT. Probing opens a port,
    which makes many boards restart.
    """
    from firmware_bridge.ports import list_ports

    listed = [_port_json(port, ask=not no_ask and (port.may_be_asked or port.device in ports)) for port in _all(ports)]
    if as_json:
        show_json(listed)
        return
    for line in listed:
        click.echo(line["text"])
    if not any(port.may_be_asked for port in list_ports()):
        from firmware_bridge.troubles import away

        click.echo(away(None))


def _all(named: Sequence[str]) -> "list[Port]":
    from firmware_bridge.ports import Port, list_ports

    ports = list_ports()
    known = {port.device for port in ports}
    return [*ports, *(Port(name) for name in named if name not in known)]


def _port_json(port: "Port", *, ask: bool) -> dict[str, Any]:
    board, trouble = _asked(port) if ask else (None, None)
    if board is not None:
        reason = str(board)
    elif trouble is not None:
        reason = trouble
    else:
        reason = f"not probed; to probe it anyway: companion leds list {port.device}"
    return {
        "port": port.device,
        "vendor": port.vid,
        "product": port.pid,
        "serial": port.serial,
        "socket": port.location,
        "asked": ask,
        "board": None if board is None else asdict(board),
        "trouble": trouble,
        "text": f"{port}: {reason}",
    }


def _asked(port: "Port") -> "tuple[ConnectedBoard | None, str | None]":
    """Return the board that answers at a port, or why that is unknown."""
    from firmware_bridge.bell import Bell
    from firmware_bridge.chosen import UnknownLedBoardError, on_a_cable

    with refusing(UnknownLedBoardError):
        transport, bell = on_a_cable(port.device, lister=lambda: [port]), Bell()
    try:
        transport.open(bell)
    except OSError as why:
        return None, str(why)
    finally:
        transport.close()
        bell.close()
    return transport.board, None


@command.command(name="test")
@leds_option
@setting_options("most_ma")
@click.option("--count", type=click.IntRange(1, 1000), help="How many LEDs there are; by default as the board reports.")
@click.option("--pace", default=2.0, show_default=True, type=click.FloatRange(0.05, 60), help="Seconds for each step.")
def test_command(words: str, most_ma: float, count: int | None, pace: float) -> None:
    """Light red, green, blue, every tenth LED and then each alone, and say what to look for."""
    from firmware_bridge.frame import DARK, Colour, LedFrame

    with driven(words, most_ma) as driver:
        board = driver.board
        leds = count or (None if board is None else board.leds) or 64
        found = driver.notice if board is None else f"Found: {board}."
        click.echo(f"{found} Testing {leds} LEDs; end with Ctrl-C.")
        red, green, blue, white = Colour(255, 0, 0), Colour(0, 255, 0), Colour(0, 0, 255), Colour(120, 120, 120)
        for name, colour in (("red", red), ("green", green), ("blue", blue)):
            _try_out(
                driver,
                LedFrame((colour,) * leds),
                pace,
                f"All are {name}. If the colour is different, set the order of colours.",
            )
        _try_out(
            driver, LedFrame((white,) * leds), pace, "All are white. If the far end is reddish, supply power there too."
        )
        if board is not None and driver.notice is not None:
            click.echo(driver.notice, err=True)
        tenths = LedFrame.of(white if number % 10 == 0 else DARK for number in range(1, leds + 1))
        _try_out(
            driver,
            tenths,
            pace,
            f"Every tenth is lit, {leds // 10} in all: count them to see whether --count {leds} is right.",
        )
        click.echo(
            "Now each one alone, starting with the first of the chain. If two light at once, or none, check "
            "the wiring there."
        )
        for lit in range(leds):
            alone = LedFrame.of(white if number == lit else DARK for number in range(leds))
            _try_out(driver, alone, min(pace, 0.15), None)
        board = driver.board
    click.echo("Done." if board is None else "Done; the board is dark again.")


def _try_out(driver: "Driver", frame: Any, seconds: float, reason: str | None) -> None:
    driver.show(frame)
    if reason is not None:
        click.echo(reason)
    time.sleep(seconds)
    if driver.trouble is not None:
        raise click.ClickException(driver.trouble)


@command.command(name="watch")
@leds_option
@click.option(
    "--seconds", type=click.FloatRange(min=0), help="Stop after this long; by default it watches until Ctrl-C."
)
@as_json
def watch_command(words: str, seconds: float | None, *, as_json: bool) -> None:
    """Print what the board sends: presses, squares, and which frames it has shown or refused."""
    from queue import Empty, SimpleQueue

    from firmware_bridge.frame import DARK, LedFrame

    heard: SimpleQueue[Message] = SimpleQueue()
    with driven(words, hear=heard.put) as driver:
        board = driver.board
        if as_json:
            show_json({"board": None if board is None else asdict(board)})
        if board is None or board.hello is None:
            click.echo(f"{driver.name if board is None else board}: {_SAYS_NOTHING}", err=True)
            return
        if not as_json:
            click.echo(f"Found: {board}. End with Ctrl-C.")
        driver.show(LedFrame((DARK,)))
        ends = None if seconds is None else time.monotonic() + seconds
        reason: str | None = None
        while ends is None or time.monotonic() < ends:
            try:
                message = heard.get(timeout=0.1)
            except Empty:
                reason = _trouble(driver, reason)
                continue
            if as_json:
                show_json({"kind": type(message).__name__.lower(), **asdict(message)})
            else:
                click.echo(_in_words(message))


_SAYS_NOTHING = "only a board with our own firmware reports presses, squares and frames, so there is nothing to watch."


def _trouble(driver: "Driver", reason: str | None) -> str | None:
    if driver.trouble is not None and driver.trouble != reason:
        click.echo(driver.trouble, err=True)
    return driver.trouble


def _in_words(message: "Message") -> str:
    from firmware_bridge.protocols.uplink import Button, Hello, Shown, Squares

    match message:
        case Button(seq, button, pressed):
            return f"button {button} {'pressed' if pressed else 'let go'} (number {seq})"
        case Squares(_, occupied):
            squares = [str(square) for square in range(occupied.bit_length()) if occupied >> square & 1]
            return f"squares occupied: {', '.join(squares) or 'none'}"
        case Shown(counter):
            return f"frame {counter} shown"
        case Hello():
            return "the board has started"
        case _:
            return f"frame refused: {_REASONS[message.reason]}"


_REASONS = {
    "C": "its checksum was wrong",
    "L": "it has more LEDs than the board",
    "T": "it stopped half way",
    "O": "some of its bytes were lost",
}
