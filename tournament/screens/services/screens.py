"""Arranging the screens in the hall, and steering them from another device."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.screens.engine.screens import Steering, Turn, held, released, stepped
from tournament.screens.engine.steering import MOST_TURNS, SECONDS, Command, Way
from tournament.screens.models.screens import MAIN, Screen, as_ms
from tournament.screens.selectors.screens import find_screen, programme_of, steering_of, unarranged

NAME = re.compile(r"[-\w]{1,40}")
MOST_SCREENS = 20


def add_screen(tournament: Tournament, actor: Actor, name: str) -> Screen:
    """A screen of that name, which chooses by itself what it shows."""
    access.require(actor, tournament, Right.SHOW)
    with log.write(tournament, actor, "screen_added") as entry:
        if NAME.fullmatch(name) is None:
            raise refuse("screen_name_wrong", "name", name=name)
        if find_screen(entry.tournament, name) is not None:
            raise refuse("screen_name_taken", "name", name=name)
        if entry.tournament.screens.count() >= MOST_SCREENS:
            raise refuse("screens_too_many", "name", most=MOST_SCREENS)
        screen = _saved(unarranged(entry.tournament, name))
        entry.data = {"screen": name}
    return screen


def arrange_screen(tournament: Tournament, actor: Actor, name: str, turns: Sequence[Turn]) -> Screen:
    """What the screen goes through, from the start; without any turn it chooses by itself."""
    access.require(actor, tournament, Right.SHOW)
    with log.write(tournament, actor, "screen_arranged") as entry:
        screen = _known(entry.tournament, name)
        if problems := _problems(turns):
            raise Refused(problems)
        screen.turns = [{"kind": turn.kind.value, "seconds": turn.seconds} for turn in turns]
        screen = _steered(screen, Steering(as_ms(timezone.now())))
        entry.data = {"screen": name, "turns": screen.turns}
    return screen


def remove_screen(tournament: Tournament, actor: Actor, name: str) -> None:
    """The screen is no more; of the main one what was arranged."""
    access.require(actor, tournament, Right.SHOW)
    with log.write(tournament, actor, "screen_removed") as entry:
        removed, _rows = entry.tournament.screens.filter(name=name).delete()
        if not removed:
            if name != MAIN:
                raise refuse("screen_unknown", name=name)
            entry.unchanged()
        entry.data = {"screen": name}


def steer_screen(tournament: Tournament, actor: Actor, name: str, command: Command) -> Screen:
    """On, back, hold, only one kind, or all again: at once on every projector that shows the screen."""
    access.require(actor, tournament, Right.SHOW)
    with log.write(tournament, actor, "screen_steered") as entry:
        screen = _known(entry.tournament, name)
        screen = _steered(screen, _steering(screen, command, timezone.now()))
        entry.data = {"screen": name, "way": command.way.value, "kind": screen.only, "page": screen.page}
    return screen


def _steering(screen: Screen, command: Command, at: datetime) -> Steering:
    programme, steering, now = programme_of(screen, at), steering_of(screen), as_ms(at)
    match command.way:
        case Way.NEXT:
            return stepped(programme, steering, now, 1)
        case Way.PREVIOUS:
            return stepped(programme, steering, now, -1)
        case Way.HOLD:
            if command.at is None:
                raise refuse("screen_page_missing")
            return held(command.at, steering.since)
        case Way.ONLY:
            if command.kind is None:
                raise refuse("screen_kind_missing", "kind")
            return Steering(now, command.kind)
        case Way.ROTATION:
            return released(programme, steering, now)


def _steered(screen: Screen, steering: Steering) -> Screen:
    screen.since = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=steering.since)
    screen.only = steering.only.value if steering.only else ""
    screen.page, screen.turn = steering.page, steering.turn
    screen.steered_at = timezone.now()
    return _saved(screen)


def _saved(screen: Screen) -> Screen:
    screen.save()
    return screen


def _known(tournament: Tournament, name: str) -> Screen:
    screen = find_screen(tournament, name)
    if screen is None:
        raise refuse("screen_unknown", name=name)
    return screen


def _problems(turns: Sequence[Turn]) -> list[Problem]:
    found = []
    if len(turns) > MOST_TURNS:
        found.append(Problem("screen_turns_too_many", "turns", {"most": MOST_TURNS}))
    limits: dict[str, Any] = {"least": SECONDS[0], "most": SECONDS[-1]}
    found += [
        Problem("screen_seconds", f"seconds_{place}", limits)
        for place, turn in enumerate(turns, 1)
        if turn.seconds not in SECONDS
    ]
    return found
