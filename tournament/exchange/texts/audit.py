"""Where in an event something does not agree, for whoever has to find it there."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournament.base.models.hands import Hand
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament


def entry_place(tournament: Tournament, entry: int) -> str:
    return _("{event}, log entry {entry}").format(event=tournament.slug, entry=entry)


def session_place(session: Session) -> str:
    return _("{event}, session {session}").format(event=session.tournament.slug, session=session.number)


def final_place(tournament: Tournament, after: int) -> str:
    return _("{event}, final after session {session}").format(event=tournament.slug, session=after)


def table_place(table: Table) -> str:
    session = table.session
    return _("{event}, session {session}, table {table}").format(
        event=session.tournament.slug, session=session.number, table=table.number
    )


def hand_place(table: Table, number: int, version: Hand | None = None) -> str:
    """`version`: the one it is about, where that is not the hand as it stands."""
    if version is None:
        return _("{place}, hand {hand}").format(place=table_place(table), hand=number)
    return _("{place}, hand {hand} version {version}").format(
        place=table_place(table), hand=number, version=version.version
    )


def about(place: str, whom: object) -> str:
    """Somebody or something there that has a name."""
    return _("{place}, {whom}").format(place=place, whom=whom)
