"""Files of older versions are brought up step by step; what other programs add is kept as it is."""

from __future__ import annotations

import json

import pytest

from tests.event_file.conftest import Data, faults, sealed
from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM
from tournament.event_file import reading
from tournament.event_file.versions import brought_up, check_version
from tournament.exchange.tournament_file import bring_in, file_of
from tournament.models import Extension
from tournament.services.deletion import delete_tournament

LOTTERY = {
    "id": "org.example.lottery",
    "specUrl": "https://example.org/lottery/1.json",
    "data": {"tickets": [3, 1.5, None, {"é": "☃"}], "of": {"b": 1, "a": -0.25}},
}


def puzzles_were_called_riddles(data: Data) -> Data:
    """An older version than there ever was."""
    return {("puzzles" if name == "riddles" else name): value for name, value in data.items()}


def minutes_were_hours(data: Data) -> Data:
    about = data["tournament"]
    return data | {"tournament": about | {"minutes": about["minutes"] * 60}}


STEPS = {-1: minutes_were_hours, 0: puzzles_were_called_riddles}


def test_steps_follow_each_other() -> None:
    old = {"version": -1, "tournament": {"minutes": 2}, "riddles": []}
    assert brought_up(old, 1, STEPS) == {"version": 1, "tournament": {"minutes": 120}, "puzzles": []}


def test_an_older_file_is_taken_in(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its digests are those of what was written then."""
    then = data | {"version": 0, "riddles": data["puzzles"]}
    del then["puzzles"]
    monkeypatch.setattr(reading, "check_version", lambda given: check_version(given, 1, STEPS))
    monkeypatch.setattr(reading, "brought_up", lambda given: brought_up(given, 1, STEPS))
    assert bring_in(sealed(then), SYSTEM).players.count() == len(data["players"])
    changed = then | {"riddles": [1]}
    assert "/riddles section_changed" in faults(json.dumps(changed).encode())


def test_what_no_step_leads_from_is_refused() -> None:
    for version in (2, 10**12, -2):
        assert refused_codes(check_version, {"format": "hule-tournament", "version": version}, 1, STEPS)


@pytest.mark.thorough
def test_what_another_program_added_is_handed_on_untouched(data: Data) -> None:
    """Nobody has to make a digest anew for it."""
    data["extensions"] = [LOTTERY, LOTTERY | {"id": "org.example.other", "data": "x"}]
    brought = bring_in(json.dumps(data).encode(), SYSTEM)
    again = json.loads(file_of(brought))
    assert again["extensions"] == data["extensions"]
    assert again == data | {"extensions": again["extensions"]}
    delete_tournament(brought, SYSTEM, name=brought.name)
    assert not Extension.objects.exists()


def test_an_extension_has_a_name_an_address_and_something_and_is_there_once(data: Data) -> None:
    faulty = {
        "/extensions/0/specUrl field_not_allowed": [LOTTERY | {"specUrl": "javascript:alert(1)"}],
        "/extensions/0/more field_unknown": [LOTTERY | {"more": 1}],
        "/extensions/0/data field_out_of_range": [LOTTERY | {"data": 2**60}],
        "/extensions/0/data field_not_text": [LOTTERY | {"data": "\0"}],
        "/extensions/0/data field_missing": [{"id": "org.example"}],
    }
    found = {place: faults(sealed(data | {"extensions": faulty[place]})) for place in faulty}
    assert {place: problems for place, problems in found.items() if place not in problems} == {}
    assert faults(sealed(data | {"extensions": [LOTTERY, LOTTERY]})) == ["/extensions/1/id said_twice"]
