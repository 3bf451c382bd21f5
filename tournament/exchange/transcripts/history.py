"""The order in which things happened, as the log has it, and the penalties that a replay needs to be told."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from penalties.engine import EarlierFoul, Facts, Sanction, propose
from penalties.models import Penalty
from tournament.base.engine.entries import join_texts
from tournament.base.engine.rules import LATE, Rules
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts.format import SeatEventKind
from tournament.exchange.transcripts.score_sheet import SeatEvent
from tournament.fouls.texts import APPEAL_OPENED, PENALTY_GIVEN
from tournament.play.texts import log as play
from tournament.players import texts as players
from tournament.seating.texts import CORRECTION_UNDONE, SEATS_CORRECTED, SESSION_UNSTARTED

# --- The course of events ---


@dataclass(frozen=True)
class LoggedSeatEvent(SeatEvent):
    """`seq`: the number of its entry."""

    seq: int = 0


At = tuple[int, int]
"""Session and table."""

_MOVES: Final[Mapping[str, SeatEventKind]] = {
    play.PLAYER_ABSENT.code: SeatEventKind.ABSENT,
    play.BEGUN_WITHOUT.code: SeatEventKind.OTHERS_BEGIN,
    play.PLAYER_ARRIVED.code: SeatEventKind.ARRIVED,
    play.STAND_IN_SEATED.code: SeatEventKind.STAND_IN,
    play.PLAYER_SEATED_AGAIN.code: SeatEventKind.BACK,
    players.PLAYER_WITHDRAWN.code: SeatEventKind.WITHDRAWN,
    players.PLAYER_READMITTED.code: SeatEventKind.READMITTED,
}
_ENDS: Final = (SeatEventKind.ARRIVED, SeatEventKind.BACK, SeatEventKind.READMITTED)
"""A stand-in's play."""


@dataclass
class History:
    """What stands in no row, and what a replay has to keep.

    `before`: UUID of a penalty or an appeal → how many hands its table had recorded; `seq`: the number of its entry.
    `moves`: with `after` always set, of every session begun. `gone`: who had withdrawn when a session began;
    `gone_now`: by now.
    """

    hands_before: dict[str, int] = field(default_factory=dict)
    seq: dict[str, int] = field(default_factory=dict)
    moves: defaultdict[At, list[LoggedSeatEvent]] = field(default_factory=lambda: defaultdict(list))
    withdrawn_at_start: dict[int, frozenset[int]] = field(default_factory=dict)
    withdrawn_now: frozenset[int] = frozenset()
    _hands: defaultdict[At, int] = field(default_factory=lambda: defaultdict(int))

    def apply(self, seq: int, action: str, data: Mapping[str, Any]) -> None:
        """The next entry of the log."""
        at = data.get("session", 0), data.get("table", 0)
        match action:
            case play.HAND_RECORDED.code:
                self._hands[at] += 1
            case play.HAND_UNDONE.code:
                self._hands[at] -= 1
            case PENALTY_GIVEN.code:
                self.hands_before[data["penalty"]], self.seq[data["penalty"]] = self._hands[at], seq
            case APPEAL_OPENED.code:
                self.hands_before[data["appeal"]] = self._hands[at]
            case play.ABSENCE_TAKEN_BACK.code:
                self.moves[at] = list(
                    _without_absence(
                        self.moves[at],
                        LoggedSeatEvent(SeatEventKind.BACK, data["player"], self._hands[at], seq=seq),
                    )
                )
            case SEATS_CORRECTED.code | CORRECTION_UNDONE.code:
                self._turn(data["session"], data["one"], data["other"])
            case play.SESSION_STARTED.code:
                self.withdrawn_at_start[data["session"]] = self.withdrawn_now
            case SESSION_UNSTARTED.code:
                self._forget(data["session"])
            case players.PLAYER_WITHDRAWN.code:
                self.withdrawn_now |= {data["player"]}
            case players.PLAYER_READMITTED.code | players.PLAYER_DELETED.code:
                self.withdrawn_now -= {data["player"]}
            case players.MISSING_WITHDRAWN.code:
                self.withdrawn_now |= {*data["players"]}
            case players.MISSING_READMITTED.code:
                self.withdrawn_now -= {*data["players"]}
            case players.LIST_ENTERED.code:
                self.withdrawn_now |= {*data.get("left", ())}
            case players.LIST_UNDONE.code:
                self.withdrawn_now -= {*data["back"]}
        if action in _MOVES and at[1]:
            self._moved(seq, _MOVES[action], at, data)

    def _moved(self, seq: int, what: SeatEventKind, at: At, data: Mapping[str, Any]) -> None:
        player, moves = data["player"], self.moves[at]
        if what is SeatEventKind.ARRIVED:
            late = _last_absence(moves, player)
            moves[late] = replace(moves[late], minutes=data["minutes"])
        name, because = data.get("stand_in", ""), data.get("reason", "")
        moves.append(LoggedSeatEvent(what, player, self._hands[at], name=name, because=because, seq=seq))

    def _turn(self, session: int, player: int, other: int) -> None:
        """Two sat in each other's places: what is noted of a seat is noted of who really sat there."""
        names = {player: other, other: player}
        for at, moves in self.moves.items():
            if at[0] == session:
                self.moves[at] = [replace(m, player=names.get(m.player, m.player)) for m in moves]

    def _forget(self, session: int) -> None:
        for at in [at for at in self.moves if at[0] == session]:
            del self.moves[at]


def read_history(tournament: Tournament) -> History:
    """One reading of the log."""
    history = History()
    rows = tournament.log.order_by("seq").values_list("seq", "action", "data", "texts")
    for seq, action, data, texts in rows:
        history.apply(seq, action, join_texts(data, texts))
    return history


