"""What happened in which order, read from the log: a transcript needs it, and the rows do not tell."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tournament.base.engine.entries import join_texts
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts.format import SeatEventKind
from tournament.exchange.transcripts.score_sheet import SeatEvent
from tournament.fouls.texts import APPEAL_OPENED, PENALTY_CREATED
from tournament.play.texts import log as play
from tournament.players import texts as players
from tournament.seating.texts import SEAT_CORRECTION_UNDONE, SEATS_CORRECTED, SESSION_START_UNDONE


@dataclass(frozen=True)
class LoggedSeatEvent(SeatEvent):
    seq: int = 0
    """Number of its log entry."""


TableKey = tuple[int, int]
"""Session number and table number."""

_SEAT_EVENT_KINDS: Final[Mapping[str, SeatEventKind]] = {
    play.ABSENCE_RECORDED.code: SeatEventKind.ABSENT,
    play.EARLY_START_ALLOWED.code: SeatEventKind.OTHERS_BEGIN,
    play.PLAYER_ARRIVED.code: SeatEventKind.ARRIVED,
    play.STAND_IN_SEATED.code: SeatEventKind.STAND_IN,
    play.STAND_IN_ENDED.code: SeatEventKind.BACK,
    players.PLAYER_WITHDRAWN.code: SeatEventKind.WITHDRAWN,
    players.PLAYER_REINSTATED.code: SeatEventKind.READMITTED,
}
"""Code of a log action → kind."""
_STAND_IN_ENDS: Final = (SeatEventKind.ARRIVED, SeatEventKind.BACK, SeatEventKind.READMITTED)
"""Events after which the player plays, and no stand-in."""


@dataclass
class History:
    """The order of events so far, entry by entry."""

    hands_before: dict[str, int] = field(default_factory=dict)
    """UUID of a penalty or appeal → number of hands that its table had recorded."""
    entry_numbers: dict[str, int] = field(default_factory=dict)
    """UUID of a penalty → number of its log entry."""
    seat_events: defaultdict[TableKey, list[LoggedSeatEvent]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Of all started sessions, in order; `after` is always set."""
    withdrawn_at_start: dict[int, frozenset[int]] = field(default_factory=dict)
    """Session number → players who had withdrawn when it started."""
    withdrawn_now: frozenset[int] = frozenset()
    _hands: defaultdict[TableKey, int] = field(default_factory=lambda: defaultdict(int))
    """Number of hands recorded at a table."""

    def apply(self, seq: int, action: str, data: Mapping[str, Any]) -> None:
        """Add the next log entry."""
        table = data.get("session", 0), data.get("table", 0)
        match action:
            case play.HAND_RECORDED.code:
                self._hands[table] += 1
            case play.HAND_UNDONE.code:
                self._hands[table] -= 1
            case PENALTY_CREATED.code:
                self.hands_before[data["penalty"]] = self._hands[table]
                self.entry_numbers[data["penalty"]] = seq
            case APPEAL_OPENED.code:
                self.hands_before[data["appeal"]] = self._hands[table]
            case play.ABSENCE_CANCELLED.code:
                back = LoggedSeatEvent(SeatEventKind.BACK, data["player"], self._hands[table], seq=seq)
                self.seat_events[table] = list(_without_absence(self.seat_events[table], back))
            case SEATS_CORRECTED.code | SEAT_CORRECTION_UNDONE.code:
                self._exchange_players(data["session"], data["one"], data["other"])
            case play.SESSION_STARTED.code:
                self.withdrawn_at_start[data["session"]] = self.withdrawn_now
            case SESSION_START_UNDONE.code:
                for key in [key for key in self.seat_events if key[0] == data["session"]]:
                    del self.seat_events[key]
            case players.PLAYER_WITHDRAWN.code:
                self.withdrawn_now |= {data["player"]}
            case players.PLAYER_REINSTATED.code | players.PLAYER_DELETED.code:
                self.withdrawn_now -= {data["player"]}
            case players.MISSING_PLAYERS_WITHDRAWN.code:
                self.withdrawn_now |= {*data["players"]}
            case players.MISSING_PLAYERS_REINSTATED.code:
                self.withdrawn_now -= {*data["players"]}
            case players.PLAYER_LIST_IMPORTED.code:
                self.withdrawn_now |= {*data.get("left", ())}
            case players.PLAYER_LIST_UNDONE.code:
                self.withdrawn_now -= {*data["back"]}
        if action in _SEAT_EVENT_KINDS and table[1]:
            self._add_seat_event(seq, _SEAT_EVENT_KINDS[action], table, data)

    def _exchange_players(self, session: int, player: int, other: int) -> None:
        """Exchange two players in the events of a session: each was recorded at the other's seat."""
        numbers = {player: other, other: player}
        for table, events in self.seat_events.items():
            if table[0] == session:
                self.seat_events[table] = [
                    replace(event, player=numbers.get(event.player, event.player)) for event in events
                ]

    def _add_seat_event(
        self, seq: int, kind: SeatEventKind, table: TableKey, data: Mapping[str, Any]
    ) -> None:
        player, events = data["player"], self.seat_events[table]
        if kind is SeatEventKind.ARRIVED:
            absence = _last_absence(events, player)
            events[absence] = replace(events[absence], minutes=data["minutes"])
        name, because = data.get("stand_in", ""), data.get("reason", "")
        events.append(LoggedSeatEvent(kind, player, self._hands[table], name=name, because=because, seq=seq))


