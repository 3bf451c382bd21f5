"""Tournaments: slug, validation, rules, trials and deletion."""

import logging
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import (
    SYSTEM,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
    record,
    wash_out,
)
from tournament.base.access import Actor
from tournament.base.engine.rules import rules_named
from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament, TrialJob
from tournament.demo import trials
from tournament.demo.playing import demo_event
from tournament.demo.tasks import make_trial
from tournament.demo.trials import trial_status
from tournament.documents.exports import jobs
from tournament.events.services import create_tournament, delete_tournament
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
from tournament.messages.push.models import Phone
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import record_absence
from tournament.play.services.hands import correct_hand, undo_hand
from tournament.play.services.sessions import raise_call
from tournament.play.services.tables import sign
from tournament.site.selectors.front_page import my_tournaments
from tournament.site.services import request_trial
from tournament.staff.passes import PassScope
from tournament.staff.services import make_passes

pytestmark = pytest.mark.stored


def test_a_slug_is_the_name_in_latin_letters_numbered_if_taken() -> None:
    names = ("Spring Open", "西湖杯 2026", "西湖杯", "New", "Open", "Open", "Open")
    slugs = [make_tournament(players=0, drawn=False, name=name).slug for name in names]
    expected = ["spring-open", "tournament-2026", "tournament", "new-2", "open", "open-2", "open-3"]
    assert slugs == expected


def test_an_invalid_tournament_is_refused_with_all_problems() -> None:
    days = {"starts_on": date(2026, 11, 15), "ends_on": date(2026, 11, 14)}
    wrong = Tournament(**days, rulebook="bridge", sessions_planned=0, minutes=601, time_zone="Mars")
    assert set(refused_problems(create_tournament, SYSTEM, wrong)) == {
        ("value_missing", "name"),
        ("ends_before_it_starts", "ends_on"),
        ("not_understood", "rulebook"),
        ("value_too_low", "sessions_planned"),
        ("value_too_high", "minutes"),
        ("unknown_time_zone", "time_zone"),
    }
    assert not Tournament.objects.exists()


def test_rules_are_cached_per_snapshot() -> None:
    tournament = make_tournament(players=0, drawn=False)
    first, second = (Tournament.objects.get(pk=tournament.pk) for _ in range(2))
    assert first.rules is second.rules
    assert first.rules == rules_named("mcr")
    tournament = make_tournament(players=0, drawn=False)
    before = Tournament.objects.get(pk=tournament.pk)
    Tournament.objects.filter(pk=tournament.pk).update(rules_snapshot=rules_named("mwt").to_json())
    assert Tournament.objects.get(pk=tournament.pk).rules.name == "mwt"
    assert before.rules.name == "mcr"
    before.refresh_from_db()
    assert before.rules.name == "mwt"
    stored = Tournament.objects.get(pk=make_tournament(players=0, drawn=False).pk).rules_snapshot
    with pytest.raises(TypeError):
        stored["name"] = "mwt"
    with pytest.raises(TypeError):
        stored |= {"name": "mwt"}


@pytest.fixture
def olga() -> User:
    return make_user("olga", staff=True)


@pytest.fixture
def job(olga: User) -> TrialJob:
    """A trial of two tables."""
    return TrialJob.objects.create(players=8, requested_by=olga)


