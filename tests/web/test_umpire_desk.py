"""The desk over HTTP: who may, what is refused and how, what a second device and a second tap do."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.support.factories import (
    SYSTEM,
    TILES,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
    record,
    wash_out,
    win,
)
from tournament.access import Actor
from tournament.api.addresses import url_of as address
from tournament.engine.seating import How
from tournament.models import Session, Table, Tournament
from tournament.selectors.session_seats import SessionWish
from tournament.services.hands import undo_hand
from tournament.services.seatings import seat_session
from tournament.services.sessions import close_session
from tournament.services.tables import hand_in
from tournament.services.tournaments import publish_standings
from tournament.views.umpire.table import desk_url

pytestmark = pytest.mark.django_db

WHOLE_TABLE = {"Prefer": "return=representation"}
"""What the desk says with every write."""

Desk = Callable[..., Any]
WRITES = ("api_hands", "api_penalties", "api_absences", "api_appeals", "api_preview", "api_penalty_preview")


@pytest.fixture
def tournament() -> Tournament:
    """Session 1 is being played; nothing is recorded yet at table 1, six hands at table 2."""
    return make_tournament(running=(0, 6, 0, 0))


@pytest.fixture
def table(tournament: Tournament) -> Table:
    return tournament.sessions.get(number=1).tables.get(number=1)


@pytest.fixture
def umpire(tournament: Tournament) -> User:
    return make_umpire(tournament)


@pytest.fixture
def desk(client: Client, umpire: User, table: Table) -> Desk:
    """Writes to an address of table 1 as its umpire: `desk("api_hands", {...})`."""
    client.force_login(umpire)
    return lambda name, body=None, method="post", **more: post(client, table, name, body, method, **more)


def post(client: Client, table: Table, name: str, body: Any = None, method: str = "post", **more: Any) -> Any:
    text = body if isinstance(body, str) else json.dumps(body or {})
    return getattr(client, method)(
        address(name, table, **more), text, content_type="application/json", headers=WHOLE_TABLE
    )


def four(table: Table) -> list[int]:
    """The players' numbers, East first."""
    return list(table.seats.order_by("id").values_list("player__number", flat=True))


def a_win(table: Table, tiles: str = "seven_pairs", number: int = 1, **more: Any) -> dict[str, Any]:
    """East wins from South."""
    east, south, *_ = four(table)
    hand = {"outcome": "win", "winner": east, "discarder": south, "tiles": TILES[tiles]}
    return hand | {"uuid": str(uuid4()), "number": number, "table_version": table.version} | more


def codes(response: Any) -> set[tuple[str, str]]:
    return {(problem["code"], problem["where"]) for problem in response.json()["problems"]}


def scores(table: Table) -> dict[int, int]:
    return dict(table.seats.values_list("player__number", "game_points"))


# --- recording ------------------------------------------------------------------------------------------------
def test_a_saved_hand_comes_back_with_the_next_one_and_its_scores(desk: Desk, table: Table) -> None:
    east, south, west, north = four(table)
    answer = desk("api_hands", a_win(table))
    assert answer.status_code == 201
    state = answer.json()["state"]
    assert (state["played"], state["next"], state["version"]) == (1, 2, table.version + 1)
    assert {seat["player"]: seat["score"] for seat in state["seats"]} == {
        east: 49,
        south: -33,
        west: -8,
        north: -8,
    }
    assert [seat["wind"]["dealer"] for seat in state["seats"] if seat["player"] == south] == [True]


def test_the_same_tap_twice_is_one_hand(desk: Desk, table: Table) -> None:
    body = a_win(table)
    first, second = desk("api_hands", body), desk("api_hands", body)
    assert (first.status_code, second.status_code) == (201, 201)
    assert table.hands.count() == 1
    assert first.json() == second.json()


