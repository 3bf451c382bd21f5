"""What screens show now, ceremonies, and the puzzle on screens."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from scoring.quiz.questions import Question, hall_puzzle
from scoring.texts import joined
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, is_withheld_from
from tournament.messages.announcements.selectors import active_announcements
from tournament.play.selectors.public import Overview, overview
from tournament.play.selectors.timetable import players_of, timetable
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import has_check_in, missing_players
from tournament.prizes.selectors import winners_of
from tournament.ranking.selectors.groups import GroupKind, group_rows
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.standings import has_results
from tournament.ranking.selectors.statistics import best_hand_of_day
from tournament.screens.engine import (
    AUTOMATIC_ROTATIONS,
    Kind,
    Line,
    Phase,
    Programme,
    ShownSlide,
    Slide,
    Steering,
    ceremony_steps,
    interrupting_announcement,
    slide_at,
)
from tournament.screens.models import MAIN_SCREEN, Ceremony, Puzzle, Screen, to_milliseconds

# --- Screens ---


NAMES_PER_PAGE = 36
MISSING_PER_PAGE = 24
"""Players; the check-in code is beside them."""
TABLES_PER_PAGE = 6


def rows_per_page(rows: int) -> int:
    """Return how many lines of a ranking are on a page, in two columns. Up to 16 lines are on one page."""
    return 16 if rows <= 16 else 20


@dataclass(frozen=True)
class ScreenState:
    """What a screen shows at the time `now`."""

    screen: Screen
    steering: Steering
    now: int
    """Milliseconds since 1970."""
    slide: Slide
    until: int | None
    """When the next slide follows, in milliseconds since 1970; None if the slide stays."""
    is_interrupted: bool
    """Whether a new announcement interrupts the rotation."""


def screens_of(tournament: Tournament) -> list[Screen]:
    """Return all screens, first the main screen."""
    screens = {screen.name: screen for screen in tournament.screens.all()}
    main = screens.pop(MAIN_SCREEN, None) or new_screen(tournament, MAIN_SCREEN)
    return [main, *screens.values()]


def find_screen(tournament: Tournament, name: str) -> Screen | None:
    """Return the screen of this name, unsaved if it is the main screen without a row; None if there is none."""
    screen = tournament.screens.filter(name=name).first()
    return new_screen(tournament, MAIN_SCREEN) if screen is None and name == MAIN_SCREEN else screen


def new_screen(tournament: Tournament, name: str) -> Screen:
    """Return an unsaved automatic screen that nobody has steered."""
    created = tournament.created_at
    return Screen(tournament=tournament, name=name, turns=[], since=created, steered_at=created)


def screen_state(screen: Screen, at: datetime | None = None) -> ScreenState:
    """Return what the screen shows at a time, by default now; the welcome page if the rotation has no page."""
    at = at or timezone.now()
    tournament, now = screen.tournament, to_milliseconds(at)
    programme, steering = programme_of(screen, at), steering_of(screen)
    announcements = active_announcements(tournament)
    interrupted = interrupting_announcement(
        [to_milliseconds(announcement.made_at) for announcement in announcements], now
    )
    if interrupted is not None:
        index, until = interrupted
        slide = Slide(Kind.ANNOUNCEMENTS, index + 1, len(announcements), 0)
        return ScreenState(screen, steering, now, slide, until, True)
    shown = slide_at(programme, steering, now) or ShownSlide(Slide(Kind.WELCOME, 1, 1, 0), None)
    return ScreenState(screen, steering, now, shown.slide, shown.until, False)


def programme_of(screen: Screen, at: datetime) -> Programme:
    """Return the screen's rotation, or the automatic one of the event's phase, with the page counts at a time."""
    event = _event_state(screen.tournament)
    has_clock = event.phase is Phase.PLAYING or (event.next_start is not None and at < event.next_start)
    pages = {
        **event.pages,
        Kind.CLOCK: int(has_clock),
        Kind.ANNOUNCEMENTS: len(active_announcements(screen.tournament)),
    }
    return Programme(AUTOMATIC_ROTATIONS[event.phase] if screen.is_automatic else screen.rotation, pages)


def steering_of(screen: Screen) -> Steering:
    """Return the screen's steering. An automatic rotation starts again when a session starts or is closed."""
    steering, phase_start = screen.steering, _event_state(screen.tournament).phase_start
    if screen.is_automatic and steering.only is None and phase_start and phase_start > screen.steered_at:
        return Steering(to_milliseconds(phase_start))
    return steering


