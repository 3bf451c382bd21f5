"""Plays a generated tournament through the services, each write at the moment at which it happened."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from threading import get_ident
from unittest.mock import patch
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.base.access import Actor
from tournament.base.models.events import EventPage, TimetableItem
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.demo.generate import MINUTES, draw_inputs, generate, venues
from tournament.demo.pace import Kind, Step, is_daytime, planned_starts, steps_of
from tournament.demo.people import read_table
from tournament.events.services import create_tournament, set_event_page, set_timetable
from tournament.exchange.transcripts.reading import Transcript
from tournament.exchange.transcripts.score_sheet import uuid_of
from tournament.fouls.services.penalties import give_penalty
from tournament.play.services.hands import record_hand
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in, sign
from tournament.players.services.check_in import check_in_several
from tournament.players.services.players import add_players
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.services import set_prizes
from tournament.ranking.services import publish_standings
from tournament.seating.services.seatings import seat_players
from tournament.staff.services import give_role


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let `timezone.now()` return this moment in the calling thread; every service stores it.

    Other threads of the process keep the time, such as the scheduler of periodic jobs in the worker of `hule serve`.
    """
    thread, real_now = get_ident(), timezone.now
    with patch.object(timezone, "now", lambda: moment if get_ident() == thread else real_now()):
        yield


@dataclass(frozen=True)
class DemoEvent:
    """A generated tournament; `starts`: when each session is planned, in local time; `steps`: its play until now."""

    transcript: Transcript
    seed: str
    starts: tuple[datetime, ...]
    steps: tuple[Step, ...]


def demo_event(players: int, sessions: int, seed: str, now: datetime, until: int | None = None) -> DemoEvent:
    """Return a tournament whose session `until` is being played now; None: which ended last Sunday.

    It is played where it is day now, as far as that is possible. Raises SeatingError.
    """
    zone, starts, venue = timezone.get_default_timezone(), list[datetime](), dict[str, str]()
    for venue in venues(seed):
        zone = ZoneInfo(venue["zone"])
        starts = planned_starts(sessions, MINUTES, now.astimezone(zone).replace(tzinfo=None), until)
        if is_daytime(starts, MINUTES):
            break
    transcript = generate(players, sessions, seed, starts[0].date(), until, venue)
    particulars = {**transcript.particulars, "ends_on": starts[-1].date()}
    steps = steps_of(transcript, seed, [start.replace(tzinfo=zone).astimezone(UTC) for start in starts], now)
    return DemoEvent(replace(transcript, particulars=particulars), seed, tuple(starts), tuple(steps))


# --- Before the first session ---


@transaction.atomic
def create_event(
    event: DemoEvent,
    organiser: Actor,
    umpire: Actor | None = None,
    *,
    is_public: bool = True,
    is_trial: bool = False,
) -> Tournament:
    """Create the tournament with its page, timetable, players and seats, in the weeks before its first day."""
    zone = ZoneInfo(event.transcript.particulars["time_zone"])
    opening = event.starts[0].replace(tzinfo=zone).astimezone(UTC)
    players = event.transcript.players

    # Another moment each time: caches tell two tournaments apart by it.
    created = timezone.now() - timedelta(days=(timezone.now() - opening).days + 70)
    with at(created):
        tournament = Tournament(**event.transcript.particulars, is_public=is_public)
        tournament = create_tournament(organiser, tournament, is_trial=is_trial)
    with at(created + timedelta(minutes=18)):
        (row,) = (row for row in read_table("events") if row["venue"] == tournament.venue)
        page = EventPage(tournament=tournament, address=row["address"], country=row["country"])
        set_event_page(page, organiser)
    with at(opening - timedelta(days=40)):
        set_timetable(tournament, organiser, timetable_items(tournament, event.starts))
    with at(opening - timedelta(days=30)):
        set_prizes(PrizePlan(tournament=tournament), organiser, _prizes())
    if umpire is not None:
        with at(opening - timedelta(days=20)):
            give_role(tournament, organiser, umpire.user)
    with at(opening - timedelta(days=9)):
        add_players(tournament, organiser, players)
    with at(opening - timedelta(hours=16)):
        inputs = draw_inputs(players, len(event.starts), event.seed)
        plan = [[sheet.seats for sheet in session.sheets] for session in event.transcript.sessions]
        seat_players(tournament, organiser, plan, inputs=inputs)
    _check_in(tournament, organiser, opening)
    return tournament