def test_a_preview_shows_fans_payments_and_saves_nothing(desk: Desk, table: Table) -> None:
    body = a_win(table, "pure_straight")
    shown = desk("api_preview", body).json()
    lines = {line["key"]: line["count"] * line["points"] for line in shown["score"]["fans"]}
    assert lines["pure_straight"] == 16
    assert lines["flower_tiles"] == 1
    assert sum(lines.values()) == shown["score"]["points"] == shown["points"]
    assert sum(shown["payments"].values()) == 0
    assert max(shown["payments"], key=shown["payments"].get) == str(body["winner"])
    assert table.hands.count() == 0


def test_the_sets_of_a_fan_are_told_with_it(desk: Desk, table: Table) -> None:
    shown = desk("api_preview", a_win(table, "mixed_triple_chow")).json()
    line = next(line for line in shown["score"]["fans"] if line["key"] == "mixed_triple_chow")
    groups = shown["score"]["reading"]["groups"]
    made = ["".join(groups[place]["tiles"]) for place in line["groups"][0]]
    assert sorted(made) == ["3m4m5m", "3p4p5p", "3s4s5s"]


def test_what_looks_claimable_is_told_with_why_it_does_not_count(desk: Desk, table: Table) -> None:
    rejected = desk("api_preview", a_win(table, "pure_straight")).json()["score"]["rejected"]
    assert rejected
    assert all(one["reason"] and one["clause"] for one in rejected)


def test_two_tiles_to_go_say_what_the_hand_can_become(desk: Desk, table: Table) -> None:
    tiles = {
        "concealed": ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "4p", "5p", "6p", "7s"],
        "melds": [],
    }
    outlook = desk("api_preview", a_win(table) | {"tiles": tiles}).json()["outlook"]
    assert sorted(outlook["tiles"]) == ["7s", "9m"]
    assert outlook["score"]["points"] >= 16
    assert outlook["score"]["meets_minimum"]


def test_a_hand_under_eight_points_is_explained_and_refused(desk: Desk, table: Table) -> None:
    body = a_win(table, "too_cheap")
    shown = desk("api_preview", body).json()
    assert [problem["code"] for problem in shown["problems"]] == ["below_minimum"]
    assert shown["problems"][0]["message"]
    assert not shown["score"]["meets_minimum"]
    assert shown["score"]["fans"]
    assert shown["score"]["minimum"] == 8
    refused = desk("api_hands", body)
    assert refused.status_code == 422
    assert codes(refused) == {("below_minimum", "tiles")}
    assert table.hands.count() == 0


def test_everything_wrong_is_said_at_once_and_at_its_place(desk: Desk, table: Table) -> None:
    refused = desk("api_hands", a_win(table, winner=4711, discarder=4711) | {"tiles": None})
    assert refused.status_code == 422
    assert {
        ("not_at_this_table", "winner"),
        ("not_at_this_table", "discarder"),
        ("tiles_missing", "tiles"),
    } <= codes(refused)
    assert all(problem["message"] for problem in refused.json()["problems"])


def test_five_of_a_tile_is_refused(desk: Desk, table: Table) -> None:
    tiles = {
        "concealed": ["1m", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "9m"],
        "melds": [{"type": "kong", "tiles": ["1m"] * 4, "concealed": True}],
        "winning_tile": "9m",
    }
    refused = desk("api_hands", a_win(table) | {"tiles": tiles})
    assert refused.status_code == 422
    assert ("five_of_a_kind", "") in codes(refused)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("uuid", "not-a-uuid"),
        ("uuid", None),
        ("winner", "1"),
        ("winner", True),
        ("discarder", 1.5),
        ("tiles", ["1m"]),
        ("number", 10**30),
        ("table_version", "3"),
        ("outcome", [7]),
    ],
)
def test_a_field_of_the_wrong_kind_is_a_problem_of_that_field(
    desk: Desk, table: Table, field: str, value: object
) -> None:
    refused = desk("api_hands", a_win(table) | {field: value})
    assert refused.status_code == 400
    assert refused["Content-Type"] == "application/problem+json"
    assert ("not_understood", field) in codes(refused)
    assert table.hands.count() == 0


