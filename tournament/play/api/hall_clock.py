"""The clock of the whole hall: what it shows, for everybody; paused, going on and extended by who runs it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.models.play import Session
from tournament.play.api.facts import Whole
from tournament.play.api.requests import Reasoned
from tournament.play.selectors.clock import Clock, clock_of
from tournament.play.services.hall_clock import extend_clock, let_clock_go_on, pause_clock
from tournament.web.api.base import Endpoint


class ClockSerializer(serializers.Serializer[Clock]):
    stage = serializers.ChoiceField(choices=["playing", "paused", "warning", "over"])
    ends_at = serializers.DateTimeField(help_text="While it is paused, as if it had gone on.")
    warns_at = serializers.DateTimeField()
    paused_at = serializers.DateTimeField(source="pause.since", default=None, allow_null=True)
    minutes = serializers.IntegerField(help_text="How long the hall plays, `longer` included.")
    longer = serializers.IntegerField()


class ClockRequest(Reasoned):
    """`reason`: why; the log tells it, the public stream does not. `minutes`: to extend alone, in all."""

    minutes = Whole(required=False, default=0)


class TheClock(Endpoint):
    """The time of the session being played; 404 while it is not."""

    @extend_schema(operation_id="clock", responses=ClockSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self._shown(slug, number)

    def _shown(self, slug: str, number: int) -> Response:
        clock = clock_of(self.session(slug, number))
        if clock is None:
            raise Http404
        return Response(ClockSerializer(clock).data)


class ClockStep(TheClock):
    """POST: the clock of the hall stands still (`pause`), goes on (`go-on`), or the hall plays so many minutes longer
    than planned, in all (`extend`; 0 takes them back)."""

    steps: dict[str, Callable[..., Session]] = {
        "pause": pause_clock,
        "go-on": let_clock_go_on,
        "extend": extend_clock,
    }
    http_method_names = ["post", "options"]

    @extend_schema(operation_id="clock_step", request=ClockRequest, responses=ClockSerializer)
    def post(self, request: Request, slug: str, number: int, step: str) -> Response:
        session, said = self.session(slug, number), self.body(ClockRequest).validated_data
        taken = ("reason", "minutes") if step == "extend" else ("reason",)
        self.steps[step](session, self.actor, **{name: said[name] for name in taken})
        return self._shown(slug, number)
