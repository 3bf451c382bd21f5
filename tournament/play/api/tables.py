"""A table: for everybody, for its umpires, and the sheet as a whole: handed in, taken back, signed, given time."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Audience
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.by_version import by_version
from tournament.play.api.at_table import AtTable
from tournament.play.api.facts import ExtraTimeRequest, TableWrite
from tournament.play.selectors.absences import empty_seats
from tournament.play.selectors.tables import table_now
from tournament.play.services.signing import sign, take_signature_back
from tournament.play.services.tables import hand_in, reopen
from tournament.play.services.timing import set_extra_time
from tournament.web.api.base import Endpoint


class OneTable(Endpoint):
    """Who sits where in the coming hand, the running scores, what is recorded."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        tournament = table.session.tournament
        return Response(_kept_json(tournament, table.pk, self.audience(tournament)))


class Desk(AtTable):
    """`state`: the table as its umpires see it, with the address of everything that can be done to it."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="desk", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        self.umpired(slug, session, number)
        return self.done()


class TableStep(AtTable):
    """POST hands the table's sheet in (`hand-in`), or takes it back (`reopen`)."""

    steps = {"hand-in": hand_in, "reopen": reopen}

    @extend_schema(operation_id="table_step", request=TableWrite, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, step: str) -> Response:
        table = self.umpired(slug, session, number)
        self.steps[step](table, self.actor, expected_version=self.seen_version())
        return self.done()


class Signature(AtTable):
    """POST: the player signs the sheet as it stands. DELETE takes the signature back."""

    @extend_schema(request=TableWrite, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        sign(self.umpired(slug, session, number), self.actor, player, expected_version=self.seen_version())
        return self.done()

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def delete(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        take_signature_back(self.umpired(slug, session, number), self.actor, player)
        return self.done()


class ExtraTime(AtTable):
    """POST: the table plays so many minutes longer than the hall, in all; 0 takes them back."""

    @extend_schema(request=ExtraTimeRequest, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        said = self.body(ExtraTimeRequest).validated_data
        set_extra_time(table, self.actor, said["minutes"], reason=said["reason"])
        return self.done()


@by_version(1024)
def _kept_json(tournament: Tournament, table: int, audience: Audience) -> dict[str, Any]:
    """What is written anywhere changes the version; until then whoever asks is told the same."""
    return as_json(Table.objects.select_related("session__tournament").get(pk=table), audience)


def as_json(table: Table, audience: Audience) -> dict[str, Any]:
    """{"version", "hand_number", "prevalent_wind", "seats": [{"wind", "player", "score", …}], …}

    Where the audience is not told how play goes, all that follows from it is null; `hand_number` also where no hand
    follows.
    """
    now, empty = table_now(table, audience), empty_seats(table)
    told, follows = not now.is_hidden, not (now.is_hidden or now.is_full or table.is_in)
    return {
        "session": table.session.number,
        "number": table.number,
        "version": table.version if told else None,
        "hands_played": now.hands_played,
        "is_in": table.is_in if told else None,
        "on_paper": table.is_on_paper,
        "counts_totals": table.counts_totals if told else None,
        "hand_number": now.hand_number if follows else None,
        "prevalent_wind": now.prevalent_wind if told else None,
        "hidden": table.session.hidden,
        "seats": [
            {
                "wind": seat.wind if told else None,
                "start_wind": seat.start_wind,
                "player": seat.player.number,
                "score": seat.score,
                "stand_in": seat.stand_in,
                "empty": seat.player.number in empty,
            }
            for seat in now.seats
        ],
        "paid_to_nobody": now.unpaid,
    }
