"""The table as its umpires see it: what every write at a table is answered with, and what the desk draws.

Whatever can be done to a part of it has its own address there: `url`, or under the table's `urls`.
"""

from __future__ import annotations

from typing import Any

from tournament.base import access
from tournament.base.access import Actor, Audience, name_of
from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.engine.table_points import table_points
from tournament.base.models.play import Session, Table
from tournament.fouls.api.state_appeals import objections_at
from tournament.fouls.api.state_penalties import penalty_at
from tournament.messages.announcements.state import announced_at
from tournament.play.api.addresses import url_of, urls_of
from tournament.play.api.state.absences import absences, empty_seats_at
from tournament.play.api.state.clock import clock_at
from tournament.play.api.state.hands import hands_at, undo_at
from tournament.play.api.state.places import place_of, round_of
from tournament.play.api.state.restraints import restraints
from tournament.play.selectors.absences import placed
from tournament.play.selectors.tables import TableNow, find_table, table_now
from tournament.web.texts.days import time_of_day
from tournament.web.texts.figures import table_points as written


def state_of(table: Table, actor: Actor) -> dict[str, Any]:
    """The table as it stands now, freshly read."""
    session = table.session
    fresh = find_table(session.tournament.slug, session.number, table.number)
    return state(table_now(fresh, Audience.STAFF), actor)


def state(now: TableNow, actor: Actor) -> dict[str, Any]:
    """{"version", "session", "seats", "hands", "penalties", …}; players by number throughout."""
    table, session = now.table, now.table.session
    running = session.state == Session.State.RUNNING
    organiser, judges = access.can_organise(actor, session.tournament), access.can_judge(actor, table)
    scores, scale = list(now.scores.values()), session.tournament.rules.scale
    shares = table_points(scores, scale, placed(table, now.seats))
    return {
        "url": url_of("api_table", table),
        "urls": urls_of(table),
        "tournament": session.tournament.slug,
        "version": table.version,
        "session": session.number,
        "table": table.number,
        "running": running,
        "planned": session.state == Session.State.PLANNED,
        "may_record": not now.is_full
        and (running or organiser if table.counts_totals else running and not table.is_in),
        "may_correct": running or (session.state == Session.State.CLOSED and organiser),
        "clock": clock_at(table),
        "may_give_time": running and not table.is_in and judges,
        "judges": judges,
        "is_in": table.is_in,
        "may_reopen": running and table.is_in and (judges or table.in_by == actor.user),
        "in_at": time_of_day(table.in_at) if table.in_at else "",
        "in_by": name_of(table.in_by),
        "is_full": now.is_full,
        "played": table.hands_played,
        "minutes": session.minutes + table.extra_minutes,
        "next": now.hand_number,
        "hands_in_all": HANDS_PER_SESSION,
        "round": round_of(now.hand_number),
        "seats": [
            {
                "player": seat.player.number,
                "name": seat.player.name,
                "start": seat.start_wind,
                "score": seat.score,
                "stand_in": seat.stand_in,
                "withdrawn": seat.player.is_withdrawn,
                "table_points": written(share),
                "signature_url": url_of("api_signature", table, player=seat.player.number),
                "stand_in_url": url_of("api_stand_in", table, player=seat.player.number),
            }
            | _signature(now, seat.player.pk)
            | place_of(table, seat.start_wind, now.hand_number)
            for seat, share in zip(now.seats, shares, strict=True)
        ],
        "unpaid": now.unpaid,
        "hands": hands_at(now, actor),
        "undo": undo_at(now, actor),
        "penalties": [penalty_at(penalty, now, actor) for penalty in now.penalties],
        "restraints": restraints(now),
        "absences": absences(now),
        "empty_seats": empty_seats_at(now),
        "announcements": announced_at(table),
    } | objections_at(now)


def _signature(now: TableNow, player: int) -> dict[str, Any]:
    """When the player signed the sheet as it stands, or why an earlier signature is void."""
    latest = [one for one in now.signatures if one.player_id == player][-1:]
    return {
        "signed": "".join(time_of_day(one.signed_at) for one in latest if one.stands),
        "unsigned_because": "".join(str(one.get_void_because_display()) for one in latest),
    }
