"""``companion fairness brick``: the bias that a model expects of a die from its measured edges."""

import click

from companion.commands.common_options import as_json, show_json
from companion.commands.refusing import refusing


@click.command(short_help="Estimate the bias of a brick-shaped die.")
@click.option(
    "--edges",
    nargs=3,
    type=click.FloatRange(0, min_open=True),
    required=True,
    metavar="A B C",
    help="The lengths of its edges, in any unit.",
)
@click.option("--pace", type=click.FloatRange(0.1, 600), help="Throws per minute, to say how long it takes to see it.")
@as_json
def command(edges: tuple[float, float, float], pace: float | None, *, as_json: bool) -> None:
    """Say what bias a model expects of a die with edges of these lengths, and how many throws would show it.

    It is a model, fitted to bricks that others threw; only throws show what a die does.
    """
    from companion.commands.fairness.plan import lasts
    from companion.fairness.brick import BrickError, brick_of, throws_to_see
    from companion.fairness.sentences import two_digits

    with refusing(BrickError):
        brick = brick_of(edges)
    planned = throws_to_see(brick)
    if as_json:
        pairs = [
            {"edge": edge, "low": brick.between(pair)[0], "middle": middle, "high": brick.between(pair)[1]}
            for pair, (edge, middle) in enumerate(zip(edges, brick.middle.tolist(), strict=True))
        ]
        throws = None if planned is None else {"half": planned.half, "80 %": planned.four_of_five}
        show_json({"model": True, "edges": list(edges), "each_face_of_a_pair": pairs, "throws": throws})
        return
    click.echo("A model, not a measurement. How often each face comes up, by its distance from the opposite face:")
    for edge in dict.fromkeys(edges):
        pair = edges.index(edge)
        low, high = brick.between(pair)
        faces = {1: "two faces", 2: "four faces", 3: "six faces"}[edges.count(edge)]
        likely = brick.middle[pair]
        click.echo(
            f"  {faces} {edge:g} apart: in {low:.1%} to {high:.1%} of the throws, likely {likely:.1%} (a cube: 16.7%)"
        )
    if planned is None:
        click.echo("The edges are equal: by its shape this die has no bias.")
    elif planned.half is None or planned.four_of_five is None:
        click.echo("Seeing that takes more throws than anyone makes.")
    else:
        click.echo(
            f"Seeing that takes about {two_digits(planned.half)} throws in half of the cases, "
            f"{two_digits(planned.four_of_five)} in four of five{lasts(planned.four_of_five, pace)}."
        )
    click.echo("It leaves out rounded edges, cavities and pips, the surface and the hand: throw the die to find out.")
