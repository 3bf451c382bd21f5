"""Every address that is read asks the database as often for a large event as for a small one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from tests.house.addresses import ADDRESSES, let_go, route_of
from tests.support.factories import SYSTEM, make_member, make_tournament
from tests.support.registrations import confirmed, make_plan
from tournament.engine.statements import Accusation, Message, Objection
from tournament.engine.webhooks.kinds import Kind
from tournament.invitations import Offer
from tournament.models import DocumentJob, Role, Table, Tournament
from tournament.passes import Reach
from tournament.selectors.webhooks import WebhookWish
from tournament.services.announcements import announce
from tournament.services.appeals import open_appeal
from tournament.services.calls import raise_call
from tournament.services.dues import set_due
from tournament.services.invitations import invite
from tournament.services.passes import make_passes
from tournament.services.penalties import give_penalty
from tournament.services.people import link_several
from tournament.services.screens import add_screen
from tournament.services.webhooks import add_webhook

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

GROW: Final = {
    "api_tournament_file": "rows go out a few hundred at a time",
    "api_tournaments": "what an asker knows of an event that the public does not, event by event",
    "appeals": "who recorded what an open appeal is against, appeal by appeal",
}
FEW, MANY = 2, 6
"""Tables, and as many of everything else."""
MOST_SCREENS = 4


def test_nothing_that_is_read_asks_more_for_more_of_it() -> None:
    few, many = _asked(_event("few", FEW)), _asked(_event("many", MANY))
    assert len(many) > 200, "it went past most addresses"
    grown = {name for name in many if few[name] != many[name]}
    assert grown == GROW.keys()


def _event(name: str, much: int) -> Tournament:
    """Session 1 closed, session 2 being played; registrations, people, fouls, papers and all else for each table."""
    event = make_tournament(players=4 * much, sessions=2, played=1, running=(2,) * much, name=name)
    make_plan(event, places=2 * much)
    for number in range(4 * much):
        confirmed(event, 1000 + number)
    link_several(event, SYSTEM, {player.number: None for player in event.players.all()})
    for table in event.sessions.get(number=2).tables.all():
        _at_table(table)
    for number in range(1, much + 1):
        _beside_tables(event, number)
    return event


def _at_table(table: Table) -> None:
    player = table.seats.values_list("player__number", flat=True)[0]
    give_penalty(table, SYSTEM, Accusation(player, "false_hu", 1), uuid=uuid4())
    open_appeal(table, SYSTEM, Objection(player, "Hand 1 was not won."), uuid=uuid4())
    raise_call(table, SYSTEM, "tiles")


def _beside_tables(event: Tournament, number: int) -> None:
    tomorrow = timezone.now() + timedelta(days=1)
    announce(event, SYSTEM, Message(f"Lunch {number}"), uuid=uuid4())
    invite(event, SYSTEM, Offer(Role.UMPIRE, tomorrow))
    make_passes(event, SYSTEM, [Reach(f"Table {number}", table_number=1)], tomorrow)
    set_due(event, SYSTEM, event.players.get(number=number), amount=Decimal(40))
    make_member(event, Role.UMPIRE, f"{event.slug}-{number}")
    DocumentJob.objects.create(tournament=event, kind="standings", language="en")
    if number <= MOST_SCREENS:
        add_screen(event, SYSTEM, f"foyer-{number}")
        wish = WebhookWish(f"program {number}", "https://bot.example.org/hook", kinds=(Kind.ANNOUNCEMENT,))
        add_webhook(event, SYSTEM, wish, site="https://hule.example.org")


def _asked(event: Tournament) -> dict[str, int]:
    """Address → statements, once what is kept is there."""
    client = Client()
    owner = make_member(event, Role.OWNER, f"{event.slug}-owner")
    owner.is_staff = True
    owner.save()
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    return {name: _statements(client, url) for name, url in _urls(event)}


def _urls(event: Tournament) -> Iterator[tuple[str, str]]:
    where: dict[str, Any] = {"slug": event.slug, "kind": "standings", "name": "main"}
    where |= dict.fromkeys(("number", "session", "table", "hand"), 1)
    where["person"] = event.players.values_list("person_id", flat=True)[0]
    for name, entry in ADDRESSES:
        wanted = re.findall(r"<(?:\w+:)?(\w+)>", route_of(entry))
        if name == "logout" or not where.keys() >= set(wanted):
            continue
        try:
            yield name, reverse(name, kwargs={one: where[one] for one in wanted})
        except NoReverseMatch:
            continue


def _statements(client: Client, url: str) -> int:
    for _warming in range(2):
        let_go(client.get(url))
    with CaptureQueriesContext(connection) as asked:
        let_go(client.get(url))
    return len(asked)
