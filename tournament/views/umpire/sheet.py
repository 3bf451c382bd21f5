"""The table's sheet over the wire: its state, handing it in, taking it back."""

from __future__ import annotations

from django.views.decorators.http import require_GET, require_POST

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
