"""A trial: an invented tournament, made by the worker in shares, in the middle of its third session."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament, make_user
from tournament import tasks
from tournament.access import Actor
from tournament.demo import trials
from tournament.demo.trial_status import trial_status
from tournament.errors import Refused
from tournament.models import Session, Table, Tournament, TrialJob
from tournament.selectors.my_tournaments import my_tournaments
from tournament.services.deletion import delete_tournament
from tournament.services.trials import request_trial


@pytest.fixture
def olga() -> User:
    return make_user("olga", staff=True)


@pytest.fixture
def job(olga: User) -> TrialJob:
    """Of two tables, as the code does not mind how many there are."""
    return TrialJob.objects.create(players=8, requested_by=olga)


@pytest.fixture
def unplayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are handed in without a hand: for what is not about the play."""

    def hand_in(table: Table, job: TrialJob, organiser: Actor) -> None:
        Table.objects.filter(pk=table.pk).update(is_in=True, hands_played=1)

    monkeypatch.setattr(trials, "_play", hand_in)
    monkeypatch.setattr(trials, "SHARE", 3600)  # in one share, however busy the machine


@pytest.mark.thorough
def test_it_is_made_in_shares_to_its_third_session(job: TrialJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "SHARE", 0)
    shares, said = 1, set()
    while trials.run(job.pk):
        shares += 1
        job.refresh_from_db()
        said.add(trial_status(job).sentence)
    job.refresh_from_db()
    made = job.tournament
    assert made is not None
    assert (job.state, job.done_steps, job.steps) == (TrialJob.State.DONE, 7, 7)
    assert shares > 7, "documents and messages have their turn in between"
    assert {f"Playing session {s}, table {t} of 2 …" for s in (1, 2, 3) for t in (1, 2)} <= said
    states = [session.state for session in made.sessions.all()]
    assert states == [Session.State.CLOSED] * 2 + [Session.State.RUNNING] + [Session.State.PLANNED] * 2
    assert [publication.after_session for publication in made.publications.order_by("version")] == [1, 2]
    assert all(2 <= table.hands_played <= 8 for table in made.sessions.get(number=3).tables.all())
    assert made.is_trial
    assert not made.is_public


def test_a_second_press_is_the_same_trial(olga: User) -> None:
    first = request_trial(Actor.of(olga), 16)
    assert request_trial(Actor.of(olga), 400) == first


def test_what_fails_leaves_nothing_but_the_word(job: TrialJob, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(trials, "_play", crash)
    assert not trials.run(job.pk)
    job.refresh_from_db()
    assert not Tournament.objects.exists()
    assert job.state == TrialJob.State.FAILED
    assert "could not be made" in trial_status(job).sentence
    assert not trials.run(job.pk), "a message that comes twice begins nothing"


def test_one_that_is_deleted_while_it_is_made_is_let_go(
    job: TrialJob, olga: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def delete(table: Table, job: TrialJob, organiser: Actor) -> None:
        delete_tournament(table.session.tournament, organiser)
        raise Tournament.DoesNotExist

    monkeypatch.setattr(trials, "_play", delete)
    assert not trials.run(job.pk)
    assert not TrialJob.objects.exists()
    assert "failed" not in caplog.text


def test_it_is_listed_once_it_is_there_and_nobody_else_watches_it(
    client: Client, job: TrialJob, olga: User, unplayed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(make_user("otto", staff=True))
    assert client.get(reverse("organiser_trial", args=[job.pk])).status_code == 404
    with monkeypatch.context() as quick:
        quick.setattr(trials, "SHARE", 0)
        assert trials.run(job.pk)
    assert not my_tournaments(Actor.of(olga)).exists()
    tasks.make_trial(job.pk)
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
    asked = {"hx-request": "true"}
    here = reverse("organiser_trial", args=[job.pk])
    mark = trial_status(job).mark
    assert client.get(f"{here}?seen={mark}", headers=asked).status_code == 204
    assert not trials.run(job.pk)
    assert client.get(f"{here}?seen={mark}", headers=asked)["HX-Refresh"] == "true"
    made = Tournament.objects.get()
    delete = reverse("organiser_delete", args=[made.slug])
    assert delete in client.get(home).text
    assert "To delete it, type its name" not in client.get(delete).text
    client.post(delete)
    assert not Tournament.objects.exists()


def test_what_is_no_trial_still_asks_for_its_name() -> None:
    tournament = make_tournament(players=0)
    with pytest.raises(Refused):
        delete_tournament(tournament, Actor.of(make_organiser(tournament)))
