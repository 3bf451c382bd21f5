"""The API of seats: single sessions, finals, changes, and corrections."""

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Actor
from tournament.base.engine.finals import Carry
from tournament.base.models.play import Final, Seat
from tournament.base.models.tournament import Tournament
from tournament.play.api.facts import SessionSerializer
from tournament.ranking.engine import finals
from tournament.seating.engine.plans import certify, fingerprint
from tournament.seating.engine.swiss import SeatingMethod
from tournament.seating.forms import BY_HAND
from tournament.seating.selectors.changes import (
    SessionOptions,
    preview_correction,
    preview_plan,
    preview_replan,
    preview_session,
    preview_stream_table,
    preview_swap,
    tables_of_players,
    tables_state,
)
from tournament.seating.selectors.draws import (
    PlanChange,
    plan_certificate,
    players_by_number,
)
from tournament.seating.selectors.finals import final_placements, finalist_change, preview_final
from tournament.seating.services.corrections import correct_seats, undo_correction
from tournament.seating.services.seatings import (
    confirm_finalists,
    import_plan,
    replan_seats,
    seat_at_stream,
    seat_session,
    set_up_final,
    swap_players,
    undo_plan_change,
)
from tournament.web.api.base import MAX_SESSIONS, Endpoint, TwoDecimalsField, number_field, numbers_field

# --- Seats of one session ---


class TableSeats(serializers.Serializer[Any]):
    """A player's number at each starting wind."""

    E = serializers.IntegerField()
    S = serializers.IntegerField()
    W = serializers.IntegerField()
    N = serializers.IntegerField()


class SessionSeats(serializers.Serializer[Any]):
    number = number_field(MAX_SESSIONS)
    tables = TableSeats(many=True)


class PreviewedRequest(serializers.Serializer[Any]):
    seen = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="The fingerprint that the preview gave: refused when it would be other seats by now.",
    )


class SeededRequest(PreviewedRequest):
    """The seed of the seats, and the fingerprint of the preview that is taken."""

    seed = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")


class SeatsRequest(SeededRequest):
    how = serializers.ChoiceField([*(method.value for method in SeatingMethod), BY_HAND])
    tables = TableSeats(
        many=True, required=False, default=list, help_text="By hand: the tables in their order."
    )

    def to_options(self) -> SessionOptions:
        data = self.validated_data
        if data["how"] == BY_HAND:
            return SessionOptions(tables=[dict(table) for table in data["tables"]])
        return SessionOptions(SeatingMethod(data["how"]), data["seed"])


class SeatsPreview(serializers.Serializer[Any]):
    """Nothing stored: the seats as they would be, the certificate of the whole event with them, its fingerprint."""

    tables = TableSeats(many=True)
    quality = serializers.DictField()
    seen = serializers.CharField()


