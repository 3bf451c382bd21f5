"""What a screen in the hall shows, as the pages and the log call it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.screens.engine.screens import Kind

KINDS: Mapping[Kind, Promise] = {
    Kind.NAMES: _("Seats by name"),
    Kind.TABLES: _("Seats by table"),
    Kind.CLOCK: _("Clock"),
    Kind.PROGRESS: _("Tables in"),
    Kind.RANKING: _("Ranking"),
    Kind.TEAMS: _("Teams"),
    Kind.NATIONS: _("Nations"),
    Kind.BEST: _("Best hand of the day"),
    Kind.PUZZLE: _("A puzzle and its answer"),
    Kind.ANNOUNCEMENTS: _("Announcements"),
    Kind.WELCOME: _("Welcome and QR code"),
    Kind.MISSING: _("Who is missing"),
    Kind.CEREMONY: _("Ceremony"),
}
