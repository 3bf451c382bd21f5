"""Sentences of the log about tournaments, their pages, settings and timetables."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.log_actions import Data, LogAction
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords

FIELDS: Final = {
    "description": gettext_lazy("description"),
    "rules_note": gettext_lazy("note on the rules"),
    "address": gettext_lazy("address"),
    "country": gettext_lazy("country"),
    "map_url": gettext_lazy("link to a map"),
    "website": gettext_lazy("website"),
    "referees": gettext_lazy("umpires"),
    "contact": gettext_lazy("contact"),
    "mers": gettext_lazy("European ranking"),
    "colour": gettext_lazy("colour"),
}
"""Names of the fields in the log, which does not repeat their contents."""


def _event_page_changed(words: LogWords, data: Data) -> str:
    fields = joined(str(FIELDS.get(name, name)) for name in data["fields"])
    return _("Event page changed: {fields}.").format(fields=fields)


def _logo_changed(words: LogWords, data: Data) -> str:
    return _("Logo of the event chosen.") if data["is_logo"] else _("Logo of the event removed.")


PLAY_SETTINGS: Final[dict[str, str | Promise]] = {
    "last_hand": gettext_lazy("current hand when time is up"),
    "warning": gettext_lazy("warning before the end"),
    "chart": gettext_lazy("seat rotation"),
    "scale": gettext_lazy("table points"),
    "criteria": gettext_lazy("ranking"),
    "held_out_waits": gettext_lazy("waiting for a fifth copy of a tile"),
}
"""Names of the settings in the log; their values are in the data of the entry."""


def _play_settings_changed(words: LogWords, data: Data) -> str:
    settings = joined(str(PLAY_SETTINGS[name]) for name in data["fields"])
    return _("Rules of play changed: {settings}.").format(settings=settings)


def _timetable_set(words: LogWords, data: Data) -> str:
    lines = data["lines"]
    if not lines:
        return str(_("Timetable removed."))
    text = ngettext(
        "Timetable set: {n} line, from {first}.", "Timetable set: {n} lines, from {first}.", len(lines)
    )
    return text.format(n=len(lines), first=min(f"{line['day']} {line['starts']}" for line in lines))


TOURNAMENT_CREATED = LogAction("tournament_created", gettext_lazy("Tournament created: {name}."))
TOURNAMENT_CHANGED = LogAction(
    "tournament_changed",
    gettext_lazy("Settings changed: {name}, {starts_on} to {ends_on}, sessions of {minutes} min."),
)
EVENT_DOCUMENT_ADDED = LogAction("event_document_added", gettext_lazy("File added to the event page."))
EVENT_DOCUMENT_REMOVED = LogAction(
    "event_document_removed", gettext_lazy("File removed from the event page.")
)
LOGO_CHANGED = LogAction("event_logo_changed", _logo_changed)
EVENT_PAGE_CHANGED = LogAction("event_page_changed", _event_page_changed)
PLAY_SETTINGS_CHANGED = LogAction("play_settings_changed", _play_settings_changed)
TIMETABLE_SET = LogAction("timetable_set", _timetable_set)

register_section(
    "event",
    "before",
    10,
    gettext_lazy("Event"),
    "organiser_event",
    Right.ORGANISE,
    help="organisers/first-tournament/#create-the-tournament",
)
register_section(
    "timetable",
    "before",
    40,
    gettext_lazy("Timetable"),
    "organiser_timetable",
    Right.ORGANISE,
    help="organisers/timetable-and-clock/",
)
register_section(
    "rules",
    "settings",
    10,
    gettext_lazy("Rules"),
    "organiser_rules",
    Right.ORGANISE,
    help="organisers/first-tournament/#how-it-is-played",
)
