"""The fields of a sanction: points and to whom, and what else; and the sanction they say."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from penalties.engine import PaidTo, Points, Sanction
from penalties.engine.sanctions import MOST_POINTS, SANCTION_FLAGS
from penalties.engine.scale import points
from penalties.texts import flag_text
from tournament.fouls.forms.penalties import PAID_TO


def sanction_fields(prefix: str, sanction: Sanction, title: Any) -> dict[str, forms.Field]:
    """What a sanction is entered in, under names that begin with `prefix`."""
    amount = sanction.points.amount if sanction.points else None
    return {
        f"{prefix}_amount": forms.IntegerField(
            label=title, required=False, min_value=1, max_value=MOST_POINTS, initial=amount
        ),
        f"{prefix}_paid_to": forms.ChoiceField(
            label=_("Paid to"),
            choices=PAID_TO,
            initial=sanction.points.paid_to.value if sanction.points else PaidTo.NOBODY.value,
        ),
        f"{prefix}_flags": forms.MultipleChoiceField(
            label=_("What else?"),
            choices=flag_choices(),
            required=False,
            widget=forms.CheckboxSelectMultiple,
            initial=[flag for flag in SANCTION_FLAGS if getattr(sanction, flag)],
        ),
    }


def sanction_of(data: dict[str, Any], prefix: str, before: Sanction) -> Sanction:
    """What was entered; points that were left alone keep the scope they had."""
    amount, paid_to = data[f"{prefix}_amount"], PaidTo(data[f"{prefix}_paid_to"])
    new = points(amount, paid_to) if amount else None
    if new and before.points and (new.amount, new.paid_to) == (before.points.amount, before.points.paid_to):
        new = before.points
    return flagged(data[f"{prefix}_flags"], new)


def flagged(flags: list[str], with_points: Points | None = None) -> Sanction:
    """What is ticked, and points."""
    return Sanction.from_json(dict.fromkeys(flags, True)) | Sanction(points=with_points)


def flag_choices() -> list[tuple[str, str]]:
    """Everything a sanction can hold besides points."""
    return [(flag, capfirst(flag_text(flag))) for flag in SANCTION_FLAGS]
