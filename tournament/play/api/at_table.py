"""What is written at a table: who may, and the answer every write gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework import status
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.models.play import Table
from tournament.play.api.facts import TableWrite
from tournament.play.api.state import state_of
from tournament.web.api.base import Endpoint

Answer = dict[str, Any]
WHOLE_TABLE = "return=representation"
"""The preference of a device that draws the table anew after each write: what was written stands in there."""


class AtTable(Endpoint):
    """A table that the asker umpires.

    A write is answered with what was written; one that asks `Prefer: return=representation` (RFC 7240), with `state`,
    the table as it stands then. So is a write that makes nothing of its own, and one that came too late (409).
    """

    umpired_table: Table | None = None

    def umpired(self, slug: str, session: int, number: int) -> Table:
        return self._checked(access.require_umpire, slug, session, number)

    def judged(self, slug: str, session: int, number: int) -> Table:
        """One that the asker umpires in person."""
        return self._checked(access.require_judge, slug, session, number)

    def _checked(self, require: Callable[[Actor, Table], None], *where: Any) -> Table:
        table = self.table(*where)
        require(self.actor, table)
        self.umpired_table = table
        return table

    def seen_version(self) -> int | None:
        """The version of the table the client has seen, where that is all a write says."""
        version: int | None = self.body(TableWrite).validated_data["table_version"]
        return version

    def as_it_stands(self) -> dict[str, Any]:
        return {"state": state_of(self.umpired_table, self.actor)} if self.umpired_table else {}

    def done(self, code: int = status.HTTP_200_OK, written: Callable[[], Answer] | None = None) -> Response:
        """What was `written`, told only to who does not ask for the whole table."""
        if written is None or self.request.headers.get("Prefer") == WHOLE_TABLE:
            return Response(self.as_it_stands(), status=code)
        return Response(written(), status=code)
