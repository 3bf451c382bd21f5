"""The transcript of a whole tournament: a good one gives its true standings, a bad one stops where it is wrong.

tests/data/evening.json (its source is in evening.md) is edited at one place for each contradiction.
"""

import csv
from typing import Any

import pytest

from penalties.models import Penalty
from tests.exchange.edits import (
    DATA,
    Data,
    Edit,
    edited,
    evening,
    first_session,
    first_session_with,
    first_table,
    in_event,
    in_hand,
    in_object,
    in_penalty,
    in_player,
    in_table,
    in_tiles,
    otherwise_refused,
    refusal,
    rows_kept,
)
from tests.support import factories
from tests.support.factories import SYSTEM
from tests.support.sampling import sample
from tournament.access import Actor, Audience
from tournament.engine.table_points import two_decimals
from tournament.exchange.transcript import Stop, contradictions, load, play, write_sheet
from tournament.models import Hand, Session, Table
from tournament.selectors.standings import current_standings
from tournament.words.problems import sentence

pytestmark = pytest.mark.django_db


# --- a good one -----------------------------------------------------------------------------------------------
def test_the_evening_gives_its_true_standings_to_the_point() -> None:
    played = factories.evening()
    with (DATA / "evening-standings.csv").open(newline="") as file:
        expected = list(csv.reader(file))[1:]
    rows = current_standings(played, Audience.STAFF).rows
    assert [
        [str(row.rank), str(row.number), two_decimals(row.table_points), str(row.game_points)] for row in rows
    ] == expected
    assert (Hand.objects.count(), Penalty.objects.count()) == (295, 21)
    assert {sum(hand.payments.values()) for hand in Hand.objects.all()} == {0}


@pytest.mark.thorough
def test_a_played_session_is_closed_and_the_same_writes_again_change_nothing() -> None:
    """A second replay is a second tournament."""
    transcript = load(edited(first_session))
    sessions: list[int] = []
    played = play(transcript, SYSTEM, after_session=sessions.append)
    session = played.sessions.get()
    assert (sessions, session.state) == ([1], Session.State.CLOSED)
    assert not Table.objects.filter(is_in=False).exists()
    before = rows_kept(), played.version, current_standings(played, Audience.STAFF)
    for table, sheet in zip(session.tables.all(), transcript.sessions[0].sheets, strict=True):
        write_sheet(table, sheet, SYSTEM)
    played.refresh_from_db()
    assert (rows_kept(), played.version, current_standings(played, Audience.STAFF)) == before
    again = play(transcript, SYSTEM, Stop(1, (1, 0, 0, 0)))
    assert (played.slug, again.slug) == ("evening-of-16", "evening-of-16-2")


@pytest.mark.thorough
def test_hands_by_points_and_by_fans_are_played_as_they_were_written() -> None:
    """So are another sanction, how a foul happened, and whether a held-out tile is a wait."""
    win = {"outcome": "win", "winner": 3, "discarder": 13, "hand": None}
    reaching = {"player": 13, "foul": "reaching_across", "hand": 1, "circumstance": "discard_left"}
    claim = {"player": 13, "foul": "false_claim", "hand": 1}
    own = {"sanction": {"warning": True}, "because": "unclear"}
    fans = {"mixed_straight": 1, "flower_tiles": 2}
    edits = (in_hand(1, **win, points=19), in_hand(2, **win, fans=fans), in_event(held_out_waits=False))
    penalties = in_table(penalties=[reaching, claim | own])
    text = edited(lambda data: [edit(data) for edit in (*edits, penalties)])
    played = play(load(text), SYSTEM, Stop(1, (2, 0, 0, 0)))
    left, decided = Penalty.objects.all()
    assert (left.sanction, left.proposed) == ({"lost_claim": True}, None)
    assert (decided.sanction, decided.proposed) == ({"warning": True}, {"dead_hand": True})
    assert (decided.because, played.held_out_waits) == ("unclear", False)
    hands = Hand.objects.filter(table__session__tournament=played).order_by("number")
    assert [(hand.points, hand.announced, hand.tiles) for hand in hands] == [
        (19, {"points": 19}, None),
        (10, {"fans": {"mixed_straight": 1, "flower_tiles": 2}}, None),
    ]


