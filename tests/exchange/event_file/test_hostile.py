"""Files that are broken, tampered with or a trap are refused by their place; those of older versions are brought up."""

import json
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.exchange.event_file.conftest import Data, faults, refusal, sealed
from tests.support.checks import VALUES, refused_codes
from tests.support.data import read_json
from tests.support.factories import SYSTEM, make_tournament
from tests.support.transcripts import Change, changed
from tournament.base.models.documents import CertificateDesign
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Extension
from tournament.events.services import delete_tournament
from tournament.exchange.event_file import reading
from tournament.exchange.event_file.encoding import check_version, upgrade
from tournament.exchange.event_file.tournament_file import import_tournament, serialize_tournament
from tournament.exchange.texts import sentence_with_place


@pytest.mark.thorough
def test_as_it_is_it_is_taken(data: Data) -> None:
    assert import_tournament(sealed(data), SYSTEM).name == "Spring Open"


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
    monkeypatch.setattr(reading, "MAX_VALUES", 1000)
    assert faults(b"[" + b"[]," * 1000 + b"[]]") == ["tournament_file_too_many"]
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)
    assert faults(b" " * 1001) == ["tournament_file_too_large"]


def test_half_a_file_says_where_it_ends(content: bytes) -> None:
    half = content[: len(content) // 2]
    line = half.count(b"\n") + 1
    assert f"from line {line} on" in sentence_with_place(refusal(half)[0])


def test_a_newer_version_is_refused_by_both_numbers(data: Data) -> None:
    problem, *_ = refusal(sealed(data | {"version": 7}))
    assert sentence_with_place(problem).startswith(
        "/version: This file is of version 7, and this Hule reads up to version 1."
    )


# --- what is in it ----------------------------------------------------------------------------------------------------
FAULTS: list[tuple[list[Change], str]] = read_json("event-file-faults.json")
"""What is changed in a good file → the problem that is named."""
TWICE = "players/number hands/uuid registrations/key staff/uuid sessions/number"
"""Section and field of which no two rows say the same."""


@pytest.mark.thorough
def test_one_fault_is_told_by_its_place(content: bytes) -> None:
    wrong = {}
    good = json.loads(content)
    twice = [name.split("/") for name in TWICE.split()]
    cases = FAULTS + [
        ([[f"/{rows}/1/{field}", good[rows][0][field]]], f"/{rows}/1/{field} said_twice")
        for rows, field in twice
    ]
    for changes, place in cases:
        if place not in (found := faults(sealed(changed(json.loads(content), changes)))):
            wrong[place] = found
    assert wrong == {}


def test_a_picture_is_drawn_anew_as_one_that_is_uploaded(data: Data) -> None:
    def with_picture(size: tuple[int, int]) -> bytes:
        exif, sent = Image.Exif(), BytesIO()
        exif[0x010F] = "A camera that knows where it was"
        Image.new("L", size).save(sent, "JPEG", exif=exif)
        file = b64encode(sent.getvalue()).decode()
        return sealed(data | {"certificates": {"text": "", "places": 3, "best_hand": True, "file": file}})

    assert faults(with_picture((4001, 4000))) == ["/certificates/file picture_too_many_pixels"]
    brought = import_tournament(with_picture((60, 40)), SYSTEM)
    with CertificateDesign.objects.get(tournament=brought).file.open("rb") as file:
        assert b"camera" not in file.read()


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
    ways = ["/".join(map(str, path)) for path in leaves(data) if path[0] not in ("digests", "transcript")]
    path = choice.draw(st.sampled_from(ways))
    changes = [[path], *([path, deepcopy(value)] for value in VALUES)]
    changed(data, [choice.draw(st.sampled_from(changes))])
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


UPGRADES = {-1: minutes_were_hours, 0: puzzles_were_called_riddles}


def test_steps_follow_each_other_and_what_none_leads_from_is_refused() -> None:
    old = {"version": -1, "tournament": {"minutes": 2}, "riddles": []}
    assert upgrade(old, 1, UPGRADES) == {"version": 1, "tournament": {"minutes": 120}, "puzzles": []}
    for version in (2, 10**12, -2):
        assert refused_codes(check_version, {"format": "hule-tournament", "version": version}, 1, UPGRADES)


def test_an_older_file_is_taken_in(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its digests are those of what was written then."""
    then = data | {"version": 0, "riddles": data["puzzles"]}
    del then["puzzles"]
    monkeypatch.setattr(reading, "check_version", lambda given: check_version(given, 1, UPGRADES))
    monkeypatch.setattr(reading, "upgrade", lambda given: upgrade(given, 1, UPGRADES))
    assert import_tournament(sealed(then), SYSTEM).players.count() == len(data["players"])
    changed = then | {"riddles": [1]}
    assert "/riddles section_changed" in faults(json.dumps(changed).encode())


@pytest.mark.thorough
def test_what_another_program_added_is_handed_on_untouched(data: Data) -> None:
    """Nobody has to make a digest anew for it."""
    data["extensions"] = [LOTTERY, LOTTERY | {"id": "org.example.other", "data": "x"}]
    brought = import_tournament(json.dumps(data).encode(), SYSTEM)
    again = json.loads(serialize_tournament(brought))
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
