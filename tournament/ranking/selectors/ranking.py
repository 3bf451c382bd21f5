"""The ranking as people look at it: players, teams and nations, and what a player needs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Literal

from django.db.models import Exists, OuterRef

from tournament.base.access import Audience
from tournament.base.engine.rules import DEFAULT_ORDER, HANDS_PER_SESSION, SHARED_PLACE, table_points
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Seat, Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import by_version, hidden_from, keeps_back, publications_for, version_for
from tournament.fouls.selectors import Objections, objections
from tournament.play.selectors.absences import placed
from tournament.ranking.engine.finals import Needs, Total, place_needs, rank_needs
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
    as_published,
    current_standings,
    parts_of,
    results_of_substitutes,
    rows_of,
    standings_with,
    table_results,
)

# --- The ranking ---


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


def _ranks_after(tournament: Tournament, audience: Audience, session: int) -> dict[int, int]:
    """Player number → rank. Only players who had played by then can have moved."""
    rows = standings_after(tournament, audience, session).rows
    return {row.number: row.rank for row in rows if row.rank is not None and row.sessions}


def _has_changed(tournament: Tournament, audience: Audience, publication: Publication) -> bool:
    """Whether the sessions that were published would be published differently today."""
    now = standings_after(tournament, audience, publication.after_session)
    return bool(publication.rows != as_published(now))


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
    """Places won or lost since `Ranking.since`; None when nobody can have moved."""
    members: tuple[Member, ...]


def counted_members(kind: Kind) -> int:
    """How many of its members count for a team or a nation."""
    return _COUNTS[kind]


def groups_now(tournament: Tournament, audience: Audience, kind: Kind) -> tuple[GroupStanding, ...]:
    """Teams or nations as if sessions being played ended now."""
    rows = _rows_for_all(tournament, audience, current_standings(tournament, audience).rows)
    return _ranked_groups(tournament, kind, rows, _group_by_player(tournament.players.all(), kind))


def group_rows(ranking: Ranking, kind: Kind) -> tuple[GroupRow, ...]:
    """The same with movements and names, of a ranking already read."""
    tournament, audience = ranking.tournament, ranking.audience
    players = {row.player.number: row.player for row in ranking.rows}
    names = _group_by_player(players.values(), kind)
    before: dict[str, int] = {}
    if ranking.since:
        rows = _rows_for_all(tournament, audience, standings_after(tournament, audience, ranking.since).rows)
        before = {group.name: group.rank for group in _ranked_groups(tournament, kind, rows, names)}
    rows = _rows_for_all(tournament, audience, tuple(row.standing for row in ranking.rows))
    now = _ranked_groups(tournament, kind, rows, names)
    return tuple(
        GroupRow(
            standing=group,
            moved=before[group.name] - group.rank if before else None,
            members=tuple(
                Member(players[member.number], member, member in group.counted) for member in group.members
            ),
        )
        for group in now
    )


def _rows_for_all(
    tournament: Tournament, audience: Audience, rows: tuple[Standing, ...]
) -> tuple[Standing, ...]:
    """The lines after the sessions that were for everybody: a final gives points to some members only."""
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
    """A place or a rank, and the ways to it."""

    number: int
    self_drawn: int | None
    discards: tuple[tuple[tuple[Player, ...], int], ...]
    """(players whose discard is worth the same, points), the cheapest first; nobody whose discard is no way."""
    behind: tuple[Player, int] | None = None
    """Who has the place at the table now, and by how much."""

    @property
    def possible(self) -> bool:
        return self.self_drawn is not None or bool(self.discards)


@dataclass(frozen=True)
class WhatYouNeed:
    places: tuple[Goal, ...]
    """Every better place at the table, the first one first; none for who leads."""
    rank: Goal | None
    """The rank asked for; None for who is not ranked, or where other criteria than the usual two rank."""


def what_you_need(ranking: Ranking, seat: Seat, rank: int | None = None) -> WhatYouNeed | None:
    """What it takes from this seat; None once the table has played or handed in its hands, where it keeps them on
    paper, for an absent player, and where the ranking's audience is not told the scores. Only who has a place at the
    table is in the way."""
    table = seat.table
    if (
        keeps_back(ranking.audience, table.session)
        or table.is_in
        or table.is_on_paper
        or table.hands_played >= HANDS_PER_SESSION
        or seat.stand_in
    ):
        return None
    seats = list(table.seats.all())
    own = next(place for place, other in enumerate(seats) if other.pk == seat.pk)
    has_place = placed(table, seats)
    if not has_place[own]:
        return None
    scores = [other.game_points for other in seats]
    places = place_needs(scores, own, ranking.tournament.rules.scoring, placed=has_place)
    rivals = [other for other, counts in zip(seats, has_place, strict=True) if counts and other.pk != seat.pk]
    return WhatYouNeed(
        places=tuple(
            _goal(number, needs, seats, _holder_of_place(number, seats[own], rivals))
            for number, needs in places.items()
        ),
        rank=_rank_goal(ranking, seats, has_place, own, rank),
    )


def _holder_of_place(place: int, own: Seat, rivals: Sequence[Seat]) -> tuple[Player, int] | None:
    ahead = sorted(rivals, key=lambda seat: -seat.game_points)[place - 1]
    return ahead.player, ahead.game_points - own.game_points


def _rank_goal(
    ranking: Ranking, seats: Sequence[Seat], has_place: Sequence[bool], own: int, wanted: int | None
) -> Goal | None:
    line = ranking.find(seats[own].player.number)
    usual = tuple(key for key in ranking.tournament.rules.criteria if key != SHARED_PLACE) == DEFAULT_ORDER
    if not usual or line is None or line.standing.rank is None:
        return None
    session, tier = seats[own].table.session.number, line.standing.tier
    if len(tier) < sum(final.after_session < session for final in ranking.finals):
        return None  # what finalists carry counts from the first hand of the final on
    standings = [row.standing for row in ranking.rows if row.standing.rank is not None]
    above = sum(standing.tier < tier for standing in standings)
    goal = max(above + 1, wanted or line.standing.rank - 1)
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
) -> tuple[dict[int, Total], list[Total]]:
    """Seat → total without this table, and everybody else's: who is not credited with it is one of the others."""
    shares = table_points([seat.game_points for seat in seats], ranking.tournament.rules.scale, has_place)
    place_of = {seat.player.number: place for place, seat in enumerate(seats) if has_place[place]}
    session = seats[0].table.session.number
    counted = {
        standing.number for standing in ranked if any(score.session == session for score in standing.sessions)
    }
    has_begun = not counted.isdisjoint(place_of)
    at_the_table: dict[int, Total] = {}
    others: list[Total] = []
    for standing in ranked:
        total = Total(standing.table_points, int(standing.game_points))
        place = place_of.get(standing.number)
        if place is not None and standing.number in counted:
            without = total.game_points - seats[place].game_points
            at_the_table[place] = Total(total.table_points - shares[place], without)
        elif place is not None and not has_begun:
            at_the_table[place] = total
        else:
            others.append(total)
    return at_the_table, others


