"""Parts of sentences that the log and the pages share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import groupby

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined, joined_clauses


def where_text(
    sessions: Sequence[int], tables: Iterable[Sequence[int]], *, every_session: bool = False
) -> str:
    """Where an umpire may write: "everywhere", "sessions 1, 2", "session 4: tables 1, 2", "table 3 in every session".

    `tables` are pairs of session and table; `every_session`: the tables' numbers hold in all of them.
    """
    if every_session:
        numbers = sorted({table for _session, table in tables})
        return _("{tables} in every session").format(tables=tables_text(numbers))
    by_tables: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for session, group in groupby(sorted(map(tuple, tables)), key=lambda pair: pair[0]):
        by_tables[tuple(table for _session, table in group)].append(session)
    parts = [
        _("{sessions}: {tables}").format(sessions=sessions_text(where), tables=tables_text(numbers))
        for numbers, where in by_tables.items()
    ]
    if sessions:
        parts.append(sessions_text(sessions))
    return joined_clauses(parts) or _("everywhere")


def sessions_text(numbers: Sequence[int]) -> str:
    """Sessions by number, "sessions 1, 2"."""
    text = ngettext("session {numbers}", "sessions {numbers}", len(numbers))
    return text.format(numbers=joined(numbers))


def tables_text(numbers: Sequence[int]) -> str:
    """Tables by number, "tables 1, 2"."""
    text = ngettext("table {numbers}", "tables {numbers}", len(numbers))
    return text.format(numbers=joined(numbers))


def sentences(*said: str | Promise) -> str:
    """Sentences one after the other, but for the empty: a space stands between them in English, nothing in Chinese."""
    texts = list(filter(None, map(str, said)))
    return (
        reduce(lambda one, two: _("{first} {second}").format(first=one, second=two), texts) if texts else ""
    )


def seed_text(seed: object) -> str:
    """The random seed that seats were drawn by, as a sentence; nothing where there was none."""
    return _("Seed: {seed}").format(seed=seed) if seed else ""


def override_text(points_by_tiles: int | None, because: str) -> str:
    """That the umpire counted what was announced, against what, and why."""
    if points_by_tiles is None:
        return _("umpire’s decision below the minimum: {reason}").format(reason=because)
    return _("umpire’s decision, the tiles come to {points}: {reason}").format(
        points=points_by_tiles, reason=because
    )