@pytest.mark.thorough
def test_play_stops_where_it_is_asked_to_and_each_writes_what_is_theirs(django_user_model: Any) -> None:
    """The umpire writes the tables, the organiser the rest."""
    olga = django_user_model.objects.create_user("olga", is_staff=True)
    uma = django_user_model.objects.create_user("uma")
    sessions: list[int] = []
    stop = Stop(session=2, hands=(4, 6, 0, 5))
    actors_of: dict[str, Any] = {"umpire": Actor.of(uma), "after_session": sessions.append}
    tournament = play(load(evening()), Actor.of(olga), stop, **actors_of)
    states = [session.state for session in tournament.sessions.all()]
    assert (states, sessions) == (["closed", "running", "planned", "planned", "planned"], [1])
    running = tournament.sessions.get(number=2)
    assert [table.hands_played for table in running.tables.all()] == [4, 6, 0, 5]
    assert not running.tables.filter(is_in=True).exists()
    actors = {entry.action: entry.actor_name for entry in tournament.log.select_related("actor")}
    assert (actors["hand_recorded"], actors["session_started"]) == ("uma", "olga")


def barred_winner(**order: int) -> Edit:
    """Player 3, who wins hand 1 at table 1, says hu without a winning hand in it."""
    return in_table(penalties=[{"player": 3, "foul": "false_hu", "hand": 1, **order}])


@pytest.mark.thorough
def test_a_dead_hand_given_after_its_hand_was_won_is_played_and_the_hand_named() -> None:
    orders: list[dict[str, int]] = [{}, {"after": 1}, {"after": 16}]
    for order in sample(orders, 1):
        played = play(load(first_session_with(barred_winner(**order))), SYSTEM)
        assert [(place, sentence(problem)) for place, problem in contradictions(played)] == [
            (
                "session 1, table 1, hand 1",
                "静 Zhang has a dead hand in hand 1 (False hu) and may not win it.",
            )
        ], order


def test_a_penalty_is_given_after_as_many_hands_as_it_says() -> None:
    """What is given after more hands than are played, or says nothing, waits."""
    fouls = [("false_hu", 1, 0), ("empty_call", 3, 2), ("empty_call", 3, 4), ("empty_call", 3, None)]
    penalties = [
        {"player": 13, "foul": foul, "hand": hand} | ({} if after is None else {"after": after})
        for foul, hand, after in fouls
    ]
    played = play(load(first_session_with(in_table(penalties=penalties))), SYSTEM, Stop(1, (2, 0, 0, 0)))
    here = played.log.filter(data__session=1, data__table=1).order_by("seq")
    order = ["penalty_given", "hand_recorded", "hand_recorded", "penalty_given"]
    assert list(here.values_list("action", flat=True)) == order


# --- contradictions to the rules ----------------------------------------------------------------------------------
def five_of_a_tile(data: Data) -> None:
    melds = first_table(data)["hands"][0]["hand"]["melds"]
    melds[0]["tiles"] = ["6s", "6s", "6s"]
    melds[1].update(tiles=["5s", "6s", "7s"], type="chow")


def one_hand_and_a_foul_in_the_ninth(data: Data) -> None:
    table = first_table(data)
    table.update(hands=table["hands"][:1], penalties=[{"player": 13, "foul": "empty_call", "hand": 9}])


def seventeenth_player(data: Data) -> None:
    data["players"].append(data["players"][0] | {"number": 17, "ema_number": ""})


