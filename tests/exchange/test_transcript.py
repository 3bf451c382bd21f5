"""The transcript of a whole tournament: a good one gives its true standings, a bad one stops where it is wrong.

tests/data/evening.json (its source is in evening.md) is edited at one place for each contradiction.
"""

import csv
import json
from collections.abc import Callable, Iterable
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest

from penalties.models import Penalty
from tests.support import factories
from tests.support.factories import SYSTEM
from tests.support.sampling import sample
from tournament.base.access import Actor, Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts.transcript import (
    Stop,
    TranscriptError,
    contradictions,
    load,
    play,
    write_sheet,
)
from tournament.ranking.selectors.standings import current_standings
from tournament.web.texts.problems import sentence

DATA = Path(__file__).parents[1] / "data"
Data = dict[str, Any]
Edit = Callable[[Data], Any]


@cache
def evening() -> str:
    return (DATA / "evening.json").read_text("utf-8")


def edited(edit: Edit) -> str:
    data = json.loads(evening())
    edit(data)
    return json.dumps(data, ensure_ascii=False)


def in_object(*path: Any, **fields: Any) -> Edit:
    """Set fields of the object to which the path leads."""
    return lambda data: reduce(getitem, path, data).update(fields)


def in_event(**fields: Any) -> Edit:
    return in_object("tournament", **fields)


def in_player(number: int, /, **fields: Any) -> Edit:
    return in_object("players", number - 1, **fields)


def in_table(**fields: Any) -> Edit:
    return in_object("sessions", 0, "tables", 0, **fields)


def in_hand(number: int, table: int = 1, /, **fields: Any) -> Edit:
    """Of session 1."""
    return in_object("sessions", 0, "tables", table - 1, "hands", number - 1, **fields)


def in_tiles(number: int, /, **fields: Any) -> Edit:
    return in_object("sessions", 0, "tables", 0, "hands", number - 1, "hand", **fields)


def in_penalty(**fields: Any) -> Edit:
    return in_object("sessions", 0, "tables", 0, "penalties", 0, **fields)


def first_table(data: Data) -> Data:
    table: Data = data["sessions"][0]["tables"][0]
    return table


def first_session(data: Data) -> None:
    """A tournament of one session: the evening's first."""
    data["tournament"]["sessions"] = 1
    del data["sessions"][1:]


def first_session_with(*edits: Edit) -> str:
    return edited(lambda data: [edit(data) for edit in (first_session, *edits)])


def refusal(text: str) -> str:
    """The line a person reads when the text is played."""
    try:
        play(load(text), SYSTEM)
    except TranscriptError as error:
        return f"{error.where}: {sentence(error.problem)}"
    return "it is played"


def rows_kept() -> int:
    models = (Tournament, Player, Session, Table, Seat, Hand, Penalty, LogEntry)
    return sum(model.objects.count() for model in models)


