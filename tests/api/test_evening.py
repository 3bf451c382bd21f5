"""An evening of the classical game over REST: hands in, the score sheet out."""

from typing import Any

from rest_framework.test import APIClient

URL = "/api/v1/score/evening/"
HANDS = [
    {
        "winner": 1,
        "held": [{"points": 8}, {"tiles": "234m 678p 345s CCC 3p +3p self-drawn"}, {}, {"points": 28}],
    },
    {"winner": None, "held": [{}, {}, {}, {}]},
]


def ask(**evening: Any) -> Any:
    names = ["Anna", "Bo", "Chen", "Dee"]
    return APIClient().post(URL, {"names": names, "hands": HANDS, **evening}, format="json")


def test_the_sheet_the_scores_and_who_deals_next() -> None:
    found = ask().json()
    assert [row["points"] for row in found["sheet"]] == [[8, 64, 0, 28], None]
    assert found["totals"] == [-152, 256, -108, 4]
    assert found["next"] == {"dealer": 1, "prevalent_wind": "E", "is_over": False}
    assert found["sheet"][0]["scores"][1]["factor"] == 2


def test_the_clubs_rules_are_played() -> None:
    assert ask(rules={"east_factor": 1, "losers_settle": False}).json()["totals"] == [-64, 192, -64, -64]


def test_the_hand_at_fault_is_named() -> None:
    refused = ask(hands=[*HANDS, {"winner": 2, "held": [{}, {}, {}, {}]}])
    assert (refused.status_code, refused.json()["hand"]) == (422, 3)


def test_what_is_no_evening_is_refused() -> None:
    refused: tuple[Any, ...] = ([], "evening", {"names": 4})
    for data in refused:
        assert APIClient().post(URL, data, format="json").status_code == 422