# Whatever else a service refuses is refused at its place: test_as_recorded.py.
AT_TABLE_1: list[tuple[Edit, str]] = [
    (in_tiles(1, seat_wind="N"), "hand 1: The winner’s seat wind in this hand is S, not N."),
    (in_tiles(2, prevalent_wind="S"), "hand 2: The prevalent wind in this hand is E, not S."),
    (in_hand(1, discarder=13), "hand 1: Self-drawn and a discarder contradict each other."),
    (in_hand(1, winner=1), "hand 1: Player 1 does not sit at this table."),
    (five_of_a_tile, "hand 1: "),
    (in_tiles(1, concealed=["6s", "7s"]), "hand 1: These tiles are not a winning hand."),
    (
        lambda data: first_table(data)["hands"].append({"number": 17, "outcome": "draw"}),
        "hand 17: All 16 hands of this session are recorded.",
    ),
    (in_hand(3, outcome="chombo"), "hand 3: “chombo” is not an outcome: a hand is won or washed out."),
    (in_hand(3, winner=7), "hand 3: A wash-out has no winner, no discarder and no tiles."),
    (in_penalty(foul="sneezing"), "penalty 1: There is no foul “sneezing”."),
    (in_penalty(player=1), "penalty 1: Player 1 does not sit at this table."),
    (in_penalty(points=7), "penalty 1: "),
    (lambda data: first_table(data)["penalties"][0].pop("points"), "penalty 1: "),
    (barred_winner(after=0), "hand 1: 静 Zhang has a dead hand in hand 1 (False hu) and may not win it."),
    (one_hand_and_a_foul_in_the_ninth, "penalty 1: Hand 9 has not begun: hand 2 is under way."),
    (
        in_table(penalties=[{"player": 13, "foul": "late_pung", "hand": 16, "after": 6}]),
        "penalty 1: Hand 16 has not begun: hand 7 is under way.",
    ),
    (in_table(penalties=[{"player": 13, "foul": "false_hu"}]), "penalty 1: In which hand was it?"),
]
ELSEWHERE: list[tuple[Edit, str]] = [
    (in_hand(3, 2, winner=99), "session 1, table 2, hand 3: Player 99 does not sit at this table."),
    (in_table(hands=[], penalties=[]), "session 1, table 1: Nothing is recorded at table 1 yet."),
    (in_object("sessions", 2, "tables", 1, "seats", E=99), "session 3, table 2: There is no player 99."),
    (in_object("sessions", 0, "tables", 0, "seats", E=3), "session 1, table 1: Player 3 is seated twice."),
    (lambda data: data["sessions"][4]["tables"].pop(), "session 5: player 7 has no seat in this session."),
    (seventeenth_player, "session 1: player 17 has no seat in this session."),
    (lambda data: data["players"].pop(), "session 1, table 3: There is no player 16."),
    (lambda data: data["sessions"].pop(), "sessions: 5 sessions are announced and 4 are written down."),
    (in_player(2, number=1), "player 2, number: Number 1 belongs to another player."),
    (in_player(5, country="XXX"), "player 5, country: There is no country “XXX”."),
    (in_event(ends_on="2026-11-13"), "tournament: The last day comes before the first."),
    *(
        (
            in_event(rulebook=book),
            f"tournament: No tournament is played by a rulebook “{book}”; there are mcr, mwt, guide.",
        )
        for book in ("riichi", "botzone")  # nobody knows the one, and the other has no fouls
    ),
]


@pytest.mark.thorough
def test_a_contradiction_stops_at_its_place_and_nothing_is_kept() -> None:
    cases = [(edit, f"session 1, table 1, {line}") for edit, line in AT_TABLE_1] + ELSEWHERE
    assert otherwise_refused((edited(edit), line) for edit, line in cases) == {}


# --- not written as a transcript ----------------------------------------------------------------------------------
def two_penalties_out_of_order(data: Data) -> None:
    penalties = first_table(data)["penalties"]
    penalties.append(penalties[0] | {"after": 3})


