"""Log actions of files, and the names of places in an event that the audit refers to."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.problems import Problem
from tournament.base.log_actions import Data, LogAction
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.web.texts.log import LogWords


def _tournament_taken(words: LogWords, data: Data) -> str:
    if data["contacts"]:
        return str(gettext_lazy("The whole tournament was downloaded as a file, with contact data."))
    return str(gettext_lazy("The whole tournament was downloaded as a file, without contact data."))


TOURNAMENT_EXPORTED = LogAction("tournament_taken", _tournament_taken)


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
    """Return the place of a hand; with `version`, of that version of it."""
    if version is None:
        return _("{place}, hand {hand}").format(place=table_place(table), hand=number)
    return _("{place}, hand {hand} version {version}").format(
        place=table_place(table), hand=number, version=version.version
    )


def item_place(place: str, item: object) -> str:
    """Return a place and the name of a person or thing there."""
    return _("{place}, {whom}").format(place=place, whom=item)


def sentence_with_place(problem: Problem) -> str:
    """Return a problem's sentence, after its JSON pointer if it has one: "/hands/3/points: …"."""
    text = sentence(problem)
    return f"{problem.where}: {text}" if problem.where.startswith("/") else text
