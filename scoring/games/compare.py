"""What another program made of a win, held against the score."""

from dataclasses import dataclass

from scoring.engine import BOTZONE, Difference, Explanation, Rulebook
from scoring.engine.explain import differences, explain
from scoring.engine.score import payments
from scoring.games.deal import Deal
from scoring.games.names import named
from scoring.games.replay import Won, play_over


@dataclass(frozen=True, slots=True)
class Judgement:
    """A recorded deal as it is scored here; all None of a draw."""

    deal: Deal
    won: Won | None = None
    explanation: Explanation | None = None
    differences: tuple[Difference, ...] = ()
    unknown: tuple[str, ...] = ()
    """Names of fans that we do not have."""
    payments_differ: bool = False

    @property
    def agrees(self) -> bool:
        return not (self.differences or self.unknown or self.payments_differ)


def judge(deal: Deal, rulebook: Rulebook = BOTZONE) -> Judgement:
    """Play a deal over and score its win; raises `UnreadableGame` where it cannot have been so."""
    won = play_over(deal)
    if won is None:
        return Judgement(deal)
    explanation = explain(won.hand, rulebook)
    if deal.recorded is None:
        return Judgement(deal, won, explanation)
    said = named(deal.recorded.fans)
    found = differences(explanation, said.fans, deal.recorded.points)
    return Judgement(deal, won, explanation, found, said.unknown, _pay_otherwise(deal, won, explanation))


def _pay_otherwise(deal: Deal, won: Won, explanation: Explanation) -> bool:
    recorded = deal.recorded.payments if deal.recorded else None
    return recorded is not None and recorded != _payments(won, explanation.score.points)


def _payments(won: Won, points: int) -> tuple[int, ...]:
    return tuple(payments(points, won.winner, won.discarder))
