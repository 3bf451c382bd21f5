"""Write the closed sessions of a tournament as a transcript (`hule-transcript`, version 1)."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from penalties.models import Penalty
from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.rules import Rules, rules_named
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Appeal, Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts.format import FORMAT, VERSION, SeatEventKind
from tournament.exchange.transcripts.history import (
    History,
    LoggedSeatEvent,
    departures,
    read_history,
    seat_events_of,
)
from tournament.exchange.transcripts.penalties import PenaltyWriter, TimedPenalty
from tournament.exchange.transcripts.reading import own_rules_to_json, replayed_rules
from tournament.exchange.transcripts.score_sheet import SeatEvent, totals_to_json
from tournament.play.models import Signature
from tournament.play.selectors.absences import absent_players
from tournament.play.selectors.timetable import final_of
from tournament.play.selectors.totals import standing_totals
from tournament.play.services.absences import UNNAMED_STAND_IN

NOTHING_TO_WRITE_DOWN = problem_code(
    "nothing_to_write_down", "No session is closed yet, so there is nothing to export."
)
TRANSCRIPT_OPEN_SESSIONS = problem_code(
    "transcript_open_sessions", "Sessions that are not closed are left out."
)
TRANSCRIPT_OWN_RULES = problem_code(
    "transcript_own_rules", "It does not contain everything that this tournament changed in its rulebook."
)


def transcript_of(tournament: Tournament) -> str:
    """Return the transcript of the closed sessions as text. Raises Refused if there are none."""
    sessions = _by_session(tournament)
    if not sessions:
        raise Refused(NOTHING_TO_WRITE_DOWN())
    history, rulebook = read_history(tournament), _rulebook(tournament)
    departed = departures(history, len(sessions))
    writer = PenaltyWriter(replayed_rules(tournament.rules, rulebook) if rulebook else tournament.rules)
    data = {
        "format": FORMAT,
        "version": VERSION,
        "tournament": _particulars(tournament, len(sessions), rulebook),
        "players": [
            _player(player, player.number in departed[0]["withdrawn"]) for player in tournament.players.all()
        ],
        "sessions": [
            _without_empty(_session(tournament, number, tables) | departed[number])
            | {"tables": [_sheet(table, history, writer) for table in tables]}
            for number, tables in sessions.items()
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def transcript_warnings(tournament: Tournament) -> Iterator[Problem]:
    """Yield a problem for each kind of data that the transcript leaves out, so that a replay stops or differs."""
    if tournament.sessions.exclude(state=Session.State.CLOSED).exists():
        yield TRANSCRIPT_OPEN_SESSIONS()
    rulebook = _rulebook(tournament)
    if rulebook is None or replayed_rules(tournament.rules, rulebook) != tournament.rules:
        yield TRANSCRIPT_OWN_RULES()


def _rulebook(tournament: Tournament) -> Rules | None:
    """Return today's rules of the tournament's rulebook and foul book; None if one does not exist any more."""
    try:
        return rules_named(tournament.rulebook, tournament.foul_book)
    except LookupError:
        return None


def _particulars(tournament: Tournament, sessions: int, rulebook: Rules | None) -> dict[str, Any]:
    data = {
        "name": tournament.name,
        "venue": tournament.venue,
        "starts_on": tournament.starts_on.isoformat(),
        "ends_on": tournament.ends_on.isoformat(),
        "time_zone": tournament.time_zone,
        "rulebook": tournament.rulebook,
        "foul_book": tournament.foul_book or None,
        "sessions": sessions,
        "minutes": tournament.minutes,
        "appeal_minutes": tournament.appeal_minutes,
        "appeal_deposit": tournament.appeal_deposit or None,
        "public": None if tournament.is_public else False,
        "penalties_public": None if tournament.penalties_public else False,
    }
    if rulebook is None:
        return _without_empty(data)
    return _without_empty(data) | own_rules_to_json(tournament.rules, rulebook)


def _by_session(tournament: Tournament) -> dict[int, list[Table]]:
    """Return number → tables of the closed sessions, which are 1, 2, 3…: sessions are played in order."""
    tables: defaultdict[int, list[Table]] = defaultdict(list)
    for table in _closed_tables(tournament):
        table.session.tournament = tournament
        tables[table.session.number].append(table)
    return dict(tables)


def _player(player: Player, withdrawn: bool) -> dict[str, Any]:
    names = ("first_name", "last_name", "country", "ema_number", "team", "club")
    flags = {"substitute": player.is_substitute or None, "withdrawn": withdrawn or None}
    return {"number": player.number} | {name: getattr(player, name) for name in names} | _without_empty(flags)


def _session(tournament: Tournament, number: int, tables: Sequence[Table]) -> dict[str, Any]:
    """Return a session's data without its tables. `without`: players of the event, or of the final, without a seat."""
    final = final_of(tournament, number)
    new_final = final if final is not None and final.after_session == number - 1 else None
    everybody = final.numbers if final else tournament.players.values_list("number", flat=True)
    seated = {seat.player.number for table in tables for seat in table.seats.all()}
    return {
        "number": number,
        "final": {"carry": new_final.carry, "groups": new_final.groups} if new_final else None,
        "without": sorted(set(everybody) - seated),
        "extra_minutes": tables[0].session.extra_minutes or None,
        "pauses": list(_pauses(tables[0].session)),
    }


