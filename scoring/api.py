"""Scoring over REST: a hand and what it is worth, an evening and its score sheet. Nothing is stored."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.answers import EveningAnswer, EveningRequest, ScoredClassicalHand, ScoredHand
from scoring.calculator import Analysis, Announcement, analyse, analyse_text
from scoring.classical import CLASSICAL
from scoring.classical import analysis as classical
from scoring.classical.evening import InvalidEvening, read_evening
from scoring.engine import RULEBOOKS, Fan, InvalidHand, Problem, find_fan, find_rulebook
from scoring.engine.notation import MAX_TEXT_LENGTH, parse_record
from scoring.engine.problems import TILE_COUNT, TILES_IN_HAND
from scoring.refusals import faults, refusal
from scoring.texts import with_names, with_sentences

MAX_TIMES = 9
"""No fan can be announced more often."""
Json = dict[str, Any]


class Claim(serializers.Serializer[Any]):
    """What the player announced: the points with flowers, the fans by key with how often each, or both."""

    points = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=9999)
    fans = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_TIMES), required=False, allow_null=True
    )

    def validate_fans(self, fans: dict[str, int] | None) -> dict[Fan, int] | None:
        if fans is None:
            return None
        try:
            return {find_fan(key): times for key, times in fans.items()}
        except KeyError as unknown:
            raise serializers.ValidationError(_("There is no fan {fan}.").format(fan=unknown)) from None


class Question(serializers.Serializer[Any]):
    """A hand as a record or as text, and what is to be said about it."""

    hand = serializers.JSONField(
        required=False, allow_null=True, help_text="The record: concealed, melds, winning_tile, …"
    )
    notation = serializers.CharField(
        required=False,
        max_length=MAX_TEXT_LENGTH,
        help_text="The hand as text: 123m 55p [EEE] +1m self-drawn. Other programs’ texts are read too.",
    )
    rulebook = serializers.ChoiceField(
        [*(rulebook.key for rulebook in RULEBOOKS), CLASSICAL.key], default=RULEBOOKS[0].key
    )
    claim = Claim(required=False, allow_null=True)

    def validate(self, attrs: Json) -> Json:
        if ("hand" in attrs) == ("notation" in attrs):
            raise serializers.ValidationError(_("Send either “hand” or “notation”."))
        if attrs["rulebook"] == CLASSICAL.key and attrs.get("claim"):
            raise serializers.ValidationError(
                _("Announced fans can only be checked under the competition rules.")
            )
        return attrs

    def answer(self) -> Analysis | classical.Analysis:
        data = self.validated_data
        if data["rulebook"] == CLASSICAL.key:
            return _analyse_classical(data)
        rulebook, claim = find_rulebook(data["rulebook"]), data.get("claim") or {}
        announcement = Announcement(claim.get("points"), claim.get("fans"))
        if "notation" in data:
            return analyse_text(data["notation"], rulebook, announcement)
        return analyse(data["hand"], rulebook, announcement)


ScoreAnswer = PolymorphicProxySerializer(
    "ScoreAnswer",
    [ScoredHand, ScoredClassicalHand],  # type: ignore[list-item]  # TypedDicts, see web.api.typed
    resource_type_field_name=None,
)
EXAMPLES = [
    OpenApiExample(
        "A hand as text, and what was announced",
        {"notation": "123m 123p 12s 789s 99m +3s seat=W round=S", "claim": {"points": 18}},
        request_only=True,
    ),
    OpenApiExample(
        "A hand of the classical game",
        {
            "rulebook": "classical",
            "hand": {
                "concealed": ["2m", "3m", "4m", "E", "E", "E", "F", "F"],
                "melds": [
                    {"type": "pung", "tiles": ["9s", "9s", "9s"]},
                    {"type": "chow", "tiles": ["1p", "2p", "3p"]},
                ],
                "winning_tile": "F",
                "self_drawn": True,
                "seat_wind": "E",
                "prevalent_wind": "E",
                "named_flowers": ["spring"],
                "standing": False,
                "wins_in_a_row": 1,
            },
        },
        request_only=True,
    ),
    OpenApiExample("What thirteen tiles wait for", {"notation": "34m 456p 789s EEE 55p"}, request_only=True),
]


class ScoreHand(APIView):
    """What a hand of 14 tiles is worth and why, or what one of 13 tiles waits for. Nothing is stored.

    422 with every problem for a record or a text that is no hand; tiles that are a hand and don't win are answered
    with `win` false.
    """

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="score_calculate", examples=EXAMPLES, request=Question, responses=ScoreAnswer)
    def post(self, request: Request) -> Response:
        question = Question(data=request.data)
        question.is_valid(raise_exception=True)
        answer = question.answer()
        problems = answer.problems or (_too_few(answer) if answer.missing > 1 else ())
        if problems:
            problem_list = faults(problems)
            return refusal(422, _("This is not a hand that can be scored."), problem_list, win=False)
        if isinstance(answer, classical.Analysis):
            return Response(with_names(answer.to_json()))
        return Response(with_sentences(answer.to_json()))


def _analyse_classical(data: Json) -> classical.Analysis:
    """Return the analysis by the classical game; its extra fields are in the record."""
    if "notation" not in data:
        return classical.analyse(data["hand"])
    try:
        return classical.analyse(parse_record(data["notation"], partial=True))
    except InvalidHand as refused:
        return classical.Analysis({}, problems=refused.problems)


def _too_few(answer: Analysis | classical.Analysis) -> tuple[Problem, ...]:
    count = TILES_IN_HAND - answer.missing
    return (TILE_COUNT("concealed", count=count, expected=TILES_IN_HAND),)


EVENING_EXAMPLES = [
    OpenApiExample(
        "South won by tiles, the others reckoned their points; then a wash-out",
        {
            "names": ["Anna", "Bo", "Chen", "Dee"],
            "rules": {"limit": 500},
            "hands": [
                {
                    "winner": 1,
                    "ways": ["self_drawn"],
                    "players": [
                        {"points": 8},
                        {"tiles": "234m 678p 345s CCC 3p +3p", "flowers": ["summer"]},
                        {},
                        {"points": 28},
                    ],
                },
                {"winner": None, "players": [{}, {}, {}, {}]},
            ],
        },
        request_only=True,
    )
]


class ScoreEvening(APIView):
    """Every hand settled, the running scores, and who deals next. Players are places 0 to 3 in the order of play; the
    first is East to begin with.

    422 with every problem at its place ("hands.0.players.1.tiles"), and the number of the first hand that cannot be, 0
    when the rest is no evening.
    """

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="evening_calculate",
        examples=EVENING_EXAMPLES,
        request=EveningRequest,
        responses=EveningAnswer,
    )
    def post(self, request: Request) -> Response:
        try:
            evening = read_evening(request.data)
        except InvalidEvening as refused:
            detail = _("This session of classical mahjong cannot be read.")
            return refusal(422, detail, faults(refused.problems), hand=refused.place)
        turn = evening.turn
        return Response(
            {
                **evening.to_json(),
                "sheet": [hand.to_json() for hand in evening.settled_hands],
                "totals": list(evening.totals),
                "next": {
                    "dealer": turn.dealer,
                    "prevalent_wind": turn.prevalent,
                    "is_over": turn.is_over,
                },
            }
        )
