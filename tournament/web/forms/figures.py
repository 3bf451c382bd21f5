"""Fields that read several figures from one line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from penalties.engine.rules import amounts
from penalties.engine.sanctions import MOST_POINTS

WARNING_WORDS = {"warning", "w", "0", "警告"}


class Amounts(forms.CharField):
    """ "warning, 5, 10": figures with commas or spaces between them; a warning is 0.

    With `span`, "5-60" is any whole number from 5 to 60: a range.
    """

    def __init__(self, *, warning: bool = False, span: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.warning, self.span = warning, span

    def to_python(self, value: Any) -> Any:
        text = (super().to_python(value) or "").strip().lower()
        if self.span and (ends := re.fullmatch(r"(\d{1,4})\s*[-–—~～至]\s*(\d{1,4})", text, re.ASCII)):
            return self._span(text, *map(int, ends.groups()))
        return tuple(self._amount(word) for word in re.split(r"[\s,;，、；]+", text) if word)

    def _span(self, text: str, least: int, most: int) -> range:
        try:
            return amounts(least, most)
        except ValueError:
            raise forms.ValidationError(
                _("“%(word)s” is not an amount of points."), params={"word": text}
            ) from None

    def _amount(self, word: str) -> int:
        if self.warning and word in WARNING_WORDS:
            return 0
        if not re.fullmatch(r"\d{1,4}", word, re.ASCII) or not 1 <= int(word) <= MOST_POINTS:
            raise forms.ValidationError(_("“%(word)s” is not an amount of points."), params={"word": word})
        return int(word)


class Bands(forms.CharField):
    """ "10: 10, 15: 20": up to so many minutes, so many points."""

    def to_python(self, value: Any) -> Any:
        found = []
        for pair in re.split(r"[,;，；\n]+", super().to_python(value) or ""):
            match = re.fullmatch(r"\s*(\d{1,3})\s*[:：]\s*(\d{1,4})\s*", pair)
            if match is None or not int(match[2]):
                raise forms.ValidationError(_("“%(pair)s” is not minutes and points."), params={"pair": pair})
            found.append((int(match[1]), int(match[2])))
        if any(low >= high for (low, _p), (high, _q) in pairwise(found)) or found[0][0] < 1:
            raise forms.ValidationError(_("The minutes must grow from one to the next."))
        return found