@dataclass(frozen=True)
class _EventState:
    phase: Phase
    phase_start: datetime | None
    """None before the first session."""
    next_start: datetime | None
    """Planned start of the next session."""
    pages: Mapping[Kind, int]


@by_version(32)
def _event_state(tournament: Tournament) -> _EventState:
    now, ceremony = overview(tournament), current_ceremony(tournament)
    pages = _page_counts(tournament, now)
    if ceremony is not None:
        return _EventState(Phase.CEREMONY, ceremony.started_at, None, pages | {Kind.CEREMONY: 1})
    times = [
        time
        for session in now.sessions
        for time in (session.started_at, session.closed_at)
        if time is not None
    ]
    return _EventState(_phase(now), max(times, default=None), planned_start(tournament, now), pages)


def _phase(now: Overview) -> Phase:
    if now.running:
        return Phase.PLAYING
    if now.is_over:
        return Phase.OVER
    if now.last_closed:
        return Phase.BETWEEN
    return Phase.SEATED if now.is_drawn else Phase.PREPARING


def seating_session(now: Overview) -> Session | None:
    """Return the session whose seats screens show: the running one, else the next."""
    return now.running or now.next


def planned_start(tournament: Tournament, now: Overview) -> datetime | None:
    """Return the planned start of the next session; None while a session is running."""
    if now.running or now.next is None:
        return None
    entry = timetable(tournament).of(now.next.number)
    return entry.starts_at if entry else None


def _page_counts(tournament: Tournament, now: Overview) -> dict[Kind, int]:
    """Return kind → number of pages with what the public may see; without clock, announcements and ceremony."""
    session, people = seating_session(now), list(players_of(tournament))
    rows = len(people) if has_results(tournament, Audience.PUBLIC) else 0
    teams = len({player.team for player in people} - {""}) if rows else 0
    nations = len({player.country for player in people} - {""}) if rows else 0
    return {
        Kind.NAMES: _page_count(Seat.objects.filter(table__session=session).count(), NAMES_PER_PAGE)
        if session
        else 0,
        Kind.TABLES: _page_count(session.tables.count(), TABLES_PER_PAGE) if session else 0,
        Kind.PROGRESS: 1 if now.running and not is_withheld_from(Audience.PUBLIC, now.running) else 0,
        Kind.RANKING: _page_count(rows, rows_per_page(rows)),
        Kind.TEAMS: _page_count(teams, rows_per_page(teams)),
        Kind.NATIONS: _page_count(nations, rows_per_page(nations)) if nations > 1 else 0,
        Kind.BEST: 1 if best_hand_of_day(tournament, Audience.PUBLIC) else 0,
        Kind.PUZZLE: 2,
        Kind.WELCOME: 1,
        Kind.MISSING: _page_count(len(missing_on_screen(tournament, now)), MISSING_PER_PAGE),
    }


def missing_on_screen(tournament: Tournament, now: Overview) -> list[Player]:
    """Return the players who are missing, from the first check-in to the start of the first session."""
    if now.running or now.last_closed or not (has_check_in(tournament) or has_self_check_in(tournament)):
        return []
    return list(missing_players(tournament))


def has_self_check_in(tournament: Tournament) -> bool:
    """Return whether players can check themselves in."""
    return CheckIn.objects.filter(tournament=tournament, self_check_in=True).exists()


