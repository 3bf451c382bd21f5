"""The event's own list, edited: on the page every difference is chosen, and the whole can be taken back."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.web.test_organiser_import_again import carried
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import add_players

pytestmark = pytest.mark.django_db
LIST = "number;last name;first name;team;club\n1;Durand;Ada;;\n3;王;伟;Blue;\n"


@pytest.fixture
def event() -> Tournament:
    made = make_tournament(players=0)
    add_players(made, SYSTEM, [Entrant("Dupont", "Ada", team="Red"), Entrant("Lee", "Bo")])
    return made


@pytest.fixture
def olga(client: Client, event: Tournament) -> Client:
    client.force_login(make_organiser(event))
    return client


def send(olga: Client, event: Tournament, **form: object) -> HttpResponse:
    return olga.post(reverse("organiser_players_update", args=[event.slug]), form)  # type: ignore[return-value]


def test_what_is_emptied_and_who_is_missing_is_not_ticked(olga: Client, event: Tournament) -> None:
    page = send(olga, event, pasted=LIST)
    sent = carried(page)
    offered = str(sent["offered"]).split()
    assert [key.rpartition(".")[0] for key in offered] == ["1.last_name", "1.team", "2.leaves"]
    assert sent["take"] == offered[:1]
    assert send(olga, event, **sent, enter="1").status_code == 302
    ada, bo, wei = event.players.order_by("number")
    assert (ada.last_name, ada.team, bo.is_withdrawn, wei.name) == ("Durand", "Red", False, "王伟")


def test_what_is_ticked_is_done_and_undone(olga: Client, event: Tournament) -> None:
    sent = carried(send(olga, event, pasted=LIST))
    sent["take"] = str(sent["offered"]).split()
    send(olga, event, **sent, enter="1")
    assert event.players.get(number=2).is_withdrawn
    url = reverse("organiser_list_undo", args=[event.slug])
    page = olga.get(url)
    assert olga.post(url, {"step": page.context["step"].seq}).status_code == 302
    assert [(one.last_name, one.team, one.is_withdrawn) for one in event.players.all()] == [
        ("Dupont", "Red", False),
        ("Lee", "", False),
    ]


def test_who_changed_since_is_named_and_the_others_go_back(olga: Client, event: Tournament) -> None:
    send(olga, event, **carried(send(olga, event, pasted=LIST)), enter="1")
    event.players.filter(number=1).update(last_name="Duval")
    url = reverse("organiser_list_undo", args=[event.slug])
    page = olga.get(url)
    assert "Number 1, Ada Durand, was changed since, and stays as it is now." in page.text
    olga.post(url, {"step": page.context["step"].seq, "without": [1]})
    assert [one.last_name for one in event.players.all()] == ["Duval", "Lee"]


def test_what_somebody_else_changed_meanwhile_is_refused_with_a_sentence(
    olga: Client, event: Tournament
) -> None:
    sent = carried(send(olga, event, pasted=LIST))
    event.players.filter(number=1).update(last_name="Duval")
    page = send(olga, event, **sent, enter="1")
    assert "Player 1 was changed since you looked. Look again." in page.text
    assert event.players.count() == 2
    assert "<s>Duval</s> → <b>Durand</b>" in " ".join(page.text.split())