def _pauses(session: Session) -> Iterator[dict[str, Any]]:
    """Yield the pauses, in whole seconds after the start of the session."""
    for pause in session.clock.pauses if session.clock else ():
        assert session.started_at is not None
        at = int((pause.since - session.started_at).total_seconds())
        until = None if pause.until is None else int((pause.until - session.started_at).total_seconds())
        seconds = None if until is None else until - at
        yield _without_empty({"at": at, "seconds": seconds, "because": pause.reason})


def _closed_tables(tournament: Tournament) -> QuerySet[Table]:
    """Return the tables of the closed sessions in order, with all rows of theirs prefetched."""
    hands = Hand.objects.filter(is_current=True).select_related("winner", "discarder")
    # A cancelled penalty is included if there was an appeal against it.
    penalties = Penalty.objects.filter(Q(cancelled_at=None) | Q(appeals__isnull=False)).distinct()
    return (
        Table.objects.filter(session__tournament=tournament, session__state=Session.State.CLOSED)
        .select_related("session")
        .order_by("session__number", "number")
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("player").order_by("id")),
            Prefetch("hands", hands.order_by("table", "number")),
            Prefetch("penalties", penalties.select_related("player", "victim").prefetch_related("appeals")),
            Prefetch("appeals", Appeal.objects.select_related("player")),
            Prefetch("signatures", Signature.objects.select_related("player")),
        )
    )


def _sheet(table: Table, history: History, writer: PenaltyWriter) -> dict[str, Any]:
    """Return the sheet of a table of `_closed_tables`. Call it in their order."""
    table_key = table.session.number, table.number
    seats, hands, penalties = list(table.seats.all()), list(table.hands.all()), list(table.penalties.all())
    timed_penalties = [_timed_penalty(penalty, history) for penalty in penalties]
    penalty_rows = writer.of_table(table.session.number, timed_penalties)
    data = {
        "number": table.number,
        "seats": {seat.wind: seat.player.number for seat in seats},
        "unplayed": True if not table.has_result else None,
        "totals": totals_to_json(standing_totals(table)),
        "extra_minutes": table.extra_minutes or None,
        "hands": [{"number": hand.number} | _hand(_entry(hand)) for hand in hands],
        "penalties": [
            _without_empty(row | {"after": _unless_all(timed.after, hands)})
            for timed, row in zip(timed_penalties, penalty_rows, strict=True)
        ],
        "presence": [
            _seat_event(event, hands)
            | _without_empty({"after_penalties": _penalties_before(event, timed_penalties, history)})
            for event in seat_events_of(history, table_key, seats)
        ],
        "appeals": [_appeal(appeal, penalties, hands, history) for appeal in table.appeals.all()],
        "signed": [signature.player.number for signature in _newest_signatures(table) if signature.stands],
        "disagreed": [
            signature.player.number
            for signature in _newest_signatures(table)
            if signature.void_because == Signature.Void.CANCELLED
        ],
    }
    return _without_empty(data, always=("hands", "penalties"))


