"""What is wrong with an event's page, with a file for it, and with its certificates."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

EVENT_PAGE: dict[str, str | Promise] = {
    "event_page_changed_meanwhile": _(
        "Somebody else has changed this page in the meantime. Look at it in another tab; saving again puts your words "
        "in its place."
    ),
    "text_unreadable": _("There are signs in it that cannot be shown. Type it anew."),
    "link_unreadable": _("This is no link: it begins with https:// and names a site."),
    "mers_unknown": _("“{mers}” does not say whether the European ranking counts it."),
    "title_missing": _("Say what the file is."),
    "file_too_large": _("The file is larger than {most} MB."),
    "file_of_no_kind": _("Only PDF, PNG, JPEG and WebP files are shown here."),
    "picture_of_no_kind": _("A picture is a PNG, JPEG or WebP file."),
    "picture_too_many_pixels": _("The picture has more than {most} million pixels. Make it smaller first."),
    "too_many_certificates": _("There are certificates for 0 to {most} places."),
    "file_unreadable": _("The file did not come whole. Send it once more."),
    "too_many_files": _("A page has at most {most} files. Remove one first."),
    "uuid_of_another_event": _("This file was already saved for another event."),
}