@pytest.mark.parametrize("text", ["", "[", "[]", "3", '"x"', "[" * 100_000])
def test_what_is_not_a_json_object_is_refused(desk: Desk, text: str) -> None:
    refused = desk("api_hands", text or "null")
    assert refused.status_code == 400
    assert refused.json()["problems"][0]["message"]


@pytest.mark.parametrize(
    "tiles",
    [
        {},
        {"concealed": "1m", "melds": {}},
        {"concealed": [1, None, {}], "melds": [3]},
        {"concealed": ["1m"] * 12, "melds": []},
        {"concealed": [], "melds": [{"type": "chow", "tiles": ["E", "S", "W"]}] * 9},
        {"concealed": ["9x"] * 14, "melds": [], "winning_tile": [], "flowers": -1, "last_of_kind": "yes"},
    ],
)
@pytest.mark.parametrize("name", ["api_preview", "api_hands"])
def test_impossible_tiles_are_problems_never_a_fault(
    desk: Desk, table: Table, name: str, tiles: object
) -> None:
    answer = desk(name, a_win(table) | {"tiles": tiles})
    assert answer.status_code == (422 if name == "api_hands" else 200)
    assert answer.json()["problems"]


def test_what_else_a_client_sends_with_the_tiles_is_not_kept(desk: Desk, table: Table) -> None:
    body = a_win(table)
    desk("api_hands", body | {"tiles": body["tiles"] | {"junk": "\0" * 100}})
    assert set(table.hands.get().tiles or {}).isdisjoint({"junk"})


def test_the_seventeenth_hand_is_refused(desk: Desk, table: Table) -> None:
    for _ in range(16):
        record(table, wash_out())
    refused = desk("api_hands", a_win(table, number=17))
    assert refused.status_code == 422
    assert codes(refused) == {("no_hand_after_sixteen", "number")}
    state = desk("api_preview", a_win(table, number=17))
    assert state.json()["problems"]


# --- two devices ------------------------------------------------------------------------------------------------
def test_a_stale_write_is_told_what_changed_and_overwrites_nothing(desk: Desk, table: Table) -> None:
    mine = a_win(table)
    record(table, wash_out())
    answer = desk("api_hands", mine)
    assert answer.status_code == 409
    told = answer.json()
    assert [(change["hand"], change["text"]) for change in told["changes"]] == [(1, "Hand 1 was recorded.")]
    assert told["state"]["hands"][0]["outcome"] == "draw"
    assert table.hands.get().outcome == "draw"


def test_the_state_is_what_another_device_wrote(desk: Desk, client: Client, table: Table) -> None:
    record(table, win(four(table)[0]))
    state = client.get(address("api_desk", table)).json()["state"]
    assert (state["played"], len(state["hands"])) == (1, 1)
    assert sum(seat["score"] for seat in state["seats"]) == 0


# --- correcting ---------------------------------------------------------------------------------------------------
def test_a_correction_is_a_new_version_with_its_reason(desk: Desk, table: Table, umpire: User) -> None:
    record(table, wash_out())
    table.refresh_from_db()
    answer = desk("api_hand", a_win(table, reason="Wrong button"), "put", hand=1)
    assert answer.status_code == 200
    hand = answer.json()["state"]["hands"][0]
    assert (hand["version"], hand["reason"], hand["by"]) == (2, "Wrong button", umpire.username)
    assert [(old["version"], old["text"]) for old in hand["before"]] == [(1, "Wash-out")]
    assert sorted(scores(table).values()) == [-33, -8, -8, 49]


def test_a_correction_needs_a_reason(desk: Desk, table: Table) -> None:
    record(table, wash_out())
    refused = desk("api_hand", a_win(table, reason="  "), "put", hand=1)
    assert refused.status_code == 422
    assert codes(refused) == {("reason_missing", "reason")}
    too_long = desk("api_hand", a_win(table, reason="x" * 301), "put", hand=1)
    assert codes(too_long) == {("text_too_long", "reason")}


