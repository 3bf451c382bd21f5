"""The API does what the pages do, through the same services, and says no in one shape."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    TILES,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
)
from tournament.models import Tournament
from tournament.services.signed_in import make_token
from tournament.services.tables import hand_in

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/tournaments/"


def client_of(user: Any) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(user)[1]}")
    return client


@pytest.fixture
def running() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def umpire(running: Tournament) -> APIClient:
    return client_of(make_umpire(running))


@pytest.fixture
def at_table(running: Tournament) -> str:
    return f"{ROOT}{running.slug}/sessions/1/tables/1/"


def hand(number: int = 1, **changes: Any) -> dict[str, Any]:
    fact = {"outcome": "win", "winner": 1, "discarder": 5, "tiles": TILES["seven_pairs"]}
    return {"number": number, "uuid": str(uuid4())} | fact | changes


def test_a_password_is_exchanged_for_a_token() -> None:
    make_user("olga")
    answer = APIClient().post("/api/v1/token/", {"username": "olga", "password": PASSWORD}, format="json")
    assert set(answer.json()) == {"token", "expires_at"}


def test_a_whole_small_tournament_by_api_alone() -> None:
    organiser = client_of(make_user(staff=True))
    made = organiser.post(
        ROOT,
        {"name": "Club night", "starts_on": "2026-11-21", "ends_on": "2026-11-21", "sessions_planned": 1},
        format="json",
    )
    home = f"{ROOT}{made.json()['slug']}/"
    for number in range(1, 17):
        assert (
            organiser.post(home + "players/", {"last_name": f"P{number}"}, format="json").status_code == 201
        )
    drawn = organiser.post(home + "sessions/", {"seed": "club"}, format="json").json()
    assert organiser.post(home + "sessions/1/start/").status_code == 200
    for table in drawn[0]["tables"]:
        at = f"{home}sessions/1/tables/{table['number']}/"
        east, south = table["seats"]["E"], table["seats"]["S"]
        assert (
            organiser.post(at + "hands/", hand(winner=east, discarder=south), format="json").status_code
            == 201
        )
        assert organiser.post(at + "hand-in/", {}, format="json").json()["state"]["is_in"]
    assert organiser.post(home + "sessions/1/close/").status_code == 200
    published = organiser.post(home + "standings/publish/").json()
    assert published["is_final"]
    standings = APIClient().get(home + "standings/").json()
    assert [row["table_points"] for row in standings["rows"]].count("4.00") == 4
    assert standings["version"] == published["version"]


CLUB_NIGHT = {"name": "Club night", "starts_on": "2026-11-21", "ends_on": "2026-11-21"}


@pytest.mark.parametrize("rulebook", ["riichi", "botzone", "china1998"])
def test_a_rulebook_that_no_tournament_is_played_by_is_refused(rulebook: str) -> None:
    organiser = client_of(make_user(staff=True))
    answer = organiser.post(ROOT, CLUB_NIGHT | {"rulebook": rulebook}, format="json")
    assert answer.status_code == 422
    assert [problem["where"] for problem in answer.json()["problems"]] == ["rulebook"]
    assert not Tournament.objects.exists()


def test_whether_a_held_out_tile_is_a_wait_is_read_and_chosen() -> None:
    organiser = client_of(make_user(staff=True))
    made = organiser.post(ROOT, CLUB_NIGHT, format="json").json()
    assert made["held_out_waits"] is True
    home = f"{ROOT}{made['slug']}/"
    wishes: list[dict[str, Any]] = [{"held_out_waits": False}, {}, {"rulebook": "guide"}, {"rulebook": "mcr"}]
    answers = [organiser.put(home, CLUB_NIGHT | wish, format="json").json() for wish in wishes]
    # left out it stays as it is, and with another rulebook it is as that says
    assert [answer["held_out_waits"] for answer in answers] == [False, False, False, True]


def test_after_the_draw_what_is_a_wait_stays_as_it_is(running: Tournament) -> None:
    organiser = client_of(make_organiser(running))
    home = f"{ROOT}{running.slug}/"
    particulars = organiser.get(home).json()
    refused = organiser.put(home, particulars | {"held_out_waits": False}, format="json")
    assert (refused.status_code, refused.json()["problems"][0]["where"]) == (422, "held_out_waits")
    assert organiser.put(home, particulars, format="json").status_code == 200


def test_a_hand_is_scored_and_paid(umpire: APIClient, at_table: str) -> None:
    seats = umpire.get(at_table).json()["seats"]
    east, south = seats[0]["player"], seats[1]["player"]
    answer = umpire.post(at_table + "hands/", hand(winner=east, discarder=south), format="json")
    assert answer.status_code == 201
    recorded = answer.json()["hand"]
    assert sum(recorded["payments"].values()) == 0
    assert recorded["fans"][0]["key"] == "seven_pairs"


def test_a_hand_taken_back_by_another_umpire_is_not_corrected(umpire: APIClient, at_table: str) -> None:
    umpire.post(at_table + "hands/", hand(), format="json")
    seen = umpire.get(at_table).json()["version"]
    umpire.delete(at_table + "hands/1/", {}, format="json")
    correction = hand(reason="misread")
    refused = umpire.put(at_table + "hands/1/", correction, format="json")
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "hand_taken_back")
    stale = umpire.put(at_table + "hands/1/", correction | {"table_version": seen}, format="json")
    assert (stale.status_code, stale.json()["changes"][0]["action"]) == (409, "hand_undone")
    assert umpire.put(at_table + "hands/2/", hand(reason="misread"), format="json").status_code == 404


def test_at_a_table_that_is_in_no_hand_follows(umpire: APIClient, at_table: str) -> None:
    umpire.post(at_table + "hands/", hand(), format="json")
    assert umpire.get(at_table).json()["hand_number"] == 2
    assert umpire.post(at_table + "hand-in/", {}, format="json").json()["state"]["is_in"]
    assert umpire.get(at_table).json()["hand_number"] is None
    assert not umpire.post(at_table + "reopen/", {}, format="json").json()["state"]["is_in"]
    assert umpire.get(at_table).json()["hand_number"] == 2


def test_a_hand_by_its_fans_is_deepened_by_its_tiles_and_then_taken_for_what_was_announced(
    umpire: APIClient, at_table: str
) -> None:
    east, south = (seat["player"] for seat in umpire.get(at_table).json()["seats"][:2])
    named = hand(winner=east, discarder=south, tiles=None, fans={"seven_pairs": 1, "no_honors": 1})
    assert umpire.post(at_table + "hands/", named, format="json").json()["hand"]["points"] == 25
    laid = hand(winner=east, discarder=south)
    deeper = umpire.put(at_table + "hands/1/", laid, format="json").json()["hand"]
    assert (deeper["version"], deeper["points"], deeper["deepens"]) == (2, 25, True)
    claimed = hand(winner=east, discarder=south, points=30)
    seen = umpire.post(at_table + "preview/", claimed, format="json").json()
    assert (seen["points"], seen["comparison"]["agrees"]) == (25, False)
    (wrong,) = seen["comparison"]["differences"]
    assert (wrong["slip"], wrong["announced"], wrong["counted"]) == ("wrong_sum", 30, 25)
    overridden = claimed | {"override": "mixed up before the count"}
    kept = umpire.put(at_table + "hands/1/", overridden, format="json").json()["hand"]
    assert (kept["points"], kept["points_by_tiles"]) == (30, 25)
    assert kept["overridden_because"] == "mixed up before the count"


def test_fans_that_no_hand_counts_are_refused_unless_the_umpire_says_why(
    umpire: APIClient, at_table: str
) -> None:
    east, south = (seat["player"] for seat in umpire.get(at_table).json()["seats"][:2])
    fans = {"thirteen_orphans": 1, "big_three_dragons": 1, "big_four_winds": 1}
    named = hand(winner=east, discarder=south, tiles=None, fans=fans)
    refused = umpire.post(at_table + "hands/", named, format="json")
    assert refused.status_code == 422
    assert "Big Three Dragons beside Big Four Winds" in refused.content.decode()
    kept = umpire.post(at_table + "hands/", named | {"override": "ruled by the committee"}, format="json")
    recorded = kept.json()["hand"]
    assert (recorded["points"], recorded["overridden_because"]) == (264, "ruled by the committee")


def test_a_correction_is_previewed_with_what_follows(umpire: APIClient, at_table: str) -> None:
    east, south = (seat["player"] for seat in umpire.get(at_table).json()["seats"][:2])
    umpire.post(at_table + "hands/", hand(winner=east, discarder=south), format="json")
    effect = umpire.post(at_table + "preview/", hand(winner=south, discarder=east), format="json").json()[
        "effect"
    ]
    moved = {row["player"]: (row["before"], row["after"]) for row in effect["table_points"]}
    assert (moved[east], moved[south]) == (("4", "0"), ("0", "4"))
    assert {row["player"] for row in effect["ranks"]} >= {east, south}


def test_the_hand_just_recorded_is_taken_back(umpire: APIClient, at_table: str) -> None:
    east = umpire.get(at_table).json()["seats"][0]["player"]
    umpire.post(at_table + "hands/", hand(winner=east, discarder=None), format="json")
    first, again = (umpire.delete(at_table + "hands/1/", {}, format="json") for _ in range(2))
    assert (first.status_code, first.json()["state"]["played"]) == (200, 0)
    assert again.json() == first.json()
    assert umpire.delete(at_table + "hands/2/", {}, format="json").status_code == 404


def test_a_repeat_of_the_same_uuid_is_the_same_hand(umpire: APIClient, at_table: str) -> None:
    east = umpire.get(at_table).json()["seats"][0]["player"]
    body = hand(winner=east, discarder=None)
    first, second = (umpire.post(at_table + "hands/", body, format="json") for _ in range(2))
    assert first.json() == second.json()
    assert len(umpire.get(at_table + "hands/").json()) == 1


def test_a_stale_write_is_a_409_with_what_changed(umpire: APIClient, at_table: str) -> None:
    seen = umpire.get(at_table).json()["version"]
    umpire.post(
        at_table + "hands/", hand(outcome="draw", winner=None, discarder=None, tiles=None), format="json"
    )
    late = hand(outcome="draw", winner=None, discarder=None, tiles=None, table_version=seen)
    answer = umpire.post(at_table + "hands/", late, format="json")
    assert answer.status_code == 409
    assert answer.json()["table_version"] == seen + 1
    assert [change["hand"] for change in answer.json()["changes"]] == [1]


def test_every_fault_comes_with_its_place_and_sentence(umpire: APIClient, at_table: str) -> None:
    answer = umpire.post(at_table + "hands/", hand(winner=999, tiles=None), format="json")
    assert answer.status_code == 422
    problems = {problem["where"]: problem["message"] for problem in answer.json()["problems"]}
    assert problems["winner"] == "Player 999 does not sit at this table."
    assert problems["tiles"] == "The winning hand’s tiles are missing."


def test_sentences_come_in_the_language_asked_for(umpire: APIClient, at_table: str) -> None:
    answer = umpire.post(at_table + "hands/", hand(winner=999), format="json", HTTP_ACCEPT_LANGUAGE="zh-hans")
    assert "999" in answer.json()["problems"][0]["message"]
    assert "does not sit" not in answer.json()["problems"][0]["message"]


@pytest.mark.parametrize("tiles", [[], "1m", {"concealed": "1m"}, {"concealed": [1, None], "melds": 3}])
def test_tiles_of_any_shape_are_answered_not_crashed_on(umpire: APIClient, at_table: str, tiles: Any) -> None:
    answer = umpire.post(at_table + "hands/", hand(tiles=tiles), format="json")
    assert answer.status_code in (400, 422)
    assert umpire.get(at_table + "hands/").json() == []


def test_unchanged_standings_cost_a_304(running: Tournament) -> None:
    first = APIClient().get(f"{ROOT}{running.slug}/standings/")
    again = APIClient().get(f"{ROOT}{running.slug}/standings/", HTTP_IF_NONE_MATCH=first.headers["ETag"])
    assert (first.status_code, again.status_code) == (200, 304)


def test_the_log_is_for_the_organiser(running: Tournament, umpire: APIClient) -> None:
    organiser = client_of(make_organiser(running))
    assert umpire.get(f"{ROOT}{running.slug}/log/").status_code == 403
    assert organiser.get(f"{ROOT}{running.slug}/log/").json()[0]["seq"] == running.version


def test_a_session_is_seated_by_standing_after_a_look() -> None:
    tournament = make_tournament(sessions=3, played=1)
    organiser = client_of(make_organiser(tournament))
    seats = f"{ROOT}{tournament.slug}/sessions/2/seats/"
    body = {"how": "standing", "seed": "lotto"}
    preview = organiser.post(seats + "preview/", body, format="json").json()
    assert preview["quality"]["wind_spread"] <= 2
    taken = organiser.post(seats, body | {"seen": preview["seen"]}, format="json")
    assert [table["seats"] for table in taken.json()["tables"]] == preview["tables"]
    assert organiser.post(f"{ROOT}{tournament.slug}/seats/undo/").status_code == 204
    early = organiser.post(f"{ROOT}{tournament.slug}/sessions/3/seats/", body, format="json")
    assert [problem["code"] for problem in early.json()["problems"]] == ["earlier_session_open"]


def test_a_final_is_looked_at_set_up_seen_and_taken_back() -> None:
    tournament = make_tournament(sessions=3, played=2)
    organiser, here = client_of(make_organiser(tournament)), f"{ROOT}{tournament.slug}/finals/"
    wished = {"size": "8", "carry": "half", "sessions": 1, "seed": "lotto"}
    shown = organiser.post(here + "preview/", wished, format="json").json()
    assert organiser.get(here).json() == [], "looking stores nothing"
    assert (shown["after_session"], len(shown["groups"][0]), shown["emptied"]) == (2, 8, [])
    final = organiser.post(here, {**wished, "seen": shown["seen"]}, format="json")
    assert (final.status_code, final.json()["groups"]) == (201, shown["groups"])
    seats = organiser.get(f"{ROOT}{tournament.slug}/sessions/").json()[2]["tables"]
    assert [table["seats"] for table in seats] == shown["sessions"][0]["tables"]
    assert organiser.get(here).json() == [final.json()]
    assert organiser.post(here, wished, format="json").status_code == 422
    assert organiser.post(f"{ROOT}{tournament.slug}/seats/undo/").status_code == 204
    assert organiser.get(here).json() == []


@pytest.mark.parametrize("wrong", [{"size": "5"}, {"carry": "most"}, {"sessions": 0}, {"first": ["x"]}])
def test_a_final_that_cannot_be_read_is_refused(wrong: dict[str, Any]) -> None:
    tournament = make_tournament(sessions=2, played=1)
    wished = {"size": "4", "carry": "full", "sessions": 1, **wrong}
    answer = client_of(make_organiser(tournament)).post(
        f"{ROOT}{tournament.slug}/finals/preview/", wished, format="json"
    )
    assert answer.status_code == 400


def test_finals_are_the_organisers_to_set_up() -> None:
    tournament = make_tournament(sessions=2, played=1)
    umpire = client_of(make_umpire(tournament))
    assert umpire.get(f"{ROOT}{tournament.slug}/finals/").status_code == 403


def test_a_session_closes_without_a_table_at_which_nobody_played() -> None:
    tournament = make_tournament(running=(1, 1, 1, 0))
    for table in tournament.sessions.get(number=1).tables.exclude(number=4):
        hand_in(table, SYSTEM)
    client = client_of(make_organiser(tournament))
    close = f"{ROOT}{tournament.slug}/sessions/1/close/"
    assert client.post(close).status_code == 422
    assert client.post(close, {"unplayed": [4]}, format="json").json()["state"] == "closed"


def codes_of(answer: Any) -> list[str]:
    return [problem["code"] for problem in answer.json()["problems"]]


def test_an_empty_seat_from_the_gong_to_the_arrival(umpire: APIClient, at_table: str) -> None:
    uuid = str(uuid4())
    noted = umpire.post(f"{at_table}absences/", {"uuid": uuid, "player": 1}, format="json")
    assert noted.status_code == 201
    (absence,) = noted.json()["state"]["absences"]
    assert absence["player"] == 1
    assert codes_of(umpire.post(f"{at_table}hands/", hand(winner=9), format="json")) == [
        "seat_empty_too_early"
    ]
    begun = umpire.patch(absence["url"], {"begun_because": "The others agree"}, format="json")
    assert begun.status_code == 200
    assert codes_of(umpire.post(f"{at_table}hands/", hand(), format="json")) == ["seat_empty"]
    recorded = umpire.post(f"{at_table}hands/", hand(winner=9), format="json")
    assert recorded.json()["hand"]["absent"] == [1]
    stood_in = umpire.post(f"{at_table}stand-ins/1/", {"name": "Kim"}, format="json")
    assert [seat["stand_in"] for seat in stood_in.json()["state"]["seats"] if seat["player"] == 1] == ["Kim"]
    here = umpire.patch(absence["url"], {"arrived": True}, format="json").json()
    assert {seat["stand_in"] for seat in here["state"]["seats"]} == {""}
    assert [one["minutes"] for one in here["state"]["absences"]] == [1]
    assert {seat["empty"] for seat in umpire.get(at_table).json()["seats"]} == {False}


def test_a_stand_in_gives_the_seat_back(umpire: APIClient, at_table: str) -> None:
    umpire.post(f"{at_table}stand-ins/1/", {}, format="json")
    again = umpire.delete(f"{at_table}stand-ins/1/", {}, format="json")
    assert {seat["stand_in"] for seat in again.json()["state"]["seats"]} == {""}


def test_what_follows_from_absence_is_the_organisers_to_say(running: Tournament, umpire: APIClient) -> None:
    address = f"{ROOT}{running.slug}/attendance/"
    wanted = {"stand_in": "player", "withdrawn_ranked": False, "starting_points": 300}
    assert umpire.put(address, wanted, format="json").status_code == 403
    organiser = client_of(make_organiser(running))
    assert organiser.put(address, wanted, format="json").json() == wanted
    assert APIClient().get(address).json() == wanted


def test_what_was_a_mistake_is_taken_back_by_api() -> None:
    tournament = make_tournament(players=9, drawn=False, name="Gone Open")
    organiser, home = client_of(make_organiser(tournament)), f"{ROOT}{tournament.slug}/"
    assert organiser.delete(home + "players/9/").status_code == 204
    organiser.post(home + "sessions/", {"seed": "x"}, format="json")
    answer = organiser.delete(home + "players/8/")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "player_has_seats")
    organiser.post(home + "sessions/1/start/")
    assert organiser.post(home + "sessions/1/unstart/").json()["state"] == "planned"
    assert organiser.get(home + "transcript/").status_code == 422
    assert organiser.delete(home, {"name": "Gone"}, format="json").status_code == 422
    assert organiser.delete(home, {"name": "Gone Open"}, format="json").status_code == 204
    assert not Tournament.objects.exists()


def test_a_transcript_and_who_fills_a_table_by_api() -> None:
    tournament = make_tournament(players=8, sessions=3, played=1)
    organiser, home = client_of(make_organiser(tournament)), f"{ROOT}{tournament.slug}/"
    assert organiser.get(home + "transcript/").json()["format"] == "hule-transcript"
    organiser.post(home + "players/5/withdrawal/")
    table = tournament.sessions.get(number=2).tables.get(seats__player__number=5).number
    stand_in = f"{home}sessions/2/tables/{table}/stand-ins/5/"
    said = organiser.post(stand_in, {"name": "Ana Lima"}, format="json").json()
    assert [seat["stand_in"] for seat in said["state"]["seats"] if seat["player"] == 5] == ["Ana Lima"]
    (made,) = organiser.post(home + "players/substitutes/", {}, format="json").json()
    assert (made["name"], made["is_substitute"]) == ("Substitute 1", True)
    changed = organiser.put(home + "players/9/", {"last_name": "Lima"}, format="json").json()
    assert changed["is_substitute"] is True
    plain = organiser.put(
        home + "players/9/", {"last_name": "Lima", "is_substitute": False}, format="json"
    ).json()
    assert plain["is_substitute"] is False
