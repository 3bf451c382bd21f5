"""A row as it is under the lock: what was read before may have changed since, or be gone."""

from __future__ import annotations

from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet

from tournament.base.errors import refuse

M = TypeVar("M", bound=Model)


def fresh(found: QuerySet[M], row: Model) -> M:
    """The row anew, as the query reads it; refused when somebody has deleted it in the meantime."""
    try:
        return found.get(pk=row.pk)
    except ObjectDoesNotExist:
        raise refuse("deleted_meanwhile") from None
