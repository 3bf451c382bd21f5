"""Appeals and who rules on them; what an accusation comes to; penalties as a list."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet, Sum
from django.utils import timezone

from penalties.engine import PointScope, Sanction
from penalties.models import Penalty
from penalties.selectors import earlier_fouls
from scoring.engine.problems import Problem, problem_code
from tournament.base import access
from tournament.base.access import Actor, Audience, Right, roles_with
from tournament.base.engine.rules import LATE
from tournament.base.models.log import name_of
from tournament.base.models.people import Player
from tournament.base.models.play import OPEN, Appeal, Seat, Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors import hidden_from
from tournament.fouls.engine import Assessment, assessed
from tournament.play.engine.judge import NOT_AT_THIS_TABLE
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.absences import absent_players, empty_seats, points_held
from tournament.play.selectors.clock import appeals_until
from tournament.play.selectors.hands import contradictions, unplayed_hand_problems
from tournament.play.selectors.tables import current_hand

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
    """What may still change the results of a tournament. False when every result is final."""

    open: tuple[Appeal, ...]
    until: datetime | None
    """When the time for appeals is over; None when it is, or no session is closed."""

    def __bool__(self) -> bool:
        return bool(self.open) or self.until is not None


def objections(tournament: Tournament, audience: Audience) -> Objections:
    """Find the open appeals, and until when more can be made. Appeals of hidden sessions are not told to everybody."""
    closed = tournament.sessions.filter(state=Session.State.CLOSED).select_related("tournament")
    ends = [until for session in closed if (until := appeals_until(session)) is not None]
    running = [until for until in ends if until > timezone.now()]
    hidden = hidden_from(audience, tournament)
    still_open = appeals_of(tournament).filter(OPEN).exclude(table__session__number__in=hidden)
    return Objections(tuple(still_open), max(running, default=None))


def appeals_of(tournament: Tournament) -> QuerySet[Appeal]:
    """List every appeal, the oldest first."""
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


def is_met(appeal: Appeal) -> bool:
    """Whether what the appeal is against has been put right since it was opened."""
    if appeal.penalty is not None:
        return appeal.penalty.is_cancelled
    if appeal.hand_number is None:
        return False
    hand = appeal.table.hands.filter(number=appeal.hand_number, is_current=True).first()
    return hand is not None and not hand.deepens and hand.recorded_at > appeal.opened_at


def rules_on(actor: Actor, appeal: Appeal) -> bool:
    """Whether the actor may rule on the appeal: as a member of its committee, or, without one, as who rules there."""
    committee = list(appeal.committee.all())
    if not committee:
        return access.can_rule(actor, appeal.table)
    # in person, or by a token that judges there
    judges = Right.JUDGE in actor.rights_limit and actor.reaches(appeal.table.session.tournament)
    return actor.is_system or (actor.user in committee and judges)


def require_ruling_on(actor: Actor, appeal: Appeal) -> None:
    why_not = f"the appeal from {appeal.table} is for somebody else to rule on"
    access.require_that(actor, lambda asking: rules_on(asking, appeal), why_not)


def concerned(appeal: Appeal) -> set[int]:
    """Find the accounts that took the decision, or play at that table: they rule on nothing there."""
    playing = Membership.objects.filter(
        tournament=appeal.table.session.tournament_id, player__in=appeal.table.seats.values("player")
    )
    accounts = _decided_by(appeal) | set(playing.values_list("user", flat=True))
    return {account for account in accounts if account is not None}


def _decided_by(appeal: Appeal) -> set[int | None]:
    """Find who recorded the hand or gave the penalty that the appeal is against.

    Against the whole sheet: whoever wrote anything on it or handed it in.
    """
    table = appeal.table
    if appeal.penalty is not None:
        return {appeal.penalty.given_by_id}
    if appeal.hand_number is not None:
        versions = table.hands.filter(number=appeal.hand_number, recorded_at__lte=appeal.opened_at)
        latest = versions.order_by("-version").first()
        return {latest.recorded_by_id} if latest else set()
    recorded = table.hands.filter(is_current=True).order_by("number").values_list("recorded_by", flat=True)
    umpires = table.penalties.filter(cancelled_at=None).order_by("pk").values_list("given_by", flat=True)
    return {*recorded, *umpires, table.in_by_id}


def is_among(actor: Actor, accounts: Collection[int]) -> bool:
    return actor.user is not None and actor.user.pk in accounts


COMMITTEE_SIZE: Final = 3
"""The chief umpire and two others."""


def committee_problems(appeal: Appeal, members: Collection[Any]) -> list[Problem]:
    """List everything that is wrong with these users as a committee."""
    tournament = appeal.table.session.tournament
    known, out = candidates(tournament), concerned(appeal)
    problems = []
    if len(set(members)) != COMMITTEE_SIZE:
        problems.append(COMMITTEE_OF_THREE("members", size=COMMITTEE_SIZE))
    problems += [COMMITTEE_STRANGER("members", name=name_of(user)) for user in members if user not in known]
    problems += [COMMITTEE_CONCERNED("members", name=name_of(user)) for user in members if user.pk in out]
    if members and not any(access.may(Actor.of(user), tournament, Right.RULE) for user in members):
        problems.append(COMMITTEE_WITHOUT_CHIEF("members"))
    return problems


def candidates(tournament: Tournament) -> list[User]:
    """List who judges or rules at the tournament with an account, the chief umpire first."""
    memberships = Membership.objects.filter(
        tournament=tournament, role__in=roles_with(Right.JUDGE), desk_pass=None, table_number=None
    )
    chiefs = {membership.user_id for membership in memberships if membership.role == Role.CHIEF}
    users = User.objects.filter(pk__in=memberships.values("user"), is_active=True).order_by("username")
    return sorted(users, key=lambda user: user.pk not in chiefs)


def outside(people: Iterable[User], accounts: Collection[int]) -> list[User]:
    return [user for user in people if user.pk not in accounts]


# --- Assessments ---


def assess(table: Table, accusation: Accusation) -> Assessment:
    """Work out the sanction for a foul at this table, for the preview and the penalty itself; store nothing."""
    people = {player.number: player for player in Player.objects.filter(seats__table=table)}
    if problems := _misplaced(table, people, accusation):
        return Assessment(tuple(problems))
    others = [number for number in people if number != accusation.player]
    offender, rules = people[accusation.player], table.session.tournament.rules
    ruling = assessed(
        accusation,
        rules.fouls,
        others,
        earlier_fouls(offender),
        session=table.session.number,
        points_held=points_held(table.seats.get(player=offender)),
    )
    if ruling.sanction is None or ruling.problems:
        return ruling
    warnings = (
        *contradictions(table, offender, accusation.hand_number, ruling.sanction),
        *_given_already(table, offender, accusation, ruling.sanction),
    )
    return replace(ruling, warnings=warnings)


def _given_already(
    table: Table, player: Player, accusation: Accusation, sanction: Sanction
) -> Iterator[Problem]:
    """Warn of a second lateness in the session, and of a second penalty that costs the same hand."""
    standing = list(Penalty.objects.filter(table=table, player=player, cancelled_at=None))
    if accusation.foul == LATE and any(penalty.foul == LATE for penalty in standing):
        yield LATE_ALREADY("foul", name=player.name, session=table.session.number)
    hand = accusation.hand_number
    dead = [penalty.hand_number for penalty in standing if penalty.sanction.get("dead_hand")]
    if sanction.dead_hand and hand is not None and hand in dead:
        yield DEAD_HAND_ALREADY("hand_number", name=player.name, hand=hand)


def _misplaced(table: Table, people: Mapping[int, Player], accusation: Accusation) -> list[Problem]:
    """Return problems with the people, the hand and the minutes; at an empty seat only lateness is possible."""
    named = {"player": accusation.player}
    if accusation.victim is not None:
        named["victim"] = accusation.victim
    problems = [
        NOT_AT_THIS_TABLE(where, player=player) for where, player in named.items() if player not in people
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
    return [FOUL_IN_EMPTY_SEAT(where, player=player) for where, player in named.items() if player in empty]


# --- Lists of penalties ---


@dataclass(frozen=True)
class Balance:
    """One session, or what lies beyond all tables (`session` None): the scores and what accounts for them."""

    session: int | None
    scores: int
    """All players' game points together: hands sum to zero, so only penalties move this."""
    unpaid: int
    """What penalties took and paid to nobody."""

    @property
    def comes_out(self) -> bool:
        return self.scores + self.unpaid == 0


