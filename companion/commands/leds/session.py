"""An LED board for the time of a command: its options, how to find it, and that it is dark afterwards."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing

if TYPE_CHECKING:
    from firmware_bridge.driver import Driver
    from firmware_bridge.protocols.uplink import Message
    from firmware_bridge.transport import Transport

FIND_WAIT = 20.0  # seconds to find a connected board: Arduino boards take two to start
_POLL_SECONDS = 0.02

leds_option = click.option(
    "--leds",
    "words",
    default="auto",
    show_default=True,
    metavar="BOARD",
    help="The LED board: auto, simulated, a serial port such as /dev/ttyUSB0, wled://HOST or ddp://HOST[:PORT].",
)


@contextmanager
def driven(
    words: str, most_ma: float = 400.0, *, hear: "Callable[[Message], None] | None" = None
) -> "Iterator[Driver]":
    """Yield a driver whose board has answered; afterwards the board is dark.

    ``hear`` gets every message of the board, from the start on, in the driver's thread.

    Raises:
        click.ClickException: no board answers; the text says what to do about it.
    """
    from firmware_bridge.driver import Driver, State

    driver = Driver(chosen_board(words, most_ma))
    logging.getLogger("firmware_bridge").setLevel(logging.ERROR)  # this command reports troubles itself, once
    if hear is not None:
        driver.overhear(hear)
    driver.start()
    try:
        ends = time.monotonic() + FIND_WAIT
        while driver.state is not State.LIVE:
            # report the first trouble at once: the person at the prompt can do something about it
            if driver.trouble is not None or time.monotonic() > ends:
                raise click.ClickException(driver.trouble or "The LED board does not answer.")
            time.sleep(_POLL_SECONDS)
        yield driver
    except KeyboardInterrupt:
        click.echo("Ended.")
    finally:
        driver.stop()


def chosen_board(words: str, most_ma: float) -> "Transport":
    """Return the board that ``--leds`` names, without opening it.

    Raises:
        click.ClickException: ``words`` name no board.
    """
    from firmware_bridge.brightness import Brightness
    from firmware_bridge.chosen import UnknownLedBoardError, chosen

    with refusing(UnknownLedBoardError):
        return chosen(words, Brightness(most_ma))
