"""The ranking as people look at it: who stands where, who moved, what still moves, and what was published."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from tournament.base.access import Audience
from tournament.base.models.play import Session
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors.by_version import by_version
from tournament.base.selectors.embargo import hidden_from, publications_for, version_for
from tournament.fouls.selectors.appeals import Objections, objections
from tournament.ranking.engine.standings import Standings
from tournament.ranking.selectors.ranking_rows import Part, RankingRow, parts_of, rows_of
from tournament.ranking.selectors.standings import (
    as_published,
    current_standings,
    results_of_substitutes,
    standings_with,
    table_results,
)
from tournament.seating.models import Final


class State(StrEnum):
    """How far standings can be relied on: the one word for it, on every page and paper."""

    PROVISIONAL = "provisional"
    """Being played, not published, corrected since they were, or still open to appeals."""
    PUBLISHED = "published"
    FINAL = "final"


@dataclass(frozen=True)
class Ranking:
    """The standings of a tournament in one version for an audience, players and publication included."""

    tournament: Tournament
    audience: Audience
    rows: tuple[RankingRow, ...]
    substitutes: tuple[RankingRow, ...]
    """Who only filled tables, by number: without a rank, and in none of the figures."""
    sessions: tuple[Session, ...]
    """Those that give results, in order."""
    running: Session | None
    since: int | None
    """The session after which the movements count; None in the first one."""
    publication: Publication | None
    """The newest."""
    changed_since_publication: bool
    """Whether a correction since has changed a published line."""
    objections: Objections
    """What may still change a closed session."""
    finals: tuple[Final, ...]
    """Those set up, in order."""
    kept_back: tuple[int, ...]
    """The sessions begun whose results this audience is not told."""

    @property
    def version(self) -> int:
        return version_for(self.audience, self.tournament)

    @property
    def is_provisional(self) -> bool:
        return any(row.standing.provisional for row in self.rows)

    @property
    def is_published(self) -> bool:
        """Whether what is shown is what was published, no session having begun since."""
        return (
            self.publication is not None
            and not self.is_provisional
            and self.publication.after_session == self.after
        )

    @property
    def after(self) -> int:
        """The last session that gives results; 0 before the first."""
        return max((session.number for session in self.sessions), default=0)

    @property
    def is_as_published(self) -> bool:
        """Whether these are the figures of the publication."""
        return self.is_published and not self.changed_since_publication

    @property
    def state(self) -> State:
        if self.publication is None or not self.is_as_published or self.objections:
            return State.PROVISIONAL
        return State.FINAL if self.publication.is_final else State.PUBLISHED

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the totals are made of, in order."""
        return parts_of(self.sessions, self.finals)

    @property
    def breaks_ties(self) -> bool:
        return any(row.lead for row in self.rows)

    @property
    def has_groups(self) -> bool:
        """Whether the newest final is played in groups."""
        return bool(self.finals) and len(self.finals[-1].groups) > 1

    @property
    def is_shared(self) -> bool:
        return any(row.standing.shared for row in self.rows)

    @property
    def has_teams(self) -> bool:
        return any(row.player.team for row in self.rows)

    @property
    def has_nations(self) -> bool:
        return len(self.countries) > 1

    @property
    def teams(self) -> list[str]:
        return sorted({row.player.team for row in self.rows} - {""})

    @property
    def countries(self) -> list[str]:
        return sorted({row.player.country for row in self.rows} - {""})

    def find(self, number: int) -> RankingRow | None:
        """The line of a player by number, a substitute's too."""
        everybody = chain(self.rows, self.substitutes)
        return next((row for row in everybody if row.standing.number == number), None)


def ranking(tournament: Tournament, audience: Audience) -> Ranking:
    """The ranking as it is now; a session being played counts as if it ended now."""
    now = current_standings(tournament, audience)
    sessions = list(tournament.sessions.all())
    counted = {score.session for row in now.rows for score in row.sessions}
    shown = tuple(session for session in sessions if session.number in counted)
    since = shown[-2].number if len(shown) > 1 else None
    before = _ranks_after(tournament, audience, since) if since else {}
    players = {player.number: player for player in tournament.players.all()}
    substitutes = [player.number for player in players.values() if player.is_substitute]
    apart = results_of_substitutes(tournament, audience, tuple(substitutes)) if substitutes else Standings(())
    publication = publications_for(audience, tournament).first()
    hidden = hidden_from(audience, tournament)
    finals = tuple(tournament.finals.all())
    parts = parts_of(shown, finals)
    return Ranking(
        tournament=tournament,
        audience=audience,
        rows=tuple(
            rows_of(
                now,
                players,
                parts,
                before,
                tournament.rules.criteria[0],
                finals[-1] if finals else None,
            )
        ),
        substitutes=tuple(rows_of(apart, players, parts, {}, tournament.rules.criteria[0], None)),
        sessions=shown,
        running=next((session for session in sessions if session.state == Session.State.RUNNING), None),
        since=since,
        publication=publication,
        changed_since_publication=publication is not None and _has_changed(tournament, audience, publication),
        objections=objections(tournament, audience),
        finals=finals,
        kept_back=tuple(
            session.number
            for session in sessions
            if session.number in hidden and session.state != Session.State.PLANNED
        ),
    )


def standings_after(tournament: Tournament, audience: Audience, session: int) -> Standings:
    """The standings as they were once session `session` was closed, with every correction made since."""
    later = tournament.sessions.filter(number__gt=session, state=Session.State.CLOSED)
    if not later.exists():
        return current_standings(tournament, audience, closed_only=True)
    return _standings_after(tournament, audience, session)


@by_version(32)
def _standings_after(tournament: Tournament, audience: Audience, session: int) -> Standings:
    results = [table for table in table_results(tournament, audience) if table.session <= session]
    return standings_with(tournament, audience, results, tournament.sessions.get(number=session))


def _ranks_after(tournament: Tournament, audience: Audience, session: int) -> dict[int, int]:
    """Player number → rank. Only players who had played by then can have moved."""
    rows = standings_after(tournament, audience, session).rows
    return {row.number: row.rank for row in rows if row.rank is not None and row.sessions}


def _has_changed(tournament: Tournament, audience: Audience, publication: Publication) -> bool:
    """Whether the sessions that were published would be published differently today."""
    now = standings_after(tournament, audience, publication.after_session)
    return bool(publication.rows != as_published(now))