def otherwise_refused(cases: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Line expected → line read, of the (text, line) that are refused with another line, or of which rows are kept."""
    wrong = {}
    for text, line in cases:
        problem = refusal(text)
        if not problem.startswith(line) or "\n" in problem or rows_kept():
            wrong[line] = f"{problem} ({rows_kept()} rows kept)"
    return wrong


# --- what cannot have been ---------------------------------------------------------------------------------------
FINAL_OF_ALL = {"carry": "full", "groups": [[1, 2, 3, 4]]}
DAYS = {"starts_on": "2026-11-14", "ends_on": "2026-11-14"}
SEATS = ({"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8})


def event() -> dict[str, Any]:
    """Eight players, a session for all and one for a final of four, three hands at each table."""
    return {
        "format": "hule-transcript",
        "version": 1,
        "tournament": {"name": "Spring Open", "rulebook": "mcr", "sessions": 2, "minutes": 120} | DAYS,
        "players": [{"number": n, "last_name": f"Player{n}"} for n in range(1, 9)],
        "sessions": [
            {"number": 1, "tables": [sheet(n, seats) for n, seats in enumerate(SEATS, 1)]},
            {"number": 2, "final": dict(FINAL_OF_ALL), "tables": [sheet(1, SEATS[0])]},
        ],
    }


def sheet(number: int, seats: dict[str, int]) -> dict[str, Any]:
    hands = [{"number": 1, "outcome": "win", "winner": seats["E"], "discarder": seats["S"], "points": 8}]
    hands += [{"number": n, "outcome": "draw"} for n in (2, 3)]
    return {"number": number, "seats": dict(seats), "hands": hands, "penalties": []}


def seats(*moves: dict[str, Any]) -> Edit:
    return in_table(presence=list(moves))


def stand_in(**fields: Any) -> dict[str, Any]:
    return {"what": "stand_in", "player": 3} | fields


def absent(**fields: Any) -> dict[str, Any]:
    return {"what": "absent", "player": 3, "minutes": 9, "after": 0} | fields


def appeal(**fields: Any) -> Edit:
    return in_table(appeals=[{"player": 1, "text": "It was not so."} | fields])


def in_session(number: int, /, **fields: Any) -> Edit:
    return in_object("sessions", number - 1, **fields)


def final(**fields: Any) -> Edit:
    return in_object("sessions", 1, "final", **fields)


def appeal_after_play_has_gone_on(data: dict[str, Any]) -> None:
    in_event(appeal_minutes=0)(data)
    appeal(hand=1)(data)


GRANTED = {"granted": True, "ruling": "So it was.", "carried_out": True}
UNEVEN_FINAL = {"carry": "full", "groups": [[1, 2], [3, 4]]}
IMPOSSIBLE_AT_TABLE_1: list[tuple[Edit, str]] = [
    (
        seats(stand_in(name="Ana", after=0), stand_in(name="Eva", after=1)),
        "presence 2: Somebody is playing for Player3 already.",
    ),
    (seats(absent(), stand_in(after=0)), "presence 2: The others start without the player after 15 minutes"),
    (seats(absent()), "hand 1: Player3 is missing, and the others wait until minute 15."),
    (
        seats(absent(player=1, minutes=20, after=1)),
        "presence 1: Player1 has played hand 1 here, and so is not missing.",
    ),
    (seats({"what": "arrived", "player": 3, "after": 0}), "presence 1: Player 3 is not noted as missing."),
    (seats({"what": "back", "player": 3}), "presence 1: Nobody is playing for Player3."),
    (seats({"what": "asleep", "player": 3}), "presence 1: “what” could not be read."),
    (
        seats(stand_in(), {"what": "back", "player": 3, "after": 1}),
        "presence 2: the field “after” is not between 3 and 3.",
    ),
    (appeal(hand=9), "appeal 1: Hand 9 has not begun: hand 4 is under way."),
    (appeal(penalty=1), "appeal 1: the field “penalty” is not between 1 and 0."),
    (appeal(granted=False), "appeal 1: Say what is decided, and why."),
    (appeal(hand=1, **GRANTED), "appeal 1: nothing on this sheet carries the ruling out."),
    (
        appeal(hand=2, after=1, was={"outcome": "draw"}, **GRANTED),
        "appeal 1: nothing on this sheet carries the ruling out.",
    ),
    (
        appeal(hand=1, was={"outcome": "win", "winner": 5, "points": 8}, **GRANTED),
        "hand 1: Player 5 does not sit at this table.",
    ),
    (appeal_after_play_has_gone_on, "appeal 1: Play has gone on"),
    (in_table(unplayed=True, hands=[], signed=[1]), "signature 1: Nothing is recorded at table 1 yet."),
]
IMPOSSIBLE: list[tuple[Edit, str]] = [
    (in_object("players", 2, withdrawn=True), "session 1: Player3 has withdrawn"),
    (in_session(1, withdrawn=[8, 8]), "session 1: Player 8 has already withdrawn."),
    (in_session(1, readmitted=[8]), "session 1: Player 8 has not withdrawn."),
    (in_session(1, without=[8]), "session 1: player 8 does not play in this session, and has a seat."),
    (final(groups=[[1, 2, 3, 5]]), "session 2: player 5 has no seat in this session."),
    (
        in_session(2, final=UNEVEN_FINAL, without=[]),
        "session 2: The groups of a final are of one size, four players or a multiple.",
    ),
    (final(groups=[[1, 2, 3, 4], [1, 2, 3, 4]]), "session 2: Player 1 is named twice."),
    (
        in_session(1, final=FINAL_OF_ALL),
        "session 1: No session is finished yet, so there is nobody to choose for a final.",
    ),
    (final(carry="third"), "session 2: “carry” could not be read."),
    (final(groups=[["1"]]), "session 2: the field “groups” is not a whole number."),
    (in_table(unplayed=True), "session 1, table 1: nobody played here, and there are hands."),
    (in_table(extra_minutes=90), "session 1, table 1: "),
    (
        in_event(fouls=[{"key": "sneezing", "rule": {"kind": "fixed", "sanction": {}}}]),
        "tournament, foul 1: There is no foul “sneezing”.",
    ),
    (
        in_event(fouls=[{"key": "late", "rule": {"kind": "by_mood"}}]),
        "tournament, foul 1: “rule” could not be read.",
    ),
    (in_event(attendance={"stand_in": "everybody"}), "tournament: “attendance” could not be read."),
    (in_event(time_zone="Europe/Atlantis"), "tournament: There is no time zone “Europe/Atlantis”."),
]


@pytest.mark.thorough
def test_what_cannot_have_been_stops_at_its_place_and_nothing_is_kept() -> None:
    cases = [(edit, f"session 1, table 1, {line}") for edit, line in IMPOSSIBLE_AT_TABLE_1] + IMPOSSIBLE
    texts = []
    for edit, line in cases:
        data = event()
        edit(data)
        texts.append((json.dumps(data), line))
    assert otherwise_refused(texts) == {}


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


def seventeenth_player(data: Data) -> None:
    data["players"].append(data["players"][0] | {"number": 17, "ema_number": ""})


# Whatever else a service refuses is refused at its place: test_as_recorded.py.
AT_TABLE_1: list[tuple[Edit, str]] = [
    (in_tiles(1, seat_wind="N"), "hand 1: The winner’s seat wind in this hand is S, not N."),
    (in_tiles(2, prevalent_wind="S"), "hand 2: The prevalent wind in this hand is E, not S."),
    (in_hand(1, discarder=13), "hand 1: Self-drawn and a discarder contradict each other."),
    (five_of_a_tile, "hand 1: "),
    (in_tiles(1, concealed=["6s", "7s"]), "hand 1: These tiles are not a winning hand."),
    (
        lambda data: first_table(data)["hands"].append({"number": 17, "outcome": "draw"}),
        "hand 17: All 16 hands of this session are recorded.",
    ),
    (in_hand(3, outcome="chombo"), "hand 3: “chombo” is not an outcome: a hand is won or washed out."),
    (in_hand(3, winner=7), "hand 3: A wash-out has no winner, no discarder and no tiles."),
    (in_penalty(foul="sneezing"), "penalty 1: There is no foul “sneezing”."),
    (in_penalty(points=7), "penalty 1: "),
    (lambda data: first_table(data)["penalties"][0].pop("points"), "penalty 1: "),
    (barred_winner(after=0), "hand 1: 静 Zhang has a dead hand in hand 1 (False hu) and may not win it."),
    (
        in_table(penalties=[{"player": 13, "foul": "late_pung", "hand": 16, "after": 6}]),
        "penalty 1: Hand 16 has not begun: hand 7 is under way.",
    ),
    (in_table(penalties=[{"player": 13, "foul": "false_hu"}]), "penalty 1: In which hand was it?"),
]
ELSEWHERE: list[tuple[Edit, str]] = [
    (in_table(hands=[], penalties=[]), "session 1, table 1: Nothing is recorded at table 1 yet."),
    (in_object("sessions", 2, "tables", 1, "seats", E=99), "session 3, table 2: There is no player 99."),
    (in_object("sessions", 0, "tables", 0, "seats", E=3), "session 1, table 1: Player 3 is seated twice."),
    (lambda data: data["sessions"][4]["tables"].pop(), "session 5: player 7 has no seat in this session."),
    (seventeenth_player, "session 1: player 17 has no seat in this session."),
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
    (in_player(3, last_name=" "), "player 3, last_name: The name is missing."),
    (in_player(3, first_name=7), "player 3: the field “first_name” is not a text."),
    (in_player(3, first_name="A\x00"), "player 3: the field “first_name” is not a text."),
    (in_player(3, last_name="A" * 81), "player 3: the field “last_name” has more than 80 characters."),
    (
        in_event(starts_on="14.11.2026"),
        "tournament: the field “starts_on” is not a day written like 2026-11-14.",
    ),
    (in_event(held_out_waits="yes"), "tournament: the field “held_out_waits” is neither true nor false."),
    (
        lambda data: data["sessions"][1]["tables"].reverse(),
        "session 2, table 1: number 4 stands where number 1 has to.",
    ),
]
MALFORMED_AT_TABLE_1: list[tuple[Edit, str]] = [
    (in_hand(1, claimants=["everybody"]), "hand 1: the field “claimants” is not a whole number."),
    (in_hand(1, winner=True), "hand 1: the field “winner” is not a whole number."),
    (in_hand(1, winner=10**30), "hand 1: the field “winner” is not between 0 and 32767."),
    (in_hand(1, hand="1m1m1m"), "hand 1: the field “hand” is not an object ({…})."),
    (in_tiles(1, concealed=6), "hand 1: "),
    (in_tiles(1, concealed=["6s", "0s"]), "hand 1: "),
    (lambda data: first_table(data)["hands"][0].pop("hand"), "hand 1: The winning hand’s tiles are missing."),
    (in_hand(5, number=6), "hand 5: number 6 stands where number 5 has to."),
    (in_penalty(sanction={"prison": True}, because="x"), "penalty 1: “sanction” could not be read."),
    (in_penalty(after=17), "penalty 1: the field “after” is not between 0 and 16."),
    (two_penalties_out_of_order, "penalty 2: the field “after” is not between 16 and 16."),
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
