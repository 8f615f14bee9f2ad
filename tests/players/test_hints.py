"""What a hint says of the other turns is what the search found, calibrated as true chances."""

from companion.players.hints import hint_of
from companion.players.player import Budget
from companion.players.telling import calibrated
from companion.players.thinking import weigh
from companion.rules.registry import games
from tests.players.on_the_way import choosing

SLUGS = ("tables/todas-tablas", "tables/pareia-de-entrada", "rithmomachia/durnil-guardia")


def test_a_turn_that_loses_next_to_nothing_is_about_as_good() -> None:
    alike = worse = 0
    for slug in SLUGS:
        for seed in range(8):
            position = choosing(slug, seed, 20)
            if position is None:
                continue
            chances = [calibrated(slug, one.chance) for one in weigh(position, Budget())]
            lost = [f"{100 * (chances[0] - chance):.1f}" for chance in chances[1:] if chance < chances[0]][:2]
            hint = [str(reply) for reply in hint_of(position, Budget()).sentences]
            assert sum(reply.endswith("is about as good.") for reply in hint) == lost.count("0.0")
            for one in lost:
                assert one == "0.0" or any(f"loses {one} more of 100 games" in reply for reply in hint)
            alike += lost.count("0.0")
            worse += len(lost) - lost.count("0.0")
    assert alike
    assert worse


def test_every_game_in_which_one_chooses_has_hints_but_those_that_agreement_rules() -> None:
    """The page offers a hint in any game with a board but a free one: its players agree on what may be done."""
    without = set[str]()
    for slug in games():
        position = next(filter(None, (choosing(slug, seed, 0) for seed in range(9))), None)
        if position is None:
            continue  # one only throws
        free = "free" in position.board_notes()
        assert bool(hint_of(position, Budget(nodes=200)).choices) != free, slug
        without |= {slug} if free else set()
    assert without == {"tables/xii-scripta"}