def test_the_effect_of_a_correction_reaches_table_points_ranks_and_what_was_published(
    client: Client, tournament: Tournament
) -> None:
    table = tournament.sessions.get(number=1).tables.get(number=2)
    organiser = make_organiser(tournament)
    for each in tournament.sessions.get(number=1).tables.filter(hands_played=0):
        record(each, wash_out())
    for each in tournament.sessions.get(number=1).tables.all():
        hand_in(each, SYSTEM)
    close_session(tournament.sessions.get(number=1), SYSTEM)
    publish_standings(tournament, SYSTEM)
    client.force_login(organiser)
    last = max(table.seats.all(), key=lambda seat: -seat.game_points).player.number
    body = {"number": 1, "outcome": "win", "winner": last, "discarder": None, "points": 300}
    effect = post(client, table, "api_preview", body).json()["effect"]
    assert {row["player"]: row["after"] for row in effect["table_points"]}[last] == "4"
    assert next(row for row in effect["ranks"] if row["player"] == last)["after"] == 1
    told = {note["text"]: note["warns"] for note in effect["notes"]}
    assert told == {
        "The standings published after session 1 will be out of date": True,
        "The seats of the sessions to come do not depend on it": False,
    }


def test_a_correction_warns_when_later_seats_followed_from_the_standings(
    client: Client, tournament: Tournament
) -> None:
    first = tournament.sessions.get(number=1)
    for each in first.tables.all():
        record(each, wash_out())
        hand_in(each, SYSTEM)
    close_session(first, SYSTEM)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.STANDING))
    client.force_login(make_organiser(tournament))
    table = first.tables.get(number=1)
    body = {"number": 1, "outcome": "win", "winner": four(table)[0], "discarder": None, "points": 300}
    notes = post(client, table, "api_preview", body).json()["effect"]["notes"]
    text = "The seats of session 2 were given by the standings as they were before"
    assert {"text": text, "warns": True} in notes


def test_a_correction_that_moves_nothing_says_so(desk: Desk, table: Table) -> None:
    east, south, *_ = four(table)
    record(table, win(east, south))
    body = a_win(table) | {"points": 25}
    effect = desk("api_preview", body).json()["effect"]
    assert (effect["table_points"], effect["ranks"]) == ([], [])
    assert [note["text"] for note in effect["notes"]][:2] == [
        "Table points stay 4, 1.50, 1.50, 0",
        "No rank changes",
    ]


def test_a_preview_by_fans_says_what_no_hand_has_beside_them(desk: Desk, table: Table) -> None:
    body = a_win(table) | {"tiles": None, "fans": {"full_flush": 1}}
    found = desk("api_preview", body).json()
    assert (found["struck"]["mixed_straight"], "pure_straight" in found["struck"]) == ("full_flush", False)


def test_a_preview_says_what_is_missing_and_that_it_may_be_overridden(desk: Desk, table: Table) -> None:
    found = desk("api_preview", a_win(table) | {"tiles": None, "fans": {"big_four_winds": 1}}).json()
    assert [problem["message"] for problem in found["problems"]] == [
        "A hand with these fans, won like this, also counts Half Flush or All Honors."
    ]
    assert found["overridable"] is True


def test_tiles_and_what_was_announced_are_told_line_by_line(desk: Desk, table: Table) -> None:
    body = a_win(table) | {"fans": {"all_types": 1, "seven_pairs": 1}}
    found = desk("api_preview", body).json()["comparison"]
    assert (found["agrees"], found["announced"], found["counted"]) == (False, 30, 25)
    assert found["rows"] == [["seven_pairs", 24, 24], ["all_types", 6, 0], ["no_honors", 0, 1]]
    first = found["differences"][0]
    assert (first["slip"], first["fan"], first["announced"], first["counted"]) == (
        "not_counted",
        "all_types",
        1,
        0,
    )


