"""Broken, forged and oversized files are refused with the place of each problem; older versions are upgraded."""

import json
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from PIL import Image

from tests.exchange.event_file.conftest import Data, encode_with_digests, import_problems, problem_places
from tests.support.checks import VALUES, refused_codes
from tests.support.data import read_json
from tests.support.factories import SYSTEM, make_tournament
from tests.support.sampling import EXHAUSTIVE, SEED
from tests.support.transcripts import Change, changed
from tournament.base.models.documents import CertificateDesign
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Extension
from tournament.events.selectors import logo_of
from tournament.events.services import delete_tournament
from tournament.exchange.event_file import reading
from tournament.exchange.event_file.encoding import check_version, upgrade
from tournament.exchange.selectors import serialize_tournament
from tournament.exchange.services import import_tournament
from tournament.exchange.texts import sentence_with_place


# --- The file ---
def test_other_formats_and_oversized_files_are_refused(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert {broken[:60]: problem_places(broken) for broken in codes} == {
        broken[:60]: [code] for broken, code in codes.items()
    }
    monkeypatch.setattr(reading, "MAX_VALUES", 1000)
    assert problem_places(b"[" + b"[]," * 1000 + b"[]]") == ["tournament_file_too_many"]
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)
    assert problem_places(b" " * 1001) == ["tournament_file_too_large"]


