"""The progress of a tournament: what is done and what comes next."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from tournament.base.engine.notices import Audience
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import by_version
from tournament.ranking.selectors.standings import current_standings, publication_rows


@dataclass(frozen=True)
class Progress:
    """The sessions of a tournament by what is done and what comes next."""

    sessions: tuple[Session, ...]
    current: Session | None
    """The running session, else the next planned one, else the last; None before the draw."""
    startable: Session | None
    closed: int
    """The number of the last closed session; 0 before the first."""
    publication: Publication | None
    """The newest publication."""
    seated: frozenset[int] = frozenset()
    """The numbers of the sessions that have seats."""
    is_out_of_date: bool = False
    """Whether a correction since then has changed the figures of the newest publication."""

    @property
    def is_over(self) -> bool:
        return bool(self.sessions) and self.closed == len(self.sessions)

    @property
    def is_running(self) -> bool:
        return self.current is not None and self.current.state == Session.State.RUNNING

    @property
    def stages(self) -> list[tuple[Session, str]]:
        """Return each session with its next step: draw, play, close, publish; done once it is published."""
        published = self.publication.after_session if self.publication else 0
        return [(session, self._stage(session, published)) for session in self.sessions]

    def _stage(self, session: Session, published: int) -> str:
        if session.state == Session.State.CLOSED:
            return "done" if session.number <= published else "publish"
        if session.state == Session.State.RUNNING:
            return "close"
        return "play" if session.number in self.seated else "draw"

    @property
    def can_publish(self) -> bool:
        """Return whether there is something to publish and no running session."""
        published = self.publication.after_session if self.publication else 0
        return not self.is_running and (self.closed > published or self.is_out_of_date)


@by_version(64)
def progress_of(tournament: Tournament) -> Progress:
    tables = Table.objects.filter(session=OuterRef("pk"))
    sessions = tuple(tournament.sessions.annotate(is_seated=Exists(tables)))
    running = next((session for session in sessions if session.state == Session.State.RUNNING), None)
    next_planned = next((session for session in sessions if session.state == Session.State.PLANNED), None)
    closed = max((session.number for session in sessions if session.state == Session.State.CLOSED), default=0)
    publication = tournament.publications.first()
    return Progress(
        sessions=sessions,
        current=running or next_planned or (sessions[-1] if sessions else None),
        startable=None if running else next_planned,
        closed=closed,
        publication=publication,
        seated=frozenset(session.number for session in sessions if session.is_seated),
        is_out_of_date=publication is not None
        and publication.after_session == closed
        and publication.rows
        != publication_rows(current_standings(tournament, Audience.STAFF, closed_only=True)),
    )