def penalties_of(tournament: Tournament, audience: Audience) -> QuerySet[Penalty]:
    """List all penalties that the audience is told of."""
    hidden = hidden_from(audience, tournament)
    return Penalty.objects.filter(tournament=tournament).exclude(table__session__number__in=hidden)


def penalties_section(
    tournament: Tournament, audience: Audience, _table: Table | None, _player: Player | None
) -> dict[str, bool]:
    """Tell the frame of public pages whether there are penalties that everybody may see."""
    return {"has_penalties": tournament.penalties_public and penalties_of(tournament, audience).exists()}


def list_penalties(tournament: Tournament, audience: Audience, **lookups: Any) -> QuerySet[Penalty]:
    """List the penalties that these lookups find, the newest first, the cancelled ones too."""
    penalties = penalties_of(tournament, audience).filter(**lookups).order_by("-given_at", "-id")
    return penalties.select_related(
        "player", "victim", "table__session", "tournament", "given_by", "cancelled_by"
    )


def seats_left_by(player: Player) -> list[Seat]:
    """List the player's seats at tables that play or are to play, in the order of the sessions."""
    seats = Seat.objects.filter(player=player, table__is_in=False)
    seats = seats.exclude(table__session__state=Session.State.CLOSED).select_related(
        "table__session", "player"
    )
    return list(seats.order_by("table__session__number"))


def balances(tournament: Tournament, audience: Audience) -> list[Balance]:
    """Balance every session that has begun, then the game points that penalties took from the final sums alone."""
    standing = list(
        penalties_of(tournament, audience).filter(cancelled_at=None).select_related("table__session")
    )
    at_tables: Counter[int] = Counter()
    for penalty in standing:
        at_tables[penalty.table.session.number] -= sum(penalty.effects_at_table.values())
    scores = dict(
        Seat.objects.filter(table__session__tournament=tournament)
        .exclude(table__session__state=Session.State.PLANNED)
        .exclude(table__session__number__in=hidden_from(audience, tournament))
        .values_list("table__session__number")
        .annotate(Sum("game_points"))
        .order_by("table__session__number")
    )
    sessions = [Balance(session, total, at_tables[session]) for session, total in scores.items()]
    moved = [
        sum(penalty.effects.values())
        for penalty in standing
        if (points := Sanction.from_json(penalty.sanction).points) and points.scope is PointScope.TOURNAMENT
    ]
    return [*sessions, Balance(None, sum(moved), -sum(moved))] if moved else sessions


def fouls_given(tournament: Tournament, audience: Audience) -> list[str]:
    """List the keys of the fouls for which there are penalties."""
    keys = penalties_of(tournament, audience).order_by("foul").values_list("foul", flat=True)
    return list(keys.distinct())
