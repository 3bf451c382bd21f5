"""The ranking as people look at it: who stands where, who moved, what still moves, and what was published."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tournament.access import Audience
from tournament.engine.criteria import CRITERIA
from tournament.engine.results import SessionScore
from tournament.engine.standings import Standing, Standings
from tournament.engine.table_points import two_decimals
from tournament.models import Final, Player, Publication, Session, Tournament
from tournament.selectors.appeals import Objections, objections
from tournament.selectors.embargo import hidden_from, publications_for
from tournament.selectors.standings import current_standings, kept, standings_with, table_results


@dataclass(frozen=True)
class Lead:
    """A tie broken: the criterion that did it, and what it says of this player and the next."""

    criterion: str
    mine: Fraction | int
    next: Fraction | int


@dataclass(frozen=True)
class RankingRow:
    """A player's line. `moved`: places won (2) or lost (−1) since `Ranking.since`, None when nobody can have moved."""

    standing: Standing
    player: Player
    moved: int | None
    sessions: tuple[SessionScore | None, ...]
    """One for each of `Ranking.sessions`; None where the player did not sit."""
    tied_with_next: bool
    lead: Lead | None = None
    """What puts the player before the next line where the first criterion does not."""
    group: int | None = None
    """The group of the newest final, from 1; None for who is not in it."""

    @property
    def key(self) -> Hashable:
        """Everything the line shows."""
        player = self.player
        shown = (player.first_name, player.last_name, player.country, player.team)
        return self.standing, self.moved, self.sessions, self.tied_with_next, shown, self.lead, self.group

    @property
    def figures(self) -> str:
        """The totals as one word: when it changes, this player's figures have changed."""
        return f"{self.standing.table_points} {self.standing.game_points}"


@dataclass(frozen=True)
class Ranking:
    """The standings of a tournament in one version for an audience, players and publication included."""

    tournament: Tournament
    audience: Audience
    rows: tuple[RankingRow, ...]
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
        return self.tournament.version

    @property
    def is_provisional(self) -> bool:
        return any(row.standing.provisional for row in self.rows)

    @property
    def is_published(self) -> bool:
        """Whether what is shown is what was published, no session having begun since."""
        return (
            self.publication is not None
            and not self.is_provisional
            and self.publication.after_session
            == max((session.number for session in self.sessions), default=0)
        )

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
        """The line of a player by number."""
        return next((row for row in self.rows if row.standing.number == number), None)


def ranking(tournament: Tournament, audience: Audience) -> Ranking:
    """The ranking as it is now; a session being played counts as if it ended now."""
    now = current_standings(tournament, audience)
    sessions = list(tournament.sessions.all())
    counted = {score.session for row in now.rows for score in row.sessions}
    shown = tuple(session for session in sessions if session.number in counted)
    since = shown[-2].number if len(shown) > 1 else None
    before = _ranks_after(tournament, audience, since) if since else {}
    players = {player.number: player for player in tournament.players.all()}
    publication = publications_for(audience, tournament).first()
    hidden = hidden_from(audience, tournament)
    finals = tuple(tournament.finals.all())
    return Ranking(
        tournament=tournament,
        audience=audience,
        rows=tuple(
            _rows(now, players, shown, before, tournament.rules.criteria[0], finals[-1] if finals else None)
        ),
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
    return kept(tournament, audience, session, lambda: _standings_after(tournament, audience, session))


def _standings_after(tournament: Tournament, audience: Audience, session: int) -> Standings:
    results = [table for table in table_results(tournament, audience) if table.session <= session]
    return standings_with(tournament, audience, results, tournament.sessions.get(number=session))


def _rows(
    now: Standings,
    players: Mapping[int, Player],
    sessions: tuple[Session, ...],
    before: Mapping[int, int],
    first: str,
    final: Final | None,
) -> list[RankingRow]:
    groups = enumerate(final.groups, 1) if final else ()
    group = {number: at for at, members in groups for number in members}
    following: list[Standing | None] = [*now.rows[1:], None]
    return [
        RankingRow(
            standing=row,
            player=players[row.number],
            moved=_moved(before.get(row.number), row.rank),
            sessions=_by_session(row, sessions),
            tied_with_next=row.shared and after is not None and after.rank == row.rank,
            lead=_lead(row, after, first),
            group=group.get(row.number),
        )
        for row, after in zip(now.rows, following, strict=False)
    ]


def _lead(row: Standing, after: Standing | None, first: str) -> Lead | None:
    if after is None or row.decided_by in (None, first) or not row.sessions:
        return None
    criterion = CRITERIA[str(row.decided_by)]
    return Lead(criterion.key, criterion.value(row.totals), criterion.value(after.totals))


def _moved(before: int | None, now: int | None) -> int | None:
    return None if before is None or now is None else before - now


def _by_session(row: Standing, sessions: tuple[Session, ...]) -> tuple[SessionScore | None, ...]:
    scores = {score.session: score for score in row.sessions}
    return tuple(scores.get(session.number) for session in sessions)


def _ranks_after(tournament: Tournament, audience: Audience, session: int) -> dict[int, int]:
    """Player number → rank. Only players who had played by then can have moved."""
    rows = standings_after(tournament, audience, session).rows
    return {row.number: row.rank for row in rows if row.rank is not None and row.sessions}


def _has_changed(tournament: Tournament, audience: Audience, publication: Publication) -> bool:
    """Whether the sessions that were published would be published differently today."""
    rows = standings_after(tournament, audience, publication.after_session).rows
    return _published_rows(rows) != [_published_row(row) for row in publication.rows]


def _published_rows(rows: tuple[Standing, ...]) -> list[tuple[Any, ...]]:
    return [(row.rank, row.number, two_decimals(row.table_points), int(row.game_points)) for row in rows]


def _published_row(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["rank"], row["number"], row["table_points"], row["game_points"]
