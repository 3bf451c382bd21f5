"""What the pages of the rules are asked: two throws of dice, the wind one starts with, words to look for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.rotation import APPENDIX_2, CHARTS, WINDS, Chart
from tournament.play.engine.wall import THROWS
from tournament.web.forms.spoken import Form
from tournament.web.texts import winds

CHART_NAMES: dict[str, str | Promise] = {
    "appendix2": _("Appendix 2"),
    "exchanged": _("West and North round exchanged"),
}
_THROWS = [(throw, str(throw)) for throw in THROWS]
EXAMPLE = (5, 8)
"""The throws of the rules' own example (000:270-271)."""


class _Asked(Form):
    """A GET form whose every field may be left out, or hold nonsense: then it is as if left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_valid()


class ThrowsForm(_Asked):
    first = forms.ChoiceField(required=False, choices=_THROWS, label=_("First throw, by East"))
    second = forms.ChoiceField(required=False, choices=_THROWS, label=_("Second throw"))

    @property
    def throws(self) -> tuple[int, int]:
        first, second = (self.cleaned_data.get(name) for name in ("first", "second"))
        return int(first or EXAMPLE[0]), int(second or EXAMPLE[1])


class OwnSeatForm(_Asked):
    start = forms.ChoiceField(
        required=False, choices=[(wind, winds.NAMES[wind]) for wind in WINDS], label=_("You start as")
    )
    chart = forms.ChoiceField(required=False, choices=list(CHART_NAMES.items()), label=_("Seat rotation"))

    @property
    def wind(self) -> str:
        return self.cleaned_data.get("start") or "E"

    @property
    def rotation(self) -> Chart:
        return CHARTS[self.cleaned_data.get("chart") or APPENDIX_2.key]
