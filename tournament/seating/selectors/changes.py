"""Seats as they would be: of a session, a final, after a swap, planned again; and where somebody sits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from scoring.engine.problems import Problem, problem_code
from tournament.base.access import Audience
from tournament.base.engine.finals import Cut
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import LEFT, Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import (
    EARLIER_SESSION_OPEN,
    SESSION_ALREADY_BEGUN,
    SESSION_NOT_RUNNING,
    SESSION_STILL_RUNNING,
)
from tournament.play.selectors.public import PlayerSeats
from tournament.play.selectors.timetable import Entry, final_of, players_in, timetable
from tournament.ranking.engine.finals import FinalsWish, finalists, groups, straddling
from tournament.ranking.selectors.standings import current_standings
from tournament.seating.engine.draw import DrawInputs, final_sessions
from tournament.seating.engine.plans import (
    NO_SEAT_IN_SESSION,
    NO_SEATS,
    SWAP_WITH_SELF,
    Plan,
    SeatingError,
    Sessions,
    as_plan,
    as_sessions,
    plan_problems,
    swap_in_plan,
)
from tournament.seating.engine.replan import replan, seat_at_stream_table
from tournament.seating.engine.swiss import SeatingMethod, SessionInputs
from tournament.seating.selectors.draws import Reseating, inputs_behind, refuse_begun, seats_of_all
from tournament.seating.texts import CORRECTION_UNDONE, SEATS_CORRECTED, SESSION_UNSTARTED

NOTHING_LEFT_TO_PLAY = problem_code("nothing_left_to_play", "No session is left to play.")
EARLIER_SESSION_UNSEATED = problem_code(
    "earlier_session_unseated", "Session {session} has to be seated first."
)
FINALS_TOO_EARLY = problem_code(
    "finals_too_early", "No session is finished yet, so there is nobody to choose for a final."
)
FINALS_SET_ALREADY = problem_code(
    "finals_set_already", "A final after session {session} is set up already. Take it back first."
)
TOO_FEW_FINALISTS = problem_code("too_few_finalists", "Fewer than {top} players can go on.")
FINALS_IN_GROUPS = problem_code(
    "finals_in_groups", "This final is played in groups: seat the session by hand, or set the final up again."
)
FINALS_NOT_REPLANNED = problem_code(
    "finals_not_replanned",
    "A final is set up, so the rest is not planned again. Take the final back and set it up once more, or "
    "seat the session by hand.",
)
NOTHING_TO_SEAT_BY = problem_code(
    "nothing_to_seat_by", "No session is finished yet, so there are no standings to seat by: seat by lot."
)
PLAN_CHANGES_NOTHING = problem_code("plan_changes_nothing", "These are the seats that there are already.")
NOT_SEATED_BY_HAND = problem_code("not_seated_by_hand", "Player {player} has no seat.")

# --- One session ---


Tables = Sequence[Mapping[str, int]]
"""The tables of one session in order: starting wind → player number."""


@dataclass(frozen=True)
class SessionWish:
    """How a session is to be seated: drawn anew from `how` and `seed`, or the `tables` as given."""

    how: SeatingMethod | None = None
    seed: str = ""
    tables: Tables = ()


def seated(tournament: Tournament, number: int, wish: SessionWish) -> tuple[Reseating, SessionInputs | None]:
    """The seats as they would be, and what they follow from; stores nothing.

    Refused for a session that has begun or comes after one without seats; by standing and at intervals also until
    every session before it is closed. In a refusal of given tables `where` is "session <n>, table <m>".
    """
    refuse_begun(tournament, [number])
    before = seats_of_all(tournament)
    if len(before) < number - 1:
        raise Refused(EARLIER_SESSION_UNSEATED(session=len(before) + 1))
    inputs = None if wish.how is None else _session_inputs(tournament, number, wish.how, wish.seed, before)
    if inputs is None:
        tables = _checked_by_hand(tournament, number, wish.tables)
    else:
        try:
            tables = inputs.seats()
        except SeatingError as error:
            raise Refused(error.problems) from None
    after = [*before[: number - 1], tables, *before[number:]]
    return Reseating(before, after, (number,)), inputs


def _session_inputs(
    tournament: Tournament, number: int, how: SeatingMethod, seed: str, plan: Plan
) -> SessionInputs:
    """Who is to be seated, in which order, and the wishes of the draw that still bind."""
    final = final_of(tournament, number)
    if final is not None and len(final.groups) > 1:
        raise Refused(FINALS_IN_GROUPS())
    players = list(players_in(tournament, number))
    order = (
        _by_standings(tournament, number) if how.needs_standings else [player.number for player in players]
    )
    draw = (inputs_behind(tournament) or DrawInputs((), 0, "")).for_players(
        [player.number for player in players]
    )
    return SessionInputs(
        method=how,
        players=tuple(order),
        others=tuple(
            tuple(map(dict, tables)) for at, tables in enumerate(plan, 1) if at != number and tables
        ),
        seed=seed,
        teams={player.number: player.team for player in players if player.team},
        clubs={player.number: player.club for player in players if player.club} if draw.clubs else {},
        countries={player.number: player.country for player in players if player.country}
        if draw.countries
        else {},
        teams_first=draw.teams_first,
        forbidden=draw.forbidden,
        stay=draw.stay,
        left=max(0, tournament.sessions_planned - max(number, len(plan))),
    )


def _by_standings(tournament: Tournament, number: int) -> list[int]:
    """The players by the standings after the sessions before this one, all of them closed; who is not ranked last."""
    earlier = tournament.sessions.filter(number__lt=number)
    if (still_open := earlier.exclude(state=Session.State.CLOSED).first()) is not None:
        raise Refused(EARLIER_SESSION_OPEN(session=still_open.number))
    if number == 1:
        raise Refused(NOTHING_TO_SEAT_BY())
    rows = current_standings(tournament, Audience.STAFF, closed_only=True).rows
    playing = set(players_in(tournament, number).values_list("number", flat=True))
    order = [row.number for row in rows if row.number in playing]
    return order + sorted(playing.difference(order))


def _checked_by_hand(tournament: Tournament, number: int, tables: Tables) -> Tables:
    """Tables given by hand: four at each, and everybody who plays at one of them."""
    here = set(players_in(tournament, number).values_list("number", flat=True))
    problems = plan_problems([tables], here, number)
    missing = here - {player for table in tables for player in table.values()}
    problems += [NOT_SEATED_BY_HAND(player=player) for player in sorted(missing)]
    if problems:
        raise Refused(problems)
    return tables


# --- Swaps, the filmed table, plans ---


PlannedSessions = Mapping[int, Tables]
"""Session number → its tables in order."""


def streamed(
    tournament: Tournament, players: Sequence[int], table: int, sessions: Sequence[int]
) -> Reseating:
    """The seats as they would be; stores nothing. Refused as `seat_at_stream`."""
    if not sessions:
        raise Refused(NOTHING_LEFT_TO_PLAY("sessions"))
    refuse_begun(tournament, sessions)
    before = seats_of_all(tournament)
    begun = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    try:
        after = seat_at_stream_table(before, players, table, sessions, begun=begun)
    except SeatingError as error:
        raise Refused(error.problems) from None
    changed = tuple(n for n, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != list(new))
    if not changed:
        raise Refused(PLAN_CHANGES_NOTHING())
    return Reseating(before, after, changed)


def exchanged(tournament: Tournament, one: int, other: int, sessions: Sequence[int]) -> Reseating:
    """The seats as they would be; stores nothing. Refused as `swap_players`."""
    if not sessions:
        raise Refused(NOTHING_LEFT_TO_PLAY())
    refuse_begun(tournament, sessions)
    before = seats_of_all(tournament)
    try:
        return Reseating(before, swap_in_plan(before, one, other, set(sessions)), tuple(sorted(sessions)))
    except SeatingError as error:
        raise Refused(error.problems) from None


def planned(tournament: Tournament, sessions: PlannedSessions) -> Reseating:
    """The seats as they would be; stores nothing. Sessions that have begun may be in the plan as they are.

    Refused with everything that is wrong: `where` is "session <n>, table <m>" where it is about one table.
    """
    before = seats_of_all(tournament)
    if not sessions:
        raise Refused(NO_SEATS())
    if problems := [*_planned_problems(tournament, before, sessions)]:
        raise Refused(problems)
    last = max(len(before), *sessions)
    now = {number: before[number - 1] if number <= len(before) else [] for number in range(1, last + 1)}
    after = [sessions.get(number, now[number]) for number in range(1, last + 1)]
    changed = tuple(number for number in sorted(sessions) if list(sessions[number]) != now[number])
    if not changed:
        raise Refused(PLAN_CHANGES_NOTHING())
    return Reseating(before, after, changed)


def _planned_problems(tournament: Tournament, before: Plan, sessions: PlannedSessions) -> Iterator[Problem]:
    here = set(tournament.players.exclude(LEFT).values_list("number", flat=True))
    begun = set(tournament.sessions.exclude(state=Session.State.PLANNED).values_list("number", flat=True))
    for number, tables in sorted(sessions.items()):
        if number not in begun:
            yield from plan_problems([tables], here, number)
            yield from _left_out(tournament, number, tables)
        elif list(tables) != list(before[number - 1]):
            yield SESSION_ALREADY_BEGUN(session=number)
    for number in range(len(before) + 1, max(sessions)):
        if number not in sessions:
            yield EARLIER_SESSION_UNSEATED(session=number)


def _left_out(tournament: Tournament, session: int, tables: Tables) -> Iterator[Problem]:
    seated = {player for table in tables for player in table.values()}
    for player in sorted(set(players_in(tournament, session).values_list("number", flat=True)) - seated):
        yield NO_SEAT_IN_SESSION(player=player, session=session)


# --- Planning again ---


Named: TypeAlias = tuple[tuple[int, str], ...]


def replanned(tournament: Tournament) -> Reseating:
    """The sessions left, seated for the players who have not withdrawn, near to the seats there are; stores nothing.

    A newcomer takes the seat of somebody who left. What the draw was asked for holds on: pairs and, if they never were
    to meet, team-mates apart; players at their tables; club-mates and compatriots rarely. Refused when tables would
    not be full, or no session with seats is left to play, or finals are set up.
    """
    if tournament.finals.exists():
        raise Refused(FINALS_NOT_REPLANNED())
    before = seats_of_all(tournament)
    kept = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    if kept >= len(before):
        raise Refused(NOTHING_LEFT_TO_PLAY())
    players = list(tournament.players.exclude(LEFT))
    inputs = inputs_behind(tournament)
    try:
        remaining = _replan_cached(
            tuple(player.number for player in players),
            as_sessions(before[:kept]),
            as_sessions(before[kept:]),
            tournament.draw_seed or "replan",
            teams=_named((p.number, p.team) for p in players if inputs and inputs.teams_first),
            clubs=_named((p.number, p.club) for p in players if inputs and inputs.clubs),
            countries=_named((p.number, p.country) for p in players if inputs and inputs.countries),
            forbidden=tuple(inputs.forbidden) if inputs else (),
            stay=tuple(inputs.stay.items()) if inputs else (),
        )
    except SeatingError as error:
        raise Refused(error.problems) from None
    return Reseating(before, (*before[:kept], *remaining), tuple(range(kept + 1, len(before) + 1)))


@lru_cache(maxsize=8)
def _replan_cached(
    players: tuple[int, ...],
    played: Sessions,
    planned: Sessions,
    seed: str,
    *,
    teams: Named,
    clubs: Named,
    countries: Named,
    forbidden: tuple[tuple[int, int], ...],
    stay: tuple[tuple[int, int], ...],
) -> Sequence[Tables]:
    """`replan`, remembered: what was looked at is not searched for anew while its confirmation holds the tournament."""
    return replan(
        players,
        as_plan(played),
        as_plan(planned),
        seed=seed,
        teams=dict(teams),
        clubs=dict(clubs),
        countries=dict(countries),
        forbidden=forbidden,
        stay=dict(stay),
    )


def _named(groups: Iterable[tuple[int, str]]) -> Named:
    return tuple((number, name) for number, name in groups if name)


# --- Finals ---


@dataclass(frozen=True)
class FinalPlan:
    """A final as it would be, its sessions, and who shares the last place that goes on."""

    cut: Cut
    sessions: tuple[int, ...]
    tied: tuple[int, ...]
    again: Reseating


def planned_final(tournament: Tournament, wish: FinalsWish) -> FinalPlan:
    """The final after the newest session closed; stores nothing.

    Sessions planned beyond those of the final lose their seats: a further final may use them. Refused while a session
    is being played, before any was, a second time after the same session, and without enough players.
    """
    after = last_closed(tournament)
    now, stage = current_standings(tournament, Audience.STAFF, closed_only=True), wish.stage
    try:
        going = groups(finalists(now, stage, wish.first), stage)
    except ValueError:
        raise Refused(TOO_FEW_FINALISTS("size", top=stage.top)) from None
    before = seats_of_all(tournament)
    seats = final_sessions(going, wish.sessions, seed=wish.seed, played=before[:after])
    end = max(len(before), after + wish.sessions)
    emptied = end - after - wish.sessions
    return FinalPlan(
        cut=Cut(after, going, stage.carry),
        sessions=tuple(range(after + 1, after + wish.sessions + 1)),
        tied=straddling(now, stage),
        again=Reseating(before, [*before[:after], *seats, *[[]] * emptied], tuple(range(after + 1, end + 1))),
    )


def last_closed(tournament: Tournament) -> int:
    begun = list(tournament.sessions.exclude(state=Session.State.PLANNED))
    if not begun:
        raise Refused(FINALS_TOO_EARLY())
    if begun[-1].state == Session.State.RUNNING:
        raise Refused(SESSION_STILL_RUNNING(session=begun[-1].number))
    if tournament.finals.filter(after_session=begun[-1].number).exists():
        raise Refused(FINALS_SET_ALREADY(session=begun[-1].number))
    return begun[-1].number


# --- Corrections ---


def tables_with(session: Session, one: int, other: int) -> list[Table]:
    """The table or tables of the session at which the two players, by number, sit."""
    seated = Table.objects.filter(session=session, seats__player__number__in=(one, other))
    return list(seated.select_related("session__tournament").order_by("number").distinct())


def seats_with(session: Session, one: int, other: int) -> tuple[Seat, Seat] | None:
    """Their seats in this order; None where one of them has none."""
    seats = Seat.objects.filter(table__session=session, player__number__in=(one, other))
    seat_of = {seat.player.number: seat for seat in seats.select_related("player", "table")}
    return (seat_of[one], seat_of[other]) if len(seat_of) == 2 else None


def last_correction(session: Session) -> LogEntry | None:
    """The newest correction of this session's seats that has not been taken back.

    Where the session's start was, only what came since: another start may find other people in the seats.
    """
    undone = set()
    entries = session.tournament.log.of(SEATS_CORRECTED, CORRECTION_UNDONE, SESSION_UNSTARTED).filter(
        data__session=session.number
    )
    for entry in entries.reverse():
        if entry.action == SESSION_UNSTARTED.code:
            return None
        if entry.action == CORRECTION_UNDONE.code:
            undone.add(entry.data["undoes"])
        elif entry.seq not in undone:
            return entry
    return None


def looked_at(session: Session, one: int, other: int) -> tuple[Seat, Seat]:
    """The seats of the two by the record, in this order; stores nothing. Refused as `correct_seats`."""
    refuse_exchange(session.tournament, session, one, other, tables_with(session, one, other))
    seats = seats_with(session, one, other)
    assert seats is not None
    return seats


def state_of(tables: Sequence[Table]) -> str:
    """Give what changes when somebody writes at these tables."""
    return " ".join(f"{table.number}:{table.version}" for table in tables)


def refuse_exchange(
    tournament: Tournament, session: Session, one: int, other: int, tables: Sequence[Table]
) -> None:
    """Only in a session being played, and only two who sit there."""
    if not tournament.sessions.filter(pk=session.pk, state=Session.State.RUNNING).exists():
        raise Refused(SESSION_NOT_RUNNING(session=session.number))
    if one == other:
        raise Refused(SWAP_WITH_SELF("other"))
    seated = Seat.objects.filter(table__in=tables).values_list("player__number", flat=True)
    for name, player in (("one", one), ("other", other)):
        if player not in seated:
            raise Refused(NO_SEAT_IN_SESSION(name, player=player, session=session.number))


# --- Where somebody sits next ---


FEW = 5
"""More fit a table better."""


@dataclass(frozen=True)
class SeatAnswer:
    player: Player
    seat: Seat | None
    """In the session being played, or the next one; None where no seat is to come."""
    entry: Entry | None
    """The timetable's line for it."""
    later: tuple[Seat, ...]


def seat_answers(tournament: Tournament, found: Sequence[PlayerSeats]) -> tuple[SeatAnswer, ...]:
    """Answer "Where do I sit?" for each of those found; none where they are many.

    Who has withdrawn sits nowhere any more.
    """
    if len(found) > FEW:
        return ()
    planned = timetable(tournament)
    return tuple(
        SeatAnswer(
            player=player_seats.player,
            seat=coming[0] if coming else None,
            entry=planned.of(coming[0].table.session.number) if coming else None,
            later=tuple(coming[1:]),
        )
        for player_seats in found
        for coming in [_seats_to_come(player_seats)]
    )


def _seats_to_come(player_seats: PlayerSeats) -> list[Seat]:
    over = (
        {Session.State.CLOSED, Session.State.PLANNED}
        if player_seats.player.has_left
        else {Session.State.CLOSED}
    )
    return [seat for seat in player_seats.seats if seat is not None and seat.table.session.state not in over]
