"""Writing the timetable: all of it at once, every mistake said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.events.models.timetable import TimetableItem
from tournament.events.selectors.timetable import fingerprint
from tournament.events.selectors.timetable_lines import TimetableLine, timetable_problems


def set_timetable(
    tournament: Tournament, actor: Actor, lines: Sequence[TimetableLine], *, seen: str = ""
) -> list[TimetableItem]:
    """The timetable is these lines, empty ones left out. `seen`: the fingerprint of the timetable they were made from;
    refused when it is another by now. The same timetable again writes nothing."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "timetable_set") as entry:
        before = list(entry.tournament.timetable.all())
        if seen and seen != fingerprint(before):
            raise refuse("timetable_changed_meanwhile")
        if problems := timetable_problems(entry.tournament, lines):
            raise Refused(problems)
        items = _items(entry.tournament, before, [line for line in lines if not line.is_empty])
        if fingerprint(items) == fingerprint(before):
            entry.unchanged()
            return before
        entry.tournament.timetable.all().delete()
        TimetableItem.objects.bulk_create(items)
        entry.data = {"lines": [_as_data(item) for item in items]}
    return items


def _items(
    tournament: Tournament, before: Sequence[TimetableItem], lines: Sequence[TimetableLine]
) -> list[TimetableItem]:
    """The rows for lines without faults; what is changed keeps its UUID."""
    sessions = {item.session: item.uuid for item in before if item.session is not None}
    others = {item.uuid for item in before if item.session is None}
    return [_item(tournament, line, _uuid(line, sessions, others)) for line in lines]


def _item(tournament: Tournament, line: TimetableLine, uuid: UUID) -> TimetableItem:
    assert line.day is not None
    assert line.starts is not None
    item = TimetableItem(
        tournament=tournament, uuid=uuid, session=line.session, day=line.day, starts=line.starts
    )
    if line.session is None:
        item.title, item.ends = line.title.strip(), line.ends
    return item


def _uuid(line: TimetableLine, sessions: Mapping[int, UUID], others: set[UUID]) -> UUID:
    """A session's is that of the session, whoever sent the line; another's that of the line changed, once."""
    if line.session is not None:
        return sessions.get(line.session) or uuid4()
    if line.uuid is not None and line.uuid in others:
        others.remove(line.uuid)
        return line.uuid
    return uuid4()


def move_timetable(tournament: Tournament, days: int) -> None:
    """All lines move by so many days, as the tournament does. Call with its row locked."""
    for item in tournament.timetable.all():
        item.day += timedelta(days=days)
        item.save(update_fields=["day"])


def _as_data(item: TimetableItem) -> dict[str, Any]:
    return {
        "session": item.session,
        "title": item.title,
        "day": str(item.day),
        "starts": f"{item.starts:%H:%M}",
        "ends": f"{item.ends:%H:%M}" if item.ends else None,
    }
