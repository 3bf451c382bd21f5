"""The desk over HTTP: who may, what is refused and how, what a second device and a second tap do; what a save costs."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.closing import players_at
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
from tests.support.pages import write_at
from tests.support.play import scores
from tests.support.programs import ROOT, Program
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.api.answers import desk_typedefs
from tournament.play.api.facts import url_of as address
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in
from tournament.play.views.desk import desk_url
from tournament.ranking.services import publish_standings
from tournament.seating.engine.swiss import SeatingMethod
from tournament.seating.selectors.changes import SessionOptions
from tournament.seating.services.seatings import seat_session

Desk = Callable[..., Any]
WRITES = ("api_hands", "api_penalties", "api_absences", "api_appeals", "api_preview", "api_penalty_preview")

A_SAVE = 18
"""Beside the beginning and the end of the transaction."""
A_TABLE = 6
"""Who asks, the table, the roles; what it says is remembered until something is written."""
EVENT_WITH = {"players": 8, "sessions": 1, "running": 1}


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
    return lambda name, body=None, method="post", **more: write_at(client, table, name, body, method, **more)


def a_win(table: Table, tiles: str = "seven_pairs", number: int = 1, **more: Any) -> dict[str, Any]:
    """East wins from South."""
    east, south, *_ = players_at(table)
    hand = {"outcome": "win", "winner": east, "discarder": south, "tiles": TILES[tiles]}
    return hand | {"uuid": str(uuid4()), "number": number, "table_version": table.version} | more


def a_foul(table: Table, **more: Any) -> dict[str, Any]:
    body = {"uuid": str(uuid4()), "player": players_at(table)[0], "foul": "empty_call", "hand_number": 1}
    return body | {"table_version": table.version} | more


def codes(response: Any) -> set[tuple[str, str]]:
    return {(problem["code"], problem["where"]) for problem in response.json()["problems"]}


def test_a_hand_tapped_twice_is_one_and_a_stale_write_overwrites_nothing(desk: Desk, table: Table) -> None:
    """What else a client sends with the tiles is not kept."""
    east, south, west, north = players_at(table)
    body, stale = a_win(table), a_win(table)
    body["tiles"] = body["tiles"] | {"junk": "\0" * 100}
    first, second = desk("api_hands", body), desk("api_hands", body)
    assert (first.status_code, second.status_code, table.hands.count()) == (201, 201, 1)
    assert first.json() == second.json()
    other = desk("api_hands", a_win(table, "pure_straight") | {"uuid": body["uuid"]})
    assert (other.status_code, other.json()["problems"][0]["code"]) == (409, "uuid_of_another_hand")
    assert other.json()["state"] == first.json()["state"]
    assert "junk" not in (table.hands.get().tiles or {})
    state = first.json()["state"]
    assert (state["played"], state["next"], state["version"]) == (1, 2, table.version + 1)
    scored = {seat["player"]: seat["score"] for seat in state["seats"]}
    assert scored == {east: 49, south: -33, west: -8, north: -8}
    assert [seat["wind"]["dealer"] for seat in state["seats"] if seat["player"] == south] == [True]
    answer = desk("api_hands", stale)
    assert answer.status_code == 409
    assert [change["text"] for change in answer.json()["changes"]] == ["Hand 1 was recorded."]
    assert answer.json()["state"]["hands"] == state["hands"]


def test_a_preview_explains_and_saves_nothing(desk: Desk, table: Table) -> None:
    body = a_win(table, "pure_straight")
    preview = desk("api_preview", body).json()
    lines = {line["key"]: line["count"] * line["points"] for line in preview["score"]["fans"]}
    assert (lines["pure_straight"], lines["flower_tiles"]) == (16, 1)
    assert sum(lines.values()) == preview["score"]["points"] == preview["points"]
    assert sum(preview["payments"].values()) == 0
    assert max(preview["payments"], key=preview["payments"].get) == str(body["winner"])
    rejected = preview["score"]["rejected"]
    assert rejected
    assert all(fan["reason"] and fan["clause"] for fan in rejected)
    score = desk("api_preview", a_win(table, "mixed_triple_chow")).json()["score"]
    line = next(line for line in score["fans"] if line["key"] == "mixed_triple_chow")
    sets = ["".join(score["reading"]["groups"][place]["tiles"]) for place in line["groups"][0]]
    assert sorted(sets) == ["3m4m5m", "3p4p5p", "3s4s5s"]
    suited = [*(f"{number}m" for number in range(1, 9)), "4p", "5p", "6p", "7s"]
    tiles = {"concealed": suited, "melds": []}
    outlook = desk("api_preview", a_win(table) | {"tiles": tiles}).json()["outlook"]
    assert sorted(outlook["tiles"]) == ["7s", "9m"]
    assert outlook["score"]["points"] >= 16
    assert outlook["score"]["meets_minimum"]
    cheap = desk("api_preview", a_win(table, "too_cheap")).json()
    assert (cheap["problems"][0]["code"], bool(cheap["problems"][0]["message"])) == ("below_minimum", True)
    assert (cheap["score"]["meets_minimum"], cheap["score"]["minimum"]) == (False, 8)
    refused = desk("api_hands", a_win(table, "too_cheap"))
    assert (refused.status_code, codes(refused)) == (422, {("below_minimum", "tiles")})
    assert table.hands.count() == 0


def test_unreadable_values_are_refused(desk: Desk, table: Table, subtests: pytest.Subtests) -> None:
    for field, value in (
        ("uuid", "not-a-uuid"),
        ("winner", True),
        ("discarder", 1.5),
        ("tiles", ["1m"]),
        ("number", 10**30),
        ("table_version", "3"),
        ("outcome", [7]),
    ):
        with subtests.test(field, value=value):
            refused = desk("api_hands", a_win(table) | {field: value})
            assert refused.status_code == 400
            assert refused["Content-Type"] == "application/problem+json"
            assert ("not_understood", field) in codes(refused)
    assert table.hands.count() == 0
    for body in ({"table_version": "x"}, {"table_version": [1]}):
        assert codes(desk("api_table_step", body, step="hand-in")) == {("not_understood", "table_version")}
    for text in ("null", "[", "[]", "3", '"x"', "[" * 100_000):
        with subtests.test(text[:9]):
            refused = desk("api_hands", text)
            assert refused.status_code == 400
            assert refused.json()["problems"][0]["message"]


def test_a_correction_is_a_new_version_with_its_reason(desk: Desk, table: Table, umpire: User) -> None:
    record(table, wash_out())
    for reason, status, problem in (("  ", 422, "reason_missing"), ("x" * 301, 400, "text_too_long")):
        refused = desk("api_hand", a_win(table, reason=reason), "put", hand=1)
        assert (refused.status_code, codes(refused)) == (status, {(problem, "reason")})
    answer = desk("api_hand", a_win(table, reason="Wrong button"), "put", hand=1)
    assert answer.status_code == 200
    hand = answer.json()["state"]["hands"][0]
    assert (hand["version"], hand["reason"], hand["by"]) == (2, "Wrong button", umpire.username)
    assert [(old["version"], old["text"]) for old in hand["before"]] == [(1, "Wash-out")]
    assert sorted(scores(table).values()) == [-33, -8, -8, 49]
    assert desk("api_hand", a_win(table, reason="?"), "put", hand=5).status_code == 404


def close(session: Session) -> None:
    """Close the session, with a wash-out at each table at which nobody has played."""
    for table in session.tables.all():
        if not table.hands_played:
            record(table, wash_out())
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM)


@pytest.mark.thorough
def test_a_correction_tells_its_effect(client: Client, tournament: Tournament) -> None:
    session = tournament.sessions.get(number=1)
    close(session)
    publish_standings(tournament, SYSTEM)
    client.force_login(make_organiser(tournament))
    table = session.tables.get(number=2)
    last = max(table.seats.all(), key=lambda seat: -seat.game_points).player.number
    body = {"number": 1, "outcome": "win", "winner": last, "discarder": None, "points": 300}
    effect = write_at(client, table, "api_preview", body).json()["effect"]
    assert {row["player"]: row["after"] for row in effect["table_points"]}[last] == "4"
    assert next(row for row in effect["ranks"] if row["player"] == last)["after"] == 1
    assert {note["text"]: note["warns"] for note in effect["notes"]} == {
        "The standings published after session 1 will be out of date": True,
        "The seats of later sessions do not depend on it": False,
    }
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.STANDING))
    notes = write_at(client, table, "api_preview", body).json()["effect"]["notes"]
    text = "The seats of session 2 were assigned by the previous standings"
    assert {"text": text, "warns": True} in notes


def test_a_correction_that_moves_nothing_says_so(desk: Desk, table: Table) -> None:
    east, south, *_ = players_at(table)
    record(table, win(east, south))
    effect = desk("api_preview", a_win(table) | {"points": 25}).json()["effect"]
    assert (effect["table_points"], effect["ranks"]) == ([], [])
    notes = [note["text"] for note in effect["notes"]]
    assert notes[:2] == ["Table points stay 4, 1.50, 1.50, 0", "No rank changes"]


def test_announced_fans_are_compared_and_conflicting_ones_listed(desk: Desk, table: Table) -> None:
    by_fans = a_win(table) | {"tiles": None}
    struck = desk("api_preview", by_fans | {"fans": {"full_flush": 1}}).json()["struck"]
    assert (struck["mixed_straight"], "pure_straight" in struck) == ("full_flush", False)
    preview = desk("api_preview", by_fans | {"fans": {"big_four_winds": 1}}).json()
    assert [problem["message"] for problem in preview["problems"]] == [
        "A hand with these fans, won this way, also counts Half Flush or All Honors."
    ]
    assert preview["overridable"] is True
    body = a_win(table) | {"fans": {"all_types": 1, "seven_pairs": 1}}
    comparison = desk("api_preview", body).json()["comparison"]
    assert [comparison[name] for name in ("agrees", "announced", "counted")] == [False, 30, 25]
    assert comparison["rows"] == [["seven_pairs", 24, 24], ["all_types", 6, 0], ["no_honors", 0, 1]]
    difference = [comparison["differences"][0][name] for name in ("slip", "fan", "announced", "counted")]
    assert difference == ["not_counted", "all_types", 1, 0]


def test_a_foul_is_proposed_with_its_source(desk: Desk, client: Client, table: Table) -> None:
    desk("api_penalties", a_foul(table))
    table.refresh_from_db()
    proposal = desk("api_penalty_preview", a_foul(table)).json()["proposal"]
    assert proposal["sanction"] == "5 points"
    assert [step["label"] for step in proposal["ladder"] if step["due"]] == ["5"]
    assert proposal["paid"]
    assert proposal["button"].startswith("Take 5 points from ")
    assert table.penalties.count() == 1
    client.cookies["django_language"] = "zh-hans"
    proposal = desk("api_penalty_preview", a_foul(table)).json()["proposal"]
    assert proposal["source"] == "《麻将竞赛规则》“具体犯规”：空吃、空碰、空杠（喊后反悔）"


def test_points_go_to_a_victim_or_to_nobody_which_is_named(desk: Desk, table: Table) -> None:
    """So that the sum reconciles."""
    offender, victim, *_ = players_at(table)
    knocked = desk("api_penalties", a_foul(table, foul="knocked_tiles", points=25, victim=victim)).json()
    effects = {str(offender): -25, str(victim): 25}
    assert [penalty["effects"] for penalty in knocked["state"]["penalties"]] == [effects]
    table.refresh_from_db()
    state = desk("api_penalties", a_foul(table, foul="late", minutes=12)).json()["state"]
    assert state["unpaid"] == 20
    assert sorted(penalty["unpaid"] for penalty in state["penalties"]) == [0, 20]
    assert sum(seat["score"] for seat in state["seats"]) == -20


@pytest.mark.thorough
def test_missing_facts_of_a_foul_are_reported_at_their_fields(
    desk: Desk, table: Table, subtests: pytest.Subtests
) -> None:
    not_understood: tuple[object, ...] = ([], {"prison": True}, {"points": {"amount": 0}})
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"foul": "late"}, "minutes_missing", "minutes"),
        ({"foul": "late", "minutes": 0}, "minutes_not_positive", "minutes"),
        ({"foul": "rules_violation", "points": 4}, "points_not_on_scale", "points"),
        ({"foul": "knocked_tiles", "points": 5}, "victim_missing", "victim"),
        ({"foul": "shown_tiles"}, "hu_was_valid_missing", "hu_was_valid"),
        ({"foul": "no_such_foul"}, "foul_unknown", "foul"),
        ({"player": 4711}, "not_at_this_table", "player"),
        ({"hand_number": 99}, "no_such_hand", "hand_number"),
        ({"foul": "false_hu", "hand_number": 2}, "hand_not_begun", "hand_number"),
        *(({"sanction": sanction}, "not_understood", "sanction") for sanction in not_understood),
    ]
    for more, code, where in cases:
        with subtests.test(code, more=more):
            refused = desk("api_penalties", a_foul(table, **more))
            assert refused.status_code in (400, 422)
            assert codes(refused) == {(code, where)}
    assert table.penalties.count() == 0
    preview = desk("api_penalty_preview", a_foul(table, foul="false_hu", hand_number=None)).json()
    assert [problem["code"] for problem in preview["problems"]] == ["hand_number_missing"]


def test_a_penalty_is_undone_at_once_or_cancelled_and_stays_in_the_record(
    desk: Desk, client: Client, table: Table, tournament: Tournament
) -> None:
    [penalty] = desk("api_penalties", a_foul(table, foul="false_hu")).json()["state"]["penalties"]
    assert penalty["undo"]["url"] == address("api_penalty_undo", table, uuid=penalty["uuid"])
    [undone] = desk("api_penalty_undo", uuid=penalty["uuid"]).json()["state"]["penalties"]
    assert (undone["cancelled_because"], undone["undo"]) == ("Undone at once", None)
    table.refresh_from_db()
    foul = a_foul(table, foul="false_hu")
    assert [desk("api_penalties", foul).status_code for _ in range(2)] == [201, 201]
    uuid = foul["uuid"]
    other = tournament.sessions.get(number=1).tables.get(number=2)
    assert write_at(client, other, "api_penalty", {"reason": "x"}, "delete", uuid=uuid).status_code == 404
    refused = desk("api_penalty", {"reason": ""}, "delete", uuid=uuid)
    assert codes(refused) == {("cancel_reason_missing", "reason")}
    state = desk("api_penalty", {"reason": "It was valid"}, "delete", uuid=uuid).json()["state"]
    [cancelled] = [penalty for penalty in state["penalties"] if penalty["uuid"] == uuid]
    assert (cancelled["cancelled"], cancelled["cancelled_because"]) == (True, "It was valid")
    assert set(scores(table).values()) == {0}


def test_a_dead_hand_is_shown_for_its_hand_and_refuses_the_win(desk: Desk, table: Table) -> None:
    foul = a_foul(table, foul="reaching_across", circumstance="discard_taken")
    (restraint,) = desk("api_penalties", foul).json()["state"]["restraints"]
    assert (restraint["hand"], restraint["player"]) == (1, players_at(table)[0])
    assert restraint["marks"] == ["Dead hand", "No claims this hand"]
    assert "Reaching across" in restraint["barred"]
    table.refresh_from_db()
    refused = desk("api_hands", a_win(table))
    assert codes(refused) == {("dead_hand", "winner")}
    assert refused.json()["problems"][0]["message"] == restraint["barred"]


def test_another_sanction_is_marked_with_its_reason_and_what_the_book_says(desk: Desk, table: Table) -> None:
    foul = a_foul(table, sanction={"points": {"amount": 10, "scope": "session", "paid_to": "nobody"}})
    assert codes(desk("api_penalties", foul)) == {("because_missing", "because")}
    (penalty,) = desk("api_penalties", foul | {"because": "shouted"}).json()["state"]["penalties"]
    shown = [penalty[name] for name in ("sanction", "instead_of", "because")]
    assert shown == ["10 points", "warning", "shouted"]


def test_a_table_is_handed_in_and_reopened(desk: Desk, table: Table) -> None:
    assert codes(desk("api_table_step", step="hand-in")) == {("no_hand_recorded", "")}
    record(table, wash_out())
    assert desk("api_table_step", step="hand-in").json()["state"]["is_in"]
    table.refresh_from_db()
    assert codes(desk("api_hands", a_win(table, number=2))) == {("table_is_in", "")}
    assert not desk("api_table_step", step="reopen").json()["state"]["is_in"]


def test_a_visitor_is_asked_to_sign_in_and_led_back(client: Client, table: Table) -> None:
    for name in WRITES:
        answer = write_at(client, table, name, a_win(table))
        assert (name, answer.status_code, codes(answer)) == (name, 401, {("signed_out", "")})
    answer = client.get(desk_url(table))
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"next={desk_url(table)}")


def test_an_umpire_of_another_table_may_not_even_look(client: Client, tournament: Tournament) -> None:
    first, second, *_ = tournament.sessions.get(number=1).tables.all()
    client.force_login(make_umpire(tournament, "una", tables=[second]))
    writes = {name: write_at(client, first, name, a_win(first)).status_code for name in WRITES}
    assert writes == dict.fromkeys(WRITES, 403)
    assert client.get(desk_url(first)).status_code == 403
    assert client.get(address("api_desk", first)).status_code == 403
    assert client.get(desk_url(second)).status_code == 200
    tables = client.get(reverse("umpire_tables", args=[tournament.slug])).content.decode()
    assert desk_url(second) in tables
    assert desk_url(first) not in tables
    assert "Record hand 7" in tables


def test_unknown_tables_and_tournaments_are_404(client: Client, umpire: User, table: Table) -> None:
    client.force_login(umpire)
    assert client.get(desk_url(table).replace("/1/1/", "/1/99/")).status_code == 404
    assert client.get(desk_url(table).replace(table.session.tournament.slug, "no-such")).status_code == 404
    only_written = {"api_preview", "api_penalty_preview", "api_absences"}
    assert {client.get(address(name, table)).status_code for name in only_written} == {405}


def test_nothing_is_recorded_before_the_gong_and_after_the_close_only_the_organiser_corrects(
    client: Client, tournament: Tournament, table: Table, umpire: User
) -> None:
    client.force_login(umpire)
    coming = tournament.sessions.get(number=2).tables.get(number=1)
    assert codes(write_at(client, coming, "api_hands", a_win(coming))) == {("session_not_started", "")}
    state = client.get(address("api_desk", coming)).json()["state"]
    assert (state["planned"], state["may_record"]) == (True, False)
    close(Session.objects.get(pk=table.session_id))
    table.refresh_from_db()
    correction = a_win(table, reason="late")
    assert codes(write_at(client, table, "api_hand", correction, "put", hand=1)) == {("session_closed", "")}
    assert not client.get(address("api_desk", table)).json()["state"]["may_correct"]
    client.force_login(make_organiser(tournament))
    assert client.get(address("api_desk", table)).json()["state"]["may_correct"]
    assert write_at(client, table, "api_hand", correction, "put", hand=1).status_code == 200


def test_home_leads_to_the_only_tournament_and_a_desk_without_a_script(
    client: Client, umpire: User, tournament: Tournament
) -> None:
    client.force_login(umpire)
    table = tournament.sessions.get(number=1).tables.get(number=2)
    page = client.get(desk_url(table)).content.decode()
    names = table.seats.values_list("player__last_name", flat=True)
    assert [name for name in names if name not in page] == []
    assert "<noscript>" in page
    assert page.count('class="no"') == 6
    assert client.get(reverse("umpire_home"))["Location"] == reverse("umpire_tables", args=[tournament.slug])
    client.force_login(make_user("nobody"))
    assert client.get(reverse("umpire_home")).status_code == 200
    assert client.get(reverse("umpire_tables", args=[tournament.slug])).status_code == 403


def test_the_state_has_an_empty_seat_for_every_hand_to_come(desk: Desk, table: Table) -> None:
    """By it the desk judges without a network. A no-show is fined once and stays missing."""
    east = players_at(table)[0]
    state = desk("api_absences", {"uuid": str(uuid4()), "player": east}).json()["state"]
    empty = state["empty_seats"]
    assert [(seat["hand"], seat["player"]) for seat in empty] == [(hand, east) for hand in range(1, 17)]
    assert all("it cannot win, discard or claim" in seat["why"] and seat["too_early"] for seat in empty)
    absence = state["absences"][0]
    assert (absence["in_all"], absence["steps"][-1]["label"]) == (120, "440")
    fine = {"uuid": str(uuid4()), "player": east, "foul": "late", "minutes": 120}
    [absence] = desk("api_penalties", fine).json()["state"]["absences"]
    assert (absence["fined"], absence["minutes"]) == (True, None)


@pytest.fixture
def first_table(event: Tournament) -> Table:
    return Table.objects.get(session__tournament=event, number=1)


def wash_out_by(umpire_client: Program, first_table: Table, number: int = 0, **headers: str) -> Any:
    return umpire_client.post(
        f"{ROOT}{first_table.session.tournament.slug}/sessions/1/tables/1/hands/",
        {"number": number or first_table.hands_played + 1, "outcome": "draw"},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def test_a_hand_that_is_sent_again_with_the_same_key_is_the_same(
    umpire_client: Program, first_table: Table
) -> None:
    """A key that is no UUID is said to be none."""
    key, number = f'"{uuid4()}"', first_table.hands_played + 1
    statuses = [
        wash_out_by(umpire_client, first_table, number, Idempotency_Key=key).status_code for _time in range(2)
    ]
    assert statuses == [201, 201]
    assert first_table.hands.count() == number
    answer = wash_out_by(umpire_client, first_table, Idempotency_Key="again")
    assert (answer.status_code, answer.json()["problems"][0]["where"]) == (400, "uuid")


def test_a_write_with_an_old_etag_is_refused(umpire_client: Program, first_table: Table) -> None:
    seen = f'"{first_table.version}"'
    first = wash_out_by(umpire_client, first_table, Idempotency_Key=str(uuid4()), If_Match=seen)
    first_table.refresh_from_db()
    late = wash_out_by(umpire_client, first_table, Idempotency_Key=str(uuid4()), If_Match=seen)
    assert (first.status_code, late.status_code) == (201, 412)
    assert late.json()["table_version"] == first_table.version
    any_version = wash_out_by(umpire_client, first_table, Idempotency_Key=str(uuid4()), If_Match="*")
    assert any_version.status_code == 201


def statements_of_a_save(umpire_client: Program, table_url: str, number: int) -> int:
    east, south, *_ = [seat["player"] for seat in umpire_client.get(table_url).json()["seats"]]
    hand = {"number": number, "uuid": str(uuid4()), "outcome": "win", "points": 24}
    with CaptureQueriesContext(connection) as statements:
        answer = umpire_client.post(table_url + "hands/", hand | {"winner": east, "discarder": south})
    assert answer.status_code == 201, answer.json()
    transaction = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    return sum(not statement["sql"].startswith(transaction) for statement in statements)


def test_a_hand_is_saved_in_eighteen_statements_and_a_table_read_in_six(
    umpire_client: Program, table_url: str
) -> None:
    """A hall ends its hands a hundred times in the same minute."""
    statements_of_a_save(umpire_client, table_url, 2)
    assert [statements_of_a_save(umpire_client, table_url, number) for number in (3, 4)] == [A_SAVE] * 2
    first = umpire_client.get(table_url).json()
    with CaptureQueriesContext(connection) as statements:
        assert umpire_client.get(table_url).json() == first
    assert len(statements) == A_TABLE


def test_the_typedefs_of_the_desk_are_as_bin_desk_types_writes_them() -> None:
    assert (settings.BASE_DIR / "static/js/desk/state.js").read_text("utf-8") == desk_typedefs()


@pytest.mark.parametrize(
    ("sanction", "button", "grave"),
    [
        ({"dead_hand": True}, "Dead hand for", False),
        ({"disqualification": True}, "Disqualify", True),
        ({"warning": True}, "Warn", False),
        ({"points": {"amount": 1, "scope": "session", "paid_to": "nobody"}}, "Take 1 point from", False),
    ],
)
def test_the_button_names_what_it_imposes(
    desk: Desk, table: Table, sanction: dict[str, object], button: str, grave: bool
) -> None:
    body = a_foul(table) | {"sanction": sanction, "because": "seen twice"}
    proposal = desk("api_penalty_preview", body).json()["proposal"]
    assert proposal["button"].startswith(button)
    assert proposal["grave"] is grave
