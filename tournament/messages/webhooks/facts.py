"""What a write says to programs and chats: its facts, and whether everybody may know them at this moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tournament.base.models.log_entry import LogEntry
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.engine.kinds import FOR_STAFF, Kind, Says

Facts = dict[str, Any]
PLACE: Final = ("session", "table")


def facts_of(entry: LogEntry, says: Says, language: str) -> Facts:
    """By the names under which programs get them. Read within the write, so that nothing is kept by version here."""
    return _READ[says.kind](entry, says.undone, language)


def embargoed_session(kind: Kind, facts: Mapping[str, Any]) -> int | None:
    """The session of whose play it tells; None for what an embargo never hides."""
    return facts.get("session") if kind in _OF_PLAY else None


def may_be_told(tournament: Tournament, kind: Kind, session: int | None) -> bool:
    """Whether the public pages say it at this moment. What is for the staff is told whatever is hidden."""
    if kind in FOR_STAFF:
        return True
    if not tournament.is_public:
        return False
    if session is None:
        return True
    hidden = tournament.sessions.filter(hidden=True)
    up_to = kind is Kind.RESULTS_PUBLISHED
    return not hidden.filter(**{"number__lte" if up_to else "number": session}).exists()


_OF_PLAY: Final = frozenset({Kind.TABLE_FINISHED, Kind.STANDINGS_CHANGED, Kind.RESULTS_PUBLISHED})


def _of(*names: str) -> Callable[[LogEntry, bool, str], Facts]:
    def read(entry: LogEntry, _undone: bool, _language: str) -> Facts:
        return {name: entry.data[name] for name in names if name in entry.data}

    return read


def _finished(entry: LogEntry, undone: bool, _language: str) -> Facts:
    place = {name: entry.data[name] for name in PLACE}
    if undone:
        return place
    session, table = place.values()
    seats = Seat.objects.select_related("player").filter(
        table__session__tournament=entry.tournament, table__session__number=session, table__number=table
    )
    results = [
        {
            "wind": seat.wind,
            "number": seat.player.number,
            "name": seat.player.name,
            "game_points": seat.game_points,
        }
        for seat in seats
    ]
    return {**place, "results": results}


def _published(entry: LogEntry, _undone: bool, _language: str) -> Facts:
    if "sessions" in entry.data:
        return {"sessions": entry.data["sessions"]}
    publication = entry.tournament.publications.get(version=entry.seq)
    names = {player.number: player.name for player in entry.tournament.players.all()}
    places = [{**row, "name": names.get(row["number"], "")} for row in publication.rows]
    return {"session": publication.after_session, "is_final": publication.is_final, "places": places}


def _announced(entry: LogEntry, _undone: bool, language: str) -> Facts:
    announcement = entry.tournament.announcements.get(uuid=entry.data["uuid"])
    return {
        "announcement": str(announcement.uuid),
        "text": announcement.text_in(language),
        "tables": announcement.tables,
    }


_READ: Final[Mapping[Kind, Callable[[LogEntry, bool, str], Facts]]] = {
    Kind.UMPIRE_CALLED: _of(*PLACE, "topic"),
    Kind.SEATS_DRAWN: _of(),
    Kind.SESSION_STARTED: _of("session"),
    Kind.SESSION_ENDED: _of("session"),
    Kind.TABLE_FINISHED: _finished,
    Kind.STANDINGS_CHANGED: _of(*PLACE),
    Kind.RESULTS_PUBLISHED: _published,
    Kind.ANNOUNCEMENT: _announced,
    Kind.PENALTY: _of(*PLACE, "player", "foul"),
    Kind.APPEAL: _of(*PLACE, "appeal"),
    Kind.REGISTRATION: _of("registration", "state"),
}
