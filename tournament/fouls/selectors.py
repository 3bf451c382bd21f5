"""Reads of appeals, of who may rule on them, and of penalties; the assessment of a foul."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet, Sum
from django.utils import timezone

from penalties.engine import PointScope, Sanction
from penalties.engine.sanctions import AT_TABLE
from penalties.models import Penalty
from penalties.selectors import earlier_fouls
from scoring.engine.problems import Problem, problem_code
from tournament.base import access, hooks
from tournament.base.access import Actor, Right, roles_with
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import LATE
from tournament.base.models.log import name_of
from tournament.base.models.people import Player
from tournament.base.models.play import OPEN, Appeal, Seat, Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors import hidden_from
from tournament.fouls.engine import Assessment, assess_foul
from tournament.play.engine.judge import NOT_AT_THIS_TABLE
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.absences import absent_players, points_held
from tournament.play.selectors.clock import appeals_until
from tournament.play.selectors.hands import FIGURES, contradictions, unplayed_hand_problems
from tournament.play.selectors.tables import current_hand, empty_seats

DEAD_HAND_ALREADY = problem_code(
    "dead_hand_already", "{name} already has a penalty for a dead hand in hand {hand}."
)
LATE_ALREADY = problem_code(
    "late_already", "{name} already has a penalty for being late in session {session}."
)
LATER_THAN_THE_SESSION = problem_code(
    "later_than_the_session", "The session lasts {minutes} minutes: nobody can be later than that."
)
FOUL_IN_EMPTY_SEAT = problem_code(
    "foul_in_empty_seat",
    "The seat of player {player} is empty in this hand: an empty seat can neither foul nor "
    "be fouled. A missing player can only be late.",
)
COMMITTEE_OF_THREE = problem_code(
    "committee_of_three", "A committee has {size} members: the chief umpire and two others."
)
COMMITTEE_STRANGER = problem_code("committee_stranger", "{name} is not an umpire here.")
COMMITTEE_CONCERNED = problem_code(
    "committee_concerned", "{name} took the decision or plays at that table, and cannot rule on it."
)
COMMITTEE_WITHOUT_CHIEF = problem_code(
    "committee_without_chief", "The chief umpire or an organiser must be a member."
)

# --- Appeals ---


@dataclass(frozen=True)
class Objections:
    """The open appeals and the end of the time for appeals. False if every result is final."""

    open: tuple[Appeal, ...]
    until: datetime | None
    """The end of the time for appeals; None if it has passed or no session is closed."""

    def __bool__(self) -> bool:
        return bool(self.open) or self.until is not None


def objections(tournament: Tournament, audience: Audience) -> Objections:
    """Return the open appeals, without those of sessions hidden from the audience, and until when one can appeal."""
    closed = tournament.sessions.filter(state=Session.State.CLOSED).select_related("tournament")
    ends = [until for session in closed if (until := appeals_until(session)) is not None]
    future = [until for until in ends if until > timezone.now()]
    hidden = hidden_from(audience, tournament)
    open_appeals = appeals_of(tournament).filter(OPEN).exclude(table__session__number__in=hidden)
    return Objections(tuple(open_appeals), max(future, default=None))


def appeals_of(tournament: Tournament) -> QuerySet[Appeal]:
    """Return every appeal, the oldest first."""
    appeals = Appeal.objects.filter(table__session__tournament=tournament).prefetch_related("committee")
    return appeals.select_related(
        "table__session__tournament",
        "player",
        "penalty__player",
        "penalty__tournament",
        "opened_by",
        "ruled_by",
        "settled_by",
    )


def is_remedied(appeal: Appeal) -> bool:
    """Return whether the penalty was cancelled, or the hand corrected, since the appeal was opened."""
    if appeal.penalty is not None:
        return appeal.penalty.is_cancelled
    if appeal.hand_number is None:
        return False
    hand = appeal.table.hands.filter(number=appeal.hand_number, is_current=True).first()
    return hand is not None and not hand.deepens and hand.recorded_at > appeal.opened_at


def can_rule_on(actor: Actor, appeal: Appeal) -> bool:
    """Return whether the actor is in the appeal's committee, or may rule at that table if there is no committee."""
    committee = list(appeal.committee.all())
    if not committee:
        return access.can_rule(actor, appeal.table)
    # A token may be limited to fewer rights or to other tournaments.
    has_right = Right.JUDGE in actor.rights_limit and actor.reaches(appeal.table.session.tournament)
    return actor.is_system or (actor.user in committee and has_right)


def require_can_rule_on(actor: Actor, appeal: Appeal) -> None:
    """Raise Forbidden unless `can_rule_on`."""
    reason = f"the appeal from {appeal.table} is for somebody else to rule on"
    access.require_that(actor, lambda actor: can_rule_on(actor, appeal), reason)


