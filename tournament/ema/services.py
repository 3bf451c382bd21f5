"""Store the columns of the results file for the European Mahjong Association, and what concerns its certification."""

from collections.abc import Sequence
from dataclasses import asdict

from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.models.tournament import Tournament
from tournament.base.validation import check
from tournament.ema.engine.columns import DEFAULT_COLUMNS, Column
from tournament.ema.models import EmaCertification, EmaColumns
from tournament.ema.selectors.certification import certification_of
from tournament.ema.selectors.results import columns_of
from tournament.ema.texts import EMA_CERTIFICATION_SET, EMA_COLUMNS_SET


def set_ema_columns(tournament: Tournament, actor: Actor, columns: Sequence[Column]) -> tuple[Column, ...]:
    """Store the columns of the file, in this order. Idempotent. Raises Refused for invalid columns.

    The default columns are not stored, so that a later release can change them.
    """
    with log.write(tournament, actor, EMA_COLUMNS_SET, Right.ORGANISE) as entry:
        before, stored = columns_of(entry.tournament), EmaColumns.objects.filter(tournament=entry.tournament)
        row = stored.first() or EmaColumns(tournament=entry.tournament)
        row.columns = [asdict(column) for column in columns]
        check(row)
        after = tuple(Column(**column) for column in row.columns)
        if after == before:
            entry.mark_unchanged()
        elif after == DEFAULT_COLUMNS:
            stored.delete()
        else:
            row.save()
        entry.data = {"columns": len(after)}
    return after


def set_certification(certification: EmaCertification, actor: Actor) -> EmaCertification:
    """Store what the organiser knows about the certification. Idempotent. Raises Refused with all problems."""
    with log.write(certification.tournament, actor, EMA_CERTIFICATION_SET, Right.ORGANISE) as entry:
        before = certification_of(entry.tournament)
        check(certification, exclude=["tournament"])
        changed = [name for name, value in certification.content().items() if value != getattr(before, name)]
        if not changed:
            return entry.unchanged(before)
        certification.pk = before.pk
        certification.save()
        entry.data = {"fields": changed}
    return certification
