"""The sections of the site’s own pages in the organiser’s navigation."""

from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right
from tournament.web.sections import register_section

register_section(
    "session",
    "play",
    10,
    _("Session"),
    "organiser_board",
    Right.READ,
    help="organisers/on-the-day/#the-board",
)
register_section("log", "after", 40, _("Log"), "organiser_log", Right.READ, help="organisers/on-the-day/#log")
register_section(
    "settings",
    "settings",
    10,
    _("Settings"),
    "organiser_settings",
    Right.ORGANISE,
    help="organisers/first-tournament/#create-the-tournament",
)