@pytest.fixture
def unplayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make trials without any play, for tests that are not about play."""
    monkeypatch.setattr(
        trials, "demo_event", lambda *args, **options: replace(demo_event(*args, **options), steps=())
    )
    monkeypatch.setattr(trials, "SLICE_SECONDS", 3600)  # in one slice, however busy the machine


@pytest.mark.thorough
def test_a_trial_is_played_in_slices_to_its_third_session(
    job: TrialJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "SLICE_SECONDS", 0)
    slices, sentences = 1, set()
    while trials.run(job.pk):
        slices += 1
        job.refresh_from_db()
        sentences.add(trial_status(job).sentence)
    job.refresh_from_db()
    tournament = job.tournament
    assert tournament is not None
    assert (job.state, job.done_steps) == (TrialJob.State.DONE, job.steps)
    assert slices > job.steps, "other tasks run in between"
    assert {f"Playing session {session} of 3 …" for session in (1, 2, 3)} <= sentences
    states = [session.state for session in tournament.sessions.all()]
    assert states == [Session.State.CLOSED] * 2 + [Session.State.RUNNING] + [Session.State.PLANNED] * 2
    assert list(tournament.publications.order_by("version").values_list("after_session", flat=True)) == [1, 2]
    assert all(4 <= table.hands_played <= 9 for table in tournament.sessions.get(number=3).tables.all())
    assert tournament.is_trial
    assert not tournament.is_public


def test_a_second_request_returns_the_same_trial(olga: User) -> None:
    first = request_trial(Actor.of(olga), 16)
    assert request_trial(Actor.of(olga), 400) == first


@pytest.mark.usefixtures("unplayed")
def test_a_trial_is_in_the_language_of_the_person_who_requests_it(client: Client, olga: User) -> None:
    client.force_login(olga)
    headers = {"Accept-Language": "zh-hant"}
    assert client.post(reverse("organiser_trials"), {"players": "16"}, headers=headers).status_code == 302
    assert not trials.run(TrialJob.objects.get().pk)
    assert Tournament.objects.get().timetable.filter(title="報到").exists()


def test_a_failed_trial_leaves_only_its_job(job: TrialJob, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(trials, "Play", crash)
    assert not trials.run(job.pk)
    job.refresh_from_db()
    assert not Tournament.objects.exists()
    assert job.state == TrialJob.State.FAILED
    assert "could not be created" in trial_status(job).sentence
    assert not trials.run(job.pk), "a task delivered twice does nothing"


def test_a_trial_deleted_while_it_is_made_stops(
    job: TrialJob, olga: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def delete_between_two_steps() -> float:
        for event in Tournament.objects.all():
            delete_tournament(event, Actor.of(olga))
        return 0.0

    monkeypatch.setattr(trials, "monotonic", delete_between_two_steps)
    assert not trials.run(job.pk)
    assert not TrialJob.objects.exists()
    assert "failed" not in caplog.text


def test_a_trial_is_listed_once_it_is_made_and_private(
    client: Client, job: TrialJob, olga: User, unplayed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(make_user("otto", staff=True))
    assert client.get(reverse("organiser_trial", args=[job.pk])).status_code == 404
    with monkeypatch.context() as quick:
        quick.setattr(trials, "SLICE_SECONDS", 0)
        assert trials.run(job.pk)
    assert not my_tournaments(Actor.of(olga)).exists()
    make_trial(job.pk)
    assert my_tournaments(Actor.of(olga)).count() == 1


@pytest.mark.thorough
def test_my_tournaments_offer_a_trial_and_delete_it(client: Client, olga: User, unplayed: None) -> None:
    client.force_login(olga)
    home = reverse("organiser_home")
    assert "Try with 400 players" in client.get(home).text
    assert client.post(reverse("organiser_trials"), {"players": "17"}).status_code == 400
    job = TrialJob.objects.create(players=16, requested_by=olga)
    page = client.get(home).text
    assert "Waiting for the background worker" in page
    assert "Try with 400 players" not in page
    htmx = {"hx-request": "true"}
    here = reverse("organiser_trial", args=[job.pk])
    mark = trial_status(job).mark
    assert client.get(f"{here}?seen={mark}", headers=htmx).status_code == 204
    assert not trials.run(job.pk)
    assert client.get(f"{here}?seen={mark}", headers=htmx)["HX-Refresh"] == "true"
    tournament = Tournament.objects.get()
    data = reverse("organiser_data", args=[tournament.slug])
    assert f"{data}#delete" in client.get(home).text
    assert "To delete it, type its name" not in client.get(data).text
    client.post(reverse("organiser_delete", args=[tournament.slug]))
    assert not Tournament.objects.exists()


def rows() -> dict[str, list[Any]]:
    """Return the primary keys of all rows by model."""
    ours = [m for m in apps.get_models() if m._meta.app_label in ("tournament", "penalties", "auth")]
    return {m._meta.label: sorted(m._default_manager.values_list("pk", flat=True)) for m in ours}


def used_tournament() -> Tournament:
    """Return a tournament with rows of every model."""
    tournament = make_tournament(players=8, sessions=2, played=1, running=2, name="Gone Open", hands=2)
    umpire = Actor.of(make_umpire(tournament, "gone"))
    table = tournament.sessions.get(number=2).tables.get(number=1)
    first, second = [seat.player.number for seat in table.seats.all()[:2]]
    hand = table.hands.get(number=1)
    for _again in range(3):  # hands that replace each other are no obstacle
        hand = correct_hand(hand, SYSTEM, wash_out(), reason="misread", uuid=uuid4())
    undo_hand(record(table, wash_out(), umpire), umpire)
    give_penalty(table, SYSTEM, Accusation(first, "late", details={"minutes": 5}), uuid=uuid4())
    open_appeal(table, SYSTEM, first, "Not so.", uuid=uuid4())
    record_absence(table, SYSTEM, second, uuid=uuid4())
    sign(table, SYSTEM, first)
    raise_call(table, SYSTEM, "tiles")
    announce(Announcement(tournament=tournament, text="Tea"), SYSTEM)
    make_passes(tournament, SYSTEM, [PassScope("Table 1", 1)], timezone.now() + timedelta(days=1))
    Phone.objects.create(
        player=tournament.players.get(number=1), endpoint="https://push.example/1", used_at=timezone.now()
    )
    return tournament


@pytest.mark.thorough
def test_deletion_removes_all_rows_of_a_tournament_and_no_others() -> None:
    other = make_tournament(players=8, sessions=1, played=1, running=None, name="Stays")
    make_organiser(other)
    people = list(User.objects.values_list("pk", flat=True))
    before = rows()
    tournament = used_tournament()
    account = User.objects.get(username="gone")
    delete_tournament(tournament, SYSTEM, name="Gone Open")
    assert rows() == before | {"auth.User": sorted([*people, account.pk])}


def test_deletion_needs_the_name_of_the_tournament() -> None:
    """Spaces are normalized."""
    tournament = make_tournament(players=0, name="Gone  Open")
    for typed in ("", "gone open", "Gone", "Gone Open!"):
        assert refused_codes(delete_tournament, tournament, SYSTEM, name=typed) == ["name_not_repeated"]
    delete_tournament(tournament, SYSTEM, name=" Gone Open ")
    assert not Tournament.objects.exists()


def test_deletion_removes_files_ends_streams_and_is_logged(
    settings: Any,
    tmp_path: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.MEDIA_ROOT = tmp_path
    notified: list[int] = []
    monkeypatch.setattr(
        "tournament.base.hooks.entry_committed.receivers",
        [lambda key, _version, _action: notified.append(key)],
    )
    tournament = make_tournament(players=0, name="Gone Open")
    job = DocumentJob.objects.create(tournament=tournament, kind="standings", language="en", state="done")
    job.file.save("standings.pdf", ContentFile(b"%PDF"))
    assert [path for path in tmp_path.rglob("*") if path.is_file()]
    key = tournament.pk
    with (
        caplog.at_level(logging.WARNING, "tournament.events.services"),
        django_capture_on_commit_callbacks(execute=True),
    ):
        delete_tournament(tournament, SYSTEM, name="Gone Open")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert notified == [key]
    assert "Gone Open" in caplog.text


def test_a_document_finished_after_the_deletion_is_removed(
    settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    tournament = make_tournament(players=4, sessions=1, played=1, hands=1)
    job = DocumentJob.objects.create(tournament=tournament, kind="standings", language="en")

    def delete_meanwhile(*_args: object) -> bytes:
        delete_tournament(tournament, SYSTEM, name=tournament.name)
        return b"%PDF"

    monkeypatch.setattr(jobs, "render_draft", delete_meanwhile)
    jobs.run_job(job.pk)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not DocumentJob.objects.exists()
