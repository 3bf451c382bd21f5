"""What the organiser's pages show: all tables of a session, its pace, its latest results; and passes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import HANDS_PER_SESSION, WINDS
from tournament.base.models.play import HallClock, Hand, Seat, Session
from tournament.base.models.tournament import Pass, Tournament
from tournament.play.selectors.clock import Clock, clock_of
from tournament.play.selectors.tables import TableSummary, session_tables


class CardState(Enum):
    """Progress of a table; the value is the CSS class of its card."""

    PLANNED = "planned"
    WAITING = "wait"
    PLAYING = "play"
    FULL = "full"
    IN = "in"


@dataclass(frozen=True)
class Card:
    """A table on the board."""

    now: TableSummary
    state: CardState

    @property
    def is_open(self) -> bool:
        return self.state is not CardState.IN


@dataclass(frozen=True)
class Board:
    """A session with all its tables."""

    session: Session
    cards: tuple[Card, ...]
    clock: Clock | None
    """None when the session is not being played."""

    def count(self, *states: CardState) -> int:
        return sum(card.state in states for card in self.cards)

    @property
    def tables_in(self) -> int:
        return self.count(CardState.IN)

    @property
    def playing(self) -> int:
        return self.count(CardState.PLAYING)

    @property
    def waiting(self) -> int:
        return self.count(CardState.WAITING)

    @property
    def full(self) -> int:
        return self.count(CardState.FULL)

    @property
    def tables_open(self) -> int:
        return len(self.cards) - self.tables_in

    @property
    def unplayed(self) -> list[int]:
        """Tables without a result, if only they hold up the closing and others are in; else empty."""
        still_open = [card.now.table for card in self.cards if card.is_open]
        holds_up = self.tables_in and not any(table.has_result for table in still_open)
        return [table.number for table in still_open] if holds_up else []


def board_of(session: Session) -> Board:
    cards = tuple(Card(now, _card_state(session, now)) for now in session_tables(session, Audience.STAFF))
    return Board(session, cards, clock_of(session))


def _card_state(session: Session, now: TableSummary) -> CardState:
    if now.table.is_in or session.state == Session.State.CLOSED:
        return CardState.IN
    if session.state == Session.State.PLANNED:
        return CardState.PLANNED
    if now.is_full or now.table.counts_totals:
        return CardState.FULL
    return CardState.PLAYING if now.table.hands_played else CardState.WAITING


LATEST_RESULTS = 5


@dataclass(frozen=True)
class Pace:
    """Progress of a session being played: `hands` recorded `of` as many as its tables play."""

    minutes: int
    now: int
    """The current minute, at most `minutes`."""
    hands: int
    of: int
    recorded: tuple[int, ...]
    """The minutes in which hands were first saved, in order."""

    @property
    def expected(self) -> int:
        """How many hands would be played by now at an even pace."""
        return round(self.of * self.now / self.minutes)


@dataclass(frozen=True)
class Result:
    """A hand and the table it was played at."""

    hand: Hand
    table: TableSummary


def pace_of(board: Board) -> Pace | None:
    """Return the pace of a session; None when it is not being played or is all on paper."""
    clock = board.session.clock
    hand_cards = [card for card in board.cards if not card.now.table.is_on_paper]
    if board.clock is None or clock is None or not hand_cards:
        return None
    moments = _first_saved(board.session)
    minutes = board.clock.minutes
    return Pace(
        minutes=minutes,
        now=min(minutes, _minute(clock, timezone.now())),
        hands=len(moments),
        of=HANDS_PER_SESSION * len(hand_cards),
        recorded=tuple(sorted(min(minutes, _minute(clock, moment)) for moment in moments)),
    )


def latest_results(board: Board) -> list[Result]:
    """List the hands recorded or corrected last in the session, newest first."""
    table_of = {card.now.table.pk: card.now for card in board.cards}
    hands = Hand.objects.filter(table__in=table_of, is_current=True).select_related("winner", "discarder")
    return [
        Result(hand, table_of[hand.table_id])
        for hand in hands.order_by("-recorded_at", "-pk")[:LATEST_RESULTS]
    ]


def _first_saved(session: Session) -> list[datetime]:
    """List when each hand that counts was first recorded, before any correction."""
    hands = (
        Hand.objects.filter(table__session=session, table__counts_totals=False)
        .order_by()
        .values("table", "number")
    )
    standing = hands.annotate(first=Min("recorded_at"), stands=Count("pk", filter=Q(is_current=True)))
    return list(standing.filter(stands__gt=0).values_list("first", flat=True))


def _minute(clock: HallClock, moment: datetime) -> int:
    return max(0, int(clock.played(moment).total_seconds() // 60))


@dataclass(frozen=True)
class HandsFingerprint:
    """Identifies the state of a session's hands, so that figures computed from them can be cached.

    Counting rows and primary keys suffices, because hands are not edited: a correction is a new row.
    """

    session: int
    number: int
    tournament: int
    tournament_created: datetime
    hands: int
    ids: int
    newest: int


def hands_fingerprints(sessions: QuerySet[Session]) -> list[HandsFingerprint]:
    """Read the fingerprints of the sessions with hands, by tournament and number, in one query."""
    rows = (
        sessions.filter(tables__hands__is_current=True)
        .order_by("tournament_id", "number")
        .values_list("pk", "number", "tournament_id", "tournament__created_at")
        .annotate(Count("tables__hands"), Sum("tables__hands__id"), Max("tables__hands__id"))
    )
    return [HandsFingerprint(*row) for row in rows]


def passes_of(tournament: Tournament) -> QuerySet[Pass]:
    """List the passes that have not been revoked, with the sessions and tables they are for."""
    passes = Pass.objects.filter(membership__tournament=tournament, revoked_at=None)
    return passes.select_related("membership__user").prefetch_related(
        "membership__sessions", "membership__tables__session"
    )


def by_wind(seats: Iterable[Seat]) -> list[Seat]:
    return sorted(seats, key=lambda seat: WINDS.index(seat.wind))
