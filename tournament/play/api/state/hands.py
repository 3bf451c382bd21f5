"""The recorded hands of a table, each with the versions before it: the part of its state that grows."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournament.base.access import Actor, name_of
from tournament.base.models.hands import Hand
from tournament.play.api.addresses import url_of
from tournament.play.api.state.places import place_of, round_of
from tournament.play.selectors.absences import absent_in
from tournament.play.selectors.after_time import saved_in_minutes
from tournament.play.selectors.records import UNDO_WITHIN, can_undo
from tournament.play.selectors.tables import TableNow
from tournament.web.texts.days import time_of_day
from tournament.web.texts.places import override_text
from tournament.web.texts.tiles import lay_hand


def hands_at(now: TableNow, actor: Actor) -> list[dict[str, Any]]:
    """Every hand's current version, with the ones before it; "saved_in" the minute when the time was up, else null.

    "mine": who asks entered this version.
    """
    versions, after_time = defaultdict(list), saved_in_minutes(now.table)
    for hand in now.table.hands.select_related("winner", "discarder", "recorded_by").order_by(
        "number", "version"
    ):
        versions[hand.number].append(hand)
    return [
        _hand(history[-1], now)
        | {"before": [_version(hand) for hand in reversed(history[:-1])]}
        | {"saved_in": after_time.get(history[-1].number), "mine": history[-1].recorded_by == actor.user}
        for history in versions.values()
        if history[-1].is_current
    ]


def undo_at(now: TableNow, actor: Actor) -> dict[str, Any] | None:
    """The hand this person may take back, and until when; None when there is none."""
    last = now.hands[-1] if now.hands else None
    if last is None or not can_undo(last, now.table, actor):
        return None
    return {"number": last.number, "until": (last.recorded_at + UNDO_WITHIN).isoformat()}


def _hand(hand: Hand, now: TableNow) -> dict[str, Any]:
    return _version(hand) | {
        "url": url_of("api_hand", now.table, hand=hand.number),
        "number": hand.number,
        "round": round_of(hand.number),
        "places": {
            seat.player.number: place_of(now.table, seat.start_wind, hand.number) for seat in now.seats
        },
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
        "by": name_of(hand.recorded_by),
        "at": time_of_day(hand.recorded_at),
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
