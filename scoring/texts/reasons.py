"""Why fans were not counted, and what would have been enough, said to people."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine import Difference, Improvement, Reason, Rejection, Step, Verdict
from scoring.texts.lists import joined
from scoring.texts.names import fan_name

REASONS: dict[Reason, str | Promise] = {
    Reason.EXCLUDED: _("{fan} does not combine with {by}."),
    Reason.NON_REPEAT: _("{fan} is always part of {by} (non-repeat principle)."),
    Reason.NON_SEPARATION: _("{fan} would rearrange sets that already make {by} (non-separation principle)."),
    Reason.NON_IDENTICAL: _("One of its sets already made {by} with another set (non-identical principle)."),
    Reason.HIGHEST: _("{fan} belongs to another reading of the tiles, which is worth less."),
    Reason.ACCOUNT_ONCE: _("Its sets are already tied together by {by} (account-once principle)."),
    Reason.OTHER_WAITS: _("Other tiles would have completed the hand too: {tiles}."),
    Reason.COMPLETED_BY_DISCARD: _("The winning discard completed one of the pungs, so it is not concealed."),
    Reason.NOT_DISCARDED: _("The winning tile was drawn; {fan} needs a discard."),
    Reason.HONOURS: _("{fan} is made of suit tiles in this rulebook."),
    Reason.NOT_IN_RULEBOOK: _("This rulebook does not have {fan}."),
}

STEPS: dict[Step, str | Promise] = {
    Step.SELF_DRAWN: _("Self-drawn, the hand would be worth {points} points."),
    Step.WINNING_TILE: _("Won on {tile}, the hand would be worth {points} points."),
    Step.EXCHANGE: _("With {tile} instead of {instead_of}, the hand would be worth {points} points."),
}

VERDICTS: dict[Verdict, str | Promise] = {
    Verdict.NOT_COUNTED: _("{fan} was announced {announced}×, but counts {counted}×."),
    Verdict.FORGOTTEN: _("{fan} counts {counted}×, but was announced {announced}×."),
    Verdict.WRONG_SUM: _("{announced} points were announced; the hand is worth {counted}."),
}


def reason_sentence(rejection: Rejection) -> str:
    """Why a fan was not counted."""
    return str(REASONS[rejection.reason]).format(
        fan=fan_name(rejection.fan),
        by=fan_name(rejection.by) if rejection.by else "",
        tiles=joined(rejection.tiles),
    )


def improvement_sentence(improvement: Improvement) -> str:
    """What one step would have made of the hand."""
    return str(STEPS[improvement.step]).format(
        tile=improvement.tile, instead_of=improvement.instead_of, points=improvement.points
    )


def difference_sentence(difference: Difference) -> str:
    """How an announcement differs from the score, with the reason where there is one."""
    sentence = str(VERDICTS[difference.verdict]).format(
        fan=fan_name(difference.fan) if difference.fan else "",
        announced=difference.announced,
        counted=difference.counted,
    )
    return f"{sentence} {reason_sentence(difference.because)}" if difference.because else sentence