MALFORMED: list[tuple[Edit, str]] = [
    (lambda data: data.update(version=2), "format: this is not a hule-transcript of version 1."),
    (lambda data: data.pop("players"), "transcript: the field “players” is missing."),
    (lambda data: data.update(players={"1": "Anna"}), "transcript: the field “players” is not a list ([…])."),
    (
        lambda data: data["players"].append("Anna"),
        "player 17: this is not an object ({…}), as the format asks for.",
    ),
    (lambda data: data["players"][2].pop("last_name"), "player 3: the field “last_name” is missing."),
    (in_player(3, last_name=" "), "player 3, last_name: The name is missing."),
    (in_player(3, first_name=7), "player 3: the field “first_name” is not a text."),
    (in_player(3, first_name="A\x00"), "player 3: the field “first_name” is not a text."),
    (in_player(3, last_name="A" * 81), "player 3: the field “last_name” has more than 80 characters."),
    (in_player(3, number="3"), "player 3: the field “number” is not a whole number."),
    (
        in_event(starts_on="14.11.2026"),
        "tournament: the field “starts_on” is not a day written like 2026-11-14.",
    ),
    (in_event(held_out_waits="yes"), "tournament: the field “held_out_waits” is neither true nor false."),
    (
        lambda data: data["sessions"][1]["tables"][1]["seats"].pop("W"),
        "session 2, table 2: the field “W” is missing.",
    ),
    (
        lambda data: data["sessions"][1]["tables"].reverse(),
        "session 2, table 1: number 4 stands where number 1 has to.",
    ),
]
MALFORMED_AT_TABLE_1: list[tuple[Edit, str]] = [
    (
        in_hand(1, fans={"mixed_straight": "once"}),
        "hand 1: the field “mixed_straight” is not a whole number.",
    ),
    (in_hand(1, claimants=["everybody"]), "hand 1: the field “claimants” is not a whole number."),
    (in_hand(1, winner=True), "hand 1: the field “winner” is not a whole number."),
    (in_hand(1, winner=10**30), "hand 1: the field “winner” is not between 0 and 32767."),
    (in_hand(1, hand="1m1m1m"), "hand 1: the field “hand” is not an object ({…})."),
    (in_tiles(1, concealed=6), "hand 1: "),
    (in_tiles(1, concealed=["6s", "0s"]), "hand 1: "),
    (
        lambda data: first_table(data)["hands"][0].pop("hand"),
        "hand 1: The winning hand’s tiles are missing.",
    ),
    (in_hand(5, number=6), "hand 5: number 6 stands where number 5 has to."),
    (
        lambda data: first_table(data)["penalties"].append({"player": 13, "foul": "late", "minutes": "ten"}),
        "penalty 2: the field “minutes” is not a whole number.",
    ),
    (in_penalty(sanction={"prison": True}, because="x"), "penalty 1: “sanction” could not be read."),
    (in_penalty(after=17), "penalty 1: the field “after” is not between 0 and 16."),
    (two_penalties_out_of_order, "penalty 2: the field “after” is not between 16 and 16."),
    (
        lambda data: first_table(data)["penalties"][0].pop("player"),
        "penalty 1: the field “player” is missing.",
    ),
]


@pytest.mark.thorough
def test_what_is_not_a_transcript_is_refused_at_its_place() -> None:
    cases = MALFORMED + [(edit, f"session 1, table 1, {line}") for edit, line in MALFORMED_AT_TABLE_1]
    assert otherwise_refused((edited(edit), line) for edit, line in cases) == {}


def test_what_is_not_json_is_refused_at_its_line() -> None:
    lines = {
        "": "line 1: this is not JSON.",
        '{"format": "hule-transcript",\n "version": }': "line 2: this is not JSON.",
        "[" * 100_000: "transcript: this is not JSON.",
        "1" * 5000: "transcript: this is not JSON.",
        "[]": "format: this is not a hule-transcript of version 1.",
        "null": "format: this is not a hule-transcript of version 1.",
    }
    assert {text: refusal(text) for text in lines} == lines


def test_an_empty_seat_neither_wins_nor_fouls() -> None:
    def wins(data: Data) -> None:
        hand = first_table(data)["hands"][0]
        hand["absent"] = [hand["winner"]]

    def fouls(data: Data) -> None:
        table = first_table(data)
        hand = table["hands"][0]
        away = next(n for n in table["seats"].values() if n not in (hand["winner"], hand.get("discarder")))
        hand.update(absent=[away], claimants=[])
        table["penalties"] = [{"player": away, "foul": "false_claim", "hand": 1}]

    assert "session 1, table 1, hand 1: The seat of player" in refusal(first_session_with(wins))
    assert "session 1, table 1, penalty 1: The seat of player" in refusal(first_session_with(fouls))