class Seats(Endpoint):
    """POST seats a session that has not begun: by standing (Swiss), at intervals, by lot, or by hand."""

    @extend_schema(operation_id="seat_assign", request=SeatsRequest, responses=SessionSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.organised_session(slug, number).tournament
        body = self.body(SeatsRequest)
        seat_session(tournament, self.actor, number, body.to_options(), seen=body.validated_data["seen"])
        context = {"audience": self.audience(tournament)}
        return Response(SessionSerializer(self.session(slug, number), context=context).data)


class PreviewSeats(Endpoint):
    """POST what would be sent to seat a session, and see the seats."""

    @extend_schema(request=SeatsRequest, responses=SeatsPreview)
    def post(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.organised_session(slug, number).tournament
        change, _inputs = preview_session(tournament, number, self.body(SeatsRequest).to_options())
        return Response(
            {
                "tables": list(change.after[number - 1]),
                "quality": certify(change.after).to_json(),
                "seen": fingerprint(change.after),
            }
        )


class UndoSeats(Endpoint):
    """POST takes the newest change of seats back, until one of its sessions begins."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        undo_plan_change(self.tournament(slug), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- Finals ---


class FinalSerializer(serializers.ModelSerializer[Final]):
    groups = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="The finalists' numbers, the best group first.",
    )

    class Meta:
        model = Final
        fields = ("after_session", "carry", "groups")


class FinalRequest(SeededRequest):
    size = serializers.ChoiceField(
        [*finals.SIZES], help_text="16/4: the best 16 in groups of four, by their places."
    )
    carry = serializers.ChoiceField([carry.value for carry in Carry])
    sessions = serializers.IntegerField(min_value=1, max_value=finals.MAX_SESSIONS)
    first = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        default=list,
        help_text="Who of those that share the last place goes on.",
    )
    replace = serializers.BooleanField(
        default=False, help_text="Whether a final that is set up after this session gives way to this one."
    )

    def to_options(self) -> finals.FinalsOptions:
        return finals.finals_options(self.validated_data)


class FinalPlace(serializers.Serializer[Any]):
    """Where a player goes from here; who is not in the final keeps the rank and all points."""

    number = serializers.IntegerField(source="after.number")
    group = serializers.IntegerField(
        allow_null=True, help_text="In the final, from 1; null for who is not in it."
    )
    rank = serializers.IntegerField(source="after.rank", allow_null=True)
    table_points = TwoDecimalsField(source="after.table_points", help_text="Those carried, of a finalist.")
    game_points = serializers.IntegerField(source="after.game_points")


class FinalPreview(serializers.Serializer[Any]):
    """Nothing stored: the final as it would be, and who shares the last place that goes on."""

    after_session = serializers.IntegerField()
    groups = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    tied = serializers.ListField(child=serializers.IntegerField())
    places = FinalPlace(many=True, help_text="Everybody, the finalists first.")
    sessions = SessionSeats(many=True)
    emptied = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Sessions planned beyond the final, which lose their seats.",
    )
    seen = serializers.CharField()


class Finals(Endpoint):
    """The finals that are set up, for organisers; POST sets one up after the session closed last."""

    @extend_schema(responses=FinalSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(FinalSerializer, self.organised(slug).finals.all())

    @extend_schema(request=FinalRequest, responses={201: FinalSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament, body = self.organised(slug), self.body(FinalRequest)
        final = set_up_final(tournament, self.actor, body.to_options(), seen=body.validated_data["seen"])
        return Response(FinalSerializer(final).data, status=status.HTTP_201_CREATED)


class PreviewFinal(Endpoint):
    """POST what would be sent to set up a final, and see finalists and seats."""

    @extend_schema(request=FinalRequest, responses=FinalPreview)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        final = preview_final(tournament, self.body(FinalRequest).to_options())
        plan = final.change.after
        return Response(
            {
                "after_session": final.cut.after,
                "groups": final.cut.groups,
                "tied": final.tied,
                "places": FinalPlace(final_placements(tournament, final.cut), many=True).data,
                "sessions": [{"number": n, "tables": list(plan[n - 1])} for n in final.sessions],
                "emptied": final.change.sessions[len(final.sessions) :],
                "seen": fingerprint(plan),
            }
        )


class FinalistCheck(serializers.Serializer[Any]):
    """Who would join and leave the coming final by the standings now; nobody where only the groups differ."""

    differs = serializers.BooleanField()
    joining = serializers.ListField(child=serializers.IntegerField())
    leaving = serializers.ListField(child=serializers.IntegerField())
    seen = serializers.CharField()


class KeepRequest(serializers.Serializer[Any]):
    seen = serializers.CharField(help_text="From the check.")


class CheckFinalists(Endpoint):
    """Whether other players would qualify for the coming final now; POST keeps its finalists nevertheless."""

    @extend_schema(responses=FinalistCheck)
    def get(self, request: Request, slug: str) -> Response:
        change = finalist_change(self.organised(slug))
        return Response(
            {
                "differs": change is not None,
                "joining": [player.number for player in change.joining] if change else [],
                "leaving": [player.number for player in change.leaving] if change else [],
                "seen": change.seen if change else "",
            }
        )

    @extend_schema(operation_id="finalist_confirm", request=KeepRequest, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        confirm_finalists(tournament, self.actor, seen=self.body(KeepRequest).validated_data["seen"])
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- Changes of seats ---


# A change of seats with its preview and its service. (Subclasses would inherit a docstring as their description.)
class PlanChangeRequest(PreviewedRequest):
    preview: ClassVar[Callable[..., PlanChange]]
    service: ClassVar[Callable[..., None]]

    def arguments(self) -> tuple[Any, ...]:
        """Return the arguments of preview and service after tournament and actor."""
        return ()

    def get_preview(self, tournament: Tournament) -> PlanChange:
        return type(self).preview(tournament, *self.arguments())

    def apply(self, tournament: Tournament, actor: Actor) -> None:
        type(self).service(tournament, actor, *self.arguments(), seen=self.validated_data["seen"])


class SwapRequest(PlanChangeRequest):
    """Two players, by number, change seats."""

    preview, service = staticmethod(preview_swap), staticmethod(swap_players)
    first = number_field()
    second = number_field()
    sessions = numbers_field()

    def arguments(self) -> tuple[Any, ...]:
        data = self.validated_data
        return data["first"], data["second"], sorted({*data["sessions"]})


class ReplanRequest(PlanChangeRequest):
    """Every session still to play, for the players there are now."""

    preview, service = staticmethod(preview_replan), staticmethod(replan_seats)


class PlanRequest(PlanChangeRequest):
    """Seats from elsewhere. Sessions that have begun may be among them as they are."""

    preview, service = staticmethod(preview_plan), staticmethod(import_plan)
    sessions = SessionSeats(many=True)

    def validate_sessions(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({session["number"] for session in value}) < len(value):
            raise serializers.ValidationError("a session twice")
        return value

    def arguments(self) -> tuple[Any, ...]:
        sessions = self.validated_data["sessions"]
        return ({session["number"]: [dict(table) for table in session["tables"]] for session in sessions},)


class StreamRequest(PlanChangeRequest):
    """Players, by number, at the table that is filmed: one in any number of sessions, or up to four in one."""

    preview, service = staticmethod(preview_stream_table), staticmethod(seat_at_stream)
    players = numbers_field()
    table = number_field()
    sessions = numbers_field()

    def arguments(self) -> tuple[Any, ...]:
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

    serializer_class: type[PlanChangeRequest] = PlanChangeRequest

    @extend_schema(responses=SessionSerializer(many=True))
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        self.body(self.serializer_class).apply(tournament, self.actor)
        sessions = tournament.sessions.prefetch_related("tables__seats__player")
        return self.list_response(SessionSerializer, sessions, audience=self.audience(tournament))


class PreviewChange(Endpoint):
    """POST what would be sent to change seats, and see what they would be."""

    serializer_class: type[PlanChangeRequest] = PlanChangeRequest

    @extend_schema(responses=ChangePreview)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        change = self.body(self.serializer_class).get_preview(tournament)
        players = players_by_number(tournament)
        quality_now, quality = (
            plan and plan_certificate(plan, players).quality.to_json()
            for plan in (change.before, change.after)
        )
        return Response(
            {
                "sessions": [{"number": n, "tables": list(change.after[n - 1])} for n in change.sessions],
                "quality": quality,
                "quality_now": quality_now or None,
                "seen": fingerprint(change.after),
            }
        )


# --- Players in each other’s places ---


class Correction(serializers.Serializer[Any]):
    """The two by number: each really sat where the other sits by the record."""

    first = number_field()
    second = number_field()


class CorrectionRequest(Correction, PreviewedRequest):
    pass


class CorrectedSeat(serializers.Serializer[Any]):
    """A player's seat, with what was scored there: by the record, or as it becomes the player's."""

    table = serializers.IntegerField(source="table.number")
    wind = serializers.CharField()
    game_points = serializers.IntegerField()


class CorrectedPlayer(serializers.Serializer[Any]):
    player = serializers.IntegerField()
    now = CorrectedSeat()
    then = CorrectedSeat()


class CorrectionPreview(serializers.Serializer[Any]):
    """Nothing stored. `seen`: the state of their tables; a write there makes it another."""

    players = CorrectedPlayer(many=True)
    seen = serializers.CharField()


class Corrections(Endpoint):
    """POST gives each of two players the other's seat; hands and penalties stay with the seats. DELETE takes the newest
    such correction of the session back."""

    @extend_schema(request=CorrectionRequest, responses={204: None})
    def post(self, request: Request, slug: str, number: int) -> Response:
        session = self.organised_session(slug, number)
        data = self.body(CorrectionRequest).validated_data
        correct_seats(session, self.actor, data["first"], data["second"], seen=data["seen"])
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(operation_id="seat_correction_undo", request=None, responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        undo_correction(self.organised_session(slug, number), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PreviewCorrection(Endpoint):
    """POST what would be sent to correct seats, and see where the two sit and what was scored there."""

    @extend_schema(request=Correction, responses=CorrectionPreview)
    def post(self, request: Request, slug: str, number: int) -> Response:
        session = self.organised_session(slug, number)
        data = self.body(Correction).validated_data
        first, second = preview_correction(session, data["first"], data["second"])
        preview = {
            "players": [_corrected_player(first, second), _corrected_player(second, first)],
            "seen": tables_state(tables_of_players(session, data["first"], data["second"])),
        }
        return Response(CorrectionPreview(preview).data)


def _corrected_player(now: Seat, then: Seat) -> dict[str, Any]:
    return {"player": now.player.number, "now": now, "then": then}
