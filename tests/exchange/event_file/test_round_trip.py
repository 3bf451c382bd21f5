"""A tournament that leaves as a file and comes into an empty installation is the same in every figure and every entry,
and leaves it again as the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import uuid4

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from tests.exchange.event_file.conftest import elsewhere, emptied, full_event
from tests.support.factories import SYSTEM, evening, make_tournament, make_user
from tests.support.rights import NOT_OF_AN_EVENT, RIGHTS
from tests.support.sampling import sample
from tests.support.scene import make_people, make_scene
from tournament.base import log
from tournament.base.access import Actor, Audience
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.tournament import Role, Tournament
from tournament.demo.generate import generate
from tournament.documents.exports.standings import standings_sheet
from tournament.exchange.audit import audit
from tournament.exchange.carried import CARRIED
from tournament.exchange.event_file.format import schema
from tournament.exchange.event_file.tournament_file import bring_in, file_of
from tournament.exchange.transcripts.transcript import play
from tournament.play.engine.statements import TotalsEntry
from tournament.play.services.totals import correct_totals, enter_totals
from tournament.players.services.players import withdraw_player
from tournament.ranking.selectors.standings import current_standings
from tournament.staff.services import give_role
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored

ENDS = {"events.delete_tournament", "privacy.delete_contacts", "events.create_tournament"}
"""After which there is less to look at."""
UNDONE = {
    *("events.remove_event_document", "screens.remove_puzzle", "mail.restore_letter"),
    *("privacy.erase_player", "privacy.erase_registration"),
}
"""Which take away what is to be looked at."""
assert RIGHTS.keys() >= ENDS | UNDONE


def standing(tournament: Tournament) -> list[tuple[Any, ...]]:
    rows = current_standings(tournament, Audience.STAFF).rows
    return [(row.rank, row.number, row.totals, row.sessions, row.withdrawn) for row in rows]


def sentences(tournament: Tournament) -> list[tuple[Any, ...]]:
    texts = log_words(tournament)
    entries = tournament.log.select_related("actor").order_by("seq")
    return [(entry.seq, entry.at, entry.actor_name, texts.sentence(entry), entry.hash) for entry in entries]


def findings(tournament: Tournament) -> list[str]:
    return [finding.what for finding in audit(tournament)]


class Leaving:
    """An event and its file, as it was before it left."""

    def __init__(self, tournament: Tournament) -> None:
        tournament.refresh_from_db()
        self.content = file_of(tournament)
        self.data = json.loads(self.content)
        self.sentences = sentences(tournament)
        self.before = standing(tournament), findings(tournament)

    def comes(self) -> Tournament:
        """The event elsewhere, where it is as it was."""
        jsonschema.validate(self.data, schema())
        again = elsewhere(self.content)
        assert log.first_broken_link(again) is None
        assert sentences(again) == self.sentences
        assert (standing(again), findings(again)) == self.before
        assert file_of(again) == self.content
        return again


@pytest.fixture
def busy() -> list[Leaving]:
    """Events in which everything was done that a service does, one after the other, as far as it was let."""
    scene = make_scene()
    people = make_people(scene)
    for name, (_, scenario) in RIGHTS.items():
        if name not in ENDS | UNDONE | NOT_OF_AN_EVENT.keys():
            with suppress(Refused, Forbidden, ObjectDoesNotExist, IntegrityError), transaction.atomic():
                scenario(scene)(people["owner"])
    events = (scene.tournament, scene.drawn, scene.between, full_event(), on_paper())
    return [Leaving(event) for event in events]


def on_paper() -> Tournament:
    """A table's totals, corrected once, and read again by somebody else."""
    event = make_tournament(players=4, sessions=1, running=0, name="On paper")
    table = event.sessions.get().tables.get()
    points = dict.fromkeys(table.seats.values_list("player__number", flat=True), 0)
    enter_totals(table, SYSTEM, TotalsEntry(points=points), uuid=uuid4())
    table.refresh_from_db()
    first, second, *_ = points
    misread = TotalsEntry(points=points | {first: 10, second: -10})
    correct_totals(table, SYSTEM, misread, reason="Misread", uuid=uuid4())
    return event


