"""Making a tournament, changing its particulars, publishing its standings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from tournament.base import access, log
from tournament.base.access import Actor, Audience
from tournament.base.engine.rules import Rules, rules_named
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Session
from tournament.base.models.tournament import Membership, Publication, Role, Tournament
from tournament.events.selectors.particulars import (
    FIXED_BY_THE_DRAW,
    RESERVED,
    Particulars,
    particulars_problems,
)
from tournament.events.services.timetable import move_timetable
from tournament.play.services.closing import go_past
from tournament.ranking.selectors.standings import as_published, current_standings


@transaction.atomic
def create_tournament(actor: Actor, particulars: Particulars, *, is_trial: bool = False) -> Tournament:
    """A new tournament, under a snapshot of its rulebook; the actor owns it."""
    access.require_creator(actor)
    if problems := particulars_problems(particulars):
        raise Refused(problems)
    tournament = Tournament.objects.create(
        slug=_free_slug(particulars.name),
        is_trial=is_trial,
        rules_snapshot=rules_named(particulars.rulebook)
        .with_held_out_waits(particulars.held_out_waits)
        .to_json(),
        **_stored(particulars),
    )
    if actor.user is not None:
        Membership.objects.create(tournament=tournament, user=actor.user, role=Role.OWNER)
    with log.write(tournament, actor, "tournament_created") as entry:
        entry.data = _as_data(particulars)
    return tournament


def update_tournament(tournament: Tournament, actor: Actor, particulars: Particulars) -> Tournament:
    """Change the particulars; with another first day the timetable moves too.

    What `FIXED_BY_THE_DRAW` names is fixed once seats are drawn.
    """
    access.require_organiser(actor, tournament)
    if problems := particulars_problems(particulars):
        raise Refused(problems)
    with log.write(tournament, actor, "tournament_changed") as entry:
        changed = entry.tournament
        if changed.sessions.exists():
            _check_unchanged_after_draw(changed, particulars)
        if (rules := _rules_after(changed, particulars)) != changed.rules:
            changed.rules_snapshot = rules.to_json()
        if (days := (particulars.starts_on - changed.starts_on).days) != 0:
            move_timetable(changed, days)
        for name, value in _stored(particulars).items():
            setattr(changed, name, value)
        changed.save()
        entry.data = _as_data(particulars)
    return changed


def publish_standings(
    tournament: Tournament, actor: Actor, *, reason: str = "", seen: Collection[str] | None = None
) -> Publication:
    """Declare the standings as they are now; what is published already is not published again.

    Refused while a session is being played, or before any was. `reason`, `seen`: as `go_past` has them, where
    something is still open.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "standings_published") as entry:
        sessions = list(entry.tournament.sessions.all())
        after = max(
            (session.number for session in sessions if session.state == Session.State.CLOSED), default=0
        )
        running = [session.number for session in sessions if session.state == Session.State.RUNNING]
        if running:
            raise refuse("session_still_running", session=running[0])
        if not after:
            raise refuse("nothing_to_publish")
        rows = as_published(current_standings(entry.tournament, Audience.STAFF))
        newest = entry.tournament.publications.first()
        if newest is not None and (newest.after_session, newest.rows) == (after, rows):
            entry.unchanged()
            return newest
        closed = [session for session in sessions if session.state == Session.State.CLOSED]
        gone_past = go_past(entry.tournament, closed, reason, seen)
        publication = Publication.objects.create(
            tournament=entry.tournament,
            version=entry.tournament.version + 1,  # the number this very write will get
            after_session=after,
            is_final=after == len(sessions),
            rows=rows,
            published_by=actor.user,
            published_at=timezone.now(),
        )
        entry.data = {"after_session": after, "is_final": publication.is_final} | gone_past
    return publication


def _check_unchanged_after_draw(tournament: Tournament, particulars: Particulars) -> None:
    for name in FIXED_BY_THE_DRAW:
        if getattr(particulars, name) not in (None, getattr(tournament, name)):
            raise refuse("fixed_by_the_draw", name)


def _rules_after(tournament: Tournament, particulars: Particulars) -> Rules:
    """The rules after a change: another rulebook's are today's, with the fouls that were changed and the attendance."""
    old = rules = tournament.rules
    if particulars.rulebook != tournament.rulebook:
        rules = rules_named(particulars.rulebook)
        fouls = rules.fouls.having(*old.fouls.changes())
        rules = replace(rules, fouls=fouls, attendance=old.attendance)
    return rules.with_held_out_waits(particulars.held_out_waits)


def _stored(particulars: Particulars) -> dict[str, Any]:
    """What has a column of its own; what hands are scored by stands in the snapshot of the rules."""
    return {name: value for name, value in asdict(particulars).items() if name != "held_out_waits"}


def _free_slug(name: str) -> str:
    """The name as an address, numbered when it is taken; what has no Latin letters is 'tournament', and its figures."""
    stem = slugify(name)[:50]
    if not any(letter.isalpha() for letter in stem):
        stem = f"tournament-{stem}".rstrip("-")
    taken = RESERVED | set(Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(
        slug for slug in (stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))) if slug not in taken
    )


def _as_data(particulars: Particulars) -> dict[str, Any]:
    data = asdict(particulars)
    return data | {"starts_on": str(particulars.starts_on), "ends_on": str(particulars.ends_on)}
