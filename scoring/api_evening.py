"""An evening of the classical game over REST: its hands in, the score sheet out. Nothing is stored."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.classical.evening import InvalidEvening, read_evening
from scoring.refusals import refusal

EXAMPLES = [
    OpenApiExample(
        "South won by tiles, the others reckoned their points; then a wash-out",
        {
            "names": ["Anna", "Bo", "Chen", "Dee"],
            "rules": {"limit": 500},
            "hands": [
                {
                    "winner": 1,
                    "ways": ["self_drawn"],
                    "held": [
                        {"points": 8},
                        {"tiles": "234m 678p 345s CCC 3p +3p", "flowers": ["summer"]},
                        {},
                        {"points": 28},
                    ],
                },
                {"winner": None, "held": [{}, {}, {}, {}]},
            ],
        },
        request_only=True,
    )
]


class ScoreEvening(APIView):
    """Every hand settled, the running scores, and who deals next. Players are places 0 to 3 in the order of play; the
    first is East to begin with.

    422 with the number of the first hand that cannot be, 0 when the rest is no evening.
    """

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        examples=EXAMPLES,
        request=OpenApiTypes.OBJECT,
        responses={200: OpenApiTypes.OBJECT, 422: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request) -> Response:
        try:
            evening = read_evening(request.data)
        except InvalidEvening as refused:
            return refusal(422, _("This evening cannot be read."), [], hand=refused.place)
        turn = evening.turn
        return Response(
            {
                **evening.to_json(),
                "sheet": [played.to_json() for played in evening.played],
                "totals": list(evening.totals),
                "next": {
                    "dealer": turn.dealer,
                    "prevalent_wind": turn.prevalent,
                    "is_over": turn.is_over,
                },
            }
        )
