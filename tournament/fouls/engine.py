"""The assessment of a foul by the foul book. Also runs in the umpire's browser while it is offline."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from penalties.engine import (
    EarlierFoul,
    Facts,
    FoulBook,
    Proposal,
    Sanction,
    people_problems,
    point_effects,
    propose,
)
from penalties.engine.facts import select_details
from penalties.engine.rules import HAND_NUMBER_MISSING
from penalties.engine.sanctions import AT_TABLE
from scoring.engine.problems import Problem
from tournament.base.engine.rules import rules_from_snapshot
from tournament.play.engine.statements import Accusation


@dataclass(frozen=True)
class Assessment:
    """The foul book's proposal, the sanction to impose, and its effects by player number."""

    problems: tuple[Problem, ...]
    proposal: Proposal | None = None
    sanction: Sanction | None = None
    """The proposed sanction, or the umpire's own; None if there are problems with the facts."""
    effects: dict[int, int] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    """Contradictions with the score sheet, despite which the penalty can be given."""

    @property
    def is_override(self) -> bool:
        """Whether the umpire imposes another sanction where the book does not leave it to their discretion."""
        if self.proposal is None or self.proposal.sanction is None or self.proposal.reason is None:
            return False
        return not self.is_discretionary and self.sanction != self.proposal.sanction

    @property
    def is_discretionary(self) -> bool:
        """Whether the book leaves the sanction to the umpire."""
        reason = self.proposal.reason if self.proposal else None
        return reason is not None and reason.code == "discretion"

    @property
    def overridden(self) -> Sanction | None:
        """The foul book's sanction, if another one is imposed."""
        return self.proposal.sanction if self.proposal and self.is_override else None

    @property
    def is_judgement(self) -> bool:
        """Whether only an umpire in person may impose it (the right JUDGE).

        That is so if the sanction is the umpire's choice, differs from the book's, or has effects beyond the table.
        """
        if self.proposal is None or self.proposal.reason is None or self.sanction is None:
            return False
        is_open = self.proposal.reason.code in ("discretion", "chosen")
        return is_open or self.sanction != self.proposal.sanction or not self.sanction.stays_at_table


def assess_foul(
    accusation: Accusation,
    book: FoulBook,
    others: Sequence[int],
    earlier: Sequence[EarlierFoul],
    *,
    session: int,
    points_held: int | None,
) -> Assessment:
    """Return the sanction for a foul and its effects, or the problems with the accusation.

    `others`: the three other players at the table. `earlier`: the player's fouls that are not cancelled.
    `points_held`: the most they can lose; None where nobody starts with points.
    """
    facts = Facts(
        hand_number=accusation.hand_number,
        session=session,
        victim=accusation.victim,
        points_held=points_held,
        **select_details(accusation.details),
    )
    proposal = propose(accusation.foul, facts, earlier, book)
    if proposal.sanction is None:
        return Assessment(proposal.problems, proposal)
    sanction = proposal.sanction if accusation.imposed is None else accusation.imposed
    problems = list(people_problems(sanction, accusation.player, others, accusation.victim))
    if sanction.lasts_hand and accusation.hand_number is None:
        problems.insert(0, HAND_NUMBER_MISSING("hand_number"))
    if problems:
        return Assessment(tuple(problems), proposal, sanction)
    effects = point_effects(sanction, accusation.player, others, accusation.victim)
    return Assessment((), proposal, sanction, effects)


# --- Offline preview ---


def answer(question: str) -> str:
    """Preview a penalty for a desk that is offline. Called from the browser, with JSON in and out.

    The question: {"rules": a snapshot, "session", "scores": {player: game points}, "earlier": [[foul, hand, session]],
    "accusation": as in a POST of a penalty}. The answer: {"problems", "proposal"}. The proposal: {"imposed", "total",
    "open", "judgement", "grave", "effects" on the scores at the table}, or None if there are problems.
    """
    data = json.loads(question)
    rules, scores = rules_from_snapshot(data["rules"]), data["scores"]
    fields = data["accusation"]
    imposed = Sanction.from_json(fields["sanction"]) if "sanction" in fields else None
    accusation = Accusation.of(fields, imposed)
    assessment = assess_foul(
        accusation,
        rules.fouls,
        [int(player) for player in scores if int(player) != accusation.player],
        [EarlierFoul(*earlier) for earlier in data["earlier"]],
        session=data["session"],
        points_held=rules.attendance.points_held(scores[str(accusation.player)]),
    )
    problems = [
        {"code": problem.code, "where": problem.where, "params": dict(problem.params)}
        for problem in assessment.problems
    ]
    return json.dumps({"problems": problems, "proposal": None if problems else _proposal_to_json(assessment)})


def _proposal_to_json(assessment: Assessment) -> dict[str, Any]:
    assert assessment.proposal is not None
    assert assessment.proposal.reason is not None
    assert assessment.sanction is not None
    points = assessment.sanction.points
    return {
        "imposed": assessment.sanction.to_json(),
        "total": points.total if points else 0,
        "open": assessment.proposal.reason.code == "discretion",
        "judgement": assessment.is_judgement,
        "grave": assessment.sanction.is_grave,
        "effects": assessment.effects if points and points.scope in AT_TABLE else {},
    }
