"""A hand's score over REST, with everything the calculator page says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.calculator import Announced, Answer, Elsewhere, Way, consult, consult_text
from scoring.engine import (
    RULEBOOKS,
    CountedFan,
    Difference,
    Fan,
    Improvement,
    Problem,
    Reading,
    Rejection,
    Score,
    Wait,
    find_fan,
    find_rulebook,
    to_text,
)
from scoring.engine.validation import TILES_IN_HAND
from scoring.refusals import faults, refusal
from scoring.texts import difference_sentence, improvement_sentence, reason_sentence

LONGEST_TEXT = 300
MOST_TIMES = 9
"""No fan can be announced more often."""
Json = dict[str, Any]


class Claim(serializers.Serializer[Any]):
    """What the player announced: the points with flowers, the fans by key with how often each, or both."""

    points = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=9999)
    fans = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_TIMES), required=False, allow_null=True
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
        required=False, max_length=LONGEST_TEXT, help_text="The hand as text: 123m 55p [EEE] +1m self-drawn"
    )
    rulebook = serializers.ChoiceField([rulebook.key for rulebook in RULEBOOKS], default=RULEBOOKS[0].key)
    claim = Claim(required=False, allow_null=True)

    def validate(self, attrs: Json) -> Json:
        if ("hand" in attrs) == ("notation" in attrs):
            raise serializers.ValidationError(_("Send either “hand” or “notation”."))
        return attrs

    def answer(self) -> Answer:
        asked = self.validated_data
        rulebook, claim = find_rulebook(asked["rulebook"]), asked.get("claim") or {}
        announced = Announced(claim.get("points"), claim.get("fans"))
        if "notation" in asked:
            return consult_text(asked["notation"], rulebook, announced)
        return consult(asked["hand"], rulebook, announced)


EXAMPLES = [
    OpenApiExample(
        "A hand as text, and what was announced",
        {"notation": "123m 123p 12s 789s 99m +3s seat=W round=S", "claim": {"points": 18}},
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

    @extend_schema(
        examples=EXAMPLES,
        request=Question,
        responses={200: OpenApiTypes.OBJECT, 422: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request) -> Response:
        question = Question(data=request.data)
        question.is_valid(raise_exception=True)
        answer = question.answer()
        if not answer.problems and answer.missing > 1:
            answer = Answer(answer.record, answer.rulebook, _too_few(answer))
        if answer.problems:
            said = faults(answer.problems)
            return refusal(422, _("This is not a hand that can be scored."), said, win=False)
        return Response(as_json(answer))


def _too_few(answer: Answer) -> tuple[Problem, ...]:
    count = TILES_IN_HAND - answer.missing
    return (Problem("tile_count", "concealed", {"count": count, "expected": TILES_IN_HAND}),)


def as_json(answer: Answer) -> Json:
    """{"win", "points", "fans", "rejected", "payments", …}, or {"waits"}, of what is a hand."""
    facts: Json = {"rulebook": answer.rulebook.key, "problems": []}
    if answer.missing:
        return facts | {"waits": [_wait(wait) for wait in answer.waits]}
    explained = answer.explanation
    assert explained is not None  # a record without problems is either unfinished or explained
    score = explained.score
    return (
        facts
        | explained.to_json()
        | {
            "notation": to_text(score.hand),
            "fans": [_fan(line) | {"tiles": _tiles(line, score.reading)} for line in score.fans],
            "rejected": [_rejection(rejection) for rejection in explained.rejections],
            "improvements": [_improvement(improvement) for improvement in explained.improvements],
            "payments": _payments(answer.ways),
            "rulebooks": [_elsewhere(other) for other in answer.elsewhere],
            "claim": None if answer.differences is None else _claim(answer.differences),
        }
    )


def _fan(line: CountedFan) -> Json:
    return line.to_json() | {"clause": line.fan.clause}


def _tiles(line: CountedFan, reading: Reading | None) -> list[list[str]]:
    """The tiles that make a fan, for each time it counts; empty for a fan of the whole hand."""
    groups = reading.groups if reading else ()
    return [[tile for place in places for tile in groups[place].tiles] for places in line.groups]


def _rejection(rejection: Rejection) -> Json:
    return rejection.to_json() | {"message": reason_sentence(rejection)}


def _improvement(improvement: Improvement) -> Json:
    return improvement.to_json() | {"message": improvement_sentence(improvement)}


def _payments(ways: Iterable[Way]) -> Json:
    """By discard and self-drawn: the points, and what each gains: winner, discarder, and each of the others."""
    found: Json = {"by_discard": None, "self_drawn": None}
    for way in ways:
        if way.payments is None:
            continue
        winner, discarder, other, _other = way.payments
        drawn = way.score.hand.self_drawn
        gains: Json = {"points": way.score.points, "winner": winner, "others": other}
        found["self_drawn" if drawn else "by_discard"] = gains | ({} if drawn else {"discarder": discarder})
    return found


def _elsewhere(other: Elsewhere) -> Json:
    return {
        "rulebook": other.score.rulebook.key,
        "points": other.score.points,
        "meets_minimum": other.score.meets_minimum,
        "more": [_fan(line) for line in other.more],
        "less": [_fan(line) for line in other.less],
        "reasons": [_rejection(rejection) for rejection in other.reasons.values()],
    }


def _claim(differences: tuple[Difference, ...]) -> Json:
    """Whether the announcement is right, else every difference, the first one first."""
    return {"agrees": not differences, "differences": [_difference(one) for one in differences]}


def _difference(difference: Difference) -> Json:
    return difference.to_json() | {"message": difference_sentence(difference)}


def _wait(wait: Wait) -> Json:
    return {
        "tile": wait.tile,
        "left": wait.left,
        "self_drawn": _worth(wait.self_drawn),
        "by_discard": _worth(wait.by_discard),
    }


def _worth(score: Score) -> Json:
    return {"points": score.points, "meets_minimum": score.meets_minimum}
