"""What an accusation comes to by the foul book, from plain values; also in the umpire's browser, without a network."""

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
from penalties.engine.facts import stated
from penalties.engine.rules import HAND_NUMBER_MISSING
from penalties.engine.sanctions import AT_TABLE
from scoring.engine.problems import Problem
from tournament.base.engine.rules import rules_from_snapshot
from tournament.play.engine.statements import Accusation


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


def assessed(
    accusation: Accusation,
    book: FoulBook,
    others: Sequence[int],
    earlier: Sequence[EarlierFoul],
    *,
    session: int,
    points_held: int | None,
) -> Assessment:
    """Work out the sanction for a foul of somebody at a table, `others` being the three they play with.

    `earlier`: the player's fouls that stand. `points_held`: what they can still lose; None where nobody starts with
    points.
    """
    facts = Facts(
        hand_number=accusation.hand_number,
        session=session,
        victim=accusation.victim,
        points_held=points_held,
        **stated(accusation.details),
    )
    proposal = propose(accusation.foul, facts, earlier, book)
    if proposal.sanction is None:
        return Assessment(proposal.problems, proposal)
    sanction = proposal.sanction if accusation.imposed is None else accusation.imposed
    faults = list(people_problems(sanction, accusation.player, others, accusation.victim))
    if sanction.lasts_the_hand and accusation.hand_number is None:
        faults.insert(0, HAND_NUMBER_MISSING("hand_number"))
    if faults:
        return Assessment(tuple(faults), proposal, sanction)
    effects = point_effects(sanction, accusation.player, others, accusation.victim)
    return Assessment((), proposal, sanction, effects)


# --- Without a network ---


def answer(question: str) -> str:
    """Answer a question in JSON with {"problems", "proposal"} in JSON, for a desk without a network.

    The question: {"rules": a snapshot, "session", "scores": {player: game points}, "earlier": [[foul, hand, session]],
    "accusation": as the desk sends it}. The proposal: {"imposed", "total", "open", "judgement", "grave", "effects"},
    where only what moves the scores at the table counts; None with problems.
    """
    data = json.loads(question)
    rules, scores = rules_from_snapshot(data["rules"]), data["scores"]
    accused = data["accusation"]
    imposed = Sanction.from_json(accused["sanction"]) if "sanction" in accused else None
    accusation = Accusation.of(accused, imposed)
    ruling = assessed(
        accusation,
        rules.fouls,
        [int(player) for player in scores if int(player) != accusation.player],
        [EarlierFoul(*earlier) for earlier in data["earlier"]],
        session=data["session"],
        points_held=rules.attendance.points_held(scores[str(accusation.player)]),
    )
    problems = [
        {"code": problem.code, "where": problem.where, "params": dict(problem.params)}
        for problem in ruling.problems
    ]
    return json.dumps({"problems": problems, "proposal": None if problems else _plain(ruling)})


def _plain(ruling: Assessment) -> dict[str, Any]:
    assert ruling.proposal is not None
    assert ruling.proposal.reason is not None
    assert ruling.sanction is not None
    points = ruling.sanction.points
    return {
        "imposed": ruling.sanction.to_json(),
        "total": points.total if points else 0,
        "open": ruling.proposal.reason.code == "discretion",
        "judgement": ruling.is_judgement,
        "grave": ruling.sanction.is_grave,
        "effects": ruling.effects if points and points.scope in AT_TABLE else {},
    }
