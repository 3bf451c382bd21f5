"""Why the file of a tournament is not taken in, with what the audit finds in one.

Those about a field say no place: it stands in front.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.exchange.texts.problems_audit import AUDIT

TOURNAMENT_FILES: dict[str, str | Promise] = {
    **AUDIT,
    "not_a_tournament_file": _("This is not a tournament’s file (hule-tournament)."),
    "tournament_file_cut": _("This file cannot be read from line {line} on. Perhaps it did not come whole."),
    "tournament_file_too_large": _(
        "This file has more than {most} MB. No file of a tournament is that large."
    ),
    "tournament_file_too_many": _(
        "This file holds more than {most} values. No file of a tournament has so many."
    ),
    "tournament_file_newer": _(
        "This file is of version {version}, and this Hule reads up to version {known}. Bring Hule up to date first."
    ),
    "section_changed": _("The section “{section}” is not as it was written: its digest is another one."),
    "chain_broken": _("The log does not hold together at entry {entry}: something in it was changed."),
    "file_contradicts": _("The file contradicts its own log. {place}: {what}."),
    "file_does_not_hold": _("What is in this file does not hold together: it cannot be shown."),
    "event_is_here": _("This event is here already: {name} ({slug})."),
    "slug_taken": _("There is an event at the address “{slug}” already. Choose another one."),
    "slug_wrong": _("An address has letters a to z, digits and hyphens."),
    "here_already": _("this belongs to another event here."),
    "row_does_not_fit": _("this contradicts another row, or itself."),
    "points_nowhere": _("the field “{field}” names something that is not in the file."),
    "said_twice": _("the field “{field}” is the same as in a row before."),
    "field_unknown": _("there is no field “{field}”."),
    "field_not_allowed": _("the field “{field}” has a value that is not allowed."),
    "field_not_a_moment": _("the field “{field}” is not a time written like 2026-11-14T09:00:00+00:00."),
    "field_not_an_hour": _("the field “{field}” is not a time of day written like 09:00:00."),
    "field_not_an_amount": _("the field “{field}” is not an amount written like 12.50."),
    "field_not_a_uuid": _("the field “{field}” is not a UUID."),
    "field_not_base64": _("the field “{field}” is not a file in Base64."),
    "field_too_deep": _("the field “{field}” is nested more than {most} deep."),
}
