"""The ``companion`` command: it finds the subcommands, one module each, and imports a module only when it runs."""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

# NumPy reads this when it is first imported. The program's matrices are small: on a busy machine threads that share one
# product wait for each other, up to ten times as long as one thread takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# name -> line for --help, so that the list of commands needs no import of their modules
COMMANDS = {
    "serve": "Run the table: camera, rules, journal and page.",
    "play": "Play a game at this prompt.",
    "games": "List the games, or describe one.",
    "legal": "List the legal moves in a position.",
    "perft": "Count the positions that a game can reach, level by level.",
    "odds": "Show a game's exact odds.",
    "simulate": "Play many games at random and summarise them.",
    "analyse": "Analyse a match: chances, costly turns, luck.",
    "problems": "Make problems: positions with one thing to find.",
    "puzzle": "Solve the riddle of the author's name, or hide a name.",
    "read": "Read the dice or the board in pictures.",
    "advise": "Say whether the dice can be read from where the camera stands.",
    "fairness": "Judge whether a die is biased.",
    "teach": "Teach a table your own dice in three minutes.",
    "contribute": "Put the dice that were asked about into a folder, to give away.",
    "learn": "Learn how your own dice look, from many throws.",
    "calibrate": "Show where the board lies, and how good the picture is.",
    "kiosk": "Make, check and run a kiosk in a museum's hall.",
    "hall": "Join a table to a hall of tables, and keep the hall's book.",
    "service": "Print the systemd unit of a permanent table.",
    "leds": "Find, test and watch a board with LEDs.",
    "bench": "Measure the program.",
    "kit": "Print boards, dice, men and rule cards.",
    "doctor": "Say what is missing on this computer, and how to fix it.",
    "samples": "Make labelled sample frames.",
    "texts": "Help to translate the page.",
    "train": "Train the dice reader from scratch.",
}

# commands that stand beside the program, in the sources only -> their module
OF_THE_SOURCES = {
    "bench": "bench.command",
    "problems": "workshop.commands.problems",
    "samples": "workshop.commands.samples",
    "train": "workshop.commands.train",
}


class LazyGroup(click.Group):
    """A group whose commands are modules of `companion.commands`, or stand beside the program in its sources."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands' names in the order in which a newcomer needs them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = OF_THE_SOURCES.get(cmd_name, f"companion.commands.{cmd_name}")
        if find_spec(module.partition(".")[0]) is None:
            return _left_out(cmd_name)
        command = import_module(module).command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; where it fails because of a file or the network, end with one sentence.

        Raises:
            click.ClickException: it failed in this way.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # nobody reads the output any more: click ends without a word
            raise
        except OSError as why:
            plain = f"{why.filename}: {why.strerror}." if why.filename and why.strerror else str(why)
            raise click.ClickException(plain) from why

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list for --help without importing the commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _left_out(name: str) -> click.Command:
    """Return a command that says where the real one is."""

    @click.command(name=name, context_settings={"ignore_unknown_options": True})
    @click.argument("_given", nargs=-1)
    def command(_given: tuple[str, ...]) -> None:
        raise click.ClickException(
            f"companion {name} needs the project's sources, which the installed program leaves out; get them and start "
            "this command there."
        )

    return command


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="alea-companion", prog_name="companion")
def main() -> None:
    """A companion beside a real table: it reads the dice, referees the game and shows the page."""