def concerned_accounts(appeal: Appeal) -> set[int]:
    """Return the keys of the accounts that took the decision or play at that table, and so must not rule on it."""
    playing = Membership.objects.filter(
        tournament=appeal.table.session.tournament_id, player__in=appeal.table.seats.values("player")
    )
    accounts = _deciding_accounts(appeal) | set(playing.values_list("user", flat=True))
    return {account for account in accounts if account is not None}


def _deciding_accounts(appeal: Appeal) -> set[int | None]:
    """Return who recorded the hand or gave the penalty that the appeal is against.

    For an appeal against the whole sheet: everybody who recorded a hand, gave a penalty or handed the sheet in.
    """
    table = appeal.table
    if appeal.penalty is not None:
        return {appeal.penalty.given_by_id}
    if appeal.hand_number is not None:
        versions = table.hands.filter(number=appeal.hand_number, recorded_at__lte=appeal.opened_at)
        latest = versions.order_by("-version").first()
        return {latest.recorded_by_id} if latest else set()
    scorers = table.hands.filter(is_current=True).order_by("number").values_list("recorded_by", flat=True)
    umpires = table.penalties.filter(cancelled_at=None).order_by("pk").values_list("given_by", flat=True)
    return {*scorers, *umpires, table.in_by_id}


def is_among(actor: Actor, accounts: Collection[int]) -> bool:
    """Return whether the actor's account is one of these, by primary key."""
    return actor.user is not None and actor.user.pk in accounts


COMMITTEE_SIZE: Final = 3
"""The chief umpire and two others."""


def committee_problems(appeal: Appeal, members: Collection[Any]) -> list[Problem]:
    """Return every problem with these users as the appeal's committee."""
    tournament = appeal.table.session.tournament
    umpires, excluded = committee_candidates(tournament), concerned_accounts(appeal)
    problems = []
    if len(set(members)) != COMMITTEE_SIZE:
        problems.append(COMMITTEE_OF_THREE("members", size=COMMITTEE_SIZE))
    problems += [COMMITTEE_STRANGER("members", name=name_of(user)) for user in members if user not in umpires]
    problems += [
        COMMITTEE_CONCERNED("members", name=name_of(user)) for user in members if user.pk in excluded
    ]
    if members and not any(access.may(Actor.of(user), tournament, Right.RULE) for user in members):
        problems.append(COMMITTEE_WITHOUT_CHIEF("members"))
    return problems


def committee_candidates(tournament: Tournament) -> list[User]:
    """Return the users who may give penalties or rulings at the tournament, the chief umpire first."""
    memberships = Membership.objects.filter(
        tournament=tournament, role__in=roles_with(Right.JUDGE), desk_pass=None, table_number=None
    )
    chiefs = {membership.user_id for membership in memberships if membership.role == Role.CHIEF}
    users = User.objects.filter(pk__in=memberships.values("user"), is_active=True).order_by("username")
    return sorted(users, key=lambda user: user.pk not in chiefs)


def exclude_accounts(users: Iterable[User], accounts: Collection[int]) -> list[User]:
    return [user for user in users if user.pk not in accounts]


# --- Assessments ---


def assess(table: Table, accusation: Accusation) -> Assessment:
    """Return the sanction for a foul at this table with its effects, problems and warnings. Stores nothing."""
    players = {player.number: player for player in Player.objects.filter(seats__table=table)}
    if problems := _placement_problems(table, players, accusation):
        return Assessment(tuple(problems))
    others = [number for number in players if number != accusation.player]
    offender, rules = players[accusation.player], table.session.tournament.rules
    assessment = assess_foul(
        accusation,
        rules.fouls,
        others,
        earlier_fouls(offender),
        session=table.session.number,
        points_held=points_held(table.seats.get(player=offender)),
    )
    if assessment.sanction is None or assessment.problems:
        return assessment
    warnings = (
        *contradictions(table, offender, accusation.hand_number, assessment.sanction),
        *_duplicate_warnings(table, offender, accusation, assessment.sanction),
    )
    return replace(assessment, warnings=warnings)


def finalist_warning(table: Table, assessment: Assessment) -> str:
    """Say who would be in the coming final instead of whom if the penalty were given; "" if nobody changes.

    A penalty that only counts beyond the table's score is not looked at.
    """
    points = assessment.sanction and assessment.sanction.points
    if not points or points.scope not in AT_TABLE:
        return ""
    figures = {
        seat.player.number: {figure: getattr(seat, figure) for figure in FIGURES}
        for seat in table.seats.select_related("player")
    }
    for number, change in assessment.effects.items():
        figures[number]["game_points"] += change
    [warning] = hooks.finalist_warnings(table, Audience.STAFF, figures)
    return warning