def _goal(number: int, needs: Needs, seats: Sequence[Seat], behind: tuple[Player, int] | None = None) -> Goal:
    return Goal(number, needs.self_drawn, _alike(needs.discards, seats), behind)


def _alike(
    discards: Mapping[int, int | None], seats: Sequence[Seat]
) -> tuple[tuple[tuple[Player, ...], int], ...]:
    """Players whose discards are worth the same, together."""
    by_points: dict[int, list[Player]] = {}
    for seat, points in sorted(discards.items()):
        if points is not None:
            by_points.setdefault(points, []).append(seats[seat].player)
    return tuple((tuple(players), points) for points, players in sorted(by_points.items()))


# --- How far a tournament is ---


@dataclass(frozen=True)
class Progress:
    """How far a tournament is."""

    sessions: tuple[Session, ...]
    current: Session | None
    """The session being played, else the next to play, else the last; None before the draw."""
    startable: Session | None
    closed: int
    """The number of the last session closed; 0 before."""
    publication: Publication | None
    """The newest."""
    seated: frozenset[int] = frozenset()
    """The numbers of the sessions that have seats."""
    is_out_of_date: bool = False
    """Whether something was corrected since: the newest publication is not what its sessions come to now."""

    @property
    def is_over(self) -> bool:
        return bool(self.sessions) and self.closed == len(self.sessions)

    @property
    def is_running(self) -> bool:
        return self.current is not None and self.current.state == Session.State.RUNNING

    @property
    def stages(self) -> list[tuple[Session, str]]:
        """What is to be done with each session next: draw, play, close, publish; done once it is published."""
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
        """Whether there is something to publish, and no session is being played."""
        published = self.publication.after_session if self.publication else 0
        return not self.is_running and (self.closed > published or self.is_out_of_date)


@by_version(64)
def progress_of(tournament: Tournament) -> Progress:
    tables = Table.objects.filter(session=OuterRef("pk"))
    sessions = tuple(tournament.sessions.annotate(is_seated=Exists(tables)))
    started = next((session for session in sessions if session.state == Session.State.RUNNING), None)
    planned = next((session for session in sessions if session.state == Session.State.PLANNED), None)
    closed = max((session.number for session in sessions if session.state == Session.State.CLOSED), default=0)
    publication = tournament.publications.first()
    return Progress(
        sessions=sessions,
        current=started or planned or (sessions[-1] if sessions else None),
        startable=None if started else planned,
        closed=closed,
        publication=publication,
        seated=frozenset(session.number for session in sessions if session.is_seated),
        is_out_of_date=publication is not None
        and publication.after_session == closed
        and publication.rows != as_published(current_standings(tournament, Audience.STAFF, closed_only=True)),
    )
