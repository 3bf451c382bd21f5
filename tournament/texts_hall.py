"""The log's sentences of what the whole hall is told and shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.texts import joined
from tournament.engine.screens import Kind
from tournament.texts_parts import tables_text
from tournament.texts_seats import SeatTexts

Data = Mapping[str, Any]

KINDS: Mapping[Kind, Promise] = {
    Kind.NAMES: gettext_lazy("Seats by name"),
    Kind.TABLES: gettext_lazy("Seats by table"),
    Kind.CLOCK: gettext_lazy("Clock"),
    Kind.PROGRESS: gettext_lazy("Tables in"),
    Kind.RANKING: gettext_lazy("Ranking"),
    Kind.TEAMS: gettext_lazy("Teams"),
    Kind.NATIONS: gettext_lazy("Nations"),
    Kind.BEST: gettext_lazy("Best hand of the day"),
    Kind.ANNOUNCEMENTS: gettext_lazy("Announcements"),
    Kind.WELCOME: gettext_lazy("Welcome and QR code"),
    Kind.CEREMONY: gettext_lazy("Ceremony"),
}
"""What the pages and the log call what a screen shows."""


class HallTexts(SeatTexts):
    """Announcements and screens."""

    def announcement_made(self, data: Data) -> str:
        if data["tables"]:
            text = _("Announced, {tables} of session {session}: “{text}”")
            return text.format(
                tables=tables_text(data["tables"]), session=data["of_session"], text=data["text"]
            )
        return _("Announced to everybody: “{text}”").format(text=data["text"])

    def announcement_withdrawn(self, data: Data) -> str:
        return _("Announcement withdrawn: “{text}”").format(text=data["text"])

    def screen_added(self, data: Data) -> str:
        return _("Screen {screen} added.").format(**data)

    def screen_removed(self, data: Data) -> str:
        return _("Screen {screen} removed.").format(**data)

    def screen_arranged(self, data: Data) -> str:
        if not data["turns"]:
            return _("Screen {screen} chooses by itself.").format(**data)
        kinds = joined(_kind(one["kind"]) for one in data["turns"])
        return _("Screen {screen} arranged: {kinds}.").format(screen=data["screen"], kinds=kinds)

    def screen_steered(self, data: Data) -> str:
        sentences = {
            "next": _("Screen {screen}: one page on."),
            "previous": _("Screen {screen}: one page back."),
            "hold": _("Screen {screen} held: {kind}, page {page}."),
            "only": _("Screen {screen} shows this alone: {kind}."),
            "rotation": _("Screen {screen}: the whole rotation again."),
        }
        kind = _kind(data["kind"]) if data["kind"] else ""
        return sentences[data["way"]].format(screen=data["screen"], kind=kind, page=data["page"])


def _kind(value: str) -> str:
    return str(KINDS[Kind(value)])
