"""The table as the desk's script knows it: everything on the screen that the server decides, as one JSON object."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from penalties.engine import Sanction
from penalties.models import Penalty
from penalties.texts import name_in, sanction_text
from tournament import access
from tournament.access import Actor, Audience
from tournament.engine.rotation import HANDS_PER_SESSION, position, prevalent_wind, seat_wind
from tournament.engine.table_points import table_points
from tournament.models import Hand, Session, Table
from tournament.selectors.absences import absent_in, placed
from tournament.selectors.after_time import saved_in_minutes
from tournament.selectors.tables import CHAIRS, TableNow, find_table, table_now
from tournament.services.hands import UNDO_WITHIN, can_undo
from tournament.views.umpire.announced import announced_at
from tournament.views.umpire.lateness import absences, empty_seats_at
from tournament.views.umpire.present_appeals import objections_at
from tournament.views.umpire.present_clock import clock_at
from tournament.views.umpire.restraints import restraints
from tournament.views.umpire.said import clock_text, who
from tournament.words.figures import table_points as written
from tournament.words.places import override_text
from tournament.words.tiles import lay_hand
from tournament.words.winds import NAMES, ROUNDS, wind_character, wind_letter


def state_of(table: Table, actor: Actor) -> dict[str, Any]:
    """The table as it stands now, freshly read."""
    session = table.session
    fresh = find_table(session.tournament, session.number, table.number)
    return state(table_now(fresh, Audience.STAFF), actor)


def state(now: TableNow, actor: Actor) -> dict[str, Any]:
    """{"version", "session", "seats", "hands", "penalties", …}; players by number throughout."""
    table, session = now.table, now.table.session
    running = session.state == Session.State.RUNNING
    organiser = access.can_organise(actor, session.tournament)
    scores, scale = list(now.scores.values()), session.tournament.rules.scale
    shares = table_points(scores, scale, placed(table, now.seats))
    return {
        "version": table.version,
        "session": session.number,
        "table": table.number,
        "running": running,
        "planned": session.state == Session.State.PLANNED,
        "may_record": running and not table.is_in and not now.is_full,
        "may_correct": running or (session.state == Session.State.CLOSED and organiser),
        "clock": clock_at(table),
        "may_give_time": running and not table.is_in and access.can_judge(actor, table),
        "is_in": table.is_in,
        "in_at": clock_text(table.in_at) if table.in_at else "",
        "in_by": who(table.in_by),
        "is_full": now.is_full,
        "played": table.hands_played,
        "minutes": session.tournament.minutes + table.extra_minutes,
        "next": now.hand_number,
        "hands_in_all": HANDS_PER_SESSION,
        "round": _round(now.hand_number),
        "seats": [
            {
                "player": seat.player.number,
                "name": seat.player.name,
                "start": seat.start_wind,
                "score": seat.score,
                "stand_in": seat.stand_in,
                "withdrawn": seat.player.is_withdrawn,
                "table_points": written(share),
            }
            | _signature(now, seat.player.pk)
            | _place(table, seat.start_wind, now.hand_number)
            for seat, share in zip(now.seats, shares, strict=True)
        ],
        "unpaid": now.unpaid,
        "hands": _hands(now),
        "undo": _undo(now, actor),
        "penalties": [_penalty(penalty, now) for penalty in now.penalties],
        "restraints": restraints(now),
        "absences": absences(now),
        "empty_seats": empty_seats_at(now),
        "announcements": announced_at(table),
    } | objections_at(now)


def rotation(table: Table) -> dict[int, dict[str, Any]]:
    """Hand → its round and who sits where, for all the session's hands: the desk may go on without the server."""
    seats = list(table.seats.select_related("player"))
    return {
        number: {
            "round": _round(number),
            "places": {seat.player.number: _place(table, seat.wind, number) for seat in seats},
        }
        for number in range(1, HANDS_PER_SESSION + 1)
    }


def _round(number: int) -> dict[str, str]:
    wind = prevalent_wind(number)
    return {"character": wind_character(wind), "name": str(ROUNDS[wind])}


def _signature(now: TableNow, player: int) -> dict[str, Any]:
    """When the player signed the sheet as it stands, or why an earlier signature is void."""
    latest = [one for one in now.signatures if one.player_id == player][-1:]
    return {
        "signed": "".join(clock_text(one.signed_at) for one in latest if one.stands),
        "unsigned_because": "".join(str(one.get_void_because_display()) for one in latest),
    }