def departures(history: History, sessions: int) -> list[dict[str, list[int]]]:
    """Who left, or came back, before the first session, and after each of so many and before the next.

    Who did so at a table is told there.
    """
    gone_before: set[int] = set()
    all_departures = []
    for number in range(sessions + 1):
        moves = (move for at, moves in history.moves.items() if at[0] == number for move in moves)
        for move in moves:
            if move.what is SeatEventKind.WITHDRAWN:
                gone_before.add(move.player)
            elif move.what is SeatEventKind.READMITTED:
                gone_before.discard(move.player)
        withdrawn_at_start = (
            history.withdrawn_at_start.get(number + 1, history.withdrawn_now)
            if number < sessions
            else history.withdrawn_now
        )
        all_departures.append(
            {
                "withdrawn": sorted(withdrawn_at_start - gone_before),
                "readmitted": sorted(gone_before - withdrawn_at_start),
            }
        )
        gone_before = set(withdrawn_at_start)
    return all_departures


def seat_events_of(history: History, at: At, seats: Sequence[Seat]) -> list[LoggedSeatEvent]:
    """What happened to a table's seats, in order; stand-ins who were named before the session first."""
    moves = history.moves.get(at, [])
    named = ((seat.player.number, _from_the_gong(moves, seat)) for seat in seats)
    return [
        *(LoggedSeatEvent(SeatEventKind.STAND_IN, number, 0, name=name) for number, name in named if name),
        *moves,
    ]


def _from_the_gong(moves: Sequence[SeatEvent], seat: Seat) -> str:
    """Who sat in the seat from the start without having been called in the session; "" for nobody."""
    for move in moves:
        if move.player == seat.player.number and move.what in (
            SeatEventKind.STAND_IN,
            SeatEventKind.WITHDRAWN,
            *_ENDS,
        ):
            return move.name if move.what is SeatEventKind.BACK else ""
    return seat.stand_in


def _last_absence(moves: Sequence[SeatEvent], player: int) -> int:
    places = (n for n, move in enumerate(moves) if (move.what, move.player) == (SeatEventKind.ABSENT, player))
    return max(places)


def _without_absence(moves: Sequence[LoggedSeatEvent], back: LoggedSeatEvent) -> Iterator[LoggedSeatEvent]:
    """As if the player had not been missing; a stand-in who sat there for it gives the seat `back` all the same."""
    player = back.player
    since, sits = _last_absence(moves, player), False
    for n, move in enumerate(moves):
        if move.player != player or n < since:
            yield move
        elif move.what is SeatEventKind.ARRIVED and sits:
            yield replace(move, what=SeatEventKind.BACK)
        elif move.what not in (SeatEventKind.ABSENT, SeatEventKind.OTHERS_BEGIN, SeatEventKind.ARRIVED):
            yield move
        if move.player == player:
            sits = move.what in (SeatEventKind.STAND_IN, SeatEventKind.WITHDRAWN) or (
                sits and move.what not in _ENDS
            )
    if sits:
        yield back


# --- Penalties of a replay ---


AS_GIVEN: Final = "As it was given."
"""Why a penalty is not what the foul book says by now, where no umpire gave a reason: one before it was taken back."""


@dataclass(frozen=True)
class TimedPenalty:
    """A penalty given after so many of its table's hands; one that was cancelled counts until after so many."""

    penalty: Penalty
    after: int
    until: int | None = None


class PenaltyWriter:
    """Penalties in the order of a replay: what the foul book gives by itself need not be said.

    `rules`: those that a replay plays by.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._earlier: defaultdict[int, list[EarlierFoul]] = defaultdict(list)

    def of_table(self, session: int, given: Sequence[TimedPenalty]) -> list[dict[str, Any]]:
        """The penalties of a table, in their order, each as a transcript has it. Call table by table."""
        penalties = []
        for n, written in enumerate(given):
            number = written.penalty.player.number
            here = [other for other in given[:n] if other.penalty.player.number == number]
            still = [
                _earlier_foul(other.penalty, session)
                for other in here
                if other.until is None or other.until >= written.after
            ]
            penalties.append(self._as_json(written.penalty, session, [*self._earlier[number], *still]))
        for written in given:
            if written.until is None:
                self._earlier[written.penalty.player.number].append(_earlier_foul(written.penalty, session))
        return penalties

    def _as_json(self, penalty: Penalty, session: int, earlier: Sequence[EarlierFoul]) -> dict[str, Any]:
        victim = penalty.victim.number if penalty.victim else None
        data = {"player": penalty.player.number, "foul": penalty.foul, "hand": penalty.hand_number}
        data |= {"victim": victim, **penalty.facts}
        # Lateness docks no more than the player held at that moment, and hands may have been corrected since.
        may_dock_less = penalty.foul == LATE and bool(self._rules.attendance.starting_points)
        if may_dock_less or self._by_the_book(penalty, session, earlier) != penalty.sanction:
            data |= {"sanction": penalty.sanction, "because": penalty.because or AS_GIVEN}
        if penalty.is_cancelled:
            data |= {"cancelled": penalty.cancelled_because}
        return data

    def _by_the_book(
        self, penalty: Penalty, session: int, earlier: Sequence[EarlierFoul]
    ) -> Mapping[str, Any] | None:
        victim = penalty.victim.number if penalty.victim else None
        facts = Facts(hand_number=penalty.hand_number, session=session, victim=victim, **penalty.facts)
        proposed: Sanction | None = propose(penalty.foul, facts, earlier, self._rules.fouls).sanction
        return proposed.to_json() if proposed else None


def _earlier_foul(penalty: Penalty, session: int) -> EarlierFoul:
    return EarlierFoul(foul=penalty.foul, hand_number=penalty.hand_number, session=session)