def test_a_hand_that_is_not_recorded_cannot_be_corrected(desk: Desk, table: Table) -> None:
    assert desk("api_hand", a_win(table, reason="?"), "put", hand=5).status_code == 404


def test_a_hand_taken_back_meanwhile_is_told_of_instead_of_corrected(
    desk: Desk, table: Table, umpire: User
) -> None:
    hand = record(table, wash_out(), Actor.of(umpire))
    seen = Table.objects.get(pk=table.pk).version
    undo_hand(hand, Actor.of(umpire))
    stale = desk("api_hand", a_win(table, reason="?") | {"table_version": seen}, "put", hand=1)
    assert (stale.status_code, len(stale.json()["changes"])) == (409, 1)
    table.refresh_from_db()
    refused = desk("api_hand", a_win(table, reason="?") | {"table_version": table.version}, "put", hand=1)
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["message"] == (
        "Hand 1 was taken back in the meantime. Record it anew."
    )


# --- penalties ------------------------------------------------------------------------------------------------------
def a_foul(table: Table, **more: Any) -> dict[str, Any]:
    body = {"uuid": str(uuid4()), "player": four(table)[0], "foul": "empty_call", "hand_number": 1}
    return body | {"table_version": table.version} | more


def test_a_foul_is_proposed_with_its_reason_and_rung_before_it_is_given(desk: Desk, table: Table) -> None:
    desk("api_penalties", a_foul(table))
    table.refresh_from_db()
    proposal = desk("api_penalty_preview", a_foul(table)).json()["proposal"]
    assert proposal["sanction"] == "5 points"
    assert [step["label"] for step in proposal["ladder"] if step["due"]] == ["5"]
    assert proposal["paid"]
    assert proposal["button"].startswith("Take 5 points from ")
    assert table.penalties.count() == 1


def test_a_proposal_says_where_it_is_written_in_the_umpires_language(
    desk: Desk, client: Client, table: Table
) -> None:
    client.cookies["django_language"] = "zh-hans"
    proposal = desk("api_penalty_preview", a_foul(table)).json()["proposal"]
    assert proposal["source"] == "《麻将竞赛规则》“具体犯规”：空吃、空碰、空杠（喊后反悔）"


def test_points_paid_to_nobody_are_named_so_that_the_sum_reconciles(desk: Desk, table: Table) -> None:
    answer = desk("api_penalties", a_foul(table, foul="late", minutes=12))
    state = answer.json()["state"]
    assert state["unpaid"] == 20
    assert [penalty["unpaid"] for penalty in state["penalties"]] == [20]
    assert sum(seat["score"] for seat in state["seats"]) == -20


def test_the_same_foul_tapped_twice_is_one_penalty(desk: Desk, table: Table) -> None:
    body = a_foul(table)
    assert [desk("api_penalties", body).status_code for _ in range(2)] == [201, 201]
    assert table.penalties.count() == 1


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"foul": "late"}, ("minutes_missing", "minutes")),
        ({"foul": "late", "minutes": "ten"}, ("not_understood", "minutes")),
        ({"foul": "late", "minutes": 0}, ("minutes_not_positive", "minutes")),
        ({"foul": "rules_violation", "points": 7}, ("points_not_on_scale", "points")),
        ({"foul": "rules_violation", "points": 0}, ("points_not_on_scale", "points")),
        ({"foul": "knocked_tiles", "points": 5}, ("victim_missing", "victim")),
        ({"foul": "shown_tiles"}, ("hu_was_valid_missing", "hu_was_valid")),
        ({"foul": "no_such_foul"}, ("foul_unknown", "foul")),
        ({"player": 4711}, ("not_at_this_table", "player")),
        ({"hand_number": 99}, ("no_such_hand", "hand_number")),
    ],
)
def test_what_a_foul_lacks_is_said_at_its_field(
    desk: Desk, table: Table, more: dict[str, Any], problem: tuple[str, str]
) -> None:
    refused = desk("api_penalties", a_foul(table, **more))
    assert refused.status_code in (400, 422)
    assert problem in codes(refused)
    assert table.penalties.count() == 0


