"""A tournament is deleted: every row of it, its files, its passes' accounts; nothing else."""

import logging
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.utils import timezone

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire, record, wash_out
from tournament.access import Actor
from tournament.documents import jobs
from tournament.engine.statements import Accusation, Message, Objection
from tournament.models import DocumentJob, Phone, Tournament
from tournament.passes import Reach
from tournament.services.absences import note_absence
from tournament.services.announcements import announce
from tournament.services.appeals import open_appeal
from tournament.services.calls import raise_call
from tournament.services.deletion import delete_tournament
from tournament.services.hands import correct_hand, undo_hand
from tournament.services.passes import make_passes
from tournament.services.penalties import give_penalty
from tournament.services.signing import sign

pytestmark = pytest.mark.stored


def rows() -> dict[str, list[Any]]:
    """Every row of ours and of the accounts, by its key."""
    ours = [m for m in apps.get_models() if m._meta.app_label in ("tournament", "penalties", "auth")]
    return {m._meta.label: sorted(m._default_manager.values_list("pk", flat=True)) for m in ours}


def lived_in() -> Tournament:
    """A tournament with something of every kind in it."""
    tournament = make_tournament(players=8, sessions=2, played=1, running=2, name="Gone Open", hands=2)
    umpire = Actor.of(make_umpire(tournament, "gone"))
    table = tournament.sessions.get(number=2).tables.get(number=1)
    first, second = [seat.player.number for seat in table.seats.all()[:2]]
    hand = table.hands.get(number=1)
    for _again in range(3):  # hands that replace each other are no obstacle
        hand = correct_hand(hand, SYSTEM, wash_out(), reason="misread", uuid=uuid4())
    undo_hand(record(table, wash_out(), umpire), umpire)
    give_penalty(table, SYSTEM, Accusation(first, "late", details={"minutes": 5}), uuid=uuid4())
    open_appeal(table, SYSTEM, Objection(first, "Not so."), uuid=uuid4())
    note_absence(table, SYSTEM, second, uuid=uuid4())
    sign(table, SYSTEM, first)
    raise_call(table, SYSTEM, "tiles")
    announce(tournament, SYSTEM, Message("Tea"), uuid=uuid4())
    make_passes(tournament, SYSTEM, [Reach("Table 1", 1)], timezone.now() + timedelta(days=1))
    Phone.objects.create(
        player=tournament.players.get(number=1), endpoint="https://push.example/1", since=timezone.now()
    )
    return tournament


@pytest.mark.thorough
def test_nothing_of_it_is_left_and_nothing_else_is_gone() -> None:
    other = make_tournament(players=8, sessions=1, played=1, running=None, name="Stays")
    make_organiser(other)
    people = list(User.objects.values_list("pk", flat=True))
    before = rows()
    made = lived_in()
    account = User.objects.get(username="gone")
    delete_tournament(made, SYSTEM, name="Gone Open")
    assert rows() == before | {"auth.User": sorted([*people, account.pk])}


def test_only_for_who_types_its_name() -> None:
    """Spaces in it are not looked at closely."""
    made = make_tournament(players=0, name="Gone  Open")
    for typed in ("", "gone open", "Gone", "Gone Open!"):
        assert refused_codes(delete_tournament, made, SYSTEM, name=typed) == ["name_not_repeated"]
    delete_tournament(made, SYSTEM, name=" Gone Open ")
    assert not Tournament.objects.exists()


def test_the_files_go_the_streams_end_and_the_servers_log_remembers(
    settings: Any,
    tmp_path: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.MEDIA_ROOT = tmp_path
    told: list[int] = []
    monkeypatch.setattr("tournament.log._listeners", [lambda key, _version, _action: told.append(key)])
    made = make_tournament(players=0, name="Gone Open")
    job = DocumentJob.objects.create(tournament=made, kind="standings", language="en", state="done")
    job.file.save("standings.pdf", ContentFile(b"%PDF"))
    assert [path for path in tmp_path.rglob("*") if path.is_file()]
    key = made.pk
    with (
        caplog.at_level(logging.WARNING, "tournament.services.deletion"),
        django_capture_on_commit_callbacks(execute=True),
    ):
        delete_tournament(made, SYSTEM, name="Gone Open")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert told == [key]
    assert "Gone Open" in caplog.text


def test_a_document_made_meanwhile_is_gone(
    settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    made = make_tournament(players=4, sessions=1, played=1, hands=1)
    job = DocumentJob.objects.create(tournament=made, kind="standings", language="en")

    def press(*_arguments: object) -> bytes:
        delete_tournament(made, SYSTEM, name=made.name)
        return b"%PDF"

    monkeypatch.setattr(jobs, "pressed", press)
    jobs.run(job.pk)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not DocumentJob.objects.exists()
