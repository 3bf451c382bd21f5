"""Arrange and steer screens, hold ceremonies, and add puzzles."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.engine import InvalidHand
from scoring.engine.notation import MAX_TEXT_LENGTH
from scoring.engine.problems import Problem, problem_code
from scoring.quiz.questions import Kind, has_answer, parse_question_record, question_from_record
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.log import Write
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_STILL_RUNNING, TEXT_TOO_LONG
from tournament.base.validation import problems_of
from tournament.play.services.tables import fresh
from tournament.ranking.services import open_results, publish_standings
from tournament.screens import texts as actions
from tournament.screens.engine import (
    MAX_TURNS,
    SECONDS,
    Command,
    ScreenAction,
    Steering,
    Turn,
    hold,
    resume_rotation,
    step,
)
from tournament.screens.models import MAIN_SCREEN, Ceremony, Puzzle, Screen, to_milliseconds
from tournament.screens.selectors import ceremony_lines, find_screen, new_screen, programme_of, steering_of

PUZZLE_WAITS_FOR_NOTHING = problem_code("puzzle_waits_for_nothing", "No tile completes this hand.")
PUZZLE_IS_NO_WIN = problem_code("puzzle_is_no_win", "These tiles are not a winning hand.")
TOO_MANY_PUZZLES = problem_code("too_many_puzzles", "An event has at most {maximum} puzzles.")
SCREEN_NAME_WRONG = problem_code(
    "screen_name_wrong", "“{name}” cannot be the name of a screen: write letters, digits and hyphens."
)
SCREEN_NAME_TAKEN = problem_code("screen_name_taken", "There is already a screen “{name}”.")
SCREENS_TOO_MANY = problem_code("screens_too_many", "There can be {maximum} screens.")
SCREEN_UNKNOWN = problem_code("screen_unknown", "There is no screen “{name}”.")
SCREEN_PAGE_MISSING = problem_code("screen_page_missing", "Which page? Reload the page.")
SCREEN_KIND_MISSING = problem_code("screen_kind_missing", "Choose what to show.")
SCREEN_TURNS_TOO_MANY = problem_code("screen_turns_too_many", "A rotation has at most {maximum} parts.")
SCREEN_SECONDS = problem_code("screen_seconds", "Each page is shown for {minimum} to {maximum} seconds.")
NOBODY_TO_CALL = problem_code("nobody_to_call", "There is nobody to announce yet.")
CEREMONY_OVER = problem_code("ceremony_over", "This ceremony is over.")

# --- Screens ---


MAX_SCREENS = 20


def add_screen(tournament: Tournament, actor: Actor, name: str) -> Screen:
    """Add an automatic screen."""
    with log.write(tournament, actor, actions.SCREEN_ADDED, Right.SHOW) as entry:
        if find_screen(entry.tournament, name) is not None:
            raise Refused(SCREEN_NAME_TAKEN("name", name=name))
        screen = new_screen(entry.tournament, name)
        if problems_of(screen):
            raise Refused(SCREEN_NAME_WRONG("name", name=name))
        if entry.tournament.screens.count() >= MAX_SCREENS:
            raise Refused(SCREENS_TOO_MANY("name", maximum=MAX_SCREENS))
        screen.save()
        entry.data = {"screen": name}
    return screen


def arrange_screen(tournament: Tournament, actor: Actor, name: str, turns: Sequence[Turn]) -> Screen:
    """Store a screen's turns and start its rotation; without turns the screen is automatic."""
    with log.write(tournament, actor, actions.SCREEN_TURNS_SET, Right.SHOW) as entry:
        screen = _screen_named(entry.tournament, name)
        if problems := _turn_problems(turns):
            raise Refused(problems)
        screen.turns = [{"kind": turn.kind.value, "seconds": turn.seconds} for turn in turns]
        screen = _set_steering(screen, Steering(to_milliseconds(timezone.now())))
        entry.data = {"screen": name, "turns": screen.turns}
    return screen


def _screen_named(tournament: Tournament, name: str) -> Screen:
    screen = find_screen(tournament, name)
    if screen is None:
        raise Refused(SCREEN_UNKNOWN(name=name))
    return screen


