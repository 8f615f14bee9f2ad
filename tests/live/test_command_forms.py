"""What is written of the commands is what they truly ask for."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.desk.command_forms import Kind, forms
from companion.desk.table.commands import CommandDataError
from companion.referee.match import RefusedError
from tests.live.test_commands import Office

RIGHT: dict[Kind, Any] = {"text": "x", "whole": 1, "number": 1.5, "flag": True, "object": {}, "list": []}


class Noted(Mapping[str, Any]):
    """Data of a command that notes what was asked of it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    made = Office(tmp_path / "match.db")
    made.begin()
    return made


def test_every_command_has_a_form_and_every_form_a_command(office: Office) -> None:
    assert set(forms()) == set(office.commands._known)


@pytest.mark.parametrize("name", list(forms()))
def test_a_command_asks_for_nothing_but_what_its_form_names(office: Office, name: str) -> None:
    form = forms()[name]
    right = {field: told.words[0] if told.words else RIGHT[told.kind] for field, told in form.fields.items()}
    asked = set()
    for data in (right, {field: right[field] for field, told in form.fields.items() if told.required}, {}):
        noted = Noted(data)
        office.commands.do(name, noted, "tests")
        asked |= noted.asked
    assert asked <= set(form.fields)


@pytest.mark.parametrize(
    "name", [name for name, form in forms().items() if any(f.required for f in form.fields.values())]
)
def test_what_is_required_is_missed_in_words(office: Office, name: str) -> None:
    form = forms()[name]
    for missing, told in form.fields.items():
        if told.required:
            data = {field: RIGHT[other.kind] for field, other in form.fields.items() if field != missing}
            with pytest.raises((CommandDataError, RefusedError)):
                office.commands._known[name](data, "tests")