def _without_empty(data: Mapping[str, Any], always: Iterable[str] = ()) -> dict[str, Any]:
    """Return the data without null values and empty lists, except the names in `always`."""
    return {name: value for name, value in data.items() if name in always or value not in (None, [])}


def _unless_all(after: int, hands: Sequence[Hand]) -> int | None:
    """Return a number of hands; None if it is all of them."""
    return after if after < len(hands) else None


def _entry(hand: Hand) -> HandEntry:
    """Return the entry of a hand, with the players who were absent according to today's absences."""
    return replace(hand.entry, absent=absent_players(hand))


def _hand(entry: HandEntry) -> dict[str, Any]:
    return _without_empty(
        {
            "outcome": entry.outcome,
            "winner": entry.winner,
            "discarder": entry.discarder,
            "claimants": list(entry.claimants),
            "absent": list(entry.absent or ()),
            "hand": entry.tiles,
            "fans": entry.fans,
            "points": entry.points,
            "override": entry.override or None,
            "dispute": entry.dispute or None,
        }
    )


def _timed_penalty(penalty: Penalty, history: History) -> TimedPenalty:
    """Return a penalty with its time. A replay cancels a cancelled one after the last appeal against it."""
    hands_before_appeals = [history.hands_before.get(str(appeal.uuid), 0) for appeal in penalty.appeals.all()]
    until = max(hands_before_appeals, default=0) if penalty.is_cancelled else None
    return TimedPenalty(penalty, history.hands_before.get(str(penalty.uuid), 0), until)


def _penalties_before(
    event: LoggedSeatEvent, timed_penalties: Sequence[TimedPenalty], history: History
) -> int | None:
    """Return the number of penalties given before a seat event; None if none of them was given at the same hand.

    A replay plays seat events before the penalties of the same hand, unless this number says otherwise.
    """
    earlier = (
        n
        for n, timed in enumerate(timed_penalties, 1)
        if history.entry_numbers.get(str(timed.penalty.uuid), 0) < event.seq and timed.after == event.after
    )
    return max(earlier, default=None)


def _seat_event(event: SeatEvent, hands: Sequence[Hand]) -> dict[str, Any]:
    has_name = event.kind is SeatEventKind.STAND_IN and event.name != UNNAMED_STAND_IN
    return _without_empty(
        {
            "what": event.kind.value,
            "player": event.player,
            "after": _unless_all(event.after or 0, hands),
            "minutes": event.minutes,
            "name": event.name if has_name else None,
            "because": event.because if event.kind is SeatEventKind.OTHERS_BEGIN else None,
        }
    )


def _appeal(
    appeal: Appeal, penalties: Sequence[Penalty], hands: Sequence[Hand], history: History
) -> dict[str, Any]:
    number_of = {penalty.pk: n for n, penalty in enumerate(penalties, 1)}
    after = history.hands_before.get(str(appeal.uuid), len(hands))
    carried_out = appeal.settled_as == Appeal.Settled.CARRIED_OUT
    was = _hand_at_appeal(appeal) if carried_out and after >= (appeal.hand_number or 0) else None
    return _without_empty(
        {
            "player": appeal.player.number,
            "hand": appeal.hand_number,
            "penalty": number_of[appeal.penalty_id] if appeal.penalty_id else None,
            "text": appeal.text,
            "after": _unless_all(after, hands),
            "granted": appeal.granted,
            "ruling": appeal.ruling or None,
            "carried_out": carried_out or None,
            "waived": appeal.settled_because or None,
            "was": _hand(_entry(was)) if was else None,
        }
    )


def _hand_at_appeal(appeal: Appeal) -> Hand | None:
    """Return the version of the hand that was current when the appeal was opened."""
    if appeal.hand_number is None:
        return None
    versions = Hand.objects.filter(
        table=appeal.table_id, number=appeal.hand_number, recorded_at__lte=appeal.opened_at
    )
    return versions.select_related("winner", "discarder").order_by("-version").first()


def _newest_signatures(table: Table) -> Iterator[Signature]:
    """Return the newest signature of each player, in the order in which they were given."""
    newest = {signature.player_id: signature for signature in table.signatures.all()}
    return (signature for signature in table.signatures.all() if newest[signature.player_id] is signature)
