"""The seats of sessions not yet begun are changed: looked at, then taken. `POST seats/undo/` takes the newest back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Actor
from tournament.base.models.tournament import Tournament
from tournament.play.api.fields import SessionSerializer
from tournament.play.api.requests import number_field, numbers_field
from tournament.seating.api.seats import Seen, SessionSeats
from tournament.seating.engine import fingerprint
from tournament.seating.selectors.draws import certificate_of, people_of
from tournament.seating.selectors.replans import replanned
from tournament.seating.selectors.reseatings import exchanged, planned, streamed
from tournament.seating.selectors.seatings import Reseating
from tournament.seating.services.seatings import replan_seats, seat_at_stream, swap_players, take_plan
from tournament.web.api.base import Endpoint


# A way to change seats: what a program wishes, who shows it and who takes it. (A docstring would be the heirs'.)
class Change(Seen):
    look: ClassVar[Callable[..., Reseating]]
    take: ClassVar[Callable[..., None]]

    def wish(self) -> tuple[Any, ...]:
        """What both are called with, after tournament and actor."""
        return ()

    def looked_at(self, tournament: Tournament) -> Reseating:
        return type(self).look(tournament, *self.wish())

    def taken(self, tournament: Tournament, actor: Actor) -> None:
        type(self).take(tournament, actor, *self.wish(), seen=self.validated_data["seen"])


class SwapRequest(Change):
    """Two players, by number, change seats."""

    look, take = staticmethod(exchanged), staticmethod(swap_players)
    one = number_field()
    other = number_field()
    sessions = numbers_field()

    def wish(self) -> tuple[Any, ...]:
        data = self.validated_data
        return data["one"], data["other"], sorted({*data["sessions"]})


class ReplanRequest(Change):
    """Every session still to play, for the players there are now."""

    look, take = staticmethod(replanned), staticmethod(replan_seats)


class PlanRequest(Change):
    """Seats from elsewhere. Sessions that have begun may be among them as they are."""

    look, take = staticmethod(planned), staticmethod(take_plan)
    sessions = SessionSeats(many=True)

    def validate_sessions(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({session["number"] for session in value}) < len(value):
            raise serializers.ValidationError("a session twice")
        return value

    def wish(self) -> tuple[Any, ...]:
        sessions = self.validated_data["sessions"]
        return ({one["number"]: [dict(table) for table in one["tables"]] for one in sessions},)


class StreamRequest(Change):
    """Players, by number, at the table that is filmed: one in any number of sessions, or up to four in one."""

    look, take = staticmethod(streamed), staticmethod(seat_at_stream)
    players = numbers_field()
    table = number_field()
    sessions = numbers_field()

    def wish(self) -> tuple[Any, ...]:
        data = self.validated_data
        return data["players"], data["table"], sorted({*data["sessions"]})


class ChangePreview(serializers.Serializer[Any]):
    """Nothing stored: the sessions that would get other seats, and the certificate of the whole event with them."""

    sessions = SessionSeats(many=True)
    quality = serializers.DictField()
    quality_now = serializers.DictField(
        allow_null=True, help_text="The certificate of the seats there are; null for none."
    )
    seen = serializers.CharField()


class ChangeSeats(Endpoint):
    """POST changes the seats, and gives every session with those it has then."""

    serializer_class: type[Change] = Change

    @extend_schema(responses=SessionSerializer(many=True))
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        self.body(self.serializer_class).taken(tournament, self.actor)
        sessions = tournament.sessions.prefetch_related("tables__seats__player")
        context = {"audience": self.audience(tournament)}
        return Response(SessionSerializer(sessions, many=True, context=context).data)


class PreviewChange(Endpoint):
    """POST what would be sent to change seats, and see what they would be."""

    serializer_class: type[Change] = Change

    @extend_schema(responses=ChangePreview)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        again = self.body(self.serializer_class).looked_at(tournament)
        people = people_of(tournament)
        now, then = (
            plan and certificate_of(plan, people).quality.to_json() for plan in (again.before, again.after)
        )
        return Response(
            {
                "sessions": [{"number": n, "tables": list(again.after[n - 1])} for n in again.sessions],
                "quality": then,
                "quality_now": now or None,
                "seen": fingerprint(again.after),
            }
        )
