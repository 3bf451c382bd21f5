"""Penalties as a list and what an accusation comes to; appeals and who rules on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet, Sum
from django.utils import timezone

from penalties.engine import Facts, PointScope, Proposal, Sanction, people_problems, point_effects, propose
from penalties.engine.facts import stated
from penalties.models import Penalty
from penalties.selectors import earlier_fouls
from scoring.engine.problems import Problem
from tournament.base import access
from tournament.base.access import Actor, Audience, Right, roles_with
from tournament.base.engine.rules import LATE
from tournament.base.models.log import name_of
from tournament.base.models.people import Player
from tournament.base.models.play import OPEN, Appeal, Seat, Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors import hidden_from
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.absences import absent_in, empty_seats, points_held
from tournament.play.selectors.clock import appeals_until
from tournament.play.selectors.hands import contradictions, not_begun, without_a_hand
from tournament.play.selectors.tables import current_hand

# --- What may still change a result: open appeals, and the time in which one can be made ---


@dataclass(frozen=True)
class Objections:
    """Against a tournament's closed sessions and the one being played. False when every result is final."""

    open: tuple[Appeal, ...]
    until: datetime | None
    """When the time for appeals is over; None when it is, or no session is closed."""

    def __bool__(self) -> bool:
        return bool(self.open) or self.until is not None


def objections(tournament: Tournament, audience: Audience) -> Objections:
    """Until when anybody may appeal is told to everybody; which appeals are open, not for hidden sessions."""
    closed = tournament.sessions.filter(state=Session.State.CLOSED).select_related("tournament")
    ends = [until for session in closed if (until := appeals_until(session)) is not None]
    running = [until for until in ends if until > timezone.now()]
    still_open = appeals_of(tournament).filter(OPEN)
    told = still_open.exclude(table__session__number__in=hidden_from(audience, tournament))
    return Objections(tuple(told), max(running, default=None))


def appeals_of(tournament: Tournament) -> QuerySet[Appeal]:
    """Every appeal, the oldest first."""
    found = Appeal.objects.filter(table__session__tournament=tournament).prefetch_related("committee")
    return found.select_related(
        "table__session__tournament",
        "player",
        "penalty__player",
        "penalty__tournament",
        "opened_by",
        "ruled_by",
        "settled_by",
    )


def deciders(appeal: Appeal) -> set[int]:
    """The accounts that recorded the hand or gave the penalty that the appeal is against, and so do not rule on it.

    Against the whole sheet: whoever has anything on it, the handing-in included.
    """
    return {account for account in _written_by(appeal) if account is not None}


def _written_by(appeal: Appeal) -> set[int | None]:
    table = appeal.table
    if appeal.penalty is not None:
        return {appeal.penalty.given_by_id}
    if appeal.hand_number is not None:
        stood = table.hands.filter(number=appeal.hand_number, recorded_at__lte=appeal.opened_at)
        latest = stood.order_by("-version").first()
        return {latest.recorded_by_id} if latest else set()
    recorded = table.hands.filter(is_current=True).order_by("number").values_list("recorded_by", flat=True)
    given = table.penalties.filter(cancelled_at=None).order_by("pk").values_list("given_by", flat=True)
    return {*recorded, *given, table.in_by_id}


def is_met(appeal: Appeal) -> bool:
    """Whether what the appeal is against has been put right since it was opened."""
    if appeal.penalty is not None:
        return appeal.penalty.is_cancelled
    if appeal.hand_number is None:
        return False
    hand = appeal.table.hands.filter(number=appeal.hand_number, is_current=True).first()
    return hand is not None and not hand.deepens and hand.recorded_at > appeal.opened_at


# --- What an accusation comes to by the foul book: asked by previews, and by the penalty itself ---