def _duplicate_warnings(
    table: Table, player: Player, accusation: Accusation, sanction: Sanction
) -> Iterator[Problem]:
    """Warn of a second penalty for lateness in the session, and of a second dead hand in the same hand."""
    in_force = list(Penalty.objects.filter(table=table, player=player, cancelled_at=None))
    if accusation.foul == LATE and any(penalty.foul == LATE for penalty in in_force):
        yield LATE_ALREADY("foul", name=player.name, session=table.session.number)
    hand = accusation.hand_number
    dead_hands = [penalty.hand_number for penalty in in_force if penalty.sanction.get("dead_hand")]
    if sanction.dead_hand and hand is not None and hand in dead_hands:
        yield DEAD_HAND_ALREADY("hand_number", name=player.name, hand=hand)


def _placement_problems(table: Table, players: Mapping[int, Player], accusation: Accusation) -> list[Problem]:
    """Return problems with the people, the hand and the minutes; at an empty seat only lateness is possible."""
    numbers = {"player": accusation.player}
    if accusation.victim is not None:
        numbers["victim"] = accusation.victim
    problems = [
        NOT_AT_THIS_TABLE(where, player=number) for where, number in numbers.items() if number not in players
    ]
    if accusation.hand_number is not None:
        problems += unplayed_hand_problems(table, accusation.hand_number)
    longest = table.session.minutes + table.extra_minutes
    if accusation.foul == LATE and (accusation.details.get("minutes") or 0) > longest:
        problems.append(LATER_THAN_THE_SESSION("minutes", minutes=longest))
    if problems or accusation.hand_number is None or accusation.foul == LATE:
        return problems
    hand = current_hand(table, accusation.hand_number)
    empty = absent_players(hand) if hand else empty_seats(table)
    return [FOUL_IN_EMPTY_SEAT(where, player=number) for where, number in numbers.items() if number in empty]


# --- Lists of penalties ---


@dataclass(frozen=True)
class Balance:
    """A check of a session's game points: they sum to zero but for penalties paid to nobody.

    `session` None: penalties deducted from the total over all sessions.
    """

    session: int | None
    scores: int
    """The sum of all players' game points."""
    unpaid: int
    """The points of penalties paid to nobody."""

    @property
    def is_balanced(self) -> bool:
        return self.scores + self.unpaid == 0


def visible_penalties(tournament: Tournament, audience: Audience) -> QuerySet[Penalty]:
    """Return the penalties of the sessions that the audience may see."""
    hidden = hidden_from(audience, tournament)
    return Penalty.objects.filter(tournament=tournament).exclude(table__session__number__in=hidden)


def penalties_section(
    tournament: Tournament, audience: Audience, _table: Table | None, _player: Player | None
) -> dict[str, bool]:
    """Return context for the frame of public pages: whether it links to the penalties."""
    return {"has_penalties": tournament.penalties_public and visible_penalties(tournament, audience).exists()}


def list_penalties(tournament: Tournament, audience: Audience, **lookups: Any) -> QuerySet[Penalty]:
    """Return the visible penalties that match the lookups, cancelled ones included, the newest first."""
    penalties = visible_penalties(tournament, audience).filter(**lookups).order_by("-given_at", "-id")
    return penalties.select_related(
        "player", "victim", "table__session", "tournament", "given_by", "cancelled_by"
    )


def unfinished_seats(player: Player) -> list[Seat]:
    """Return the player's seats at tables whose play is not finished, by session."""
    seats = Seat.objects.filter(player=player, table__is_in=False)
    seats = seats.exclude(table__session__state=Session.State.CLOSED).select_related(
        "table__session", "player"
    )
    return list(seats.order_by("table__session__number"))


def balances(tournament: Tournament, audience: Audience) -> list[Balance]:
    """Return the balance of every session that has begun, and one of scope TOURNAMENT if there are such penalties."""
    in_force = list(
        visible_penalties(tournament, audience).filter(cancelled_at=None).select_related("table__session")
    )
    unpaid: Counter[int] = Counter()
    for penalty in in_force:
        unpaid[penalty.table.session.number] -= sum(penalty.effects_at_table.values())
    scores = dict(
        Seat.objects.filter(table__session__tournament=tournament)
        .exclude(table__session__state=Session.State.PLANNED)
        .exclude(table__session__number__in=hidden_from(audience, tournament))
        .values_list("table__session__number")
        .annotate(Sum("game_points"))
        .order_by("table__session__number")
    )
    sessions = [Balance(session, total, unpaid[session]) for session, total in scores.items()]
    changes = [
        sum(penalty.effects.values())
        for penalty in in_force
        if (points := Sanction.from_json(penalty.sanction).points) and points.scope is PointScope.TOURNAMENT
    ]
    return [*sessions, Balance(None, sum(changes), -sum(changes))] if changes else sessions


def penalised_fouls(tournament: Tournament, audience: Audience) -> list[str]:
    """Return the keys of the fouls for which there are penalties."""
    keys = visible_penalties(tournament, audience).order_by("foul").values_list("foul", flat=True)
    return list(keys.distinct())
