"""The facts of each step before the first session."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.site.engine import Preparation
from tournament.web.texts.words import money_text


def facts_of(facts: Preparation, first_at: datetime | None, unpaid: int) -> Mapping[str, Sequence[str]]:
    """Return section → sentences.

    `first_at`: when the first session starts; `unpaid`: how many people owe something, if the reader may know.
    """
    return {
        "event": [
            _("Venue and contact are on the event page.")
            if facts.is_described
            else _("Where it is, and whom to ask.")
        ],
        "registration": [*_registration(facts)],
        "people": [*_people(facts, unpaid)],
        "timetable": [_timetable(facts, first_at)],
        "certification": [_certification(facts.not_met or 0)],
        "draw": [_draw(facts)],
        "staff": [*_staff(facts)],
        "documents": [_("Table cards, score sheets, name tags and seats.")],
    }


def _registration(facts: Preparation) -> Iterator[str]:
    if not facts.has_registration:
        yield _("People register themselves. Without it, you add the players from a list or one by one.")
    elif facts.places:
        yield _("Places taken: %(taken)s of %(of)s") % {"taken": facts.taken, "of": facts.places}
    else:
        text = ngettext("%(n)s person is coming", "%(n)s people are coming", facts.taken)
        yield text % {"n": facts.taken}
    if facts.waiting:
        yield _("%(n)s on the waiting list") % {"n": facts.waiting}
    if facts.prices:
        yield joined(f"{name} {money_text(amount)}" for name, amount in facts.prices)


def _people(facts: Preparation, unpaid: int) -> Iterator[str]:
    if n := facts.to_review:
        yield ngettext("%(n)s person is to be reviewed.", "%(n)s people are to be reviewed.", n) % {"n": n}
    if n := facts.to_enter:
        text = ngettext(
            "%(n)s person has a place and is not a player yet.",
            "%(n)s people have a place and are not players yet.",
            n,
        )
        yield text % {"n": n}
    if n := facts.players:
        yield ngettext("%(n)s player", "%(n)s players", n) % {"n": n}
    elif not facts.taken:
        yield _("Upload a list, paste one, or enter people one by one.")
    if n := facts.missing:
        text = ngettext(
            "%(n)s more player is needed to fill the last table.",
            "%(n)s more players are needed to fill the last table.",
            n,
        )
        yield text % {"n": n}
    if unpaid:
        text = ngettext("%(n)s person has not paid.", "%(n)s people have not paid.", unpaid)
        yield text % {"n": unpaid}


def _timetable(facts: Preparation, first_at: datetime | None) -> str:
    if not first_at:
        return _("Everybody then sees when they play.")
    return _("Sessions planned: %(n)s of %(of)s, the first on %(at)s") % {
        "n": facts.scheduled,
        "of": facts.sessions,
        "at": date_format(localtime(first_at), "SHORT_DATETIME_FORMAT"),
    }


def _certification(not_met: int) -> str:
    if not not_met:
        return _("The event meets what Hule can check.")
    text = ngettext("%(n)s clause is not met.", "%(n)s clauses are not met.", not_met)
    return text % {"n": not_met}


def _draw(facts: Preparation) -> str:
    if n := facts.drawn:
        return ngettext("%(n)s session is drawn.", "%(n)s sessions are drawn.", n) % {"n": n}
    if facts.are_players_done:
        n = facts.players // SEATS_PER_TABLE
        return ngettext("The players fill %(n)s table.", "The players fill %(n)s tables.", n) % {"n": n}
    return _("Once the players are entered.")


def _staff(facts: Preparation) -> Iterator[str]:
    if facts.officials:
        yield joined(facts.officials)
    if not facts.are_officials_done:
        n = facts.officials_needed
        text = ngettext(
            "About %(n)s umpire is needed: one for about four tables.",
            "About %(n)s umpires are needed: one for about four tables.",
            n,
        )
        yield text % {"n": n}
