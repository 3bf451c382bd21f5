"""Every address that is read asks the database as often for a large event as for a small one."""

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

from tests.house.addresses import ADDRESSES, drain, parameters_of
from tests.house.event import client_for
from tests.support.factories import SYSTEM, make_member, make_tournament
from tests.support.registrations import confirmed, make_plan
from tests.support.sampling import sample
from tournament.base.engine.notices import Kind
from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Table
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.services import set_due
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
from tournament.messages.webhooks.models import Webhook
from tournament.messages.webhooks.services import add_webhook
from tournament.people.services import link_players
from tournament.play.engine.statements import Accusation
from tournament.play.services.sessions import raise_call
from tournament.screens.services import add_screen
from tournament.staff.models import Invitation
from tournament.staff.passes import PassScope
from tournament.staff.services import invite, make_passes

GROW: Final = {
    "api_tournament_file": "rows go out a few hundred at a time",
    "api_tournaments": "what an asker knows of an event that the public does not, event by event",
    "appeals": "who recorded what an open appeal is against, appeal by appeal",
}
FEW, MANY = 2, 6
"""Tables, and as many of everything else."""
MAX_SCREENS = 4


@pytest.mark.django_db
@pytest.mark.thorough
def test_queries_of_pages_do_not_grow_with_the_event() -> None:
    """A quarter of them, other ones each run."""
    few, many = queries(make_event("few", FEW)), queries(make_event("many", MANY))
    assert {name for name in many if few[name] != many[name]} == GROW.keys()


def make_event(name: str, size: int) -> Tournament:
    """Session 1 closed, session 2 being played; registrations, people, fouls, papers and all else for each table."""
    event = make_tournament(players=4 * size, sessions=2, played=1, running=(2,) * size, name=name)
    make_plan(event, places=2 * size)
    for number in range(4 * size):
        confirmed(event, 1000 + number)
    link_players(event, SYSTEM, {player.number: None for player in event.players.all()})
    for table in event.sessions.get(number=2).tables.all():
        add_at_table(table)
    for number in range(1, size + 1):
        add_beside_tables(event, number)
    return event


def add_at_table(table: Table) -> None:
    player = table.seats.values_list("player__number", flat=True)[0]
    give_penalty(table, SYSTEM, Accusation(player, "false_hu", 1), uuid=uuid4())
    open_appeal(table, SYSTEM, player, "Hand 1 was not won.", uuid=uuid4())
    raise_call(table, SYSTEM, "tiles")


def add_beside_tables(event: Tournament, number: int) -> None:
    tomorrow = timezone.now() + timedelta(days=1)
    announce(Announcement(tournament=event, text=f"Lunch {number}"), SYSTEM)
    invite(Invitation(tournament=event, role=Role.UMPIRE, expires_at=tomorrow), SYSTEM)
    make_passes(event, SYSTEM, [PassScope(f"Table {number}", table_number=1)], tomorrow)
    set_due(event, SYSTEM, event.players.get(number=number), amount=Decimal(40))
    make_member(event, Role.UMPIRE, f"{event.slug}-{number}")
    DocumentJob.objects.create(tournament=event, kind="standings", language="en")
    if number <= MAX_SCREENS:
        add_screen(event, SYSTEM, f"foyer-{number}")
        url, kinds = "https://bot.example.org/hook", [Kind.ANNOUNCEMENT]
        add_webhook(Webhook(tournament=event, name=f"program {number}", url=url, kinds=kinds), SYSTEM)


def queries(event: Tournament) -> dict[str, int]:
    """Address → statements, once what is kept is there."""
    owner = make_member(event, Role.OWNER, f"{event.slug}-owner")
    owner.is_staff = True
    owner.save()
    client = client_for(owner)
    addresses = dict(urls(event))
    assert len(addresses) > 200, "it goes past most addresses"
    return {
        name: count_queries(client, addresses[name])
        for name in sample(addresses, len(addresses) // 8, always=GROW)
    }


def urls(event: Tournament) -> Iterator[tuple[str, str]]:
    known: dict[str, Any] = {"slug": event.slug, "kind": "standings", "name": "main"}
    known |= dict.fromkeys(("number", "session", "table", "hand"), 1)
    known["person"] = event.players.values_list("person_id", flat=True)[0]
    for name, entry in ADDRESSES:
        if name != "logout" and parameters_of(entry) <= known.keys():
            try:
                yield name, reverse(name, kwargs={key: known[key] for key in parameters_of(entry)})
            except NoReverseMatch:
                continue


def count_queries(client: Client, url: str) -> int:
    for _warming in range(2):
        drain(client.get(url))
    with CaptureQueriesContext(connection) as statements:
        drain(client.get(url))
    return len(statements)
