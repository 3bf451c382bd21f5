"""What the quiz is called and says: kinds, levels, grades, and how a hand was won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.quiz.levels import Level
from scoring.quiz.questions import HandQuestion, Kind, Question
from tournament.web.texts.winds import NAMES, ROUNDS

Fact = Mapping[str, Any]

KINDS: dict[Kind, Promise] = {
    Kind.WORTH: gettext_lazy("What is it worth?"),
    Kind.FANS: gettext_lazy("Which fans does it count?"),
    Kind.WAITS: gettext_lazy("Which tiles complete it, and which reach 8?"),
}
LEVELS: dict[Level, Promise] = {
    Level.EASY: gettext_lazy("Easy"),
    Level.MIDDLE: gettext_lazy("Medium"),
    Level.HARD: gettext_lazy("Hard"),
}
SEEN: dict[Level, Promise] = {
    Level.EASY: gettext_lazy(
        "One way to read the hand, at most four fans, nothing refused; one or two tiles complete it."
    ),
    Level.MIDDLE: gettext_lazy(
        "At least four fans, and something is not counted that one has to know; some tiles complete a hand that is "
        "worth too little."
    ),
    Level.HARD: gettext_lazy(
        "Several readings, or the principles of counting decide; every form, flowers, hands below 8; three tiles or "
        "more complete it."
    ),
}
"""What each level asks (`scoring.quiz.levels`)."""
GRADES: dict[int, Promise] = {
    100: gettext_lazy("Right."),
    80: gettext_lazy("Nearly: one slip."),
    60: gettext_lazy("Not quite: two slips."),
    0: gettext_lazy("Not this time."),
}
DISCARD_GRADES: dict[int, Promise] = {
    100: gettext_lazy("Best"),
    80: gettext_lazy("Better"),
    60: gettext_lazy("Good"),
    0: gettext_lazy("Not good"),
}
"""As the source calls them."""


def record_of(asked: Question) -> dict[str, Any]:
    """The hand of a question as it is shown: of one that waits, without the tile that is to come."""
    if isinstance(asked, HandQuestion):
        return asked.hand.to_json()
    return {**asked.record, "self_drawn": asked.self_drawn}


def _come(record: Fact) -> str:
    """How the winning tile came, or, where it is still to come, how it will."""
    if record.get("winning_tile"):
        return _("self-drawn") if record["self_drawn"] else _("won from a discard")
    return (
        _("the missing tile is drawn") if record["self_drawn"] else _("the missing tile comes from a discard")
    )


def won_how(record: Fact) -> list[str]:
    """How a hand was won, or is to be won, a part each: "seat West, South round", "self-drawn", "2 flowers"."""
    return list(_won_how(record))


def _won_how(record: Fact) -> Iterator[str]:
    wind, wind_round = NAMES[record["seat_wind"]], ROUNDS[record["prevalent_wind"]]
    yield _("seat {wind}, {round}").format(wind=wind, round=wind_round)
    yield _come(record)
    if record.get("last_tile_of_wall"):
        yield _("Last tile of wall")
    if record.get("replacement"):
        yield _("After a kong")
    if flowers := record.get("flowers"):
        yield _("1 flower") if flowers == 1 else _("{count} flowers").format(count=flowers)
