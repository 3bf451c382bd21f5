"""The event's page in words: the log, and what is wrong."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
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
"""What the log calls the parts of the page; what was written stands on the page and not in the log."""

rows(
    {
        "event_document_added": gettext_lazy("A file was put on the event’s page."),
        "event_document_removed": gettext_lazy("A file was removed from the event’s page."),
    }
)


@says("event_page_changed")
def _event_page_changed(words: LogWords, data: Data) -> str:
    fields = joined(str(FIELDS.get(name, name)) for name in data["fields"])
    return _("The event’s page was changed: {fields}.").format(fields=fields)


EVENT_PAGE: dict[str, str | Promise] = {
    "event_page_changed_meanwhile": gettext_lazy(
        "Somebody else has changed this page in the meantime. Look at it in another tab; saving again puts your words "
        "in its place."
    ),
    "text_unreadable": gettext_lazy("There are signs in it that cannot be shown. Type it anew."),
    "link_unreadable": gettext_lazy("This is no link: it begins with https:// and names a site."),
    "mers_unknown": gettext_lazy("“{mers}” does not say whether the European ranking counts it."),
    "title_missing": gettext_lazy("Say what the file is."),
    "file_too_large": gettext_lazy("The file is larger than {most} MB."),
    "file_of_no_kind": gettext_lazy("Only PDF, PNG, JPEG and WebP files are shown here."),
    "picture_of_no_kind": gettext_lazy("A picture is a PNG, JPEG or WebP file."),
    "picture_too_many_pixels": gettext_lazy(
        "The picture has more than {most} million pixels. Make it smaller first."
    ),
    "too_many_certificates": gettext_lazy("There are certificates for 0 to {most} places."),
    "file_unreadable": gettext_lazy("The file did not come whole. Send it once more."),
    "too_many_files": gettext_lazy("A page has at most {most} files. Remove one first."),
    "uuid_of_another_event": gettext_lazy("This file was already saved for another event."),
}
