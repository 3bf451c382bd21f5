"""Several texts as one, with the signs of the reader's language. Nothing that people read is joined by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def joined(items: Iterable[object]) -> str:
    """Things of one kind, in a row: "1, 2, 3", 「1、2、3」; "" for none."""
    return pgettext("between the items of a list", ", ").join(map(str, items))


def joined_and(items: Sequence[str]) -> str:
    """All of them, said in full: "A", "A and B", "A, B and C", 「A、B和C」."""
    if len(items) < 2:
        return joined(items)
    return _("%(items)s and %(last)s") % {"items": joined(items[:-1]), "last": items[-1]}


def joined_parts(parts: Iterable[object]) -> str:
    """Parts of one sentence, each said of the same: "20 points to each of the others, dead hand"; "" for none."""
    return _(", ").join(map(str, parts))


def joined_clauses(clauses: Iterable[object]) -> str:
    """What has commas of its own: "session 1: tables 1, 2; session 2"; "" for none."""
    return _("; ").join(map(str, clauses))