def _turn_problems(turns: Sequence[Turn]) -> list[Problem]:
    problems = []
    if len(turns) > MAX_TURNS:
        problems.append(SCREEN_TURNS_TOO_MANY("turns", maximum=MAX_TURNS))
    problems += [
        SCREEN_SECONDS(f"turns.{index}.seconds", minimum=SECONDS[0], maximum=SECONDS[-1])
        for index, turn in enumerate(turns)
        if turn.seconds not in SECONDS
    ]
    return problems


def _set_steering(screen: Screen, steering: Steering) -> Screen:
    screen.since = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=steering.since)
    screen.only = steering.only.value if steering.only else ""
    screen.page, screen.turn = steering.page, steering.turn
    screen.steered_at = timezone.now()
    screen.save()
    return screen


def remove_screen(tournament: Tournament, actor: Actor, name: str) -> None:
    """Remove a screen; of the main screen, only its turns and steering."""
    with log.write(tournament, actor, actions.SCREEN_REMOVED, Right.SHOW) as entry:
        removed, _rows = entry.tournament.screens.filter(name=name).delete()
        if not removed:
            if name != MAIN_SCREEN:
                raise Refused(SCREEN_UNKNOWN(name=name))
            entry.mark_unchanged()
        entry.data = {"screen": name}


def control_screen(tournament: Tournament, actor: Actor, name: str, command: Command) -> Screen:
    """Run an organiser's command; every projector of the screen follows at once."""
    with log.write(tournament, actor, actions.SCREEN_CONTROLLED, Right.SHOW) as entry:
        screen = _screen_named(entry.tournament, name)
        screen = _set_steering(screen, _steering_after(command, screen, timezone.now()))
        entry.data = {"screen": name, "way": command.action.value, "kind": screen.only, "page": screen.page}
    return screen


def _steering_after(command: Command, screen: Screen, at: datetime) -> Steering:
    programme, steering, now = programme_of(screen, at), steering_of(screen), to_milliseconds(at)
    match command.action:
        case ScreenAction.NEXT:
            return step(programme, steering, now, 1)
        case ScreenAction.PREVIOUS:
            return step(programme, steering, now, -1)
        case ScreenAction.HOLD:
            if command.slide is None:
                raise Refused(SCREEN_PAGE_MISSING())
            return hold(command.slide, steering.since)
        case ScreenAction.ONLY:
            if command.kind is None:
                raise Refused(SCREEN_KIND_MISSING("kind"))
            return Steering(now, command.kind)
        case ScreenAction.ROTATION:
            return resume_rotation(programme, steering, now)


# --- Ceremonies ---


def start_ceremony(
    tournament: Tournament, actor: Actor, kind: Ceremony.Kind, first: int | None = None
) -> Ceremony:
    """Start a ceremony of the best `first` places (None: all) with no place announced; end the one before.

    Raises Refused while a session is running, and if there is nobody to announce.
    """
    with log.write(tournament, actor, actions.CEREMONY_STARTED, Right.ORGANISE) as entry:
        running = entry.tournament.sessions.filter(state=Session.State.RUNNING).first()
        if running is not None:
            raise Refused(SESSION_STILL_RUNNING(session=running.number))
        lines = ceremony_lines(entry.tournament, kind, first)
        if not lines:
            raise Refused(NOBODY_TO_CALL("kind"))
        now = timezone.now()
        entry.tournament.ceremonies.filter(ended_at=None).update(ended_at=now)
        ceremony = Ceremony.objects.create(
            tournament=entry.tournament,
            kind=kind,
            first=first,
            lines=lines,
            started_at=now,
            started_by=actor.user,
        )
        entry.data = {"kind": ceremony.kind, "first": first}
    return ceremony


def announce_next_place(ceremony: Ceremony, actor: Actor, *, seen: int) -> Ceremony:
    """Announce the next place. Idempotent: does nothing unless `seen` places have been announced."""
    with log.write(ceremony.tournament, actor, actions.CEREMONY_STEP_ANNOUNCED, Right.ORGANISE) as entry:
        return _set_told(entry, ceremony, seen, seen + 1)


