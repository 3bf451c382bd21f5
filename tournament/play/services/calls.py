"""Calling an umpire to a table, answering the call, and being done with it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, TooMany, refuse
from tournament.base.limits import Limit
from tournament.base.models.play import Session, Table
from tournament.play.models.calls import Call
from tournament.play.selectors.fresh import fresh_table
from tournament.play.selectors.records import place_of
from tournament.play.services.fresh import fresh

AGAIN_AFTER = timedelta(minutes=1)
"""How soon after a call is done the table can call again: a thumb, or a joke, is no second call."""

FROM_ONE_TABLE = Limit("calls", most=8, within=600)
"""A table with a bad day fits, a joke does not."""
FROM_ONE_ADDRESS = Limit("calls", most=200, within=600)
"""A hall of a hundred tables behind one router fits, a script does not."""


def raise_call(table: Table, actor: Actor, topic: str, *, address: str | None = None) -> Call:
    """Anybody who sees the tournament calls, from a table being played. An open call is the table's only one.

    `address`: where the call came from over the network, for a player's phone has no account; None when a person who
    has one calls.
    """
    if not access.can_see(actor, table.session.tournament):
        raise Forbidden("this tournament is not public")
    if address is not None and (FROM_ONE_ADDRESS.is_passed(address) or FROM_ONE_TABLE.is_passed(table.pk)):
        raise TooMany(Problem("calls_too_many"))
    with log.write(table.session.tournament, actor, "call_raised") as entry:
        table = fresh_table(table, entry.tournament)
        if (known := table.calls.filter(done_at=None).first()) is not None:
            entry.unchanged()
            return known
        if table.session.state != Session.State.RUNNING:
            raise refuse("session_not_running", session=table.session.number)
        if topic not in Call.Topic.values:
            raise refuse("call_topic_missing", "topic")
        if table.calls.filter(done_at__gt=timezone.now() - AGAIN_AFTER).exists():
            raise refuse("call_again_soon", table=table.number)
        call = Call.objects.create(table=table, topic=topic, called_at=timezone.now())
        entry.data = _about(call)
    return call


def take_call(call: Call, actor: Actor) -> Call:
    """An umpire goes there. Taking it twice is taking it once; a call somebody else has taken is theirs."""
    access.require_judge(actor, call.table)
    with log.write(call.table.session.tournament, actor, "call_taken") as entry:
        call = fresh(Call.objects.select_related("table__session", "taken_by"), call)
        if call.taken_at is not None and call.taken_by == actor.user:
            entry.unchanged()
            return call
        if call.taken_at is not None or not call.is_open:
            raise refuse("call_taken_already", table=call.table.number)
        call.taken_at, call.taken_by = timezone.now(), actor.user
        call.save(update_fields=["taken_at", "taken_by"])
        entry.data = _about(call)
    return call


def end_call(call: Call, actor: Actor) -> Call:
    """The table plays on."""
    access.require_judge(actor, call.table)
    with log.write(call.table.session.tournament, actor, "call_done") as entry:
        call = fresh(Call.objects.select_related("table__session"), call)
        if not call.is_open:
            entry.unchanged()
            return call
        call.done_at = timezone.now()
        call.save(update_fields=["done_at"])
        entry.data = _about(call)
    return call


def _about(call: Call) -> dict[str, Any]:
    return place_of(call.table) | {"topic": call.topic}
