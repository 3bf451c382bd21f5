"""Parts of a ceremony: what it is called, and who was told just before."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from tournament.screens.models.ceremonies import Ceremony
from tournament.screens.selectors.ceremony import Line, Podium

register = template.Library()

SHOWN = 8
"""How many lines the hall shows below the stage: four in each of two columns."""


@register.filter
def called(stage: Podium) -> str:
    """Players · the best 10."""
    kind = str(Ceremony.Kind(stage.kind).label)
    if stage.first is None:
        return kind
    return _("{kind} · the best {n}").format(kind=kind, n=stage.first)


@register.filter
def just_told(stage: Podium) -> list[Line]:
    """The lines told before the newest place, the best first."""
    return [line for place in stage.earlier for line in place][:SHOWN]