@dataclass(frozen=True)
class Assessment:
    """What the foul book proposes, what is imposed, and what that does (player number → points)."""

    problems: tuple[Problem, ...]
    proposal: Proposal | None = None
    sanction: Sanction | None = None
    """The foul book's, unless the umpire states another; None when there are problems with the facts."""
    effects: dict[int, int] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    """What the record says against it; the penalty can be given all the same."""

    @property
    def is_override(self) -> bool:
        """Whether the umpire departs from the book; choosing where the book leaves it open is none."""
        if self.proposal is None or self.proposal.sanction is None or self.proposal.reason is None:
            return False
        return self.proposal.reason.code != "discretion" and self.sanction != self.proposal.sanction

    @property
    def is_judgement(self) -> bool:
        """Whether it takes an umpire: the book leaves it open, something else is imposed, or it reaches further
        than the table's score."""
        if self.proposal is None or self.proposal.reason is None or self.sanction is None:
            return False
        is_open = self.proposal.reason.code in ("discretion", "chosen")
        return is_open or self.sanction != self.proposal.sanction or not self.sanction.stays_at_table


def assess(table: Table, accusation: Accusation) -> Assessment:
    """The sanction for a foul at this table; stores nothing. Serves the preview and the penalty itself."""
    people = {player.number: player for player in Player.objects.filter(seats__table=table)}
    if problems := _misplaced(table, people, accusation) or _nobody_there(table, accusation):
        return Assessment(tuple(problems))
    facts = Facts(
        hand_number=accusation.hand_number,
        session=table.session.number,
        victim=accusation.victim,
        points_held=points_held(table.seats.get(player=people[accusation.player])),
        **stated(accusation.details),
    )
    book = table.session.tournament.rules.fouls
    proposal = propose(accusation.foul, facts, earlier_fouls(people[accusation.player]), book)
    if proposal.sanction is None:
        return Assessment(proposal.problems, proposal)
    sanction = proposal.sanction if accusation.imposed is None else accusation.imposed
    others = [number for number in people if number != accusation.player]
    people_faults = people_problems(sanction, accusation.player, others, accusation.victim)
    if faults := (*without_a_hand(accusation.hand_number, sanction), *people_faults):
        return Assessment(faults, proposal, sanction)
    effects = point_effects(sanction, accusation.player, others, accusation.victim)
    warnings = contradictions(table, people[accusation.player], accusation.hand_number, sanction)
    return Assessment((), proposal, sanction, effects, warnings)


def _misplaced(table: Table, people: Mapping[int, Player], accusation: Accusation) -> list[Problem]:
    found = []
    if accusation.player not in people:
        found.append(Problem("not_at_this_table", "player", {"player": accusation.player}))
    if accusation.victim is not None and accusation.victim not in people:
        found.append(Problem("not_at_this_table", "victim", {"player": accusation.victim}))
    if accusation.hand_number is not None:
        found += not_begun(table, accusation.hand_number)
    return found


def _nobody_there(table: Table, accusation: Accusation) -> list[Problem]:
    """In an empty seat nobody fouls or suffers in play; who is missing can be late."""
    if accusation.hand_number is None or accusation.foul == LATE:
        return []
    hand = current_hand(table, accusation.hand_number)
    empty = absent_in(hand) if hand else empty_seats(table)
    named = (("player", accusation.player), ("victim", accusation.victim))
    return [
        Problem("foul_in_empty_seat", field, {"player": who})
        for field, who in named
        if who is not None and who in empty
    ]


# --- Who rules on an appeal: who may sit on its committee, and who may not rule at all ---


SIZE: Final = 3
"""The chief umpire and two."""


def candidates(tournament: Tournament) -> list[User]:
    """Who judges or rules at the tournament with an account, the chief umpire first."""
    judging = Membership.objects.filter(
        tournament=tournament, role__in=roles_with(Right.JUDGE), desk_pass=None, table_number=None
    )
    chiefs = {one.user_id for one in judging if one.role == Role.CHIEF}
    found = User.objects.filter(pk__in=judging.values("user"), is_active=True).order_by("username")
    return sorted(found, key=lambda user: user.pk not in chiefs)


def concerned(appeal: Appeal) -> set[int]:
    """The accounts that took the decision, or play at that table: such a one rules on nothing there."""
    playing = Membership.objects.filter(
        tournament=appeal.table.session.tournament_id, player__in=appeal.table.seats.values("player")
    )
    return deciders(appeal) | set(playing.values_list("user", flat=True))


def is_among(actor: Actor, accounts: Collection[int]) -> bool:
    return actor.user is not None and actor.user.pk in accounts


