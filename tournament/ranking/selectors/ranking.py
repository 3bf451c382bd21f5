"""The ranking as people read it: lines with players, movements and tie-breaks; the lines of one session."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import chain

from tournament.base.engine.finals import Carry
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import CRITERIA
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Session
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import by_version, hidden_from, moments_passed, publications_for, version_for
from tournament.fouls.selectors import Objections, objections
from tournament.ranking.engine.standings import (
    Carried,
    PlayerRow,
    SeatResult,
    SessionScore,
    Standing,
    Standings,
    standings,
)
from tournament.ranking.selectors.standings import (
    current_standings,
    publication_rows,
    standings_after,
    substitute_standings,
    table_results,
)

# --- Lines of a ranking ---


Part = Session | Final
"""A column of the ranking: a session, or a final in which some of the points so far count less."""


@dataclass(frozen=True)
class TieBreak:
    """The criterion that ranks a player before the next, with the values of both."""

    criterion: str
    value: Fraction | int
    next_value: Fraction | int


@dataclass(frozen=True)
class RankingRow:
    """A player's line. `moved`: places won (2) or lost (−1) since `Ranking.since`, None when nobody can have moved."""

    standing: Standing
    player: Player
    moved: int | None
    parts: tuple[SessionScore | Carried | None, ...]
    """One for each of `Ranking.parts`; None where the player did not sit, or is no finalist."""
    tied_with_next: bool
    tie_break: TieBreak | None = None
    """What ranks the player before the next line where the first criterion does not."""
    group: int | None = None
    """The group in the newest final, from 1; None for no finalist."""
    above_the_cut: bool = False
    """Whether this is the last finalist."""

    @property
    def cache_key(self) -> Hashable:
        """Return everything that the line shows."""
        player = self.player
        shown = (player.name, player.country, player.team)
        line = self.standing, self.moved, self.parts, self.tied_with_next
        return line, shown, self.tie_break, self.group, self.above_the_cut

    @property
    def figures(self) -> str:
        """Return the totals as a text that changes with the player's figures."""
        return f"{self.standing.table_points} {self.standing.game_points}"


def ranking_rows(
    current: Standings,
    players: Mapping[int, Player],
    parts: tuple[Part, ...],
    before: Mapping[int, int],
    first_criterion: str,
    final: Final | None,
) -> list[RankingRow]:
    groups = enumerate(final.groups, 1) if final else ()
    group_of = {number: at for at, members in groups for number in members}
    last_finalist = max((at for at, row in enumerate(current.rows) if row.number in group_of), default=None)
    following: list[Standing | None] = [*current.rows[1:], None]
    return [
        RankingRow(
            standing=row,
            player=players[row.number],
            moved=before[row.number] - row.rank if row.number in before and row.rank is not None else None,
            parts=_scores_by_part(row, parts),
            tied_with_next=row.shared and next_row is not None and next_row.rank == row.rank,
            tie_break=_tie_break(row, next_row, first_criterion),
            group=group_of.get(row.number),
            above_the_cut=at == last_finalist,
        )
        for at, (row, next_row) in enumerate(zip(current.rows, following, strict=False))
    ]


def _scores_by_part(row: Standing, parts: tuple[Part, ...]) -> tuple[SessionScore | Carried | None, ...]:
    scores = {score.session: score for score in row.sessions}
    carried_after = {carried.after: carried for carried in row.carried}
    return tuple(
        carried_after.get(part.after_session) if isinstance(part, Final) else scores.get(part.number)
        for part in parts
    )


def _tie_break(row: Standing, next_row: Standing | None, first_criterion: str) -> TieBreak | None:
    if next_row is None or row.decided_by in (None, first_criterion) or not row.sessions:
        return None
    criterion = CRITERIA[str(row.decided_by)]
    return TieBreak(criterion.key, criterion.value(row.totals), criterion.value(next_row.totals))


def ranking_parts(sessions: tuple[Session, ...], finals: tuple[Final, ...]) -> tuple[Part, ...]:
    """Return the sessions in order, each after a final that begins there with less than all points."""
    parts: list[Part] = []
    for before, session in zip((0, *(session.number for session in sessions)), sessions, strict=False):
        began = (final for final in finals if before <= final.after_session < session.number)
        parts += [*(final for final in began if final.carry != Carry.FULL), session]
    return tuple(parts)


# --- The ranking ---


class State(StrEnum):
    """How far standings can be relied on."""

    PROVISIONAL = "provisional"
    """In a running session, not published, corrected since publication, or open to appeals."""
    PUBLISHED = "published"
    FINAL = "final"


