"""The API does what the pages do, through the same services, and says no in one shape."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import PASSWORD, SYSTEM, TILES, make_organiser, make_tournament, make_user
from tests.support.programs import ROOT, Program, client_of, codes_of, refusal
from tournament.base.models.tournament import Tournament
from tournament.play.services.tables import hand_in

pytestmark = pytest.mark.stored
CLUB_NIGHT = {"name": "Club night", "starts_on": "2026-11-21", "ends_on": "2026-11-21"}


@pytest.fixture
def event(running_event: Tournament) -> Tournament:
    return running_event


@pytest.fixture
def seated(umpire_client: Program, table_url: str) -> list[int]:
    """The players at the table, East first."""
    return [seat["player"] for seat in umpire_client.get(table_url).json()["seats"]]


def hand(number: int = 1, **changes: Any) -> dict[str, Any]:
    facts = {"outcome": "win", "winner": 1, "discarder": 5, "tiles": TILES["seven_pairs"]}
    return {"number": number, "uuid": str(uuid4())} | facts | changes


def draw(**changes: Any) -> dict[str, Any]:
    return hand(outcome="draw", winner=None, discarder=None, tiles=None, **changes)


@pytest.mark.thorough
def test_a_whole_small_tournament_by_api_alone() -> None:
    """By the token that a password is exchanged for."""
    make_user(staff=True)
    token = Program().post("/api/v1/token/", {"username": "olga", "password": PASSWORD}).json()
    assert set(token) == {"token", "expires_at"}
    organiser_client = Program()
    organiser_client.credentials(HTTP_AUTHORIZATION=f"Token {token['token']}")
    event_url = f"{ROOT}{organiser_client.post(ROOT, CLUB_NIGHT | {'sessions_planned': 1}).json()['slug']}/"
    for number in range(1, 9):
        assert organiser_client.post(event_url + "players/", {"last_name": f"P{number}"}).status_code == 201
    drawn = organiser_client.post(event_url + "sessions/", {"seed": "club"}).json()
    assert organiser_client.post(event_url + "sessions/1/start/").status_code == 200
    for table in drawn[0]["tables"]:
        base_url = f"{event_url}sessions/1/tables/{table['number']}/"
        won = hand(winner=table["seats"]["E"], discarder=table["seats"]["S"])
        assert organiser_client.post(base_url + "hands/", won).status_code == 201
        assert organiser_client.post(base_url + "hand-in/", {}).json()["state"]["is_in"]
    assert organiser_client.post(event_url + "sessions/1/close/").status_code == 200
    published = organiser_client.post(event_url + "standings/publish/").json()
    assert published["is_final"]
    standings = Program().get(event_url + "standings/").json()
    assert [row["table_points"] for row in standings["rows"]].count("4.00") == 2
    assert standings["version"] == published["version"]


def test_a_rulebook_that_no_tournament_is_played_by_is_refused() -> None:
    organiser_client = client_of(make_user(staff=True))
    for rulebook in ("riichi", "china1998"):
        answer = organiser_client.post(ROOT, CLUB_NIGHT | {"rulebook": rulebook})
        assert answer.status_code == 400, rulebook
        assert [problem["where"] for problem in answer.json()["problems"]] == ["rulebook"]
    assert not Tournament.objects.exists()


def test_a_hand_is_scored_and_paid_once_until_the_table_is_in(
    umpire_client: Program, table_url: str, seated: list[int]
) -> None:
    won = hand(winner=seated[0], discarder=seated[1])
    answer, again = (umpire_client.post(table_url + "hands/", won) for _ in range(2))
    recorded = answer.json()["hand"]
    assert (answer.status_code, sum(recorded["payments"].values())) == (201, 0)
    assert recorded["fans"][0]["key"] == "seven_pairs"
    assert again.json() == answer.json()
    assert len(umpire_client.get(table_url + "hands/").json()) == 1
    assert umpire_client.get(table_url).json()["hand_number"] == 2
    assert umpire_client.post(table_url + "hand-in/", {}).json()["state"]["is_in"]
    assert umpire_client.get(table_url).json()["hand_number"] is None
    assert not umpire_client.post(table_url + "reopen/", {}).json()["state"]["is_in"]
    assert umpire_client.get(table_url).json()["hand_number"] == 2


def test_the_hand_just_recorded_is_taken_back(
    umpire_client: Program, table_url: str, seated: list[int]
) -> None:
    umpire_client.post(table_url + "hands/", hand(winner=seated[0], discarder=None))
    seen = umpire_client.get(table_url).json()["version"]
    first, again = (umpire_client.delete(table_url + "hands/1/", {}) for _ in range(2))
    assert (first.status_code, first.json()["state"]["played"]) == (200, 0)
    assert again.json() == first.json()
    assert umpire_client.delete(table_url + "hands/2/", {}).status_code == 404
    correction = hand(reason="misread")
    assert refusal(umpire_client.put(table_url + "hands/1/", correction)) == (422, ["hand_already_undone"])
    stale = umpire_client.put(table_url + "hands/1/", correction | {"table_version": seen})
    stale = umpire_client.put(table_url + "hands/1/", correction | {"table_version": seen})
    assert (stale.status_code, stale.json()["table_version"]) == (409, seen + 1)
    assert [(change["action"], change["hand"]) for change in stale.json()["changes"]] == [("hand_undone", 1)]
    assert umpire_client.put(table_url + "hands/2/", correction).status_code == 404


def test_every_fault_comes_with_its_place_and_sentence(umpire_client: Program, table_url: str) -> None:
    """In the language asked for."""
    answer = umpire_client.post(table_url + "hands/", hand(winner=999, tiles=None))
    assert answer.status_code == 422
    problems = {problem["where"]: problem["message"] for problem in answer.json()["problems"]}
    assert problems["winner"] == "Player 999 does not sit at this table."
    assert problems["tiles"] == "The winning hand’s tiles are missing."
    chinese = umpire_client.post(table_url + "hands/", hand(winner=999), HTTP_ACCEPT_LANGUAGE="zh-hans")
    message = chinese.json()["problems"][0]["message"]
    assert ("999" in message, "does not sit" in message) == (True, False)
    shapes: tuple[Any, ...] = ([], "1m", {"concealed": "1m"}, {"concealed": [1, None], "melds": 3})
    for tiles in shapes:
        assert umpire_client.post(table_url + "hands/", hand(tiles=tiles)).status_code in (400, 422), tiles
    assert umpire_client.get(table_url + "hands/").json() == []


def test_unchanged_standings_cost_a_304(event_url: str) -> None:
    first = Program().get(event_url + "standings/")
    again = Program().get(event_url + "standings/", HTTP_IF_NONE_MATCH=first.headers["ETag"])
    assert (first.status_code, again.status_code) == (200, 304)


@pytest.mark.thorough
def test_a_session_is_seated_by_standing_after_a_preview() -> None:
    event = make_tournament(sessions=3, played=1)
    organiser_client, event_url = client_of(make_organiser(event)), f"{ROOT}{event.slug}/"
    seats, body = f"{event_url}sessions/2/seats/", {"how": "standing", "seed": "lotto"}
    preview = organiser_client.post(seats + "preview/", body).json()
    assert preview["quality"]["wind_spread"] <= 2
    seated = organiser_client.post(seats, body | {"seen": preview["seen"]})
    assert [table["seats"] for table in seated.json()["tables"]] == preview["tables"]
    assert organiser_client.post(f"{event_url}seats/undo/").status_code == 204
    assert codes_of(organiser_client.post(f"{event_url}sessions/3/seats/", body)) == ["earlier_session_open"]


@pytest.mark.thorough
def test_a_final_is_previewed_set_up_read_and_undone() -> None:
    event = make_tournament(sessions=3, played=2)
    organiser_client, event_url = client_of(make_organiser(event)), f"{ROOT}{event.slug}/"
    here, body = f"{event_url}finals/", {"size": "8", "carry": "half", "sessions": 1, "seed": "lotto"}
    for wrong in ({"size": "5"}, {"carry": "maximum"}, {"sessions": 0}, {"first": ["x"]}):
        assert organiser_client.post(here + "preview/", body | wrong).status_code == 400, wrong
    shown = organiser_client.post(here + "preview/", body).json()
    assert organiser_client.get(here).json() == [], "looking stores nothing"
    assert (shown["after_session"], len(shown["groups"][0]), shown["emptied"]) == (2, 8, [])
    final = organiser_client.post(here, {**body, "seen": shown["seen"]})
    assert (final.status_code, final.json()["groups"]) == (201, shown["groups"])
    seats = organiser_client.get(f"{event_url}sessions/").json()[2]["tables"]
    assert [table["seats"] for table in seats] == shown["sessions"][0]["tables"]
    assert organiser_client.get(here).json() == [final.json()]
    assert organiser_client.post(here, body).status_code == 422
    assert organiser_client.post(f"{event_url}seats/undo/").status_code == 204
    assert organiser_client.get(here).json() == []


def test_a_session_closes_without_a_table_at_which_nobody_played() -> None:
    event = make_tournament(running=(1, 1, 1, 0))
    for table in event.sessions.get(number=1).tables.exclude(number=4):
        hand_in(table, SYSTEM)
    organiser_client, close = client_of(make_organiser(event)), f"{ROOT}{event.slug}/sessions/1/close/"
    assert organiser_client.post(close).status_code == 422
    assert organiser_client.post(close, {"unplayed": [4]}).json()["state"] == "closed"


@pytest.mark.thorough
def test_an_empty_seat_from_the_gong_to_the_arrival(umpire_client: Program, table_url: str) -> None:
    noted = umpire_client.post(f"{table_url}absences/", {"uuid": str(uuid4()), "player": 1})
    (absence,) = noted.json()["state"]["absences"]
    assert (noted.status_code, absence["player"]) == (201, 1)
    assert codes_of(umpire_client.post(f"{table_url}hands/", hand(winner=9))) == ["seat_empty_too_early"]
    assert umpire_client.patch(absence["url"], {"begun_because": "The others agree"}).status_code == 200
    assert umpire_client.post(f"{table_url}hands/", hand(winner=9)).json()["hand"]["absent"] == [1]
    seats = umpire_client.post(f"{table_url}stand-ins/1/", {"name": "Kim"}).json()["state"]["seats"]
    assert [seat["stand_in"] for seat in seats if seat["player"] == 1] == ["Kim"]
    state = umpire_client.patch(absence["url"], {"arrived": True}).json()["state"]
    assert {(seat["stand_in"], seat["empty"]) for seat in umpire_client.get(table_url).json()["seats"]} == {
        ("", False)
    }
    assert [absence["minutes"] for absence in state["absences"]] == [1]
    # A stand-in gives the seat back.
    umpire_client.post(f"{table_url}stand-ins/1/", {})
    seats = umpire_client.delete(f"{table_url}stand-ins/1/", {}).json()["state"]["seats"]
    assert {seat["stand_in"] for seat in seats} == {""}


def test_the_clock_of_the_hall_is_paused_extended_and_goes_on(
    event_url: str, organiser_client: Program
) -> None:
    base_url = event_url + "sessions/1/clock/"
    assert refusal(organiser_client.post(base_url + "go-on/", {"reason": "All clear"})) == (
        422,
        ["clock_not_paused"],
    )
    paused = organiser_client.post(base_url + "pause/", {"reason": "Fire alarm"}).json()
    assert (paused["stage"], bool(paused["paused_at"])) == ("paused", True)
    longer = organiser_client.post(base_url + "extend/", {"minutes": 10, "reason": "Fire alarm"}).json()
    assert (longer["minutes"], longer["longer"]) == (130, 10)
    organiser_client.post(base_url + "go-on/", {"reason": "All clear"})
    seen = Program().get(base_url).json()
    assert (seen["stage"], seen["paused_at"]) == ("playing", None)
    assert "Fire alarm" not in str(seen)
    assert Program().get(event_url + "sessions/2/clock/").status_code == 404, "it is not being played"


def test_organisers_set_the_rules_of_attendance(event_url: str, organiser_client: Program) -> None:
    address = event_url + "attendance/"
    rules = {"stand_in": "player", "withdrawn_ranked": False, "starting_points": 300}
    mers = rules | {"stand_in": "stand_in", "disqualified_ranked": True}
    assert organiser_client.put(address, mers).json() == mers
    answer = organiser_client.put(address, rules).json()
    assert answer == rules | {"disqualified_ranked": True}, "what is left out stays"
    assert Program().get(address).json() == answer


def test_mistakes_are_undone_by_api() -> None:
    event = make_tournament(players=9, drawn=False, name="Gone Open")
    organiser_client, event_url = client_of(make_organiser(event)), f"{ROOT}{event.slug}/"
    assert organiser_client.delete(event_url + "players/9/").status_code == 204
    organiser_client.post(event_url + "sessions/", {"seed": "x"})
    assert refusal(organiser_client.delete(event_url + "players/8/")) == (422, ["player_has_seats"])
    organiser_client.post(event_url + "sessions/1/start/")
    assert organiser_client.post(event_url + "sessions/1/unstart/").json()["state"] == "planned"
    assert organiser_client.get(event_url + "transcript/").status_code == 422
    assert organiser_client.delete(event_url, {"name": "Gone"}).status_code == 422
    assert organiser_client.delete(event_url, {"name": "Gone Open"}).status_code == 204
    assert not Tournament.objects.exists()


def test_transcripts_stand_ins_and_substitutes_by_api() -> None:
    event = make_tournament(players=8, sessions=3, played=1)
    organiser_client, event_url = client_of(make_organiser(event)), f"{ROOT}{event.slug}/"
    assert organiser_client.get(event_url + "transcript/").json()["format"] == "hule-transcript"
    organiser_client.post(event_url + "players/5/withdrawal/")
    table = event.sessions.get(number=2).tables.get(seats__player__number=5).number
    answer = organiser_client.post(
        f"{event_url}sessions/2/tables/{table}/stand-ins/5/", {"name": "Ana Lima"}
    ).json()
    assert [seat["stand_in"] for seat in answer["state"]["seats"] if seat["player"] == 5] == ["Ana Lima"]
    (substitute,) = organiser_client.post(event_url + "players/substitutes/", {}).json()
    assert (substitute["name"], substitute["is_substitute"]) == ("Substitute 1", True)
    lima = {"last_name": "Lima"}
    for body, expected in ((lima, True), (lima | {"is_substitute": False}, False)):
        assert organiser_client.put(event_url + "players/9/", body).json()["is_substitute"] is expected