def _last_absence(events: Sequence[SeatEvent], player: int) -> int:
    """Return the index of a player's last absence."""
    return max(
        index
        for index, event in enumerate(events)
        if (event.kind, event.player) == (SeatEventKind.ABSENT, player)
    )


def _without_absence(events: Sequence[LoggedSeatEvent], back: LoggedSeatEvent) -> Iterator[LoggedSeatEvent]:
    """Yield the events without the player's last absence. If a stand-in plays for it, append `back`."""
    player, absence = back.player, _last_absence(events, back.player)
    has_stand_in = False
    for index, event in enumerate(events):
        if event.player != player or index < absence:
            yield event
        elif event.kind is SeatEventKind.ARRIVED and has_stand_in:
            yield replace(event, kind=SeatEventKind.BACK)
        elif event.kind not in (SeatEventKind.ABSENT, SeatEventKind.OTHERS_BEGIN, SeatEventKind.ARRIVED):
            yield event
        if event.player == player:
            begins = event.kind in (SeatEventKind.STAND_IN, SeatEventKind.WITHDRAWN)
            has_stand_in = begins or (has_stand_in and event.kind not in _STAND_IN_ENDS)
    if has_stand_in:
        yield back


def read_history(tournament: Tournament) -> History:
    """Read the whole log once."""
    history = History()
    rows = tournament.log.order_by("seq").values_list("seq", "action", "data", "texts")
    for seq, action, data, texts in rows:
        history.apply(seq, action, join_texts(data, texts))
    return history


def departures(history: History, sessions: int) -> list[dict[str, list[int]]]:
    """Return who was withdrawn and readmitted before the first session, and after each of the first `sessions`.

    Players who were withdrawn or readmitted at a table are left out: these are seat events.
    """
    withdrawn: set[int] = set()
    rows = []
    for number in range(sessions + 1):
        events = (
            event for table, events in history.seat_events.items() if table[0] == number for event in events
        )
        for event in events:
            if event.kind is SeatEventKind.WITHDRAWN:
                withdrawn.add(event.player)
            elif event.kind is SeatEventKind.READMITTED:
                withdrawn.discard(event.player)
        withdrawn_next = history.withdrawn_now
        if number < sessions:
            withdrawn_next = history.withdrawn_at_start.get(number + 1, history.withdrawn_now)
        rows.append(
            {
                "withdrawn": sorted(withdrawn_next - withdrawn),
                "readmitted": sorted(withdrawn - withdrawn_next),
            }
        )
        withdrawn = set(withdrawn_next)
    return rows


def seat_events_of(history: History, table: TableKey, seats: Sequence[Seat]) -> list[LoggedSeatEvent]:
    """Return the seat events of a table in order, first the stand-ins named before the session."""
    events = history.seat_events.get(table, [])
    names = ((seat.player.number, _first_stand_in(events, seat)) for seat in seats)
    return [
        *(LoggedSeatEvent(SeatEventKind.STAND_IN, number, 0, name=name) for number, name in names if name),
        *events,
    ]


def _first_stand_in(events: Sequence[SeatEvent], seat: Seat) -> str:
    """Return the name of the stand-in who was named for a seat before the session; "" if none was."""
    for event in events:
        if event.player != seat.player.number:
            continue
        if event.kind in (SeatEventKind.STAND_IN, SeatEventKind.WITHDRAWN, *_STAND_IN_ENDS):
            return event.name if event.kind is SeatEventKind.BACK else ""
    return seat.stand_in