@pytest.mark.parametrize("event_of", [full_event, pytest.param(evening, marks=pytest.mark.thorough)])
def test_an_event_and_its_standings_on_paper_are_the_same(event_of: Callable[[], Tournament]) -> None:
    """But for the minute at which the sheet is made."""
    event = event_of()
    left, sheet = Leaving(event), standings_sheet(event, "a4")
    again = replace(standings_sheet(left.comes(), "a4"), made_at=sheet.made_at)
    page, page_again = (
        render_to_string("documents/standings.html", {"sheet": each}) for each in (sheet, again)
    )
    assert page_again == page


@pytest.mark.thorough
def test_everything_there_is(busy: list[Leaving]) -> None:
    sections = [carried.section for carried in CARRIED]
    assert [name for name in sections if not any(left.data[name] for left in busy)] == ["extensions"]
    for left in busy:
        left.comes()


PAGES = """
    tournament ranking ranking_rows players_page statistics_page penalties_page fouls_page draw_page coming
    ceremony puzzles tournament_calendar api_standings api_timetable
"""


def public_pages(slug: str) -> dict[str, str]:
    """As a visitor gets them."""
    client = Client()
    addresses = [reverse(name, args=[slug]) for name in PAGES.split()]
    addresses += [reverse(name, args=[slug, 1]) for name in ("player_page", "session_page")]
    # Forms have a token of the moment, links to people the number of a person in one installation.
    keys = re.compile(r'(name="csrfmiddlewaretoken" value="|/people/)[\w-]+')
    return {address: keys.sub(r"\1", client.get(address).content.decode()) for address in addresses}


@pytest.mark.thorough
def test_public_pages_are_the_same() -> None:
    left = Leaving(full_event())
    before = public_pages(left.data["tournament"]["slug"])
    again = left.comes()
    for address, page in public_pages(again.slug).items():
        assert page == before[address], address


@pytest.mark.thorough
def test_who_brought_it_is_in_no_file_until_they_write() -> None:
    """Of an event that was never played."""
    left = Leaving(make_tournament(players=8, drawn=False))
    left.comes()
    emptied()
    olga = Actor.of(make_user("olga", staff=True))
    again = bring_in(left.content, olga)
    assert file_of(again) == left.content
    withdraw_player(again.players.get(number=1), olga)
    again.refresh_from_db()
    data = json.loads(file_of(again))
    assert [account["name"] for account in data["staff"]] == ["olga"]
    assert [membership["role"] for membership in data["memberships"]] == ["owner"]


@pytest.mark.thorough
def test_it_goes_on_from_place_to_place_and_everybody_keeps_their_name() -> None:
    """Accounts of two installations may have one number: whoever wrote under it is told by the entry."""
    first = make_tournament(players=4, drawn=False, actor=Actor.of(make_user("anna", staff=True)))
    content = file_of(first)
    emptied()
    second = bring_in(content, SYSTEM)
    number = json.loads(content)["staff"][0]["account"]
    bert = User.objects.filter(pk=number).first() or User(pk=number)
    bert.username, bert.first_name = "bert", "Bert"
    bert.save()
    give_role(second, SYSTEM, bert, Role.OWNER)
    withdraw_player(second.players.get(number=1), Actor.of(bert))
    second.refresh_from_db()
    third = Leaving(second).comes()
    names = dict(third.log.values_list("seq", "actor__first_name"))
    assert (names[1], names[third.version]) == ("anna", "Bert")
    codes = third.log.filter(seq__in=(1, third.version)).values_list("actor_code", flat=True)
    assert set(codes) == {f"account:{number}"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", sample(sorted(RIGHTS.keys() - ENDS), 8, always=UNDONE))
def test_each_thing_a_service_does(name: str) -> None:
    """What `test_everything_there_is` does one after the other, by itself; and what it leaves out."""
    scene = make_scene()
    owner = make_people(scene)["owner"]
    try:
        RIGHTS[name][1](scene)(owner)
    except (Refused, Forbidden):
        return
    for left in [Leaving(event) for event in (scene.tournament, scene.drawn, scene.between)]:
        left.comes()


@pytest.mark.thorough
def test_a_hundred_players() -> None:
    tournament = play(generate(100, 5, "1", date(2026, 11, 14), None), SYSTEM)
    Leaving(tournament).comes()
