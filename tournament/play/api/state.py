"""The state of a table as its umpires see it, for the desk; other packages add their parts by a hook."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from penalties.engine import FoulBook, Sanction
from penalties.engine.rules import Step
from penalties.engine.sanctions import HAND_FLAGS
from penalties.models import Penalty
from penalties.texts import flag_text, sanction_text
from tournament.base import access, hooks
from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import (
    HANDS_PER_SESSION,
    LATE,
    Rules,
    position,
    prevalent_wind,
    seat_wind,
    table_points,
)
from tournament.base.models.log import name_of
from tournament.base.models.play import Absence, Hand, Session, Table
from tournament.base.problems import sentence, sentence_params
from tournament.base.sql import find_table
from tournament.play.api.answers import (
    AbsenceState,
    ClockState,
    EmptySeat,
    HandState,
    HandVersion,
    LaidTile,
    LatenessStep,
    Place,
    Restraint,
    Round,
    Signed,
    TableState,
    UndoState,
)
from tournament.play.api.facts import url_of, urls_of
from tournament.play.engine.judge import SEAT_EMPTY
from tournament.play.selectors.absences import (
    SEAT_EMPTY_TOO_EARLY,
    absent_players,
    is_left_empty,
    late_by,
    lateness_end,
    lateness_minutes,
    place_flags,
    points_held,
)
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.closing import late_minutes_by_hand
from tournament.play.selectors.hands import (
    dead_hand_problem,
    excluded_hands,
    exclusion_problem,
    vacated_hands,
)
from tournament.play.selectors.tables import (
    CHAIRS,
    UNDO_WITHIN,
    TableNow,
    can_undo,
    empty_seats,
    table_now,
)
from tournament.web.texts.log import override_text
from tournament.web.texts.words import NAMES, ROUNDS, lay_hand, time_of_day, wind_character, wind_letter
from tournament.web.texts.words import table_points as table_points_text


def state_of(table: Table, actor: Actor) -> TableState:
    """Read the table anew and return its state."""
    session = table.session
    fresh = find_table(session.tournament.slug, session.number, table.number)
    return state(table_now(fresh, Audience.STAFF), actor)


def state(now: TableNow, actor: Actor) -> TableState:
    """Return the table as its umpires see it, with what the packages above add."""
    table, session = now.table, now.table.session
    running = session.state == Session.State.RUNNING
    organiser, judges = access.can_organise(actor, session.tournament), access.can_judge(actor, table)
    scores, scale = list(now.scores.values()), session.tournament.rules.scale
    shares = table_points(scores, scale, place_flags(table, now.seats))
    parts = hooks.merged(hooks.table_state(table, now.penalties, now.appeals, actor))
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
        "clock": _clock(table),
        "counts_totals": table.counts_totals,
        "may_give_time": running and not table.is_in and judges,
        "may_rule": access.can_rule(actor, table),
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
        "round": _round(now.hand_number),
        "seats": [
            {
                "player": seat.player.number,
                "name": seat.player.name,
                "start": seat.start_wind,
                "score": seat.score,
                "stand_in": seat.stand_in,
                "withdrawn": seat.player.is_withdrawn,
                "excluded": capfirst(seat.player.get_excluded_as_display()),
                "table_points": table_points_text(share),
                "signature_url": url_of("api_signature", table, player=seat.player.number),
                "stand_in_url": url_of("api_stand_in", table, player=seat.player.number),
                **_signature(now, seat.player.pk),
                **_place(table, seat.start_wind, now.hand_number),
            }
            for seat, share in zip(now.seats, shares, strict=True)
        ],
        "unpaid": now.unpaid,
        "hands": _hands(now, actor),
        "undo": _undo(now, actor),
        "restraints": _restraints(now),
        "absences": _absences(now),
        "empty_seats": _empty_seats(now),
        **parts,  # type: ignore[typeddict-item]  # each part has its own TypedDict
    }


def _signature(now: TableNow, player: int) -> Signed:
    """Say when the player signed the sheet as it stands, or why an earlier signature is void."""
    signatures = [signature for signature in now.signatures if signature.player_id == player]
    latest = signatures[-1] if signatures else None
    return {
        "signed": time_of_day(latest.signed_at) if latest and latest.stands else "",
        "unsigned_because": str(latest.get_void_because_display()) if latest else "",
    }


def _round(number: int) -> Round:
    wind = prevalent_wind(number)
    return {"character": wind_character(wind), "name": str(ROUNDS[wind])}


def _place(table: Table, start: str, number: int) -> Place:
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


def _clock(table: Table) -> ClockState | None:
    clock = clock_of(table.session, table)
    if clock is None:
        return None
    return {
        "ends": clock.ends_at.isoformat(),
        "warns": clock.warns_at.isoformat(),
        "paused": clock.pause.since.isoformat() if clock.pause else None,
        "minutes": clock.minutes,
        "extra": clock.extra,
        "warning": clock.warning,
        "counts_last_hand": clock.counts_last_hand,
    }


def _hands(now: TableNow, actor: Actor) -> list[HandState]:
    versions, after_time = defaultdict(list), late_minutes_by_hand(now.table)
    for hand in now.table.hands.select_related("winner", "discarder", "recorded_by").order_by(
        "number", "version"
    ):
        versions[hand.number].append(hand)
    return [
        _hand(history, now, after_time.get(history[-1].number), actor)
        for history in versions.values()
        if history[-1].is_current
    ]


def _hand(history: Sequence[Hand], now: TableNow, saved_in: int | None, actor: Actor) -> HandState:
    *before, hand = history
    return {
        **_version(hand),
        "url": url_of("api_hand", now.table, hand=hand.number),
        "number": hand.number,
        "round": _round(hand.number),
        "places": {seat.player.number: _place(now.table, seat.start_wind, hand.number) for seat in now.seats},
        "absent": list(absent_players(hand)),
        "tiles": hand.tiles,
        "laid": _laid_out(hand),
        "before": [_version(earlier) for earlier in reversed(before)],
        "saved_in": saved_in,
        "mine": hand.recorded_by == actor.user,
    }


def _version(hand: Hand) -> HandVersion:
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
        "dispute": hand.dispute,
        "deepens": hand.deepens,
        "payments": hand.payments,
        "text": _hand_text(hand),
        "by": name_of(hand.recorded_by),
        "at": time_of_day(hand.recorded_at),
        "reason": hand.reason,
    }


def _hand_text(hand: Hand) -> str:
    """Say what happened: "Mātīss 陈 from 张伟", "Håkan Dupont, self-drawn", "Wash-out", "To be ruled on"."""
    if hand.is_pending:
        return _("To be ruled on")
    if hand.winner is None:
        return _("Wash-out")
    if hand.discarder is None:
        return _("{winner}, self-drawn").format(winner=hand.winner.name)
    return _("{winner} from {discarder}").format(winner=hand.winner.name, discarder=hand.discarder.name)


def _laid_out(hand: Hand) -> list[list[LaidTile]]:
    if not hand.tiles:
        return []
    return [[{"code": t.code, "side": t.side, "win": t.win} for t in group] for group in lay_hand(hand.tiles)]


def _undo(now: TableNow, actor: Actor) -> UndoState | None:
    last = now.hands[-1] if now.hands else None
    if last is None or not can_undo(last, now.table, actor):
        return None
    return {"number": last.number, "until": (last.recorded_at + UNDO_WITHIN).isoformat()}


def _restraints(now: TableNow) -> list[Restraint]:
    book = now.table.session.tournament.rules.fouls
    standing = [penalty for penalty in now.penalties if not penalty.is_cancelled]
    return [
        *(_restraint(penalty, book) for penalty in standing if _lasts_a_hand(penalty)),
        *_exclusions(now, standing),
    ]


def _lasts_a_hand(penalty: Penalty) -> bool:
    return penalty.hand_number is not None and Sanction.from_json(penalty.sanction).lasts_hand


def _exclusions(now: TableNow, standing: list[Penalty]) -> Iterator[Restraint]:
    if not any(seat.player.excluded_as for seat in now.seats):
        return
    for seat in now.table.seated:
        for hand in excluded_hands(now.table, seat, standing):
            barred = exclusion_problem(seat.player)
            yield {
                "hand": hand,
                "player": seat.player.number,
                "marks": [],
                "barred": sentence(barred),
                "params": sentence_params(barred) | {"code": barred.code},
            }


def _vacated(now: TableNow) -> Iterator[tuple[int, int]]:
    """Yield (hand, player) where the seat of an excluded player is empty."""
    if any(seat.player.excluded_as for seat in now.seats):
        standing = [penalty for penalty in now.penalties if not penalty.is_cancelled]
        for seat in now.table.seated:
            for hand in vacated_hands(now.table, seat, standing):
                yield hand, seat.player.number


def _restraint(penalty: Penalty, book: FoulBook) -> Restraint:
    barred = dead_hand_problem(penalty, book) if penalty.sanction.get("dead_hand") else None
    return {
        "hand": penalty.hand_number,
        "player": penalty.player.number,
        "marks": [str(capfirst(flag_text(flag))) for flag in HAND_FLAGS if penalty.sanction.get(flag)],
        "barred": sentence(barred) if barred else "",
        "params": sentence_params(barred) if barred else {},
    }


def _absences(now: TableNow) -> list[AbsenceState]:
    late_penalties = [penalty for penalty in now.penalties if penalty.foul == LATE]
    dealt_with = {penalty.player_id for penalty in late_penalties}
    fined = {penalty.player_id for penalty in late_penalties if not penalty.is_cancelled}
    standing = now.table.absences.filter(cancelled_at=None).select_related("player")
    return [
        _absence(absence, now, absence.player_id in fined)
        for absence in standing
        if (absence.arrived_at is None or absence.player_id not in dealt_with) and not is_left_empty(absence)
    ]


def _absence(absence: Absence, now: TableNow, fined: bool) -> AbsenceState:
    minutes, until = lateness_minutes(absence), lateness_end(absence)
    seat = now.table.seats.select_related("player").get(player=absence.player)
    seat.table = now.table
    return {
        "url": url_of("api_absence", now.table, uuid=absence.uuid),
        "uuid": str(absence.uuid),
        "player": absence.player.number,
        "since": _counts_from(absence, until).isoformat(),
        "until": until.isoformat(),
        "minutes": minutes if absence.arrived_at else None,
        "in_all": minutes,
        "fined": fined,
        "begun_because": absence.begun_because,
        "steps": _steps(now.table.session.tournament.rules, minutes, points_held(seat)),
    }


def _counts_from(absence: Absence, until: datetime) -> datetime:
    """Find from when the clock of lateness counts: the gong, moved by every pause of the hall since."""
    clock = absence.table.session.clock
    assert clock is not None, "a session in which somebody is missing has begun"
    moment = min(until, clock.shows(timezone.now()))
    return moment - late_by(absence, moment)


def _steps(rules: Rules, minutes: int, points_held: int | None) -> list[LatenessStep]:
    rule = rules.lateness
    return [_step(step) for step in rule.steps(minutes, points_held)] if rule else []


def _step(step: Step) -> LatenessStep:
    points = step.sanction.points
    label = str(points.total) if points else capfirst(sanction_text(step.sanction))
    until = _("to {n}").format(n=step.high) if step.high else _("later")
    return {
        "from": step.low,
        "to": step.high,
        "label": label,
        "until": until,
        "text": capfirst(sanction_text(step.sanction)),
    }


def _empty_seats(now: TableNow) -> list[EmptySeat]:
    """List the empty seats of hands that were played, and of every hand to come as long as they are empty."""
    rule = now.table.session.tournament.rules.lateness
    wait = rule.others_start_after if rule else 0
    coming = range(now.table.hands_played + 1, HANDS_PER_SESSION + 1)
    rows = [(hand.number, player, "") for hand in now.hands for player in absent_players(hand)]
    names = {seat.player.number: seat.player.name for seat in now.seats}
    for absence in empty_seats(now.table).values():
        early = SEAT_EMPTY_TOO_EARLY(name=absence.player.name, minutes=wait)
        waits = wait and not absence.begun_because and not is_left_empty(absence)
        too_early = sentence(early) if waits else ""
        rows += [(hand, absence.player.number, too_early) for hand in coming]
    rows += [(hand, player, "") for hand, player in _vacated(now) if hand in coming]
    return [
        {
            "hand": hand,
            "player": player,
            "why": sentence(SEAT_EMPTY("winner", player=names[player])),
            "too_early": too_early,
        }
        for hand, player, too_early in rows
    ]


def lateness(rules: Rules) -> dict[str, Any] | None:
    """Say when the others start without a late player; None where the foul book does not say what lateness costs."""
    rule = rules.lateness
    return None if rule is None else {"stand_in_after": rule.others_start_after}


def rotation(table: Table) -> dict[int, dict[str, Any]]:
    """Map each of the session's hands to its round and who sits where: the desk may go on without the server."""
    seats = list(table.seats.select_related("player"))
    return {
        number: {
            "round": _round(number),
            "places": {seat.player.number: _place(table, seat.wind, number) for seat in seats},
        }
        for number in range(1, HANDS_PER_SESSION + 1)
    }
