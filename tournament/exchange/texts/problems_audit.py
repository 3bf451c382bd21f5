"""What is stored and does not agree with what was done. The place stands in front: these go on from there."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

AUDIT: dict[str, str | Promise] = {
    "audit_chain": _("does not follow from the one before"),
    "audit_public_number": _("is not counted for the public as it should be"),
    "audit_not_as_logged": _("is not as the log has it"),
    "audit_not_as_signed": _("is not what {player} signed"),
    "audit_figure": _("{name} is stored as {stored} and comes to {due}"),
    # hands
    "audit_hand_numbers": _("its hands are numbered {numbers}"),
    "audit_hand_count": _("counts {counted} hands and has {there}"),
    "audit_hand_not_logged": _("has {points} points, the log says nothing of it"),
    "audit_hand_points": _("has {points} points, the log says {said}"),
    "audit_hand_worth": _("has {points} points, what was entered comes to {due}"),
    "audit_hand_payments": _("its payments do not follow from its points"),
    "audit_hand_illegal": _("is not legal: {codes}"),
    "audit_hand_contradicted": _("wants correcting: {because}"),
    # penalties
    "audit_penalty_too_late": _("is of hand {number}, of {begun} that have begun"),
    "audit_penalty_without_hand": _("holds for one hand and names none"),
    "audit_penalty_of_nobody": _("is of nobody at this table"),
    "audit_penalty_unpayable": _("cannot be paid: {codes}"),
    "audit_penalty_points": _("its points do not follow from its sanction"),
    # totals from paper
    "audit_totals_missing": _("counts totals and has none"),
    "audit_totals_uncounted": _("has totals that it does not count"),
    "audit_totals_not_logged": _("totals version {version}: the log has nothing of them"),
    "audit_totals_not_as_logged": _("totals version {version}: are not as the log has them"),
    "audit_totals_played": _("totals version {version}: what was played does not follow from what was typed"),
    # clocks
    "audit_extra_time": _("plays {minutes} minutes longer, the log says {said}"),
    "audit_pauses": _("its clock was paused at other times than the log says"),
}
