"""A throw of two tables: equally likely faces, fixed before anybody knows the other's part, and only one throw fits."""

from collections import Counter
from dataclasses import replace

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from companion.referee.events import JointDice, from_json, to_json
from companion.referee.joint_dice import added_throw, bits, commitment, joint_throw, places
from companion.rules.dice import Throw, dice_set, dice_sets
from companion.rules.registry import games

HEX = st.binary(min_size=16, max_size=16).map(bytes.hex)


def joint(number: int, opening: str, share: str, dice: tuple[str, ...]) -> JointDice:
    return JointDice(number, commitment("match", number, opening), share, dice, opening)


def test_every_face_is_as_likely_as_any_other_though_one_side_always_sends_the_same() -> None:
    for name in ("pips", "wibold", "ludix"):
        dice = tuple(die.name for die in dice_set(name).dice)
        for cheat in ("", "00" * 16):
            thrown: Counter[tuple[str, int]] = Counter()
            for number in range(1, 3001):
                own = bits(b"honest", "match", number)
                opening, share = (cheat or own, own) if cheat else (own, bits(b"other", "match", number))
                throw = joint_throw("match", joint(number, opening, share, dice), name)
                for die, face in throw:
                    thrown[die.name, [one.text for one in die.faces].index(face.text)] += 1
            for die in dice_set(name).dice:
                texts = Counter([one.text for one in die.faces].index(one.text) for one in die.faces)
                seen = [thrown[die.name, place] for place in texts]
                expected = [3000 * count / len(die.faces) for count in texts.values()]
                # the bits are fixed, so this never fails by chance
                assert scipy.stats.chisquare(seen, expected).pvalue > 1e-4


@given(HEX, HEX, HEX, st.integers(1, 10_000))
def test_another_opening_or_share_is_another_commitment_or_nearly_always_another_throw(
    opening: str, other: str, share: str, number: int
) -> None:
    dice = tuple(die.name for die in dice_set("pips").dice)
    made = joint(number, opening, share, dice)
    assert (commitment("match", number, other) == made.commitment) == (other == opening)
    assert commitment("another match", number, opening) != made.commitment
    assert commitment("match", number + 1, opening) != made.commitment
    assert joint_throw("match", made, "pips") == joint_throw("match", replace(made, commitment=""), "pips")


@given(HEX, HEX)
def test_what_both_fixed_stands_in_the_journal_as_it_was(opening: str, share: str) -> None:
    made = joint(7, opening, share, ("1", "2"))
    assert from_json(to_json(made)) == made


def test_a_table_draws_the_same_bits_again_after_a_restart_and_others_for_every_throw() -> None:
    drawn = {bits(b"secret", "match", number) for number in range(1, 500)}
    assert len(drawn) == 499
    assert drawn == {bits(b"secret", "match", number) for number in range(1, 500)}
    assert not drawn & {bits(b"secret", "other match", number) for number in range(1, 500)}


def test_whatever_place_one_table_fixes_every_place_of_the_other_leads_to_another_face() -> None:
    for name in dice_sets():
        for die in dice_set(name).dice:
            sides = len(die.faces)
            for fixed in (0, 1, sides - 1, 255):
                made = [
                    added_throw(joint(1, "00" * 16 + bytes([one]).hex(), bytes([other]).hex(), (die.name,)), name)
                    for free in range(sides)
                    for one, other in ((fixed, free), (free, fixed))
                ]
                shown = Counter(throw.face(die.name) for throw in made)
                assert shown == Counter(face.text for face in die.faces for _ in range(2))


def test_of_faces_that_look_alike_any_place_is_as_likely_and_of_others_it_is_their_own() -> None:
    for name in dice_sets():
        for die in dice_set(name).dice:
            for text in {face.text for face in die.faces}:
                alike = {place for place, face in enumerate(die.faces) if face.text == text}
                drawn = {
                    int(places(Throw.of(name, {die.name: text})), 16) for _ in range(1 if len(alike) == 1 else 400)
                }
                assert drawn == alike  # one of six places is missed in 400 draws once in 10^31


def test_an_opening_or_share_for_other_dice_is_no_throw() -> None:
    for opening, share in (("00" * 18, "000000"), ("00" * 20, "000000"), ("00" * 19, "0000"), ("00" * 16, "")):
        with pytest.raises(ValueError, match="argument"):
            added_throw(joint(1, opening, share, ("1", "2", "3")), "pips")


def test_dice_of_a_second_cast_have_equally_many_faces_so_either_may_stand_for_the_other() -> None:
    for game in games().values():
        position = game.start(game.least_players)
        for throw in position.throws()[:40]:
            waits = position.after(throw).awaits
            if waits.kind == "recast":
                assert len({len(dice_set(waits.dice_sets[0]).die(name).faces) for name in waits.dice}) == 1
