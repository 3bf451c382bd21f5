"""Storing the columns of the results file for the European Mahjong Association."""

from collections.abc import Sequence

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.ema.engine import DEFAULT, Column
from tournament.ema.models import EmaColumns
from tournament.ema.selectors import columns_of, tidy, wrong_columns
from tournament.ema.texts import EMA_COLUMNS_SET


def set_ema_columns(tournament: Tournament, actor: Actor, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The file has these columns, in this order. The usual ones are not stored, so that they can change with Hule."""
    access.require(actor, tournament, Right.ORGANISE)
    wanted = tidy(columns)
    with log.write(tournament, actor, EMA_COLUMNS_SET) as entry:
        if problems := wrong_columns(wanted):
            raise Refused(problems)
        if wanted == columns_of(entry.tournament):
            entry.unchanged()
            return wanted
        if wanted == DEFAULT:
            EmaColumns.objects.filter(tournament=entry.tournament).delete()
        else:
            stored = {"columns": [column.to_json() for column in wanted]}
            EmaColumns.objects.update_or_create(tournament=entry.tournament, defaults=stored)
        entry.data = {"columns": len(wanted)}
    return wanted
