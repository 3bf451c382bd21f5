"""What the organiser's pages show: every table at a glance, how a session goes, the passes, what was written."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from tournament.base.access import Audience
from tournament.base.engine.rules import HANDS_PER_SESSION, WINDS
from tournament.base.models.play import HallClock, Hand, Seat, Session
from tournament.base.models.tournament import Pass, Tournament
from tournament.play.selectors.clock import Clock, clock_of
from tournament.play.selectors.tables import Glance, session_tables


class CardState(Enum):
    """How far a table is; the value is the style of its card."""

    PLANNED = "planned"
    WAITING = "wait"
    PLAYING = "play"
    FULL = "full"
    IN = "in"


@dataclass(frozen=True)
class Card:
    """A table on the board."""

    now: Glance
    state: CardState

    @property
    def is_open(self) -> bool:
        return self.state is not CardState.IN


@dataclass(frozen=True)
class Board:
    """A session with every table of it."""

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
        """The tables without a hand that alone hold up the session, others being in; else none."""
        still_open = [card.now.table for card in self.cards if card.is_open]
        holds_up = self.tables_in and not any(table.has_result for table in still_open)
        return [table.number for table in still_open] if holds_up else []


def board_of(session: Session) -> Board:
    """Show every table of the session as it stands."""
    cards = tuple(Card(now, _card_state(session, now)) for now in session_tables(session, Audience.STAFF))
    return Board(session, cards, clock_of(session))


def _card_state(session: Session, now: Glance) -> CardState:
    if now.table.is_in or session.state == Session.State.CLOSED:
        return CardState.IN
    if session.state == Session.State.PLANNED:
        return CardState.PLANNED
    if now.is_full or now.table.counts_totals:
        return CardState.FULL
    return CardState.PLAYING if now.table.hands_played else CardState.WAITING


LATEST = 5


@dataclass(frozen=True)
class Pace:
    """A session being played. Its tables come to `hands` of `of` when all play sixteen."""

    minutes: int
    now: int
    """The minute it is, `minutes` once the time is up."""
    hands: int
    of: int
    recorded: tuple[int, ...]
    """The minutes in which the hands were first saved, in order."""

    @property
    def expected(self) -> int:
        """How many hands the clock would have by now."""
        return round(self.of * self.now / self.minutes)


@dataclass(frozen=True)
class Result:
    """A hand and the table it was played at."""

    hand: Hand
    table: Glance


def pace_of(board: Board) -> Pace | None:
    """Compare a session's hands with the clock; None when it is not being played, or all of it on paper."""
    clock = board.session.clock
    by_hands = [card for card in board.cards if not card.now.table.is_on_paper]
    if board.clock is None or clock is None or not by_hands:
        return None
    moments = _first_saved(board.session)
    minutes = board.clock.minutes
    return Pace(
        minutes=minutes,
        now=min(minutes, _minute(clock, timezone.now())),
        hands=len(moments),
        of=HANDS_PER_SESSION * len(by_hands),
        recorded=tuple(sorted(min(minutes, _minute(clock, moment)) for moment in moments)),
    )


def latest_results(board: Board) -> list[Result]:
    """List what was recorded or corrected last at any table of the session, the newest first."""
    at = {card.now.table.pk: card.now for card in board.cards}
    hands = Hand.objects.filter(table__in=at, is_current=True).select_related("winner", "discarder")
    return [Result(hand, at[hand.table_id]) for hand in hands.order_by("-recorded_at", "-pk")[:LATEST]]


def _first_saved(session: Session) -> list[datetime]:
    """List when each hand that counts was first recorded; a correction does not change that."""
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
class Written:
    """The state of a session's hands: while it is the same, figures that follow from them need not be read again.

    Hands are never changed in place: a correction is a new row, and the row it replaces no longer counts.
    """

    session: int
    number: int
    tournament: int
    tournament_made: datetime
    hands: int
    ids: int
    newest: int


def written(sessions: QuerySet[Session]) -> list[Written]:
    """Read the state of those sessions that have hands, by tournament and number, in one query."""
    rows = (
        sessions.filter(tables__hands__is_current=True)
        .order_by("tournament_id", "number")
        .values_list("pk", "number", "tournament_id", "tournament__created_at")
        .annotate(Count("tables__hands"), Sum("tables__hands__id"), Max("tables__hands__id"))
    )
    return [Written(*row) for row in rows]


def passes_of(tournament: Tournament) -> QuerySet[Pass]:
    """List the passes that have not been taken back, tables first, with where they allow writing."""
    passes = Pass.objects.filter(membership__tournament=tournament, revoked_at=None)
    return passes.select_related("membership__user").prefetch_related(
        "membership__sessions", "membership__tables__session"
    )


def by_wind(seats: Iterable[Seat]) -> list[Seat]:
    return sorted(seats, key=lambda seat: WINDS.index(seat.wind))
