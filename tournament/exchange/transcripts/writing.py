"""Writing a transcript (`hule-transcript`, version 1) of what was played, as `format` has it."""

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
from tournament.exchange.transcripts import reading
from tournament.exchange.transcripts.format import FORMAT, VERSION, SeatEventKind
from tournament.exchange.transcripts.history import (
    History,
    LoggedSeatEvent,
    PenaltyWriter,
    TimedPenalty,
    departures,
    read_history,
    seat_events_of,
)
from tournament.exchange.transcripts.score_sheet import SeatEvent, totals_to_json
from tournament.play.models import Signature
from tournament.play.selectors.absences import absent_players
from tournament.play.selectors.timetable import final_of
from tournament.play.selectors.totals import standing_totals
from tournament.play.services.absences import UNNAMED_STAND_IN

NOTHING_TO_WRITE_DOWN = problem_code(
    "nothing_to_write_down", "No session is closed yet, so there is nothing to write down."
)
TRANSCRIPT_OPEN_SESSIONS = problem_code(
    "transcript_open_sessions", "Sessions that are not closed are left out of it."
)
TRANSCRIPT_OWN_RULES = problem_code(
    "transcript_own_rules", "It does not hold everything that this tournament changed in its rulebook."
)


def transcript_of(tournament: Tournament) -> str:
    """The sessions that are closed, as the text of a transcript. Refused before there is one."""
    sessions = _by_session(tournament)
    if not sessions:
        raise Refused(NOTHING_TO_WRITE_DOWN())
    history, rulebook = read_history(tournament), _rulebook(tournament)
    departed = departures(history, len(sessions))
    sanctions = PenaltyWriter(_replayed(tournament, rulebook))
    data = {
        "format": FORMAT,
        "version": VERSION,
        "tournament": _particulars(tournament, len(sessions), rulebook),
        "players": [
            _player(player, player.number in departed[0]["withdrawn"]) for player in tournament.players.all()
        ],
        "sessions": [
            without_empty(_session(tournament, number, tables) | departed[number])
            | {"tables": [sheet_of(table, history, sanctions) for table in tables]}
            for number, tables in sessions.items()
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def transcript_warnings(tournament: Tournament) -> Iterator[Problem]:
    """What the transcript cannot hold, so that replaying it stops or gives other standings: one for each kind."""
    if tournament.sessions.exclude(state=Session.State.CLOSED).exists():
        yield TRANSCRIPT_OPEN_SESSIONS()
    if _replayed(tournament, _rulebook(tournament)) != tournament.rules or not _rulebook(tournament):
        yield TRANSCRIPT_OWN_RULES()


def _rulebook(tournament: Tournament) -> Rules | None:
    """The rulebook as it is today: what a replay begins with."""
    try:
        return rules_named(tournament.rulebook)
    except LookupError:
        return None


def _replayed(tournament: Tournament, rulebook: Rules | None) -> Rules:
    """The rules that a replay plays by."""
    return reading.replayed_rules(tournament.rules, rulebook) if rulebook else tournament.rules


def _particulars(tournament: Tournament, sessions: int, rulebook: Rules | None) -> dict[str, Any]:
    data = {
        "name": tournament.name,
        "venue": tournament.venue,
        "starts_on": tournament.starts_on.isoformat(),
        "ends_on": tournament.ends_on.isoformat(),
        "time_zone": tournament.time_zone,
        "rulebook": tournament.rulebook,
        "sessions": sessions,
        "minutes": tournament.minutes,
        "appeal_minutes": tournament.appeal_minutes,
        "public": None if tournament.is_public else False,
        "penalties_public": None if tournament.penalties_public else False,
    }
    if rulebook is None:
        return without_empty(data)
    return without_empty(data) | reading.written(tournament.rules, rulebook)


def _by_session(tournament: Tournament) -> dict[int, list[Table]]:
    """Session number → its tables. Closed sessions are 1, 2, 3…: they are played in order."""
    tables: defaultdict[int, list[Table]] = defaultdict(list)
    for table in tables_to_write(tournament):
        table.session.tournament = tournament
        tables[table.session.number].append(table)
    return dict(tables)


def _player(player: Player, withdrawn: bool) -> dict[str, Any]:
    names = ("first_name", "last_name", "country", "ema_number", "team", "club")
    marks = {"substitute": player.is_substitute or None, "withdrawn": withdrawn or None}
    return {"number": player.number} | {name: getattr(player, name) for name in names} | without_empty(marks)


def _session(tournament: Tournament, number: int, tables: Sequence[Table]) -> dict[str, Any]:
    """Who plays it: everybody, or the finalists, without those who have no seat."""
    final = final_of(tournament, number)
    begins = final if final is not None and final.after_session == number - 1 else None
    everybody = final.numbers if final else tournament.players.values_list("number", flat=True)
    seated = {seat.player.number for table in tables for seat in table.seats.all()}
    return {
        "number": number,
        "final": {"carry": begins.carry, "groups": begins.groups} if begins else None,
        "without": sorted(set(everybody) - seated),
        "extra_minutes": tables[0].session.extra_minutes or None,
        "pauses": list(_pauses(tables[0].session)),
    }


def _pauses(session: Session) -> Iterator[dict[str, Any]]:
    """In whole seconds since the gong."""
    for pause in session.clock.pauses if session.clock else ():
        assert session.started_at is not None
        at = int((pause.since - session.started_at).total_seconds())
        until = None if pause.until is None else int((pause.until - session.started_at).total_seconds())
        seconds = None if until is None else until - at
        yield without_empty({"at": at, "seconds": seconds, "because": pause.reason})


def tables_to_write(tournament: Tournament) -> QuerySet[Table]:
    """The tables of the closed sessions, in order, with everything on them."""
    hands = Hand.objects.filter(is_current=True).select_related("winner", "discarder")
    # One that was cancelled is told where an appeal was against it.
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


def sheet_of(table: Table, history: History, sanctions: PenaltyWriter) -> dict[str, Any]:
    """A table of `tables_to_write`; call in its order."""
    at = table.session.number, table.number
    seats, hands, penalties = list(table.seats.all()), list(table.hands.all()), list(table.penalties.all())
    rows = [_timed_penalty(penalty, history) for penalty in penalties]
    written = sanctions.of_table(table.session.number, rows)
    data = {
        "number": table.number,
        "seats": {seat.wind: seat.player.number for seat in seats},
        "unplayed": True if not table.has_result else None,
        "totals": totals_to_json(standing_totals(table)),
        "extra_minutes": table.extra_minutes or None,
        "hands": [{"number": hand.number} | _hand(_entry(hand)) for hand in hands],
        "penalties": [
            without_empty(penalty | {"after": _unless_all(when.after, hands)})
            for when, penalty in zip(rows, written, strict=True)
        ],
        "presence": [
            _move(move, hands) | without_empty({"after_penalties": _penalties_before(move, rows, history)})
            for move in seat_events_of(history, at, seats)
        ],
        "appeals": [_appeal(appeal, penalties, hands, history) for appeal in table.appeals.all()],
        "signed": [signature.player.number for signature in _newest_signatures(table) if signature.stands],
        "disagreed": [
            signature.player.number
            for signature in _newest_signatures(table)
            if signature.void_because == Signature.Void.TAKEN_BACK
        ],
    }
    return without_empty(data, always=("hands", "penalties"))


def without_empty(data: Mapping[str, Any], always: Iterable[str] = ()) -> dict[str, Any]:
    """Without what is None, and without lists that are empty."""
    return {name: value for name, value in data.items() if name in always or value not in (None, [])}


def _unless_all(after: int, hands: Sequence[Hand]) -> int | None:
    """After how many of the hands; None for all of them."""
    return after if after < len(hands) else None


def _entry(hand: Hand) -> HandEntry:
    """What was entered, with the seats that were empty by what is known today."""
    return replace(hand.entry, absent=absent_players(hand))


def _hand(entry: HandEntry) -> dict[str, Any]:
    return without_empty(
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
        }
    )


def _timed_penalty(penalty: Penalty, history: History) -> TimedPenalty:
    """One that was cancelled counts, in a replay, until the last appeal against it has been heard."""
    heard = [history.before.get(str(appeal.uuid), 0) for appeal in penalty.appeals.all()]
    until = max(heard, default=0) if penalty.is_cancelled else None
    return TimedPenalty(penalty, history.before.get(str(penalty.uuid), 0), until)


def _penalties_before(move: LoggedSeatEvent, given: Sequence[TimedPenalty], history: History) -> int | None:
    """How many penalties came before it, where one was given after as many hands: else it is told before them."""
    earlier = [
        n for n, written in enumerate(given, 1) if history.seq.get(str(written.penalty.uuid), 0) < move.seq
    ]
    return max((n for n in earlier if given[n - 1].after == move.after), default=None)


def _move(move: SeatEvent, hands: Sequence[Hand]) -> dict[str, Any]:
    named = move.what is SeatEventKind.STAND_IN and move.name != UNNAMED_STAND_IN
    return without_empty(
        {
            "what": move.what.value,
            "player": move.player,
            "after": _unless_all(move.after or 0, hands),
            "minutes": move.minutes,
            "name": move.name if named else None,
            "because": move.because if move.what is SeatEventKind.OTHERS_BEGIN else None,
        }
    )


def _appeal(
    appeal: Appeal, penalties: Sequence[Penalty], hands: Sequence[Hand], history: History
) -> dict[str, Any]:
    place = {penalty.pk: n for n, penalty in enumerate(penalties, 1)}
    after = history.before.get(str(appeal.uuid), len(hands))
    carried_out = appeal.settled_as == Appeal.Settled.CARRIED_OUT
    was = _hand_at_appeal(appeal) if carried_out and after >= (appeal.hand_number or 0) else None
    return without_empty(
        {
            "player": appeal.player.number,
            "hand": appeal.hand_number,
            "penalty": place[appeal.penalty_id] if appeal.penalty_id else None,
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
    """The version of the hand that stood when the appeal was opened."""
    if appeal.hand_number is None:
        return None
    stood = Hand.objects.filter(
        table=appeal.table_id, number=appeal.hand_number, recorded_at__lte=appeal.opened_at
    )
    return stood.select_related("winner", "discarder").order_by("-version").first()


def _newest_signatures(table: Table) -> Iterator[Signature]:
    """The newest signature of everybody who signed, in the order in which these were given."""
    newest = {signature.player_id: signature for signature in table.signatures.all()}
    return (signature for signature in table.signatures.all() if newest[signature.player_id] is signature)
