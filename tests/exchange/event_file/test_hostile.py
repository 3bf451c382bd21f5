"""Files that are broken, tampered with or a trap are refused by their place; those of older versions are brought up."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.exchange.event_file.conftest import Data, faults, refusal, sealed
from tests.support.checks import VALUES, refused_codes
from tests.support.factories import SYSTEM, make_tournament
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Extension
from tournament.events.services import delete_tournament
from tournament.exchange.event_file import format
from tournament.exchange.event_file.columns import brought_up, check_version
from tournament.exchange.event_file.tournament_file import bring_in, file_of
from tournament.exchange.texts import placed

Change = Callable[[Data], None]
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.mark.thorough
def test_as_it_is_it_is_taken(data: Data) -> None:
    assert bring_in(sealed(data), SYSTEM).name == "Spring Open"


# --- the file ---------------------------------------------------------------------------------------------------------
def test_no_other_file_and_no_bomb_is_taken(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = {
        b"": "tournament_file_cut",
        b"[]": "not_a_tournament_file",
        b'{"format": "hule-transcript", "version": 1}': "/format not_a_tournament_file",
        b'{"format": "hule-tournament", "version": "1"}': "/format not_a_tournament_file",
        b'{"format": "hule-tournament", "version": 0}': "/version not_a_tournament_file",
        b'{"format": "hule-tournament", "version": true}': "/format not_a_tournament_file",
        b"[" * 200_000: "not_a_tournament_file",
        b'{"a":' * 200_000: "not_a_tournament_file",
        b"9" * 6_000: "not_a_tournament_file",
        b'{"a": NaN}': "not_a_tournament_file",
        b'{"a": 1e999}': "not_a_tournament_file",
        b"\xff\xfe{}": "not_a_tournament_file",
    }
    assert {broken[:60]: faults(broken) for broken in codes} == {
        broken[:60]: [code] for broken, code in codes.items()
    }
    monkeypatch.setattr(format, "MOST_VALUES", 1000)
    assert faults(b"[" + b"[]," * 1000 + b"[]]") == ["tournament_file_too_many"]
    monkeypatch.setattr(format, "MOST_BYTES", 1000)
    assert faults(b" " * 1001) == ["tournament_file_too_large"]


def test_half_a_file_says_where_it_ends(content: bytes) -> None:
    half = content[: len(content) // 2]
    line = half.count(b"\n") + 1
    assert f"from line {line} on" in placed(refusal(half)[0])


def test_a_newer_version_is_refused_by_both_numbers(data: Data) -> None:
    problem, *_ = refusal(sealed(data | {"version": 7}))
    assert placed(problem).startswith(
        "/version: This file is of version 7, and this Hule reads up to version 1."
    )


# --- what is in it ----------------------------------------------------------------------------------------------------
def put(*path: Any, to: Any) -> Change:
    def change(data: Data) -> None:
        reduce(getitem, path[:-1], data)[path[-1]] = to

    return change


def gone(*path: Any) -> Change:
    def change(data: Data) -> None:
        del reduce(getitem, path[:-1], data)[path[-1]]

    return change


def twice(section: str, name: str) -> Change:
    return lambda data: put(section, 1, name, to=data[section][0][name])(data)


ACCOUNT = dict.fromkeys(("holder", "iban", "bic", "mark"), "") | {"currency": "EUR", "tells": True}
FAULTS: list[tuple[Change, str]] = [
    (twice("players", "number"), "/players/1/number said_twice"),
    (twice("hands", "uuid"), "/hands/1/uuid said_twice"),
    (twice("registrations", "key"), "/registrations/1/key said_twice"),
    (twice("staff", "uuid"), "/staff/1/uuid said_twice"),
    (twice("sessions", "number"), "/sessions/1/number said_twice"),
    (put("hands", 0, "winner", to=99), "/hands/0/winner points_nowhere"),
    (put("hands", 0, "table", to="9/9"), "/hands/0/table points_nowhere"),
    (put("payments", 0, "due", to=99), "/payments/0/due points_nowhere"),
    (put("memberships", 0, "user", to=NOBODY), "/memberships/0/user points_nowhere"),
    (put("registrations", 0, "answers", "9", to=True), "/registrations/0/answers/9 points_nowhere"),
    (gone("players"), "/players field_missing"),
    (gone("players", 0, "number"), "/players/0/number field_missing"),
    (put("umpires", to=[]), "/umpires field_unknown"),
    (put("players", 0, "password", to="x"), "/players/0/password field_unknown"),
    (put("players", to={}), "/players field_not_a_list"),
    (put("players", 0, to=7), "/players/0 field_not_an_object"),
    (put("players", 0, "number", to="1"), "/players/0/number field_not_a_number"),
    (put("players", 0, "number", to=True), "/players/0/number field_not_a_number"),
    (put("players", 0, "number", to=10**30), "/players/0/number field_out_of_range"),
    (put("players", 0, "last_name", to="a\0b"), "/players/0/last_name field_not_text"),
    (put("players", 0, "last_name", to="\ud800"), "/players/0/last_name field_not_text"),
    (put("players", 0, "last_name", to="x" * 81), "/players/0/last_name field_too_long"),
    (put("players", 0, "checked_in_at", to="now"), "/players/0/checked_in_at field_not_a_moment"),
    (put("dues", 0, "amount", to="1e9"), "/dues/0/amount field_not_an_amount"),
    (put("dues", 0, "amount", to="-1.00"), "/dues/0 row_does_not_fit"),
    (put("hands", 0, "outcome", to="lost"), "/hands/0/outcome field_not_allowed"),
    (put("hands", 0, "number", to=17), "/hands/0 row_does_not_fit"),
    (put("hands", 0, "payments", to={"one": 8}), "/hands/0/payments/one field_unknown"),
    (put("tournament", "rules_snapshot", to={}), "/tournament/rules_snapshot not_understood"),
    (put("tournament", "time_zone", to="Mars"), "/tournament/time_zone unknown_time_zone"),
    (put("tournament", "slug", to="../x"), "/tournament/slug field_not_allowed"),
    (put("tournament", "slug", to="new"), "/tournament/slug slug_taken"),
    (put("event_documents", 0, "file", to="PGh0bWw+"), "/event_documents/0/file file_of_no_kind"),
    (put("event_documents", 0, "file", to="%%%"), "/event_documents/0/file field_not_base64"),
    (put("letters", 0, "state", to="waiting"), "/letters/0/state field_not_allowed"),
    (put("account", to=ACCOUNT | {"link": "javascript:alert(1)"}), "/account/link field_not_allowed"),
    (gone("seats", 0), "/tables/0 seats_not_four_winds"),
    (put("log", 3, "action", to="hand_undone"), "/log/3 chain_broken"),
    (gone("log", 3), "/log/3 chain_broken"),
    (put("log", 0, "actor_code", to="account:77"), "/log/0 chain_broken"),
    (put("log", 0, "public_seq", to=None), "/log/0 chain_broken"),
    (put("hands", 0, "points", to=88), "file_contradicts"),
    (put("seats", 0, "game_points", to=999), "file_contradicts"),
    (put("penalties", 1, "effects", to={}), "file_contradicts"),
    (put("appeals", 0, "text", to="I said nothing."), "file_contradicts"),
]


@pytest.mark.thorough
def test_one_fault_is_told_by_its_place(content: bytes) -> None:
    wrong = {}
    for change, place in FAULTS:
        data = json.loads(content)
        change(data)
        if place not in (found := faults(sealed(data))):
            wrong[place] = found
    assert wrong == {}


def test_faults_are_told_together(data: Data) -> None:
    """What was changed without its digest is told by its section."""
    data["players"][0]["last_name"] = "Anybody"
    assert faults(json.dumps(data).encode()) == ["/players section_changed"]
    for number in (0, 1, 2):
        data["players"][number]["number"] = "x"
    assert len(faults(sealed(data))) == 3


def test_one_uuid_of_another_event_here_is_told(data: Data) -> None:
    make_tournament(players=4, sessions=1, played=1, name="Here")
    last = len(data["hands"]) - 1
    for hand in Hand.objects.all():
        Hand.objects.filter(pk=hand.pk).update(uuid=(here := uuid4()))
    data["hands"][last]["uuid"] = str(here)
    assert faults(sealed(data)) == [f"/hands/{last}/uuid here_already"]


def test_a_file_that_is_stored_beside_the_database_goes_with_a_refusal(
    data: Data, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    data["hands"][0]["points"] = 88
    faults(sealed(data))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


# --- anything anywhere --------------------------------------------------------------------------------------------
def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in it, three rows of a section at the most."""
    rows = enumerate(value[:3]) if isinstance(value, list) else ()
    for name, inner in value.items() if isinstance(value, dict) else rows:
        yield (*path, name)
        yield from leaves(inner, (*path, name))


