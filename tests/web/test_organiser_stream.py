"""The page for the table that is filmed."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament
from tournament.models import LogEntry, Tournament
from tournament.selectors.log_words import log_words
from tournament.selectors.seatings import seats_of_all


@pytest.fixture
def drawn(client: Client) -> Tournament:
    tournament = make_tournament(sessions=3)
    client.force_login(make_organiser(tournament))
    return tournament


def test_the_effect_is_shown_and_then_taken(client: Client, drawn: Tournament) -> None:
    page = reverse("organiser_stream", args=[drawn.slug])
    assert page in client.get(reverse("organiser_draw", args=[drawn.slug])).text
    chosen = {"players": "1, 2", "table": "3", "sessions": ["2"]}
    before = seats_of_all(drawn)
    shown = client.get(page, chosen)
    assert shown.context["compared"].moved
    assert seats_of_all(drawn) == before
    client.post(page, chosen | {"seen": shown.context["seen"]})
    assert {1, 2} <= set(seats_of_all(drawn)[1][2].values())
    said = log_words(drawn).sentence(LogEntry.objects.get(action="stream_seated"))
    assert said == "At table 3, which is filmed: Mātīss Bērziņš, 张静, session 2."


def test_every_fault_stands_at_its_field(client: Client, drawn: Tournament) -> None:
    page = reverse("organiser_stream", args=[drawn.slug])
    answer = client.get(page, {"players": "one", "table": "0"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"players", "table", "sessions"}
