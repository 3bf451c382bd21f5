"""How results are sent to the European Mahjong Association."""

from __future__ import annotations

from django.utils.translation import ngettext

from tournament.web.texts.log import Data, LogWords, says


@says("ema_columns_set")
def _columns_set(told: LogWords, data: Data) -> str:
    text = ngettext(
        "The results file for the EMA has {n} column.",
        "The results file for the EMA has {n} columns.",
        data["columns"],
    )
    return text.format(n=data["columns"])