def eligible(appeal: Appeal) -> list[User]:
    """Who may be on the committee of this one."""
    return outside(candidates(appeal.table.session.tournament), concerned(appeal))


def outside(people: Iterable[User], those: Collection[int]) -> list[User]:
    return [user for user in people if user.pk not in those]


def committee_problems(appeal: Appeal, members: Collection[Any]) -> list[Problem]:
    """Everything that is wrong with these as a committee."""
    tournament = appeal.table.session.tournament
    known, out = candidates(tournament), concerned(appeal)
    found = [Problem("committee_of_three", "members", {"size": SIZE})] if len(set(members)) != SIZE else []
    found += _about_each("committee_stranger", (one for one in members if one not in known))
    found += _about_each("committee_concerned", (one for one in members if one.pk in out))
    if members and not any(access.may(Actor.of(one), tournament, Right.RULE) for one in members):
        found.append(Problem("committee_without_chief", "members"))
    return found


def _about_each(code: str, users: Iterable[Any]) -> list[Problem]:
    return [Problem(code, "members", {"name": name_of(user)}) for user in users]


def rules_on(actor: Actor, appeal: Appeal) -> bool:
    """Whether the appeal is for the actor to rule on: as one of its committee, or, without one, as who rules there."""
    committee = list(appeal.committee.all())
    if committee:
        return actor.is_system or (actor.user in committee and _judges_by(actor, appeal))
    return access.can_rule(actor, appeal.table)


def require_ruling_on(actor: Actor, appeal: Appeal) -> None:
    said = f"the appeal from {appeal.table} is for somebody else to rule on"
    access.require_that(actor, lambda one: rules_on(one, appeal), said)


def _judges_by(actor: Actor, appeal: Appeal) -> bool:
    """A member of the committee rules in person, or by a token that judges there."""
    return Right.JUDGE in actor.at_most and actor.reaches(appeal.table.session.tournament)


# --- The penalties of a tournament as a list, and where the points they took have gone ---


@dataclass(frozen=True)
class PenaltyFilter:
    """Which penalties to list; None or "" for all."""

    player: int | None = None
    foul: str = ""
    session: int | None = None

    def __bool__(self) -> bool:
        return bool(self.player or self.foul or self.session)


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
    """All that the audience is told of."""
    hidden = hidden_from(audience, tournament)
    return Penalty.objects.filter(tournament=tournament).exclude(table__session__number__in=hidden)


def penalties_section(
    tournament: Tournament, audience: Audience, _table: Table | None, _player: Player | None
) -> dict[str, bool]:
    """For the frame of public pages: whether there are penalties that everybody may see."""
    return {"has_penalties": tournament.penalties_public and penalties_of(tournament, audience).exists()}


def list_penalties(tournament: Tournament, audience: Audience, wanted: PenaltyFilter) -> QuerySet[Penalty]:
    """Newest first, the cancelled ones too."""
    found = penalties_of(tournament, audience).select_related(
        "player", "victim", "table__session", "tournament", "given_by", "cancelled_by"
    )
    if wanted.player:
        found = found.filter(player__number=wanted.player)
    if wanted.foul:
        found = found.filter(foul=wanted.foul)
    if wanted.session:
        found = found.filter(table__session__number=wanted.session)
    return found.order_by("-given_at", "-id")


def balances(tournament: Tournament, audience: Audience) -> list[Balance]:
    """Every session that has begun, then the game points that penalties took from the final sums alone."""
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
    found = [Balance(session, total, at_tables[session]) for session, total in scores.items()]
    return [*found, *_beyond(standing)]


def _beyond(standing: Iterable[Penalty]) -> list[Balance]:
    """Points of the whole tournament, if there are any."""
    moved = [
        sum(penalty.effects.values())
        for penalty in standing
        if (points := Sanction.from_json(penalty.sanction).points) and points.scope is PointScope.TOURNAMENT
    ]
    return [Balance(None, sum(moved), -sum(moved))] if moved else []


def fouls_given(tournament: Tournament, audience: Audience) -> list[str]:
    """The keys of the fouls for which there are penalties."""
    keys = penalties_of(tournament, audience).order_by("foul").values_list("foul", flat=True)
    return list(keys.distinct())