def _place(table: Table, start: str, number: int) -> dict[str, Any]:
    """Where a player sits in a hand: the side of the picture and the wind."""
    chart = table.session.tournament.rules.chart
    wind = seat_wind(start, number, chart)
    return {
        "side": CHAIRS[position(start, number, chart)],
        "wind": {
            "code": wind,
            "name": str(NAMES[wind]),
            "character": wind_character(wind),
            "letter": wind_letter(wind),
            "dealer": wind == "E",
        },
    }


def _hands(now: TableNow) -> list[dict[str, Any]]:
    """Every hand's current version, with the ones before it; "saved_in" the minute when the time was up, else null."""
    versions, after_time = defaultdict(list), saved_in_minutes(now.table)
    for hand in now.table.hands.select_related("winner", "discarder", "recorded_by").order_by(
        "number", "version"
    ):
        versions[hand.number].append(hand)
    return [
        _hand(history[-1], now)
        | {"before": [_version(hand) for hand in reversed(history[:-1])]}
        | {"saved_in": after_time.get(history[-1].number)}
        for history in versions.values()
        if history[-1].is_current
    ]


def _undo(now: TableNow, actor: Actor) -> dict[str, Any] | None:
    """The hand this person may take back, and until when; None when there is none."""
    last = now.hands[-1] if now.hands else None
    if last is None or not can_undo(last, now.table, actor):
        return None
    return {"number": last.number, "until": (last.recorded_at + UNDO_WITHIN).isoformat()}


def _hand(hand: Hand, now: TableNow) -> dict[str, Any]:
    return _version(hand) | {
        "number": hand.number,
        "round": _round(hand.number),
        "places": {seat.player.number: _place(now.table, seat.start_wind, hand.number) for seat in now.seats},
        "absent": absent_in(hand),
        "tiles": hand.tiles,
        "laid": _laid(hand),
    }


def _version(hand: Hand) -> dict[str, Any]:
    return {
        "uuid": str(hand.uuid),
        "version": hand.version,
        "outcome": hand.outcome,
        "winner": hand.winner.number if hand.winner else None,
        "discarder": hand.discarder.number if hand.discarder else None,
        "points": hand.points,
        "announced": hand.announced,
        "claimants": hand.claimants,
        "override": hand.overridden_because,
        "overridden": capfirst(override_text(hand.points_by_tiles, hand.overridden_because))
        if hand.overridden_because
        else "",
        "deepens": hand.deepens,
        "payments": hand.payments,
        "text": hand_text(hand),
        "by": who(hand.recorded_by),
        "at": clock_text(hand.recorded_at),
        "reason": hand.reason,
    }


def _laid(hand: Hand) -> list[list[dict[str, Any]]]:
    if not hand.tiles:
        return []
    return [[{"code": t.code, "side": t.side, "win": t.win} for t in group] for group in lay_hand(hand.tiles)]


def hand_text(hand: Hand) -> str:
    """What happened: "Mātīss 陈 from 张伟", "Håkan Dupont, self-drawn", "Wash-out"."""
    if hand.winner is None:
        return _("Wash-out")
    if hand.discarder is None:
        return _("{winner}, self-drawn").format(winner=hand.winner.name)
    return _("{winner} from {discarder}").format(winner=hand.winner.name, discarder=hand.discarder.name)


def _penalty(penalty: Penalty, now: TableNow) -> dict[str, Any]:
    paid_to_nobody = -sum(penalty.effects_at_table.values())
    return {
        "uuid": str(penalty.uuid),
        "player": penalty.player.number,
        "name": penalty.player.name,
        "foul": name_in(now.table.session.tournament.rules.fouls, penalty.foul),
        "sanction": sanction_text(Sanction.from_json(penalty.sanction)),
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "unpaid": 0 if penalty.is_cancelled else paid_to_nobody,
        "instead_of": sanction_text(Sanction.from_json(penalty.proposed)) if penalty.proposed else "",
        "because": penalty.because,
        "note": penalty.note,
        "by": who(penalty.given_by),
        "at": clock_text(penalty.given_at),
        "cancelled": penalty.is_cancelled,
        "cancelled_by": who(penalty.cancelled_by),
        "cancelled_because": penalty.cancelled_because,
    }
