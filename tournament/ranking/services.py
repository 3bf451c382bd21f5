"""Publishing standings, and hiding and opening the results of sessions."""

from collections.abc import Collection
from contextlib import suppress

from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.log_actions import RESULTS_HIDDEN, RESULTS_REVEALED
from tournament.base.models.play import Session
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.problems import SESSION_STILL_RUNNING
from tournament.base.selectors import results_are_public
from tournament.play.services.sessions import accept_open_findings
from tournament.play.services.tables import fresh
from tournament.play.texts.log import STANDINGS_PUBLISHED
from tournament.ranking.selectors.standings import current_standings, publication_rows

RESULTS_ARE_PUBLIC = problem_code(
    "results_are_public", "Everybody has seen the results of session {session}: they cannot be hidden again."
)
NOTHING_TO_PUBLISH = problem_code(
    "nothing_to_publish", "No session is closed yet, so there is nothing to publish."
)


def hide_results(session: Session, actor: Actor) -> Session:
    """Hide the results of a session from the public: before, while or after it is played.

    Raises `Refused` once they were opened or published, as everybody has seen them. Idempotent.
    """
    with log.write(session.tournament, actor, RESULTS_HIDDEN, Right.ORGANISE) as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.hidden:
            return entry.unchanged(session)
        if results_are_public(session):
            raise Refused(RESULTS_ARE_PUBLIC(session=session.number))
        session.hidden = True
        session.save(update_fields=["hidden"])
        entry.data = {"sessions": [session.number]}
    return session


def show_results(session: Session, actor: Actor, *, reason: str = "") -> Session:
    """Open the results of one session."""
    open_results(session.tournament, actor, [session.number], reason=reason)
    session.refresh_from_db(fields=["hidden"])
    return session


def open_results(
    tournament: Tournament,
    actor: Actor,
    sessions: Collection[int] | None = None,
    *,
    reason: str = "",
    seen: Collection[str] | None = None,
) -> list[int]:
    """Open the results of these hidden sessions, or of all; return the numbers of those opened.

    `reason`, `seen`: see `accept_open_findings`.
    """
    with log.write(tournament, actor, RESULTS_REVEALED, Right.RULE) as entry:
        hidden = entry.tournament.sessions.filter(hidden=True)
        if sessions is not None:
            hidden = hidden.filter(number__in=sessions)
        opened = list(hidden.order_by("number").values_list("number", flat=True))
        if not opened:
            return entry.unchanged([])
        closed = list(hidden.filter(state=Session.State.CLOSED).order_by("number"))
        entry.data = {"sessions": opened} | accept_open_findings(entry.tournament, closed, reason, seen)
        hidden.update(hidden=False)
    return opened


def publish_club_evening(session: Session, actor: Actor) -> None:
    """Publish the standings of a club evening after each session, unless something is still open."""
    if session.tournament.is_club_evening:
        with suppress(Refused):
            publish_standings(session.tournament, actor)


def publish_standings(
    tournament: Tournament, actor: Actor, *, reason: str = "", seen: Collection[str] | None = None
) -> Publication:
    """Publish the standings as they are now. Idempotent while they do not change.

    Raises `Refused` while a session is being played, or before any was. `reason`, `seen`: see `accept_open_findings`.
    """
    with log.write(tournament, actor, STANDINGS_PUBLISHED, Right.ORGANISE) as entry:
        sessions = list(entry.tournament.sessions.all())
        after = max(
            (session.number for session in sessions if session.state == Session.State.CLOSED), default=0
        )
        running = [session.number for session in sessions if session.state == Session.State.RUNNING]
        if running:
            raise Refused(SESSION_STILL_RUNNING(session=running[0]))
        if not after:
            raise Refused(NOTHING_TO_PUBLISH())
        rows = publication_rows(current_standings(entry.tournament, Audience.STAFF))
        newest = entry.tournament.publications.first()
        if newest is not None and (newest.after_session, newest.rows) == (after, rows):
            return entry.unchanged(newest)
        closed = [session for session in sessions if session.state == Session.State.CLOSED]
        gone_past = accept_open_findings(entry.tournament, closed, reason, seen)
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
