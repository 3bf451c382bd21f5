"""The start page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.factories import PASSWORD, SYSTEM, make_tournament, make_umpire, make_user
from tests.support.html import attribute, element, elements, read, words
from tournament.selectors.particulars import Particulars
from tournament.services.tournaments import update_tournament

pytestmark = pytest.mark.django_db


def test_leads_to_the_first_account_when_there_is_none(client: Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 302
    assert answer["Location"].endswith("/setup/")


def test_groups_tournaments_by_what_they_are_doing(client: Client) -> None:
    make_user()
    today = timezone.localdate()
    for name, first in (("Over", -9), ("Today", 0), ("Soon", 3), ("Later", 9)):
        made = make_tournament(name=name, players=4, drawn=False)
        day = today + timedelta(days=first)
        update_tournament(made, SYSTEM, Particulars(name, "", day, day))
    make_tournament(name="Hidden", players=0, public=False)
    tree = read(client.get("/"))
    listed = {
        attribute(section, "aria-labelledby"): [words(link) for link in elements(section, "a")]
        for section in elements(tree, "section")
    }
    assert listed == {"coming": ["Today", "Soon", "Later"], "past": ["Over"]}


def test_a_session_being_played_counts_more_than_the_dates(client: Client) -> None:
    make_user()
    long_ago = make_tournament(players=4, running=0)
    day = timezone.localdate() - timedelta(days=30)
    update_tournament(long_ago, SYSTEM, Particulars(long_ago.name, "", day, day, sessions_planned=2))
    assert attribute(element(read(client.get("/")), "section"), "aria-labelledby") == "now"


def test_between_its_sessions_a_tournament_is_still_being_played(client: Client) -> None:
    make_user()
    made = make_tournament(players=4, sessions=2, played=1)
    day = timezone.localdate()
    update_tournament(made, SYSTEM, Particulars(made.name, "", day, day, sessions_planned=2))
    assert attribute(element(read(client.get("/")), "section"), "aria-labelledby") == "now"


def test_offers_a_new_tournament_to_those_who_may_make_one(client: Client) -> None:
    make_user("olga", staff=True)
    make_user("uma")
    assert "New tournament" not in words(read(client.get("/")))
    client.login(username="uma", password=PASSWORD)
    assert "New tournament" not in words(read(client.get("/")))
    client.login(username="olga", password=PASSWORD)
    assert element(element(read(client.get("/")), "main"), "a", href="/organiser/new/")


def test_shows_a_private_tournament_to_its_umpires_only(client: Client) -> None:
    make_umpire(make_tournament(name="Club", players=4, public=False))
    assert "Club" not in words(read(client.get("/")))
    client.login(username="uma", password=PASSWORD)
    assert "Club" in words(read(client.get("/")))