@pytest.mark.thorough
@settings(max_examples=1500, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(choice=st.data())
def test_anything_anywhere_is_refused_or_taken_and_never_a_crash(
    content: bytes, choice: st.DataObject
) -> None:
    data = json.loads(content)
    ways = [path for path in leaves(data) if path[0] not in ("digests", "transcript")]
    path = choice.draw(st.sampled_from(ways))
    changes = [gone(*path), *(put(*path, to=deepcopy(value)) for value in VALUES)]
    choice.draw(st.sampled_from(changes))(data)
    with transaction.atomic():
        refusal(sealed(data))
        transaction.set_rollback(True)


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


def test_steps_follow_each_other_and_what_none_leads_from_is_refused() -> None:
    old = {"version": -1, "tournament": {"minutes": 2}, "riddles": []}
    assert brought_up(old, 1, STEPS) == {"version": 1, "tournament": {"minutes": 120}, "puzzles": []}
    for version in (2, 10**12, -2):
        assert refused_codes(check_version, {"format": "hule-tournament", "version": version}, 1, STEPS)


def test_an_older_file_is_taken_in(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its digests are those of what was written then."""
    then = data | {"version": 0, "riddles": data["puzzles"]}
    del then["puzzles"]
    monkeypatch.setattr(format, "check_version", lambda given: check_version(given, 1, STEPS))
    monkeypatch.setattr(format, "brought_up", lambda given: brought_up(given, 1, STEPS))
    assert bring_in(sealed(then), SYSTEM).players.count() == len(data["players"])
    changed = then | {"riddles": [1]}
    assert "/riddles section_changed" in faults(json.dumps(changed).encode())


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
