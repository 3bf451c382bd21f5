"""The table's sheet over the wire: its state, signing it, handing it in, taking it back."""

from __future__ import annotations

from django.views.decorators.http import require_GET, require_POST

from tournament.services.signing import sign, take_signature_back
from tournament.services.tables import hand_in, reopen
from tournament.views.umpire.table import Answer, Call, answers, written


@require_GET
@answers
def state(call: Call) -> Answer:
    """The table as it stands: asked when another device has written."""
    return written(call)


@require_POST
@answers
def hand_in_table(call: Call) -> Answer:
    version = call.body.whole("table_version")
    call.body.check()
    hand_in(call.table, call.actor, expected_version=version)
    return written(call)


@require_POST
@answers
def reopen_table(call: Call) -> Answer:
    version = call.body.whole("table_version")
    call.body.check()
    reopen(call.table, call.actor, expected_version=version)
    return written(call)


@require_POST
@answers
def sign_sheet(call: Call, number: int) -> Answer:
    """Player `number` signs the sheet the device shows: {"table_version"}."""
    version = call.body.whole("table_version")
    call.body.check()
    sign(call.table, call.actor, number, expected_version=version)
    return written(call)


@require_POST
@answers
def unsign_sheet(call: Call, number: int) -> Answer:
    take_signature_back(call.table, call.actor, number)
    return written(call)
