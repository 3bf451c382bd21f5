"""The log's sentences of what the whole hall is told and shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournament.texts_parts import tables_text
from tournament.texts_seats import SeatTexts

Data = Mapping[str, Any]


class HallTexts(SeatTexts):
    """Announcements."""

    def announcement_made(self, data: Data) -> str:
        if data["tables"]:
            text = _("Announced, {tables} of session {session}: “{text}”")
            return text.format(
                tables=tables_text(data["tables"]), session=data["of_session"], text=data["text"]
            )
        return _("Announced to everybody: “{text}”").format(text=data["text"])

    def announcement_withdrawn(self, data: Data) -> str:
        return _("Announcement withdrawn: “{text}”").format(text=data["text"])
