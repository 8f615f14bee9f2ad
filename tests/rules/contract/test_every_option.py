"""The contract on short random games: games with most players, and each other value of each option in some of them."""

import pytest

from tests.rules.contract import checks
from tests.rules.contract.cases import Case, choosing, path, positions, room, variations
from tests.rules.contract.conserved import conserved


@pytest.mark.parametrize("case", variations(), ids=str)
def test_the_contract_holds(case: Case) -> None:
    men = conserved(case.start())
    for position in positions(case)[::4]:
        assert conserved(position) == men
        checks.survives_json(position)
        checks.without_fault(position)
        checks.tells_its_state(position)
    for position, move in path(case)[0]:
        checks.move_survives(position, move)
        checks.accepted(position, move)
    expressible = room(case.slug, "expressible").expressible
    for position in choosing(case, 2)[-1:]:  # one in the middle: the start is looked at with every game's defaults
        # a fourth of the rest, another one for other cases: every game's defaults are asked for all of it
        some = [*expressible(position)][len(str(case)) % 4 :: 4]
        checks.legal_is_what_after_accepts(position, [*position.legal(), *some])
        checks.plays_are_the_whole_turns(position)
