"""Holding a ceremony: beginning it, the next place, one back, the end. Each a write, so that every screen follows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.services.tournaments import publish_standings
from tournament.play.services.fresh import fresh
from tournament.ranking.services import open_results
from tournament.screens.engine.reveal import steps
from tournament.screens.models.ceremonies import Ceremony
from tournament.screens.selectors.ceremony import Line, to_be_told


def start_ceremony(
    tournament: Tournament, actor: Actor, kind: Ceremony.Kind, first: int | None = None
) -> Ceremony:
    """Begin to tell the best `first` places (None: all), with nothing told yet; one that is on ends.

    Refused while a session is being played, and where there is nobody to call.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "ceremony_started") as entry:
        running = entry.tournament.sessions.filter(state=Session.State.RUNNING).first()
        if running is not None:
            raise refuse("session_still_running", session=running.number)
        lines = to_be_told(entry.tournament, kind, first)
        if not lines:
            raise refuse("nobody_to_call", "kind")
        now = timezone.now()
        entry.tournament.ceremonies.filter(ended_at=None).update(ended_at=now)
        made = Ceremony.objects.create(
            tournament=entry.tournament,
            kind=kind,
            first=first,
            lines=lines,
            started_at=now,
            started_by=actor.user,
        )
        entry.data = {"kind": made.kind, "first": first}
    return made


def tell_next(ceremony: Ceremony, actor: Actor, *, seen: int) -> Ceremony:
    """The next place, whoever shares it together. `seen`: how many the button knew of; pressed twice is once."""
    access.require_organiser(actor, ceremony.tournament)
    with log.write(ceremony.tournament, actor, "ceremony_step_told") as entry:
        return _step(entry, ceremony, seen, seen + 1)


def take_back(ceremony: Ceremony, actor: Actor, *, seen: int) -> Ceremony:
    """One step back."""
    access.require_organiser(actor, ceremony.tournament)
    with log.write(ceremony.tournament, actor, "ceremony_step_taken_back") as entry:
        return _step(entry, ceremony, seen, seen - 1)


@transaction.atomic
def open_and_publish(
    tournament: Tournament, actor: Actor, *, reason: str = "", seen: Collection[str] | None = None
) -> None:
    """Open every hidden result and declare the standings, both or neither; either may be done already."""
    open_results(tournament, actor, reason=reason, seen=seen)
    publish_standings(tournament, actor, reason=reason, seen=seen)


def _step(entry: log.Write, ceremony: Ceremony, seen: int, told: int) -> Ceremony:
    """As many places told, unless others pressed meanwhile."""
    ceremony = fresh(Ceremony.objects.select_related("tournament"), ceremony)
    places = steps(Line(**line) for line in ceremony.lines)
    if ceremony.ended_at is not None:
        raise refuse("ceremony_over")
    if ceremony.told != seen or not 0 <= told <= len(places):
        entry.unchanged()
        return ceremony
    ceremony.told = told
    ceremony.save(update_fields=["told"])
    entry.data = {"kind": ceremony.kind} | _about(places[min(seen, told)])
    return ceremony


def _about(place: tuple[Line, ...]) -> dict[str, Any]:
    return {"rank": place[0].rank}


def end_ceremony(ceremony: Ceremony, actor: Actor) -> Ceremony:
    """The screens have something else to show. What was told stays told, what was not stays hidden."""
    access.require_organiser(actor, ceremony.tournament)
    with log.write(ceremony.tournament, actor, "ceremony_ended") as entry:
        ceremony = fresh(Ceremony.objects.select_related("tournament"), ceremony)
        if ceremony.ended_at is not None:
            entry.unchanged()
            return ceremony
        ceremony.ended_at = timezone.now()
        ceremony.save(update_fields=["ended_at"])
        entry.data = {"kind": ceremony.kind}
    return ceremony
