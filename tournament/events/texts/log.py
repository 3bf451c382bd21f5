"""The event's page: what it tells, and the files on it. What was written stands on the page and not in the log."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.texts import joined
from tournament.web.texts.log import Data, LogWords, rows, says

FIELDS: Final = {
    "description": gettext_lazy("description"),
    "fee": gettext_lazy("fee"),
    "rules_note": gettext_lazy("note on the rules"),
    "address": gettext_lazy("address"),
    "country": gettext_lazy("country"),
    "map_url": gettext_lazy("link to a map"),
    "website": gettext_lazy("website"),
    "referees": gettext_lazy("umpires"),
    "contact": gettext_lazy("contact"),
    "mers": gettext_lazy("European ranking"),
}

rows(
    {
        "event_document_added": gettext_lazy("A file was put on the event’s page."),
        "event_document_removed": gettext_lazy("A file was removed from the event’s page."),
    }
)


@says("event_page_changed")
def _event_page_changed(told: LogWords, data: Data) -> str:
    fields = joined(str(FIELDS.get(name, name)) for name in data["fields"])
    return _("The event’s page was changed: {fields}.").format(fields=fields)