def _prizes() -> list[Prize]:
    """Return a trophy for each of the first three and a prize for the best newcomer, in the active language."""
    trophies = [Prize(rank=place, text=_("Trophy")) for place in (1, 2, 3)]
    return [*trophies, Prize(kind=Prize.Kind.NEWCOMER, text=_("A set of tiles"))]


def timetable_items(tournament: Tournament, starts: tuple[datetime, ...]) -> list[TimetableItem]:
    """Return the lines of a timetable, titles in the active language: check-in, sessions, breaks and prize-giving."""
    length = timedelta(minutes=tournament.minutes)
    items = [_item(tournament, _("Check-in"), starts[0] - timedelta(minutes=45), starts[0])]
    for number, start in enumerate(starts, 1):
        items.append(
            TimetableItem(tournament=tournament, session=number, day=start.date(), starts=start.time())
        )
        is_first = number == 1 or starts[number - 2].date() != start.date()
        if is_first and number < len(starts) and starts[number].date() == start.date():
            items.append(_item(tournament, _name_of_break(start + length), start + length, starts[number]))
    over = starts[-1] + length
    return [*items, _item(tournament, _("Prize-giving"), over + timedelta(minutes=45))]


def _name_of_break(starts: datetime) -> str:
    """Return what the long break of a day is for: a day may begin in the afternoon."""
    if 11 <= starts.hour < 15:
        return _("Lunch")
    return _("Dinner") if 17 <= starts.hour < 21 else _("Break")


def _item(
    tournament: Tournament, title: str, starts: datetime, ends: datetime | None = None
) -> TimetableItem:
    """Return a line; one that would go on after midnight has no end."""
    has_end = ends is not None and ends.date() == starts.date()
    return TimetableItem(
        tournament=tournament,
        title=title,
        day=starts.date(),
        starts=starts.time(),
        ends=ends.time() if ends and has_end else None,
    )


def _check_in(tournament: Tournament, organiser: Actor, opening: datetime) -> None:
    """Check the players in, a few at a time, in the half hour before the first session."""
    numbers = list(tournament.players.values_list("number", flat=True))
    Random(tournament.name).shuffle(numbers)
    for start in range(0, len(numbers), 5):
        with at(opening - timedelta(minutes=35) + timedelta(minutes=30) * start / len(numbers)):
            check_in_several(tournament, organiser, numbers[start : start + 5])


# --- Play ---


class Play:
    """The play of a tournament that `create_event` created.

    The organiser runs the sessions, the umpire writes at the tables.
    """

    def __init__(self, event: DemoEvent, tournament: Tournament, organiser: Actor, umpire: Actor) -> None:
        self._event, self._tournament = event, tournament
        self._organiser, self._umpire = organiser, umpire
        self._tables: dict[int, dict[int, Table]] = {}
        """Session number → table number → table."""

    def take(self, step: Step) -> None:
        """Do what happened at this step."""
        with at(step.at):
            if step.table:
                self._write_at_table(step)
            elif step.kind is Kind.PUBLISH:
                publish_standings(self._tournament, self._organiser)
            else:
                change = start_session if step.kind is Kind.START else close_session
                change(self._tournament.sessions.get(number=step.session), self._organiser)

    def _write_at_table(self, step: Step) -> None:
        table = self._table(step)
        sheet = self._event.transcript.sessions[step.session - 1].sheets[step.table - 1]
        match step.kind:
            case Kind.HAND:
                hand, uuid = sheet.hands[step.number - 1], uuid_of(table, f"hand/{step.number}")
                record_hand(table, self._umpire, hand, number=step.number, uuid=uuid)
            case Kind.FOUL:
                foul, uuid = sheet.penalties[step.number - 1].foul, uuid_of(table, f"penalty/{step.number}")
                give_penalty(table, self._umpire, foul, uuid=uuid)
            case Kind.SIGN:
                sign(table, self._umpire, step.number)
            case Kind.HAND_IN:
                hand_in(table, self._umpire)

    def _table(self, step: Step) -> Table:
        """Return the step's table; the services read again what they change."""
        if step.session not in self._tables:
            tables = Table.objects.filter(session__tournament=self._tournament, session__number=step.session)
            self._tables[step.session] = {
                table.number: table for table in tables.select_related("session__tournament")
            }
        return self._tables[step.session][step.table]