def test_a_knocked_over_tile_costs_25_if_the_umpire_says_so(desk: Desk, table: Table) -> None:
    offender, victim = list(table.seats.order_by("id").values_list("player__number", flat=True))[:2]
    body = a_foul(table, player=offender, foul="knocked_tiles", points=25, victim=victim)
    state = desk("api_penalties", body).json()["state"]
    assert [one["effects"] for one in state["penalties"]] == [{str(offender): -25, str(victim): 25}]


def test_a_penalty_is_taken_back_with_a_reason_and_stays_in_the_record(desk: Desk, table: Table) -> None:
    desk("api_penalties", a_foul(table, foul="false_hu"))
    penalty = table.penalties.get()
    assert codes(desk("api_penalty", {"reason": ""}, "delete", uuid=penalty.uuid)) == {
        ("cancel_reason_missing", "reason")
    }
    state = desk("api_penalty", {"reason": "It was valid"}, "delete", uuid=penalty.uuid).json()["state"]
    assert [(one["cancelled"], one["cancelled_because"]) for one in state["penalties"]] == [
        (True, "It was valid")
    ]
    assert set(scores(table).values()) == {0}


def test_the_penalty_just_given_is_undone_by_its_address_in_the_state(desk: Desk, table: Table) -> None:
    [given] = desk("api_penalties", a_foul(table, foul="false_hu")).json()["state"]["penalties"]
    assert given["undo"]["url"] == address("api_penalty_undo", table, uuid=given["uuid"])
    [undone] = desk("api_penalty_undo", uuid=given["uuid"]).json()["state"]["penalties"]
    assert (undone["cancelled_because"], undone["undo"]) == ("Undone at once", None)
    assert set(scores(table).values()) == {0}


def test_a_dead_hand_is_shown_for_its_hand_and_refuses_the_win(desk: Desk, table: Table) -> None:
    east, south, *_ = four(table)
    state = desk("api_penalties", a_foul(table, foul="reaching_across", circumstance="discard_taken")).json()[
        "state"
    ]
    (restraint,) = state["restraints"]
    assert (restraint["hand"], restraint["player"]) == (1, east)
    assert restraint["marks"] == ["Dead hand", "No claims this hand"]
    assert "Reaching across" in restraint["barred"]
    table.refresh_from_db()
    refused = desk("api_hands", a_win(table))
    assert codes(refused) == {("dead_hand", "winner")}
    assert refused.json()["problems"][0]["message"] == restraint["barred"]
    saved = desk("api_hands", a_win(table, winner=south, discarder=east))
    assert saved.json()["state"]["next"] == 2


def test_a_foul_in_a_hand_to_come_is_refused_at_the_hand(desk: Desk, table: Table) -> None:
    refused = desk("api_penalties", a_foul(table, foul="false_hu", hand_number=2))
    assert codes(refused) == {("hand_not_begun", "hand_number")}
    asked = desk("api_penalty_preview", a_foul(table, foul="false_hu", hand_number=None)).json()
    assert [problem["code"] for problem in asked["problems"]] == ["hand_number_missing"]


def test_another_sanction_is_marked_with_its_reason_and_what_the_book_says(desk: Desk, table: Table) -> None:
    own = {"points": {"amount": 10, "scope": "session", "paid_to": "nobody"}}
    assert codes(desk("api_penalties", a_foul(table, sanction=own))) == {("because_missing", "because")}
    state = desk("api_penalties", a_foul(table, sanction=own, because="shouted")).json()["state"]
    (penalty,) = state["penalties"]
    assert (penalty["sanction"], penalty["instead_of"], penalty["because"]) == (
        "10 points",
        "warning",
        "shouted",
    )


@pytest.mark.parametrize("sanction", ["no", [], {"prison": True}, {"points": 5}, {"points": {"amount": 0}}])
def test_what_is_no_sanction_is_refused(desk: Desk, table: Table, sanction: object) -> None:
    assert codes(desk("api_penalties", a_foul(table, sanction=sanction))) == {("not_understood", "sanction")}


