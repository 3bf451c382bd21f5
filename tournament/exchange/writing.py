"""Writing a transcript (`hule-transcript`, version 1) of what has been played, so that replaying it gives it again.

The format is described in docs/transcript.md; what it cannot hold is told beside it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Prefetch

from penalties.engine import EarlierFoul, Facts, Sanction, propose
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.engine.rules import Rules, rules_named
from tournament.errors import refuse
from tournament.exchange.reading import FORMAT, VERSION
from tournament.models import Hand, Player, Seat, Session, Table, Tournament

AS_GIVEN = "As it was given."
"""Why a penalty is not what the foul book says by now, where no umpire gave a reason: one before it was taken back."""


def transcript_of(tournament: Tournament) -> str:
    """The sessions that are closed, as the text of a transcript. Refused before there is one."""
    sessions = _by_session(tournament)
    if not sessions:
        raise refuse("nothing_to_write_down")
    sanctions = _Sanctions(_book(tournament) or tournament.rules)
    data = {
        "format": FORMAT,
        "version": VERSION,
        "tournament": {
            "name": tournament.name,
            "venue": tournament.venue,
            "starts_on": tournament.starts_on.isoformat(),
            "ends_on": tournament.ends_on.isoformat(),
            "rulebook": tournament.rulebook,
            "sessions": len(sessions),
            "minutes": tournament.minutes,
            **_chosen(tournament),
        },
        "players": [_player(player) for player in tournament.players.all()],
        "sessions": [
            {"number": number, "tables": [_table(table, number, sanctions) for table in tables]}
            for number, tables in enumerate(sessions.values(), 1)
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def left_out(tournament: Tournament) -> Iterator[Problem]:
    """What the transcript cannot hold, so that replaying it stops or gives other standings: one for each kind."""
    if tournament.sessions.exclude(state=Session.State.CLOSED).exists():
        yield Problem("transcript_open_sessions")
    sessions = _by_session(tournament)
    everybody = set(tournament.players.values_list("pk", flat=True))
    seats = [[seat for table in tables for seat in table.seats.all()] for tables in sessions.values()]
    if tournament.players.filter(is_substitute=True).exists() or any(
        {seat.player_id for seat in session} != everybody for session in seats
    ):
        yield Problem("transcript_not_everybody")
    if any(seat.stand_in for session in seats for seat in session):
        yield Problem("transcript_stand_ins")
    if any(not table.hands_played for tables in sessions.values() for table in tables):
        yield Problem("transcript_unplayed_tables")
    if tournament.finals.exists():
        yield Problem("transcript_finals")
    book = _book(tournament)
    if not book or book.with_held_out_waits(tournament.held_out_waits) != tournament.rules:
        yield Problem("transcript_own_rules")


def _book(tournament: Tournament) -> Rules | None:
    """The rules that a replay plays by: those of the rulebook as they are today."""
    try:
        return rules_named(tournament.rulebook)
    except LookupError:
        return None


def _chosen(tournament: Tournament) -> dict[str, bool]:
    """What this tournament plays otherwise than its rulebook, as far as a transcript says it."""
    book = _book(tournament)
    if book is None or book.scoring.held_out_waits == tournament.held_out_waits:
        return {}
    return {"held_out_waits": tournament.held_out_waits}


def _by_session(tournament: Tournament) -> dict[int, list[Table]]:
    """The tables of the closed sessions, in order, with everything on them."""
    tables = (
        Table.objects.filter(session__tournament=tournament, session__state=Session.State.CLOSED)
        .select_related("session")
        .order_by("session__number", "number")
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("player").order_by("id")),
            Prefetch(
                "hands",
                Hand.objects.filter(is_current=True)
                .select_related("winner", "discarder")
                .order_by("table", "number"),
            ),
            Prefetch(
                "penalties",
                Penalty.objects.filter(cancelled_at=None).select_related("player", "victim"),
            ),
        )
    )
    found: defaultdict[int, list[Table]] = defaultdict(list)
    for table in tables:
        found[table.session.number].append(table)
    return dict(found)


def _player(player: Player) -> dict[str, Any]:
    names = ("first_name", "last_name", "country", "ema_number", "team", "club")
    return {"number": player.number} | {name: getattr(player, name) for name in names}


def _table(table: Table, session: int, sanctions: _Sanctions) -> dict[str, Any]:
    hands = list(table.hands.all())
    recorded = table.hands.filter(version=1, number__lte=len(hands)).values_list("recorded_at", flat=True)
    moments = sorted(recorded)
    return {
        "number": table.number,
        "seats": {seat.wind: seat.player.number for seat in table.seats.all()},
        "hands": [_hand(hand) for hand in hands],
        "penalties": [
            sanctions.written(penalty, session) | _given({"after": _hands_before(penalty, moments)})
            for penalty in table.penalties.all()
        ],
    }


def _hands_before(penalty: Penalty, recorded: Sequence[datetime]) -> int | None:
    """How many hands had been `recorded` when the penalty was given; None for all of them."""
    before = sum(moment < penalty.given_at for moment in recorded)
    return before if before < len(recorded) else None


def _hand(hand: Hand) -> dict[str, Any]:
    entry = hand.entry
    said = {
        "number": hand.number,
        "outcome": entry.outcome,
        "winner": entry.winner,
        "discarder": entry.discarder,
        "claimants": list(entry.claimants) or None,
        "absent": list(entry.absent or ()) or None,
        "hand": entry.tiles,
        "fans": entry.fans,
        "points": entry.points,
        "override": entry.override or None,
    }
    return _given(said)


class _Sanctions:
    """Penalties in the order of a replay: what the foul book gives by itself need not be said."""

    def __init__(self, rules: Rules) -> None:
        self._fouls = rules.fouls
        self._earlier: defaultdict[int, list[EarlierFoul]] = defaultdict(list)

    def written(self, penalty: Penalty, session: int) -> dict[str, Any]:
        victim = penalty.victim.number if penalty.victim else None
        said = {"player": penalty.player.number, "foul": penalty.foul, "hand": penalty.hand_number}
        said |= {"victim": victim, **penalty.facts}
        if self._by_the_book(penalty, session, victim) != penalty.sanction:
            said |= {"sanction": penalty.sanction, "because": penalty.because or AS_GIVEN}
        return _given(said)

    def _by_the_book(self, penalty: Penalty, session: int, victim: int | None) -> dict[str, Any] | None:
        earlier = self._earlier[penalty.player.number]
        facts = Facts(hand_number=penalty.hand_number, session=session, victim=victim, **penalty.facts)
        proposed: Sanction | None = propose(penalty.foul, facts, earlier, self._fouls).sanction
        earlier.append(EarlierFoul(foul=penalty.foul, hand_number=penalty.hand_number, session=session))
        return proposed.to_json() if proposed else None


def _given(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None}