def _page_count(count: int, per_page: int) -> int:
    return -(-count // per_page)


# --- Ceremonies ---


def current_ceremony(tournament: Tournament) -> Ceremony | None:
    """Return the ceremony that has not ended."""
    return tournament.ceremonies.filter(ended_at=None).first()


def ceremony_banner(tournament: Tournament) -> dict[str, Ceremony | None]:
    """Return the context of the banner on pages about the state of play."""
    return {"ceremony": current_ceremony(tournament)}


def newest_ceremony(tournament: Tournament) -> Ceremony | None:
    """Return the ceremony that started last, ended or not."""
    return tournament.ceremonies.first()


def past_ceremonies(tournament: Tournament) -> list[Ceremony]:
    """Return the newest ended ceremony of each kind that announced anything, newest first."""
    over = tournament.ceremonies.exclude(ended_at=None).filter(announced_steps__gt=0)
    newest = {ceremony.kind: ceremony for ceremony in over.reverse()}
    return sorted(newest.values(), key=lambda ceremony: ceremony.started_at, reverse=True)


def is_out_of_date(ceremony: Ceremony) -> bool:
    """Return whether the standings have changed since the ceremony started."""
    lines = ceremony_lines(ceremony.tournament, Ceremony.Kind(ceremony.kind), ceremony.first)
    return _without_prizes(ceremony.lines) != _without_prizes(lines)


def _without_prizes(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the standings alone: what the prizes are is in the language of whoever began the ceremony."""
    return [line | {"prize": ""} for line in lines]


def ceremony_lines(tournament: Tournament, kind: Ceremony.Kind, first: int | None) -> list[dict[str, Any]]:
    """Return the lines of the best `first` places, best first, from today's standings with hidden sessions."""
    ranked = ranking(tournament, Audience.STAFF)
    is_of_players = kind == Ceremony.Kind.PLAYERS
    prizes = _prizes_by_winner(tournament)
    lines = (
        _player_lines(ranked, prizes) if is_of_players else _group_lines(ranked, _GROUP_KINDS[kind], prizes)
    )
    return [asdict(line) for place in reversed(ceremony_steps(lines, first)) for line in place]


_GROUP_KINDS: dict[Ceremony.Kind, GroupKind] = {
    Ceremony.Kind.TEAMS: "teams",
    Ceremony.Kind.NATIONS: "nations",
}


def _prizes_by_winner(tournament: Tournament) -> dict[int | str, str]:
    """Return the number of a player, or the name of a team → everything they get."""
    texts: defaultdict[int | str, list[str]] = defaultdict(list)
    for winner in winners_of(tournament):
        texts[winner.award.winner].append(winner.text)
    return {winner: joined(prizes) for winner, prizes in texts.items()}


def _player_lines(ranked: Ranking, prizes: Mapping[int | str, str]) -> list[Line]:
    return [
        Line(
            rank=row.standing.rank,
            name=row.player.name,
            country=row.player.country,
            about=row.player.team,
            table_points=two_decimals(row.standing.table_points),
            game_points=int(row.standing.game_points),
            prize=prizes.get(row.player.number, ""),
        )
        for row in ranked.rows
        if row.standing.rank is not None
    ]


def _group_lines(ranked: Ranking, kind: GroupKind, prizes: Mapping[int | str, str]) -> list[Line]:
    return [
        Line(
            rank=row.standing.rank,
            name=row.standing.name,
            country="",
            about=" · ".join(member.player.name for member in row.members if member.counts),
            table_points=two_decimals(row.standing.table_points),
            game_points=int(row.standing.game_points),
            prize=prizes.get(row.standing.name, "") if kind == "teams" else "",
        )
        for row in group_rows(ranked, kind)
    ]


def ceremony_kinds(tournament: Tournament) -> list[Ceremony.Kind]:
    """Return the kinds of ceremony that have anybody to announce."""
    ranked = ranking(tournament, Audience.STAFF)
    if not ranked.sessions:
        return []
    has_lines = {Ceremony.Kind.TEAMS: ranked.has_teams, Ceremony.Kind.NATIONS: ranked.has_nations}
    return [kind for kind in Ceremony.Kind if has_lines.get(kind, True)]


# --- Puzzles ---


def puzzle_on_screen(tournament: Tournament) -> tuple[Question, Puzzle | None]:
    """Return the question shown before the next session: one of the event's own puzzles, else one by seed and None."""
    next_session = overview(tournament).next
    number = next_session.number if next_session else 0
    if own_puzzles := list(tournament.puzzles.all()):
        puzzle = own_puzzles[number % len(own_puzzles)]
        return puzzle.question, puzzle
    return hall_puzzle(f"hall-{tournament.pk}-{number}").question, None
