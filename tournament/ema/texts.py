"""Sentences about results for the European Mahjong Association."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.log_actions import Data, LogAction
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords


def _columns_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "The results file for the EMA has {n} column.",
        "The results file for the EMA has {n} columns.",
        data["columns"],
    )
    return text.format(n=data["columns"])


EMA_COLUMNS_SET = LogAction("ema_columns_set", _columns_set, audience=Audience.STAFF)


UNCHECKED: Final[Mapping[str, Promise]] = {
    "1.1": _("The national association applied for it, at least 3 months and at most a year before."),
    "2.1": _(
        "At least 16 players are of member countries of the EMA; at a European championship at least 80."
    ),
    "2.3": _("Players of the whole world may enter, within a limit that the application names."),
    "3.6": _(
        "One day has at least 4 sessions of 90 minutes, two days 6 of 120 minutes, three days 9 of 120 minutes; "
        "a day has at most 4 sessions."
    ),
    "3.7": _("The seats are drawn openly and at random, before players."),
    "3.10": _(
        "There is one referee for each 32 players; at championships referees are certified and do not play."
    ),
    "3.11": _("An observer, preferably from another country, is named to the EMA two weeks before."),
    "3.12": _("The first three each get a prize that is not money and has no monetary value."),
}
"""Clause → a requirement of the EMA that Hule does not check ("Requirements and guidelines for MERS tournaments",
18 December 2018)."""


def weight_text(weight: Fraction) -> str:
    """Write a weight: 2.5, 3."""
    return number_format(float(weight), 0 if weight.denominator == 1 else 1)


register_section(
    "ema", "after", 20, _("EMA results"), "organiser_ema", Right.ORGANISE, help="organisers/ema/"
)
