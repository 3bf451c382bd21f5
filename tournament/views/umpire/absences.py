"""Who is missing, over the wire: an empty seat, the arrival, a stand-in."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.views.decorators.http import require_POST

from tournament.models import Absence, Table
from tournament.services.absences import (
    begin_without,
    minutes_of,
    note_absence,
    note_arrival,
    seat_player_again,
    seat_stand_in,
    take_absence_back,
)
from tournament.views.umpire.table import Answer, Call, answers, written


@require_POST
@answers
def absent(call: Call) -> Answer:
    """A seat is empty: {"uuid", "table_version", "player"}."""
    uuid, player, version = call.body.uuid(), call.body.whole("player"), call.body.whole("table_version")
    call.body.check()
    note_absence(call.table, call.actor, player or 0, uuid=uuid, expected_version=version)
    return written(call)


@require_POST
@answers
def arrived(call: Call, uuid: UUID) -> Answer:
    """The player is here: the clock stops. The answer says how late it was, as `minutes`."""
    version = call.body.whole("table_version")
    call.body.check()
    absence = note_arrival(_absence(call.table, uuid), call.actor, expected_version=version)
    return written(call, minutes=minutes_of(absence))


@require_POST
@answers
def taken_back(call: Call, uuid: UUID) -> Answer:
    version = call.body.whole("table_version")
    call.body.check()
    take_absence_back(_absence(call.table, uuid), call.actor, expected_version=version)
    return written(call)


@require_POST
@answers
def begun_without(call: Call, uuid: UUID) -> Answer:
    """The others begin before the foul book lets them: {"table_version", "reason"}."""
    reason, version = call.body.text("reason"), call.body.whole("table_version")
    call.body.check()
    begin_without(_absence(call.table, uuid), call.actor, reason, expected_version=version)
    return written(call)


@require_POST
@answers
def stand_in(call: Call) -> Answer:
    """Somebody plays for a player: {"table_version", "player", "name"}."""
    player, name, version = (
        call.body.whole("player"),
        call.body.text("name"),
        call.body.whole("table_version"),
    )
    call.body.check()
    seat_stand_in(call.table, call.actor, player or 0, name, expected_version=version)
    return written(call)


@require_POST
@answers
def seated_again(call: Call) -> Answer:
    """The player takes the seat back: {"table_version", "player"}."""
    player, version = call.body.whole("player"), call.body.whole("table_version")
    call.body.check()
    seat_player_again(call.table, call.actor, player or 0, expected_version=version)
    return written(call)


def _absence(table: Table, uuid: UUID) -> Absence:
    found = table.absences.filter(uuid=uuid).first()
    if found is None:
        raise Http404
    return found
