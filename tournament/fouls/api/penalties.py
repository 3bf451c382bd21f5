"""Penalties: what the foul book proposes, give, cancel, and whether everybody sees them."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from penalties.models import Penalty
from scoring.refusals import faults
from tournament.base import access
from tournament.fouls.api.proposal import proposal
from tournament.fouls.selectors.assessments import assess
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, show_penalties, undo_penalty
from tournament.play.api.at_table import AtTable
from tournament.play.api.facts import Cancellation, FoulFact, PenaltyWrite, TableWrite
from tournament.play.api.fields import PenaltiesShownSerializer, PenaltySerializer
from tournament.web.api.base import Endpoint
from tournament.web.texts.problems import sentence


class Penalties(AtTable):
    """The table's penalties, the cancelled ones too, for whoever may see them; POST gives one.

    The foul book's sanction, unless `sanction` says another one and `because` why. The same uuid twice is the same.
    """

    @extend_schema(responses=PenaltySerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        if not access.can_see_penalties(self.actor, table.session.tournament):
            raise Http404
        self.told(table)
        given = table.penalties.select_related("player", "victim")
        return Response(PenaltySerializer(given, many=True).data)

    @extend_schema(request=PenaltyWrite, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(PenaltyWrite)
        penalty = give_penalty(table, self.actor, body.stated(), **body.facts())
        return self.done(status.HTTP_201_CREATED, lambda: {"penalty": PenaltySerializer(penalty).data})


class PreviewPenalty(AtTable):
    """What the foul book proposes; gives nothing."""

    @extend_schema(operation_id="penalty_preview", request=FoulFact, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        stated = self.body(FoulFact).stated()
        ruling = assess(table, stated)
        entry = table.session.tournament.rules.fouls.find(stated.foul)
        proposed = proposal(table, ruling, entry, stated.player) if entry and not ruling.problems else None
        return Response({"problems": faults(ruling.problems, sentence), "proposal": proposed})


class OnePenalty(AtTable):
    """DELETE cancels it, for a `reason`."""

    @extend_schema(operation_id="penalty_cancel", request=Cancellation, responses={200: OpenApiTypes.OBJECT})
    def delete(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        penalty = self.penalty(slug, session, number, uuid)
        cancelled = cancel_penalty(penalty, self.actor, **self.body(Cancellation).facts("reason"))
        return self.done(written=lambda: {"penalty": PenaltySerializer(cancelled).data})

    def penalty(self, slug: str, session: int, number: int, uuid: UUID) -> Penalty:
        penalty = self.umpired(slug, session, number).penalties.filter(uuid=uuid).first()
        if penalty is None:
            raise Http404
        return penalty


class UndoPenalty(OnePenalty):
    """POST cancels the penalty that the asker gave within the last minute, from the table's card too: a slip."""

    http_method_names = ["post", "options"]

    @extend_schema(operation_id="penalty_undo", request=TableWrite, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        penalty = self.penalty(slug, session, number, uuid)
        why = _("Undone at once")
        undone = undo_penalty(penalty, self.actor, reason=why, expected_version=self.seen_version())
        return self.done(written=lambda: {"penalty": PenaltySerializer(undone).data})


class PenaltiesShown(Endpoint):
    """Whether everybody sees who was penalised for what, or only those who run the tournament."""

    @extend_schema(operation_id="penalties_shown", responses=PenaltiesShownSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response({"public": self.tournament(slug).penalties_public})

    @extend_schema(
        operation_id="penalties_show", request=PenaltiesShownSerializer, responses=PenaltiesShownSerializer
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        public = self.body(PenaltiesShownSerializer).validated_data["public"]
        return Response({"public": show_penalties(tournament, self.actor, public=public).penalties_public})
