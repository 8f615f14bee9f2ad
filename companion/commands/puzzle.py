"""``companion puzzle``: the riddle in which Wibold hid his name, and the same for any name."""

import click

from companion.commands.common_options import as_json, show_json
from companion.commands.refusing import refusing


@click.command(short_help="Solve the riddle of the author's name, or hide a name.")
@click.argument("words", nargs=-1, metavar="[NAME | NUMBERS...]")
@as_json
def command(words: tuple[str, ...], *, as_json: bool) -> None:
    """Explain, step by step, the riddle in which the author of the game hid his name.

    With a NAME, turn it into numbers as he did; with NUMBERS, turn them back into letters.
    """
    from companion.rules.ludus_regularis.puzzle import PuzzleError, letters_of, numbers_of, solution

    with refusing(PuzzleError):
        if not words:
            numbers = solution()
        elif all(word.isdecimal() for word in words):
            numbers = tuple(int(word) for word in words)
        else:
            numbers = numbers_of(" ".join(words))
        letters = letters_of(numbers)
    if as_json:
        show_json({"numbers": list(numbers), "letters": letters})
        return
    if not words:
        _print_puzzle()
    click.echo(f"{' '.join(str(number) for number in numbers)} = {letters}")


def _print_puzzle() -> None:
    from companion.rules.ludus_regularis.puzzle import ALPHABET, STEPS

    click.echo("The alphabet has 23 letters, numbered from A to Z; J, U and W are not among them:")
    click.echo(" ".join(f"{letter}{number}" for number, letter in enumerate(ALPHABET, 1)))
    click.echo()
    place = {here: step for step in STEPS for here in step.places}
    known: set[int] = set()
    for step in STEPS:
        known |= set(step.places)
        name = "".join(place[here].letter if here in known else "." for here in sorted(place))
        click.echo(f"{step.sentence!s:<58} {step.number:>2} is {step.letter}   {name}")
    click.echo()