def test_a_penalty_of_another_table_is_not_found(
    desk: Desk, client: Client, table: Table, tournament: Tournament
) -> None:
    desk("api_penalties", a_foul(table))
    other = tournament.sessions.get(number=1).tables.get(number=2)
    wrong = post(client, other, "api_penalty", {"reason": "x"}, "delete", uuid=table.penalties.get().uuid)
    assert wrong.status_code == 404


# --- the sheet --------------------------------------------------------------------------------------------------------
def test_a_table_is_handed_in_and_reopened(desk: Desk, table: Table) -> None:
    empty = desk("api_table_step", step="hand-in")
    assert codes(empty) == {("no_hand_recorded", "")}
    record(table, wash_out())
    assert desk("api_table_step", step="hand-in").json()["state"]["is_in"]
    table.refresh_from_db()
    assert codes(desk("api_hands", a_win(table, number=2))) == {("table_is_in", "")}
    assert not desk("api_table_step", step="reopen").json()["state"]["is_in"]


@pytest.mark.parametrize("body", [{"table_version": "x"}, {"table_version": [1]}])
def test_a_version_that_is_no_number_is_refused(desk: Desk, body: object) -> None:
    assert codes(desk("api_table_step", body, step="hand-in")) == {("not_understood", "table_version")}


# --- who may, and when ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", WRITES)
def test_a_visitor_is_told_to_sign_in(client: Client, table: Table, name: str) -> None:
    answer = post(client, table, name, a_win(table))
    assert answer.status_code == 401
    assert codes(answer) == {("signed_out", "")}


@pytest.mark.parametrize("name", WRITES)
def test_an_umpire_of_another_table_may_not_even_look(
    client: Client, tournament: Tournament, name: str
) -> None:
    first, second, *_ = tournament.sessions.get(number=1).tables.all()
    client.force_login(make_umpire(tournament, "una", tables=[second]))
    assert post(client, first, name, a_win(first)).status_code == 403
    assert client.get(desk_url(first)).status_code == 403
    assert client.get(address("api_desk", first)).status_code == 403
    assert client.get(desk_url(second)).status_code == 200


def test_the_desk_of_a_table_that_is_not_there_is_not_found(
    client: Client, umpire: User, table: Table
) -> None:
    client.force_login(umpire)
    assert client.get(desk_url(table).replace("/1/1/", "/1/99/")).status_code == 404
    assert client.get(desk_url(table).replace(table.session.tournament.slug, "no-such")).status_code == 404


def test_a_visitor_is_led_to_the_door_and_back(client: Client, table: Table) -> None:
    answer = client.get(desk_url(table))
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"next={desk_url(table)}")


def test_before_the_gong_and_after_the_close_nothing_is_recorded(
    client: Client, table: Table, umpire: User
) -> None:
    client.force_login(umpire)
    coming = Table.objects.get(session__tournament=table.session.tournament, session__number=2, number=1)
    assert codes(post(client, coming, "api_hands", a_win(coming))) == {("session_not_started", "")}
    state = client.get(address("api_desk", coming)).json()["state"]
    assert state["planned"]
    assert not state["may_record"]


def test_after_the_close_only_the_organiser_corrects(client: Client, table: Table, umpire: User) -> None:
    session = Session.objects.get(pk=table.session_id)
    for one in session.tables.all():
        if not one.hands_played:
            record(one, wash_out())
        hand_in(one, SYSTEM)
    close_session(session, SYSTEM)
    table.refresh_from_db()
    client.force_login(umpire)
    assert codes(post(client, table, "api_hand", a_win(table, reason="late"), "put", hand=1)) == {
        ("session_closed", "")
    }
    assert not client.get(address("api_desk", table)).json()["state"]["may_correct"]
    client.force_login(make_organiser(table.session.tournament))
    assert client.get(address("api_desk", table)).json()["state"]["may_correct"]
    assert post(client, table, "api_hand", a_win(table, reason="late"), "put", hand=1).status_code == 200


