"""What an accusation comes to by the foul book: asked by previews, and by the penalty itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from penalties.engine import Facts, Proposal, Sanction, people_problems, point_effects, propose
from penalties.engine.facts import stated
from penalties.selectors import earlier_fouls
from scoring.engine.problems import Problem
from tournament.base.engine.rules import LATE
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.absences import absent_in, empty_seats, points_held
from tournament.play.selectors.records import current_hand
from tournament.play.selectors.restraints import contradictions, not_begun, without_a_hand


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
