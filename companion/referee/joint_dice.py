"""A throw that two tables make together, so that neither can choose it.

They commit and reveal, as when tossing a coin by telephone (M. Blum, 1983).

The table that waits draws 128 random bits, its *opening*, and sends their digest, the *commitment*. Then the table that
throws draws 128 bits of its own, the *share*, and sends them. Then the first sends its opening; the dice show what a
digest of both, of the match, of the throw's number and of the die's name comes to.

Nobody can choose: the commitment is fixed before the share is known, and it says nothing of the opening but to one who
tries 2**128 values; the share is fixed before the opening is known. If either side draws its bits by chance, all faces
of the digest are equally likely, whatever the other does. Both write what they got into their journals before they
answer, so a program that was stopped in between goes on with the same bits.

With real dice the parts are what lies on the two tables: the waiting one throws unseen and commits to the *places* of
its faces (from 0, of each die) with its bits, the other one throws and sends the places of its own. The sum of both
places, modulo the number of faces, counts.
"""

import hashlib
import hmac
import secrets
from typing import Final

from companion.referee.events import JointDice
from companion.rules.dice import Throw, dice_set

BITS_BYTES: Final = 16
"""The bytes of an opening and of a share."""


def bits(secret: bytes, match: str, number: int) -> str:
    """Return a table's own random bits for a throw, hexadecimal: the same ones each time, from its ``secret``."""
    return hmac.new(secret, f"bits {match} {number}".encode(), hashlib.sha256).hexdigest()[: 2 * BITS_BYTES]


def commitment(match: str, number: int, opening: str) -> str:
    """Return the commitment to an opening for one throw of one match, hexadecimal."""
    return hashlib.sha256(f"commitment {match} {number} {opening}".encode()).hexdigest()


def joint_throw(match: str, joint: JointDice, set_name: str) -> Throw:
    """Return the throw that opening and share come to; each face of a die is as likely as any other.

    Raises:
        ThrowError: the set has no such dice.
    """
    known, both = dice_set(set_name), f"dice {match} {joint.number} {joint.opening} {joint.share}"
    faces = {name: known.die(name).faces for name in joint.dice}
    return Throw.of(known.name, {name: sides[_below(len(sides), both, name)].text for name, sides in faces.items()})


def places(throw: Throw) -> str:
    """Return where on its die each face of a throw is, hexadecimal; of faces that look alike, any by chance.

    So all places are equally likely if all faces are.
    """
    twins = ([place for place, face in enumerate(die.faces) if face.text == shown.text] for die, shown in throw)
    return bytes(secrets.choice(alike) for alike in twins).hex()


def added_throw(joint: JointDice, set_name: str) -> Throw:
    """Return the throw that the real dice of two tables come to; any face is as likely as another if one side is fair.

    Raises:
        ThrowError: the set has no such dice.
        ValueError: opening or share hold no places of these dice.
    """
    known, unseen = dice_set(set_name), bytes.fromhex(joint.opening)[BITS_BYTES:]
    shown = {}
    for name, one, other in zip(joint.dice, unseen, bytes.fromhex(joint.share), strict=True):
        faces = known.die(name).faces
        shown[name] = faces[(one + other) % len(faces)].text
    return Throw.of(known.name, shown)


def _below(sides: int, both: str, die: str) -> int:
    """Return a number below ``sides``, all equally likely: values of the last, incomplete round are left out."""
    whole = (1 << 64) // sides * sides
    attempt = 0
    while True:
        digest = hashlib.sha256(f"{both} {die} {attempt}".encode()).digest()
        value = int.from_bytes(digest[:8])
        if value < whole:
            return value % sides
        attempt += 1
