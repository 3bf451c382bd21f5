"""Storing the columns of the results file for the European Mahjong Association."""

from collections.abc import Sequence
from dataclasses import asdict

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.models.tournament import Tournament
from tournament.base.validation import check
from tournament.ema.engine import DEFAULT, Column
from tournament.ema.models import EmaColumns
from tournament.ema.selectors import columns_of
from tournament.ema.texts import EMA_COLUMNS_SET


def set_ema_columns(tournament: Tournament, actor: Actor, columns: Sequence[Column]) -> tuple[Column, ...]:
    """Store the columns of the file, in this order. The default ones are not stored, so that they can change."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, EMA_COLUMNS_SET) as entry:
        before, stored = columns_of(entry.tournament), EmaColumns.objects.filter(tournament=entry.tournament)
        row = stored.first() or EmaColumns(tournament=entry.tournament)
        row.columns = [asdict(column) for column in columns]
        check(row)
        now = tuple(Column(**column) for column in row.columns)
        if now == before:
            entry.mark_unchanged()
        elif now == DEFAULT:
            stored.delete()
        else:
            row.save()
        entry.data = {"columns": len(now)}
    return now