def undo_place(ceremony: Ceremony, actor: Actor, *, seen: int) -> Ceremony:
    """Undo the newest announcement. Idempotent: does nothing unless `seen` places have been announced."""
    with log.write(ceremony.tournament, actor, actions.CEREMONY_STEP_UNDONE, Right.ORGANISE) as entry:
        return _set_told(entry, ceremony, seen, seen - 1)


def _set_told(entry: Write, ceremony: Ceremony, seen: int, count: int) -> Ceremony:
    """Set the number of announced places from `seen` to `count`; change nothing if it is not `seen` any more."""
    ceremony = fresh(Ceremony.objects.select_related("tournament"), ceremony)
    places = ceremony.steps
    if ceremony.ended_at is not None:
        raise Refused(CEREMONY_OVER())
    if ceremony.announced_steps != seen or not 0 <= count <= len(places):
        return entry.unchanged(ceremony)
    ceremony.announced_steps = count
    ceremony.save(update_fields=["announced_steps"])
    entry.data = {"kind": ceremony.kind, "rank": places[min(seen, count)][0].rank}
    return ceremony


def end_ceremony(ceremony: Ceremony, actor: Actor) -> Ceremony:
    """End the ceremony. Announced places stay public. Idempotent."""
    with log.write(ceremony.tournament, actor, actions.CEREMONY_ENDED, Right.ORGANISE) as entry:
        ceremony = fresh(Ceremony.objects.select_related("tournament"), ceremony)
        if ceremony.ended_at is not None:
            return entry.unchanged(ceremony)
        ceremony.ended_at = timezone.now()
        ceremony.save(update_fields=["ended_at"])
        entry.data = {"kind": ceremony.kind}
    return ceremony


@transaction.atomic
def open_and_publish(
    tournament: Tournament, actor: Actor, *, reason: str = "", seen: Collection[str] | None = None
) -> None:
    """Open every hidden result and publish the standings, both or neither. Each may have been done before."""
    open_results(tournament, actor, reason=reason, seen=seen)
    publish_standings(tournament, actor, reason=reason, seen=seen)


# --- Puzzles ---


MAX_PUZZLES = 100


def add_puzzle(tournament: Tournament, actor: Actor, text: str, *, uuid: UUID) -> Puzzle:
    """Add the hand in a text as a puzzle. Idempotent by UUID. Raises Refused if the hand has no solution."""
    with log.write(tournament, actor, actions.SCREEN_PUZZLE_ADDED, Right.ORGANISE) as entry:
        if (existing := entry.tournament.puzzles.filter(uuid=uuid).first()) is not None:
            return entry.unchanged(existing)
        record = _parse_record(text)
        if entry.tournament.puzzles.count() >= MAX_PUZZLES:
            raise Refused(TOO_MANY_PUZZLES("hand", maximum=MAX_PUZZLES))
        puzzle = Puzzle.objects.create(
            tournament=entry.tournament,
            uuid=uuid,
            record=record,
            made_at=timezone.now(),
            made_by=actor.user,
        )
        entry.data = _log_data(puzzle)
    return puzzle


def remove_puzzle(puzzle: Puzzle, actor: Actor) -> None:
    with log.write(puzzle.tournament, actor, actions.SCREEN_PUZZLE_REMOVED, Right.ORGANISE) as entry:
        entry.data = _log_data(puzzle)
        deleted, _ = Puzzle.objects.filter(pk=puzzle.pk).delete()
        if not deleted:
            entry.mark_unchanged()


def _parse_record(text: str) -> dict[str, Any]:
    if len(text) > MAX_TEXT_LENGTH:
        raise Refused([TEXT_TOO_LONG("hand", length=len(text), maximum=MAX_TEXT_LENGTH)])
    try:
        record = parse_question_record(text)
    except InvalidHand as refused:
        raise Refused(problem.at("hand") for problem in refused.problems) from refused
    question = question_from_record(record, "")
    if not has_answer(question):
        code = PUZZLE_WAITS_FOR_NOTHING if question.kind is Kind.WAITS else PUZZLE_IS_NO_WIN
        raise Refused([code("hand")])
    return record


def _log_data(puzzle: Puzzle) -> dict[str, Any]:
    return {"uuid": str(puzzle.uuid), "record": puzzle.record}
