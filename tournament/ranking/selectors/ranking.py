"""The ranking of players, teams and nations, what a player needs, and the progress of a tournament."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Literal

from django.db.models import Exists, OuterRef

from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import DEFAULT_ORDER, HANDS_PER_SESSION, SHARED_PLACE, table_points
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Seat, Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import by_version, hidden_from, is_withheld_from, publications_for, version_for
from tournament.fouls.selectors import Objections, objections
from tournament.play.selectors.absences import place_flags
from tournament.ranking.engine.finals import NeededPoints, PlayerTotal, place_needs, rank_needs
from tournament.ranking.engine.standings import (
    NATION_COUNTS,
    TEAM_COUNTS,
    GroupStanding,
    Standing,
    Standings,
    group_standings,
)
from tournament.ranking.selectors.standings import (
    Part,
    RankingRow,
    current_standings,
    publication_rows,
    ranking_parts,
    ranking_rows,
    standings_with,
    substitute_standings,
    table_results,
)

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

    @property
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


def _ranks_after(tournament: Tournament, audience: Audience, session: int) -> dict[int, int]:
    """Return player number → rank, for the players who had played by then: only these can have moved."""
    rows = standings_after(tournament, audience, session).rows
    return {row.number: row.rank for row in rows if row.rank is not None and row.sessions}


def _has_changed(tournament: Tournament, audience: Audience, publication: Publication) -> bool:
    """Return whether the published sessions would be published differently now."""
    current = standings_after(tournament, audience, publication.after_session)
    return bool(publication.rows != publication_rows(current))


def standings_after(tournament: Tournament, audience: Audience, session: int) -> Standings:
    """Return the standings after session `session`, with every correction made since."""
    later = tournament.sessions.filter(number__gt=session, state=Session.State.CLOSED)
    if not later.exists():
        return current_standings(tournament, audience, closed_only=True)
    return _standings_after(tournament, audience, session)


@by_version(32)
def _standings_after(tournament: Tournament, audience: Audience, session: int) -> Standings:
    results = [table for table in table_results(tournament, audience) if table.session <= session]
    return standings_with(tournament, audience, results, tournament.sessions.get(number=session))


# --- Teams and nations ---


Kind = Literal["teams", "nations"]
_COUNTS: Mapping[Kind, int] = {"teams": TEAM_COUNTS, "nations": NATION_COUNTS}


@dataclass(frozen=True)
class Member:
    player: Player
    standing: Standing
    counts: bool


@dataclass(frozen=True)
class GroupRow:
    standing: GroupStanding
    moved: int | None
    """Places gained or lost since `Ranking.since`; None if nobody can have moved."""
    members: tuple[Member, ...]


def counted_members(kind: Kind) -> int:
    """Return how many members count for a team or a nation."""
    return _COUNTS[kind]


def current_groups(tournament: Tournament, audience: Audience, kind: Kind) -> tuple[GroupStanding, ...]:
    """Return the standings of teams or nations; a running session counts as if it ended now."""
    rows = _rows_for_all(tournament, audience, current_standings(tournament, audience).rows)
    return _ranked_groups(tournament, kind, rows, _group_by_player(tournament.players.all(), kind))


def group_rows(ranking: Ranking, kind: Kind) -> tuple[GroupRow, ...]:
    """Return the lines of teams or nations of a ranking, with movements and members."""
    tournament, audience = ranking.tournament, ranking.audience
    players = {row.player.number: row.player for row in ranking.rows}
    names = _group_by_player(players.values(), kind)
    ranks_before: dict[str, int] = {}
    if ranking.since:
        rows = _rows_for_all(tournament, audience, standings_after(tournament, audience, ranking.since).rows)
        ranks_before = {group.name: group.rank for group in _ranked_groups(tournament, kind, rows, names)}
    rows = _rows_for_all(tournament, audience, tuple(row.standing for row in ranking.rows))
    groups = _ranked_groups(tournament, kind, rows, names)
    return tuple(
        GroupRow(
            standing=group,
            moved=ranks_before[group.name] - group.rank if ranks_before else None,
            members=tuple(
                Member(players[member.number], member, member in group.counted) for member in group.members
            ),
        )
        for group in groups
    )


def _rows_for_all(
    tournament: Tournament, audience: Audience, rows: tuple[Standing, ...]
) -> tuple[Standing, ...]:
    """Return the lines before the first final, as a final gives points to some members only."""
    first = tournament.finals.first()
    if first is None or not any(row.tier for row in rows):
        return rows
    return standings_after(tournament, audience, first.after_session).rows


def _group_by_player(players: Iterable[Player], kind: Kind) -> dict[int, str]:
    return {player.number: player.team if kind == "teams" else player.country for player in players}


def _ranked_groups(
    tournament: Tournament, kind: Kind, rows: Iterable[Standing], names: Mapping[int, str]
) -> tuple[GroupStanding, ...]:
    return group_standings(rows, names, _COUNTS[kind], tournament.rules.criteria)


# --- What a player needs ---


@dataclass(frozen=True)
class Goal:
    """A place or a rank, and the hands that reach it."""

    number: int
    self_drawn: int | None
    discards: tuple[tuple[tuple[Player, ...], int], ...]
    """(players whose discard is worth the same, points), the cheapest first; only discards that reach the goal."""
    behind: tuple[Player, int] | None = None
    """The player who has the place at the table now, and the difference in points."""

    @property
    def possible(self) -> bool:
        return self.self_drawn is not None or bool(self.discards)


@dataclass(frozen=True)
class PlayerNeeds:
    places: tuple[Goal, ...]
    """Every better place at the table, the first one first; empty for the leader."""
    rank: Goal | None
    """The rank asked for; None without a rank, or where the criteria are not the default two."""


def player_needs(ranking: Ranking, seat: Seat, rank: int | None = None) -> PlayerNeeds | None:
    """Return what the player at this seat needs; only players with a place at the table count as rivals.

    None once the table has played or handed in its hands, where it records on paper, for an absent player, and if the
    scores are hidden from the ranking's audience.
    """
    table = seat.table
    if (
        is_withheld_from(ranking.audience, table.session)
        or table.is_in
        or table.is_on_paper
        or table.hands_played >= HANDS_PER_SESSION
        or seat.stand_in
    ):
        return None
    seats = list(table.seats.all())
    own = next(place for place, other in enumerate(seats) if other.pk == seat.pk)
    has_place = place_flags(table, seats)
    if not has_place[own]:
        return None
    scores = [other.game_points for other in seats]
    places = place_needs(scores, own, ranking.tournament.rules.scoring, placed=has_place)
    rivals = [other for other, counts in zip(seats, has_place, strict=True) if counts and other.pk != seat.pk]
    return PlayerNeeds(
        places=tuple(
            _goal(number, needs, seats, _place_holder(number, seats[own], rivals))
            for number, needs in places.items()
        ),
        rank=_rank_goal(ranking, seats, has_place, own, rank),
    )


def _place_holder(place: int, own: Seat, rivals: Sequence[Seat]) -> tuple[Player, int] | None:
    ahead = sorted(rivals, key=lambda seat: -seat.game_points)[place - 1]
    return ahead.player, ahead.game_points - own.game_points


def _rank_goal(
    ranking: Ranking, seats: Sequence[Seat], has_place: Sequence[bool], own: int, rank: int | None
) -> Goal | None:
    line = ranking.find(seats[own].player.number)
    criteria = tuple(key for key in ranking.tournament.rules.criteria if key != SHARED_PLACE)
    if criteria != DEFAULT_ORDER or line is None or line.standing.rank is None:
        return None
    session, tier = seats[own].table.session.number, line.standing.tier
    if len(tier) < sum(final.after_session < session for final in ranking.finals):
        return None  # The points that finalists carry over count only from the first hand of the final.
    standings = [row.standing for row in ranking.rows if row.standing.rank is not None]
    above = sum(standing.tier < tier for standing in standings)
    goal = max(above + 1, rank or line.standing.rank - 1)
    same_tier = [standing for standing in standings if standing.tier == tier]
    at_the_table, others = _totals_without_table(ranking, seats, has_place, same_tier)
    if own not in at_the_table:
        return None
    needs = rank_needs(
        [seat.game_points for seat in seats],
        own,
        at_the_table,
        others,
        [goal - above],
        ranking.tournament.rules.scoring,
        ranking.tournament.rules.scale,
        placed=has_place,
    )
    return _goal(goal, needs[goal - above], seats)


def _totals_without_table(
    ranking: Ranking, seats: Sequence[Seat], has_place: Sequence[bool], ranked: Sequence[Standing]
) -> tuple[dict[int, PlayerTotal], list[PlayerTotal]]:
    """Return seat → total without this table, and the totals of everybody who is not credited with this table."""
    shares = table_points([seat.game_points for seat in seats], ranking.tournament.rules.scale, has_place)
    place_of = {seat.player.number: place for place, seat in enumerate(seats) if has_place[place]}
    session = seats[0].table.session.number
    counted = {
        standing.number for standing in ranked if any(score.session == session for score in standing.sessions)
    }
    has_begun = not counted.isdisjoint(place_of)
    at_the_table: dict[int, PlayerTotal] = {}
    others: list[PlayerTotal] = []
    for standing in ranked:
        total = PlayerTotal(standing.table_points, int(standing.game_points))
        place = place_of.get(standing.number)
        if place is not None and standing.number in counted:
            without = total.game_points - seats[place].game_points
            at_the_table[place] = PlayerTotal(total.table_points - shares[place], without)
        elif place is not None and not has_begun:
            at_the_table[place] = total
        else:
            others.append(total)
    return at_the_table, others


def _goal(
    number: int, needs: NeededPoints, seats: Sequence[Seat], behind: tuple[Player, int] | None = None
) -> Goal:
    return Goal(number, needs.self_drawn, _group_by_points(needs.discards, seats), behind)


def _group_by_points(
    discards: Mapping[int, int | None], seats: Sequence[Seat]
) -> tuple[tuple[tuple[Player, ...], int], ...]:
    """Return (players whose discard is worth the same, points), the cheapest first."""
    by_points: dict[int, list[Player]] = {}
    for seat, points in sorted(discards.items()):
        if points is not None:
            by_points.setdefault(points, []).append(seats[seat].player)
    return tuple((tuple(players), points) for points, players in sorted(by_points.items()))


# --- Progress of a tournament ---


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
