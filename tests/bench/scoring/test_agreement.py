"""The scores are those of the script that everybody else scores readers with."""

import importlib.util
import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bench.scoring import Score

pytestmark = pytest.mark.shared

Report = dict[str, Any]
Scorer = Callable[[list[Report], list[Report]], Report]

# few places on a coarse grid: outlines often touch, share corners and middles lie on edges
corner = st.integers(0, 6)
outline = st.one_of(
    st.tuples(corner, corner, st.integers(1, 3)).map(
        lambda at: [[at[0], at[1]], [at[0] + at[2], at[1]], [at[0] + at[2], at[1] + at[2]], [at[0], at[1] + at[2]]]
    ),
    st.lists(st.tuples(corner, corner).map(list), min_size=3, max_size=5),
)
face = st.sampled_from(["A", "AE", "EA", "EIOU", "UIOE", "BCDF", "6"])
name = st.sampled_from(["1", "2", "consonants"])


def thing(places: str, more: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Report]:
    """A labelled or read thing."""
    fixed: dict[str, st.SearchStrategy[Any]] = {"kind": st.sampled_from(["die", "die", "die", "tile"]), "face": face}
    optional: dict[str, st.SearchStrategy[Any]] = {"die": name, "set": st.sampled_from(["wibold", "ludix"]), **more}
    if places != "none":
        (fixed if places == "all" else optional)["polygon"] = outline
    return st.fixed_dictionaries(fixed, optional=optional)


def things(**more: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Report]]:
    placing = st.sampled_from(["all", "all", "none", "some"])
    return placing.flatmap(lambda places: st.lists(thing(places, more), max_size=5))


picture = st.fixed_dictionaries(
    {
        "label": st.fixed_dictionaries(
            {"objects": things(legible=st.booleans())}, optional={"complete": st.booleans()}
        ),
        "reading": st.fixed_dictionaries(
            {"objects": things(status=st.sampled_from(["read", "read", "ask", "ignored"]))},
            optional={"ms": st.integers(1, 400)},
        ),
    }
)


@pytest.fixture(scope="module")
def theirs(shared: Path) -> Scorer:
    spec = importlib.util.spec_from_file_location("shared_score", shared / "score.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def score(labels: list[Report], readings: list[Report]) -> Report:
        files = {"labels": labels, "readings": readings}

        def opened(name: str, **_: str) -> io.StringIO:
            return io.StringIO("\n".join(json.dumps(line) for line in files[name]))

        module.__dict__["open"] = opened  # hundreds of files would be written and left open otherwise
        stated = io.StringIO()
        with redirect_stdout(stated):
            module.main(["score.py", "labels", "readings"])
        report: Report = json.loads(stated.getvalue())
        return report

    return score


def ours(labels: list[Report], readings: list[Report]) -> Report:
    score = Score()
    for label, reading in zip(labels, readings, strict=True):
        score.add(label, reading)
    dice: Report = {}
    tallies = dict(score.by_set) | ({"  of these: consonants": score.hidden} if score.hidden.counts else {})
    for key, tally in tallies.items():
        counts = {"correct": tally.correct, "not_correct": tally.dice - tally.correct, "silent": tally.silent}
        dice[key] = counts | {"of": tally.dice}
    report = score.to_json()
    times = {name: report["ms"][name] for name in ("median", "p95")} if "ms" in report else None
    return {
        "dice": dice,
        "images": {"of": len(score.pictures), "exact": score.exact, "with_silent_error": score.images_silent},
        "die_identity": {"right": score.identity_right, "of": score.identity_of},
        "ms": times,
    }


def compare(theirs: Scorer, labels: list[Report], readings: list[Report]) -> None:
    expected = theirs(labels, readings)
    for counts in expected["dice"].values():
        del counts["correct_rate"]
    del expected["boards"]
    assert ours(labels, readings) == expected


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(pictures=st.lists(picture, min_size=1, max_size=3))
@example(  # a right answer further on in the list is taken before a wrong one that comes first
    pictures=[
        {
            "label": {
                "complete": True,
                "objects": [{"kind": "die", "face": "A", "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
            },
            "reading": {
                "objects": [
                    {"kind": "die", "face": "AE", "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]]},
                    {"kind": "die", "face": "A", "polygon": [[1, 1], [4, 0], [4, 4], [0, 4]]},
                ]
            },
        }
    ]
)
def test_made_up_readings_get_the_same_scores(theirs: Scorer, pictures: list[Report]) -> None:
    labels = [one["label"] | {"image": f"{number}.png"} for number, one in enumerate(pictures)]
    readings = [one["reading"] | {"image": f"{number}.png"} for number, one in enumerate(pictures)]
    compare(theirs, labels, readings)


def answers(label: Report, number: int) -> Report:
    """A reading that is right, asks, misses, errs and makes up dice, each now and then."""
    objects = []
    for place, die in enumerate(label["objects"]):
        what = (7 * number + 3 * place) % 11
        if what == 0:
            continue
        stated = die | {"status": "ask" if what == 1 else "read", "confidence": 0.9}
        objects.append(stated | ({"face": "Q"} if what == 2 else {}))
        if what == 3:
            objects.append(stated)
    return {"image": label["image"], "ms": 10 + number % 17, "objects": objects}


@pytest.mark.parametrize(
    "folder",
    ["eval/tray", "eval/letters-wide", "eval/ludix", "eval/pips", "photos/pips-phone", "photos/letter-tiles"],
)
def test_readings_of_labelled_pictures_get_the_same_scores(shared: Path, theirs: Scorer, folder: str) -> None:
    lines = (shared / folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    labels = [json.loads(line) for line in lines if line.strip()]
    compare(theirs, labels, [answers(label, number) for number, label in enumerate(labels)])