def test_addresses_that_write_do_not_answer_a_get(client: Client, umpire: User, table: Table) -> None:
    client.force_login(umpire)
    only_written = {"api_preview", "api_penalty_preview", "api_absences"}
    assert {client.get(address(name, table)).status_code for name in only_written} == {405}


def test_the_desk_without_javascript_shows_the_table(
    client: Client, umpire: User, tournament: Tournament
) -> None:
    client.force_login(umpire)
    busy = tournament.sessions.get(number=1).tables.get(number=2)
    page = client.get(desk_url(busy)).content.decode()
    for player in busy.seats.values_list("player__last_name", flat=True):
        assert player in page
    assert "<noscript>" in page
    assert page.count('class="no"') == 6


def test_my_tables_lead_to_what_is_next(client: Client, tournament: Tournament) -> None:
    first, second, *_ = tournament.sessions.get(number=1).tables.all()
    client.force_login(make_umpire(tournament, "una", tables=[second]))
    page = client.get(reverse("umpire_tables", args=[tournament.slug])).content.decode()
    assert desk_url(second) in page
    assert desk_url(first) not in page
    assert "Record hand 7" in page


def test_home_goes_straight_to_the_only_tournament(
    client: Client, umpire: User, tournament: Tournament
) -> None:
    client.force_login(umpire)
    assert client.get(reverse("umpire_home"))["Location"] == reverse("umpire_tables", args=[tournament.slug])
    client.force_login(make_user("nobody"))
    assert client.get(reverse("umpire_home")).status_code == 200
    assert client.get(reverse("umpire_tables", args=[tournament.slug])).status_code == 403


# --- an empty seat ---------------------------------------------------------------------------------------------
def test_the_desk_knows_the_empty_seat_for_every_hand_to_come(desk: Desk, table: Table) -> None:
    """It is what the desk judges by without a network."""
    east = four(table)[0]
    state = desk("api_absences", {"uuid": str(uuid4()), "player": east}).json()["state"]
    empty = state["empty_seats"]
    assert [one["hand"] for one in empty] == list(range(1, 17))
    assert {one["player"] for one in empty} == {east}
    assert all("nobody wins, discards or claims" in one["why"] and one["too_early"] for one in empty)
    absence = state["absences"][0]
    assert (absence["in_all"], absence["steps"][-1]["label"]) == (120, "440")


def test_the_umpire_lets_the_others_begin_and_says_why(desk: Desk, table: Table) -> None:
    east, south, west, _ = four(table)
    uuid = str(uuid4())
    version = desk("api_absences", {"uuid": uuid, "player": east}).json()["state"]["version"]
    hand = a_win(table, winner=south, discarder=west, table_version=version)
    assert codes(desk("api_preview", hand)) == {("seat_empty_too_early", "")}
    assert codes(desk("api_hands", hand)) == {("seat_empty_too_early", "")}
    assert codes(desk("api_absence", {"begun_because": ""}, "patch", uuid=uuid)) == {
        ("begun_reason_missing", "reason")
    }
    state = desk("api_absence", {"begun_because": "All three agree"}, "patch", uuid=uuid).json()["state"]
    assert {one["too_early"] for one in state["empty_seats"]} == {""}
    saved = desk("api_hands", hand | {"table_version": state["version"]})
    assert saved.json()["state"]["hands"][0]["absent"] == [east]


def test_a_no_show_is_fined_once_and_stays_missing(desk: Desk, table: Table) -> None:
    east = four(table)[0]
    desk("api_absences", {"uuid": str(uuid4()), "player": east})
    fine = {"uuid": str(uuid4()), "player": east, "foul": "late", "minutes": 120}
    state = desk("api_penalties", fine).json()["state"]
    assert [(one["fined"], one["minutes"]) for one in state["absences"]] == [(True, None)]
