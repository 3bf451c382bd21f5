"""The documents there are to ask for, in the order in which an event needs them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.selectors.site import what_keeps_site

Kind = DocumentJob.Kind


@dataclass(frozen=True)
class Paper:
    """`kind`: as it is asked for, ":a6" where it has its own paper. `title` is on the button, too."""

    kind: str
    title: str | Promise
    about: str | Promise = ""
    settings: str = ""
    """The address of what it can be told beforehand; empty for most."""


@dataclass(frozen=True)
class Group:
    key: str
    title: str | Promise
    papers: tuple[Paper, ...]

    @property
    def of_session(self) -> bool:
        """Whether a session is chosen for them."""
        return self.key == "session"


SHELF: Final = (
    Group(
        "before",
        _("Before the event"),
        (
            Paper(Kind.BADGES, _("Badges"), _("Eight a page, with flag, club and a tile, to cut out.")),
            Paper(Kind.CHECK_IN, _("Check-in list"), _("Everybody by name, with a box to tick.")),
            Paper(Kind.DUES, _("Dues list"), _("Who owes what, and who has paid.")),
            Paper(
                Kind.SEATS,
                _("Seats to hang up"),
                _("Everybody by name with their tables, then each session by table."),
            ),
            Paper(
                Kind.SCHEDULES,
                _("A card for each player"),
                _("When and at which table each player sits, to cut out."),
            ),
            Paper(
                Kind.TABLE_NUMBERS,
                _("Table numbers"),
                _("One a page, to be read across the hall; the code leads to the ranking."),
            ),
            Paper(
                Kind.CARD,
                _("Umpire’s card to print"),
                _("Fouls, lateness, claims and payments by this foul book, on one side; everybody finds it."),
            ),
            Paper(f"{Kind.CARD}:a6", _("Umpire’s card as a booklet"), _("The same for the pocket, on A6.")),
            Paper(
                Kind.ROUNDS,
                _("Umpires’ tables"),
                _("A sheet for each umpire of the rota; the fouls are on its back."),
            ),
        ),
    ),
    Group(
        "session",
        _("For a session"),
        (
            Paper(
                Kind.BUNDLE,
                _("Everything for this session"),
                _("Seats, score sheets, foul record, tabulation form and the umpires’ tables in one file."),
            ),
            Paper(
                Kind.SCORE_SHEETS,
                _("Score sheets of a session"),
                _(
                    "A page for each table: the sixteen hands with who deals, names, signatures, "
                    "and a code that opens the table."
                ),
            ),
            Paper(Kind.FOULS, _("Foul record"), _("What was given so far, and lines for more.")),
            Paper(
                Kind.TABULATION,
                _("Tabulation form"),
                _("Every table with its points, as far as they are known."),
            ),
            Paper(
                Kind.SESSION,
                _("Standings of this session alone"),
                _("The points of one session, and its statistics."),
            ),
        ),
    ),
    Group(
        "results",
        _("Results"),
        (
            Paper(Kind.STANDINGS, _("Standings to print"), _("Everybody, with every session.")),
            Paper(Kind.TEAMS, _("Standings of teams"), _("Each with its members.")),
            Paper(Kind.NATIONS, _("Standings of nations"), _("Each with its players.")),
            Paper(
                Kind.STATISTICS,
                _("Statistics"),
                _("How hands ended, the dearest ones, and which fans were made."),
            ),
        ),
    ),
    Group(
        "after",
        _("After the event"),
        (
            Paper(
                Kind.CERTIFICATES,
                _("Certificates"),
                _("For the first places and the best hand, with your own words and picture."),
                "organiser_certificates",
            ),
            Paper(Kind.REPORT, _("Tournament report"), _("Everything there is to say of the event.")),
            Paper(
                Kind.OBSERVER,
                _("Observer’s report"),
                _("The form of the European Mahjong Association, filled in as far as Hule knows."),
            ),
            Paper(
                Kind.SITE,
                _("Web site of the event"),
                _("All public pages as files that need no server, with the data beside them, in a ZIP."),
            ),
        ),
    ),
)
"""Group by group; the first of a group is asked for most."""
NEED_SEATS: Final = frozenset({Kind.SEATS, Kind.SCHEDULES, Kind.TABLE_NUMBERS})


def shelf_of(tournament: Tournament, seated: list[int]) -> Iterator[Group]:
    """What makes sense for this event: nothing of seats, teams, nations or dues without any."""
    left_out = _without(tournament) | (frozenset() if seated else NEED_SEATS)
    for group in SHELF:
        if seated or not group.of_session:
            yield replace(group, papers=tuple(one for one in group.papers if one.kind not in left_out))


def _without(tournament: Tournament) -> frozenset[str]:
    players = tournament.players
    there = {
        Kind.TEAMS: players.exclude(team="").exists(),
        Kind.NATIONS: players.exclude(country="").values("country").distinct().count() > 1,
        Kind.DUES: tournament.dues.exists(),
        Kind.SITE: what_keeps_site(tournament) is None,
    }
    return frozenset(kind for kind, is_there in there.items() if not is_there)