@dataclass(frozen=True)
class Ranking:
    """The standings of a tournament for an audience, with players, publication and what may still change."""

    tournament: Tournament
    audience: Audience
    rows: tuple[RankingRow, ...]
    substitutes: tuple[RankingRow, ...]
    """By number: without a rank, and not counted in any figure."""
    sessions: tuple[Session, ...]
    """Those with results, in order."""
    running: Session | None
    since: int | None
    """The session after which movements count; None in the first session."""
    publication: Publication | None
    """The newest publication."""
    changed_since_publication: bool
    """Whether a correction since then has changed a published line."""
    objections: Objections
    """The open appeals against closed sessions, and the end of the time for appeals."""
    finals: tuple[Final, ...]
    """In order."""
    withheld_sessions: tuple[int, ...]
    """The sessions begun whose results are hidden from this audience."""

    @property
    def version(self) -> int:
        return version_for(self.audience, self.tournament)

    @property
    def is_provisional(self) -> bool:
        return any(row.standing.provisional for row in self.rows)

    @property
    def is_published(self) -> bool:
        """Return whether these sessions are those of the publication."""
        return (
            self.publication is not None
            and not self.is_provisional
            and self.publication.after_session == self.after
        )

    @property
    def after(self) -> int:
        """Return the number of the last session with results; 0 before the first."""
        return max((session.number for session in self.sessions), default=0)

    @property
    def is_as_published(self) -> bool:
        """Return whether these are the figures of the publication."""
        return self.is_published and not self.changed_since_publication

    @cached_property
    def state(self) -> State:
        if self.publication is None or not self.is_as_published or self.objections:
            return State.PROVISIONAL
        return State.FINAL if self.publication.is_final else State.PUBLISHED

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return the sessions and finals that the totals are composed of, in order."""
        return ranking_parts(self.sessions, self.finals)

    @property
    def breaks_ties(self) -> bool:
        return any(row.tie_break for row in self.rows)

    @property
    def has_groups(self) -> bool:
        """Return whether the newest final is played in groups."""
        return bool(self.finals) and len(self.finals[-1].groups) > 1

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
        """Return the line of a player by number, also of a substitute."""
        everybody = chain(self.rows, self.substitutes)
        return next((row for row in everybody if row.standing.number == number), None)


def ranking(tournament: Tournament, audience: Audience) -> Ranking:
    """Return the current ranking; a running session counts as if it ended now."""
    current = current_standings(tournament, audience)
    sessions = list(tournament.sessions.all())
    counted = {score.session for row in current.rows for score in row.sessions}
    sessions_with_results = tuple(session for session in sessions if session.number in counted)
    since = sessions_with_results[-2].number if len(sessions_with_results) > 1 else None
    ranks_before = _ranks_after(tournament, audience, since) if since else {}
    players = {player.number: player for player in tournament.players.all()}
    numbers = tuple(player.number for player in players.values() if player.is_substitute)
    unranked = substitute_standings(tournament, audience, numbers) if numbers else Standings(())
    publication = publications_for(audience, tournament).first()
    hidden = hidden_from(audience, tournament)
    finals = tuple(tournament.finals.all())
    parts = ranking_parts(sessions_with_results, finals)
    return Ranking(
        tournament=tournament,
        audience=audience,
        rows=tuple(
            ranking_rows(
                current,
                players,
                parts,
                ranks_before,
                tournament.rules.criteria[0],
                finals[-1] if finals else None,
            )
        ),
        substitutes=tuple(ranking_rows(unranked, players, parts, {}, tournament.rules.criteria[0], None)),
        sessions=sessions_with_results,
        running=next((session for session in sessions if session.state == Session.State.RUNNING), None),
        since=since,
        publication=publication,
        changed_since_publication=publication is not None and _has_changed(tournament, audience, publication),
        objections=objections(tournament, audience),
        finals=finals,
        withheld_sessions=tuple(
            session.number
            for session in sessions
            if session.number in hidden and session.state != Session.State.PLANNED
        ),
    )


def shared_ranking(tournament: Tournament, audience: Audience) -> Ranking:
    """Return the same once for each version, for the parts of pages that a whole hall loads; it must not be changed."""
    return _shared_ranking(tournament, audience, moments_passed(tournament))


@by_version(16)
def _shared_ranking(tournament: Tournament, audience: Audience, _moments_passed: int) -> Ranking:
    return ranking(tournament, audience)


def _ranks_after(tournament: Tournament, audience: Audience, session: int) -> dict[int, int]:
    """Return player number → rank, for the players who had played by then: only these can have moved."""
    rows = standings_after(tournament, audience, session).rows
    return {row.number: row.rank for row in rows if row.rank is not None and row.sessions}


def _has_changed(tournament: Tournament, audience: Audience, publication: Publication) -> bool:
    """Return whether the published sessions would be published differently now."""
    current = standings_after(tournament, audience, publication.after_session)
    return bool(publication.rows != publication_rows(current))


# --- One session alone ---


@dataclass(frozen=True)
class SessionRow:
    """A player's line in one session, with the seat result that it is computed from."""

    standing: Standing
    player: Player
    score: SessionScore
    seat: SeatResult


def session_rows(tournament: Tournament, audience: Audience, session: int) -> tuple[SessionRow, ...]:
    """Return the lines of one session, best first; empty before its first result, and if hidden from the audience.

    Penalties of the tournament do not count; a substitute is listed without a place.
    """
    results = [table for table in table_results(tournament, audience) if table.session == session]
    seats = {seat.player: seat for table in results for seat in table.seats}
    players = {player.number: player for player in tournament.players.filter(number__in=seats)}
    session_standings = standings(
        [PlayerRow(number, ranked=not player.is_substitute) for number, player in players.items()],
        results,
        criteria=tournament.rules.criteria,
        scale=tournament.rules.scale,
    )
    return tuple(
        SessionRow(row, players[row.number], row.sessions[0], seats[row.number])
        for row in session_standings.rows
        if row.sessions
    )
