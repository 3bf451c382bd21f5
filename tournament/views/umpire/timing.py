"""Extra time over the wire."""

from __future__ import annotations

from django.views.decorators.http import require_POST

from tournament.services.timing import set_extra_time
from tournament.views.umpire.table import Answer, Call, answers, written


@require_POST
@answers
def extra_time(call: Call) -> Answer:
    """So many minutes longer than the hall, in all: {"minutes", "reason"}."""
    minutes, reason = call.body.whole("minutes") or 0, call.body.text("reason")
    call.body.check()
    set_extra_time(call.table, call.actor, minutes, reason=reason)
    return written(call)
