"""The page on which names are mended while a session is being played."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import hand_entry, make_organiser, make_tournament, record
from tournament.models import LogEntry, Seat, Tournament
from tournament.selectors.log_words import log_words


@pytest.fixture
def running(client: Client) -> Tournament:
    tournament = make_tournament(running=3)
    client.force_login(make_organiser(tournament))
    return tournament


def address(tournament: Tournament) -> str:
    return reverse("organiser_wrong_seats", args=[tournament.slug, 1])


def place(tournament: Tournament, player: int) -> tuple[int, str]:
    seat = Seat.objects.get(
        table__session__tournament=tournament, table__session__number=1, player__number=player
    )
    return seat.table.number, seat.wind


def test_the_scores_are_shown_first_and_the_names_then_mended(client: Client, running: Tournament) -> None:
    assert address(running) in client.get(reverse("organiser_board", args=[running.slug])).text
    here, there = place(running, 1), place(running, 2)
    shown = client.get(address(running), {"one": "1", "other": "2"})
    (now, then), _other = shown.context["changes"]
    assert (now.player.number, then.player.number) == (1, 2)
    assert place(running, 1) == here
    taken = {"one": "1", "other": "2", "seen": shown.context["seen"]}
    assert "The names are mended" in client.post(address(running), taken, follow=True).text
    assert (place(running, 1), place(running, 2)) == (there, here)
    entry = LogEntry.objects.get(action="seats_corrected")
    said = log_words(running).sentence(entry)
    assert said == "Mātīss Bērziņš and 张静 sat in each other’s places, session 1: the names are mended."
    back = reverse("organiser_wrong_seats_undo", args=[running.slug, 1])
    assert back in client.get(address(running)).text
    client.post(back)
    assert (place(running, 1), place(running, 2)) == (here, there)


def test_what_was_recorded_meanwhile_is_looked_at_again(client: Client, running: Tournament) -> None:
    chosen = {"one": "1", "other": "2"}
    seen = client.get(address(running), chosen).context["seen"]
    table = running.sessions.get(number=1).tables.get(number=place(running, 1)[0])
    record(table, hand_entry(table, 4))
    answer = client.post(address(running), chosen | {"seen": seen})
    assert answer.status_code == 422
    assert "The seats have changed since you looked." in answer.text


def test_before_and_after_the_session_it_says_so(client: Client) -> None:
    tournament = make_tournament()
    client.force_login(make_organiser(tournament))
    assert "The session is not being played" in client.get(address(tournament)).text