def test_a_truncated_file_names_its_last_line(content: bytes) -> None:
    half = content[: len(content) // 2]
    line = half.count(b"\n") + 1
    assert f"from line {line} on" in sentence_with_place(import_problems(half)[0])


def test_a_newer_version_is_refused_with_both_version_numbers(data: Data) -> None:
    problem, *_ = import_problems(encode_with_digests(data | {"version": 7}))
    assert sentence_with_place(problem).startswith(
        "/version: This file has version 7, but this server reads files up to version 1."
    )


# --- Its contents ---
FAULTS: list[tuple[list[Change], str]] = read_json("event-file-faults.json")
"""Changes to a valid file → the problem reported."""
UNIQUE_FIELDS = "players/number hands/uuid registrations/key staff/uuid sessions/number"
"""Sections and fields whose values are unique."""


@pytest.mark.thorough
def test_each_problem_is_reported_with_its_place(content: bytes) -> None:
    wrong = {}
    good = json.loads(content)
    unique_fields = [name.split("/") for name in UNIQUE_FIELDS.split()]
    cases = FAULTS + [
        ([[f"/{rows}/1/{field}", good[rows][0][field]]], f"/{rows}/1/{field} duplicate_value")
        for rows, field in unique_fields
    ]
    for changes, place in cases:
        if place not in (
            places := problem_places(encode_with_digests(changed(json.loads(content), changes)))
        ):
            wrong[place] = places
    assert wrong == {}


def test_a_certificate_picture_is_encoded_again_without_metadata(data: Data) -> None:
    def with_picture(size: tuple[int, int]) -> bytes:
        exif, stream = Image.Exif(), BytesIO()
        exif[0x010F] = "A camera that knows where it was"
        Image.new("L", size).save(stream, "JPEG", exif=exif)
        file = b64encode(stream.getvalue()).decode()
        return encode_with_digests(
            data | {"certificates": {"text": "", "places": 3, "best_hand": True, "file": file}}
        )

    assert problem_places(with_picture((4001, 4000))) == ["/certificates/file picture_too_many_pixels"]
    imported = import_tournament(with_picture((60, 40)), SYSTEM)
    with CertificateDesign.objects.get(tournament=imported).file.open("rb") as file:
        assert b"camera" not in file.read()


def test_a_logo_is_encoded_again(data: Data) -> None:
    def with_logo(content: bytes) -> bytes:
        file = data["event_documents"][0] | {"kind": "png", "is_logo": True}
        return encode_with_digests(data | {"event_documents": [file | {"file": b64encode(content).decode()}]})

    stream = BytesIO()
    Image.new("L", (60, 40)).save(stream, "PNG")
    broken = b"\x89PNG\r\n\x1a\n<script>"
    assert problem_places(with_logo(broken)) == ["/event_documents/0/file file_unreadable"]
    imported = import_tournament(with_logo(stream.getvalue() + b"<script>"), SYSTEM)
    logo = logo_of(imported)
    assert logo is not None
    with logo.file.open("rb") as file:
        assert b"script" not in file.read()


def test_problems_are_reported_together_and_changed_sections_by_name(data: Data) -> None:
    data["players"][0]["last_name"] = "Anybody"
    assert problem_places(json.dumps(data).encode()) == ["/players section_changed"]
    for number in (0, 1, 2):
        data["players"][number]["number"] = "x"
    assert len(problem_places(encode_with_digests(data))) == 3


def test_a_uuid_of_another_event_is_refused(data: Data) -> None:
    make_tournament(players=4, sessions=1, played=1, name="Here")
    last = len(data["hands"]) - 1
    for hand in Hand.objects.all():
        Hand.objects.filter(pk=hand.pk).update(uuid=(uuid := uuid4()))
    data["hands"][last]["uuid"] = str(uuid)
    assert problem_places(encode_with_digests(data)) == [f"/hands/{last}/uuid here_already"]


def test_a_refused_import_leaves_no_stored_files(data: Data, settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    data["hands"][0]["points"] = 88
    problem_places(encode_with_digests(data))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


# --- Random changes ---
def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value, of up to three rows of a list."""
    rows = enumerate(value[:3]) if isinstance(value, list) else ()
    for name, inner in value.items() if isinstance(value, dict) else rows:
        yield (*path, name)
        yield from leaves(inner, (*path, name))


@pytest.mark.thorough
@seed(int(SEED))
@settings(
    max_examples=1500 if EXHAUSTIVE else 150,
    derandomize=False,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(choice=st.data())
def test_any_value_anywhere_is_refused_or_imported_without_an_error(
    content: bytes, choice: st.DataObject
) -> None:
    """Other values each run."""
    data = json.loads(content)
    paths = ["/".join(map(str, path)) for path in leaves(data) if path[0] not in ("digests", "transcript")]
    path = choice.draw(st.sampled_from(paths))
    changes = [[path], *([path, deepcopy(value)] for value in VALUES)]
    changed(data, [choice.draw(st.sampled_from(changes))])
    with transaction.atomic():
        import_problems(encode_with_digests(data))
        transaction.set_rollback(True)


LOTTERY = {
    "id": "org.example.lottery",
    "specUrl": "https://example.org/lottery/1.json",
    "data": {"tickets": [3, 1.5, None, {"é": "☃"}], "of": {"b": 1, "a": -0.25}},
}


def puzzles_were_called_riddles(data: Data) -> Data:
    """Upgrade from an invented version 0."""
    return {("puzzles" if name == "riddles" else name): value for name, value in data.items()}


def minutes_were_hours(data: Data) -> Data:
    """Upgrade from an invented version −1."""
    particulars = data["tournament"]
    return data | {"tournament": particulars | {"minutes": particulars["minutes"] * 60}}


UPGRADES = {-1: minutes_were_hours, 0: puzzles_were_called_riddles}


def test_upgrades_run_in_order_and_other_versions_are_refused() -> None:
    old = {"version": -1, "tournament": {"minutes": 2}, "riddles": []}
    assert upgrade(old, 1, UPGRADES) == {"version": 1, "tournament": {"minutes": 120}, "puzzles": []}
    for version in (2, 10**12, -2):
        assert refused_codes(check_version, {"format": "hule-tournament", "version": version}, 1, UPGRADES)


def test_an_older_file_is_checked_by_its_own_digests_and_imported(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_data = data | {"version": 0, "riddles": data["puzzles"]}
    del old_data["puzzles"]
    monkeypatch.setattr(reading, "check_version", lambda data: check_version(data, 1, UPGRADES))
    monkeypatch.setattr(reading, "upgrade", lambda data: upgrade(data, 1, UPGRADES))
    assert import_tournament(encode_with_digests(old_data), SYSTEM).players.count() == len(data["players"])
    changed = old_data | {"riddles": [1]}
    assert "/riddles section_changed" in problem_places(json.dumps(changed).encode())


@pytest.mark.thorough
def test_extensions_of_other_programs_are_kept_and_need_no_digest(data: Data) -> None:
    data["extensions"] = [LOTTERY, LOTTERY | {"id": "org.example.other", "data": "x"}]
    imported = import_tournament(json.dumps(data).encode(), SYSTEM)
    exported = json.loads(serialize_tournament(imported, contacts=True))
    assert exported["extensions"] == data["extensions"]
    assert exported == data | {"extensions": exported["extensions"]}
    delete_tournament(imported, SYSTEM, name=imported.name)
    assert not Extension.objects.exists()


def test_an_extension_needs_an_id_an_address_and_data_and_is_unique(data: Data) -> None:
    faulty = {
        "/extensions/0/specUrl field_not_allowed": [LOTTERY | {"specUrl": "javascript:alert(1)"}],
        "/extensions/0/more field_unknown": [LOTTERY | {"more": 1}],
        "/extensions/0/data field_out_of_range": [LOTTERY | {"data": 2**60}],
        "/extensions/0/data field_not_text": [LOTTERY | {"data": "\0"}],
        "/extensions/0/data field_missing": [{"id": "org.example"}],
    }
    places = {
        place: problem_places(encode_with_digests(data | {"extensions": faulty[place]})) for place in faulty
    }
    assert {place: problems for place, problems in places.items() if place not in problems} == {}
    assert problem_places(encode_with_digests(data | {"extensions": [LOTTERY, LOTTERY]})) == [
        "/extensions/1/id duplicate_value"
    ]
