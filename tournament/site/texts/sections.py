"""The sections of the site’s own pages in the organiser’s navigation."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.base.access import Right
from tournament.web.sections import register_section

register_section("before", "before", 0, "", "", help="organisers/first-tournament/")
register_section(
    "session",
    "play",
    20,
    _("Session"),
    "organiser_board",
    Right.READ,
    help="organisers/on-the-day/#the-board",
)
register_section(
    "archive",
    "after",
    30,
    pgettext_lazy("files and log of an event", "Keep"),
    "organiser_archive",
    Right.ORGANISE,
    Right.READ,
    help="organisers/on-the-day/#log",
)
