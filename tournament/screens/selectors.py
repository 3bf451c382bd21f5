"""What the screens show now, a ceremony as it stands, and the puzzles of an event."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from scoring.quiz.questions import Question, hall_puzzle
from tournament.base.access import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.messages.announcements.selectors import active_announcements
from tournament.play.selectors.public import Overview, overview
from tournament.play.selectors.timetable import players_of, timetable
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import has_check_in, missing_players
from tournament.ranking.selectors.ranking import Kind as GroupKind
from tournament.ranking.selectors.ranking import Ranking, group_rows, ranking
from tournament.ranking.selectors.standings import has_results
from tournament.ranking.selectors.statistics import best_hand_of_day
from tournament.screens.engine import (
    AUTOMATIC,
    Kind,
    Line,
    Phase,
    Programme,
    Shown,
    Slide,
    Steering,
    interruption,
    shown,
    steps,
)
from tournament.screens.models import MAIN, Ceremony, Puzzle, Screen, as_ms

# --- Screens ---


NAMES_A_PAGE = 36
MISSING_A_PAGE = 24
"""Of who has not come: the code at the door stands beside them."""
TABLES_A_PAGE = 6


def rows_a_page(rows: int) -> int:
    """Lines of a ranking on one page, in two columns: a small field sees itself whole."""
    return 16 if rows <= 16 else 20


@dataclass(frozen=True)
class OnScreen:
    """A screen at a moment. `now` and `until`: milliseconds since 1970; `until` None while nothing turns by itself."""

    screen: Screen
    steering: Steering
    now: int
    slide: Slide
    until: int | None
    is_interrupted: bool
    """Whether a fresh announcement has taken it."""


def screens_of(tournament: Tournament) -> list[Screen]:
    """All of them, the main one first."""
    screens = {screen.name: screen for screen in tournament.screens.all()}
    main = screens.pop(MAIN, None) or unarranged(tournament, MAIN)
    return [main, *screens.values()]


def find_screen(tournament: Tournament, name: str) -> Screen | None:
    """The screen of this name; the main one is there without being made."""
    screen = tournament.screens.filter(name=name).first()
    return unarranged(tournament, MAIN) if screen is None and name == MAIN else screen


def unarranged(tournament: Tournament, name: str) -> Screen:
    """A screen as it is before anybody has touched it; not saved."""
    created = tournament.created_at
    return Screen(tournament=tournament, name=name, turns=[], since=created, steered_at=created)


def on_screen(screen: Screen, at: datetime | None = None) -> OnScreen:
    """What the screen shows; the welcome where there is nothing else to show."""
    at = at or timezone.now()
    tournament, now = screen.tournament, as_ms(at)
    programme, steering = programme_of(screen, at), steering_of(screen)
    announcements = active_announcements(tournament)
    interrupted = interruption([as_ms(announcement.made_at) for announcement in announcements], now)
    if interrupted is not None:
        place, until = interrupted
        slide = Slide(Kind.ANNOUNCEMENTS, place + 1, len(announcements), 0)
        return OnScreen(screen, steering, now, slide, until, True)
    page = shown(programme, steering, now) or Shown(Slide(Kind.WELCOME, 1, 1, 0), None)
    return OnScreen(screen, steering, now, page.slide, page.until, False)


def programme_of(screen: Screen, at: datetime) -> Programme:
    """The rotation with the pages there are: as arranged, or what fits how far the event is."""
    facts = _facts_of(screen.tournament)
    counts = facts.phase is Phase.PLAYING or (facts.begins is not None and at < facts.begins)
    pages = {
        **facts.pages,
        Kind.CLOCK: int(counts),
        Kind.ANNOUNCEMENTS: len(active_announcements(screen.tournament)),
    }
    return Programme(AUTOMATIC[facts.phase] if screen.is_automatic else screen.rotation, pages)


def steering_of(screen: Screen) -> Steering:
    """As the organiser steered it; what chooses by itself begins anew when a session begins or ends."""
    facts, steering = _facts_of(screen.tournament), screen.steering
    if screen.is_automatic and steering.only is None and facts.began and facts.began > screen.steered_at:
        return Steering(as_ms(facts.began))
    return steering


@dataclass(frozen=True)
class _Facts:
    phase: Phase
    began: datetime | None
    """When this phase began; None before the first session."""
    begins: datetime | None
    """When the next session is planned to begin."""
    pages: Mapping[Kind, int]


@by_version(32)
def _facts_of(tournament: Tournament) -> _Facts:
    now, ceremony = overview(tournament), current_ceremony(tournament)
    moments = [
        at for session in now.sessions for at in (session.started_at, session.closed_at) if at is not None
    ]
    pages = _pages(tournament, now)
    if ceremony is not None:
        began, pages = ceremony.started_at, pages | {Kind.CEREMONY: 1}
        return _Facts(Phase.CEREMONY, began, None, pages)
    return _Facts(_phase(now), max(moments, default=None), begins_at(tournament, now), pages)


def _phase(now: Overview) -> Phase:
    if now.running:
        return Phase.PLAYING
    if now.is_over:
        return Phase.OVER
    if now.last_closed:
        return Phase.BETWEEN
    return Phase.SEATED if now.is_drawn else Phase.PREPARING


def session_seated(now: Overview) -> Session | None:
    """Whose seats a screen shows: those of the session being played, else of the next."""
    return now.running or now.next


def begins_at(tournament: Tournament, now: Overview) -> datetime | None:
    """When the session that comes next is planned to begin; None while one is being played."""
    if now.running or now.next is None:
        return None
    entry = timetable(tournament).of(now.next.number)
    return entry.starts_at if entry else None


def _pages(tournament: Tournament, now: Overview) -> dict[Kind, int]:
    """As everybody may know it: a screen hangs in the hall."""
    session, people = session_seated(now), list(players_of(tournament))
    rows = len(people) if has_results(tournament, Audience.PUBLIC) else 0
    teams = len({player.team for player in people} - {""}) if rows else 0
    nations = len({player.country for player in people} - {""}) if rows else 0
    return {
        Kind.NAMES: _page_count(Seat.objects.filter(table__session=session).count(), NAMES_A_PAGE)
        if session
        else 0,
        Kind.TABLES: _page_count(session.tables.count(), TABLES_A_PAGE) if session else 0,
        Kind.PROGRESS: 1 if now.running else 0,
        Kind.RANKING: _page_count(rows, rows_a_page(rows)),
        Kind.TEAMS: _page_count(teams, rows_a_page(teams)),
        Kind.NATIONS: _page_count(nations, rows_a_page(nations)) if nations > 1 else 0,
        Kind.BEST: 1 if best_hand_of_day(tournament, Audience.PUBLIC) else 0,
        Kind.PUZZLE: 2,
        Kind.WELCOME: 1,
        Kind.MISSING: _page_count(len(missing_on_screen(tournament, now)), MISSING_A_PAGE),
    }


def missing_on_screen(tournament: Tournament, now: Overview) -> list[Player]:
    """Who is missing, while people are coming: from the first who is checked in until the first session begins."""
    if now.running or now.last_closed or not (has_check_in(tournament) or asks_to_check_in(tournament)):
        return []
    return list(missing_players(tournament))


def asks_to_check_in(tournament: Tournament) -> bool:
    """Whether people check themselves in."""
    return CheckIn.objects.filter(tournament=tournament, by_themselves=True).exists()


def _page_count(count: int, a_page: int) -> int:
    return -(-count // a_page)


# --- Ceremonies ---


def current_ceremony(tournament: Tournament) -> Ceremony | None:
    """The one that is on."""
    return tournament.ceremonies.filter(ended_at=None).first()


def ceremony_banner(tournament: Tournament) -> dict[str, Ceremony | None]:
    """For pages about the state of play."""
    return {"ceremony": current_ceremony(tournament)}


def newest_ceremony(tournament: Tournament) -> Ceremony | None:
    """The one that is on, or that was on last."""
    return tournament.ceremonies.first()


def told_before(tournament: Tournament) -> list[Ceremony]:
    """The ceremonies that are over and have told something, the newest of each kind."""
    over = tournament.ceremonies.exclude(ended_at=None).filter(told__gt=0)
    newest = {ceremony.kind: ceremony for ceremony in over.reverse()}
    return sorted(newest.values(), key=lambda ceremony: ceremony.started_at, reverse=True)


def is_out_of_date(ceremony: Ceremony) -> bool:
    """Whether the standings are others by now."""
    now = to_be_told(ceremony.tournament, Ceremony.Kind(ceremony.kind), ceremony.first)
    return bool(ceremony.lines != now)


def to_be_told(tournament: Tournament, kind: Ceremony.Kind, first: int | None) -> list[dict[str, Any]]:
    """The lines of the best `first` places as the standings are now, hidden sessions included; the best first."""
    now = ranking(tournament, Audience.STAFF)
    lines = _player_lines(now) if kind == Ceremony.Kind.PLAYERS else _group_lines(now, _GROUP_KINDS[kind])
    return [asdict(line) for place in reversed(steps(lines, first)) for line in place]


_GROUP_KINDS: dict[Ceremony.Kind, GroupKind] = {
    Ceremony.Kind.TEAMS: "teams",
    Ceremony.Kind.NATIONS: "nations",
}


def _player_lines(now: Ranking) -> list[Line]:
    return [
        Line(
            rank=row.standing.rank,
            name=row.player.name,
            country=row.player.country,
            about=row.player.team,
            table_points=two_decimals(row.standing.table_points),
            game_points=int(row.standing.game_points),
        )
        for row in now.rows
        if row.standing.rank is not None
    ]


def _group_lines(now: Ranking, kind: GroupKind) -> list[Line]:
    return [
        Line(
            rank=row.standing.rank,
            name=row.standing.name,
            country="",
            about=" · ".join(member.player.name for member in row.members if member.counts),
            table_points=two_decimals(row.standing.table_points),
            game_points=int(row.standing.game_points),
        )
        for row in group_rows(now, kind)
    ]


def kinds_of(tournament: Tournament) -> list[Ceremony.Kind]:
    """What there is to tell: teams and nations only where there are some."""
    now = ranking(tournament, Audience.STAFF)
    has = {Ceremony.Kind.TEAMS: now.has_teams, Ceremony.Kind.NATIONS: now.has_nations}
    return [kind for kind in Ceremony.Kind if has.get(kind, bool(now.sessions))] if now.sessions else []


# --- Puzzles ---


def puzzle_in_hall(tournament: Tournament) -> tuple[Question, Puzzle | None]:
    """What the hall is asked before the next session: the event's own puzzles in turn, else one by seed."""
    coming = overview(tournament).next
    number = coming.number if coming else 0
    if own := list(tournament.puzzles.all()):
        chosen = own[number % len(own)]
        return chosen.question, chosen
    return hall_puzzle(f"hall-{tournament.pk}-{number}").question, None
