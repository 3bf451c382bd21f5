"""The transcript of a whole tournament: a good one gives its true standings, a bad one stops where it is wrong.

tests/data/evening.json (its source is in evening.md) is edited at one place for each contradiction.
"""

import csv
import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from penalties.models import Penalty
from tests.support import factories
from tests.support.factories import SYSTEM
from tournament.access import Actor, Audience
from tournament.engine.table_points import two_decimals
from tournament.exchange.transcript import Stop, TranscriptError, contradictions, load, play, write_sheet
from tournament.models import Hand, LogEntry, Player, Seat, Session, Table, Tournament
from tournament.selectors.standings import current_standings
from tournament.words.problems import sentence

DATA = Path(__file__).parents[1] / "data"
CHEAP = {
    "concealed": ["2m", "3m", "4m", "5p", "5p"],
    "melds": [
        {"type": "chow", "tiles": ["6p", "7p", "8p"], "concealed": False},
        {"type": "chow", "tiles": ["1s", "2s", "3s"], "concealed": False},
        {"type": "pung", "tiles": ["9s", "9s", "9s"], "concealed": False},
    ],
    "winning_tile": "4m",
    "self_drawn": True,
    "seat_wind": "S",
    "prevalent_wind": "E",
}
"""What player 3 might have won with in hand 1: Pung of Terminals, No Honors and Self-Drawn, a point each."""

Edit = Callable[[dict[str, Any]], Any]


@cache
def evening() -> str:
    return (DATA / "evening.json").read_text("utf-8")


def edited(edit: Edit) -> str:
    data = json.loads(evening())
    edit(data)
    return json.dumps(data, ensure_ascii=False)


def table(data: dict[str, Any], session: int = 1, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = data["sessions"][session - 1]["tables"][number - 1]
    return found


def hand(data: dict[str, Any], session: int = 1, number: int = 1, hand: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = table(data, session, number)["hands"][hand - 1]
    return found


def refusal(text: str) -> str:
    """The line a person reads when the text is played."""
    with pytest.raises(TranscriptError) as caught:
        play(load(text), SYSTEM)
    return f"{caught.value.where}: {sentence(caught.value.problem)}"


def rows_kept() -> int:
    return sum(
        model.objects.count() for model in (Tournament, Player, Session, Table, Seat, Hand, Penalty, LogEntry)
    )


def first_session(data: dict[str, Any]) -> None:
    """A tournament of one session: the evening's first."""
    data["tournament"]["sessions"] = 1
    del data["sessions"][1:]


# --- a good one -----------------------------------------------------------------------------------------------
@pytest.mark.django_db
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


@pytest.mark.django_db
def test_every_table_is_in_and_its_session_closed() -> None:
    played = play(load(edited(first_session)), SYSTEM)
    assert [session.state for session in played.sessions.all()] == [Session.State.CLOSED]
    assert not Table.objects.filter(is_in=False).exists()


@pytest.mark.django_db
def test_the_same_writes_again_change_nothing() -> None:
    transcript = load(edited(first_session))
    played = play(transcript, SYSTEM)
    before = rows_kept(), played.version, current_standings(played, Audience.STAFF)
    for table, sheet in zip(played.sessions.get().tables.all(), transcript.sessions[0].sheets, strict=True):
        write_sheet(table, sheet, SYSTEM)
    played.refresh_from_db()
    assert (rows_kept(), played.version, current_standings(played, Audience.STAFF)) == before


@pytest.mark.django_db
def test_hands_by_points_and_by_fans_are_played_as_they_were_written() -> None:
    def edit(data: dict[str, Any]) -> None:
        first_session(data)
        wins: list[dict[str, Any]] = [{"points": 19}, {"fans": {"mixed_straight": 1, "flower_tiles": 2}}]
        for number, win in enumerate(wins, 1):
            old = hand(data, hand=number)
            seats = list(table(data)["seats"].values())
            old.update(outcome="win", winner=seats[0], discarder=seats[1], hand=None, **win)

    played = play(load(edited(edit)), SYSTEM)
    hands = Hand.objects.filter(table=played.sessions.get().tables.get(number=1)).order_by("number")
    assert [(one.points, one.announced, one.tiles) for one in hands[:2]] == [
        (19, {"points": 19}, None),
        (10, {"fans": {"mixed_straight": 1, "flower_tiles": 2}}, None),
    ]


@pytest.mark.django_db
def test_another_sanction_and_how_it_happened_are_played_as_they_were_written() -> None:
    def edit(data: dict[str, Any]) -> None:
        table(data)["penalties"] = [
            {"player": 13, "foul": "reaching_across", "hand": 1, "circumstance": "discard_left"},
            {
                "player": 13,
                "foul": "false_claim",
                "hand": 1,
                "sanction": {"warning": True},
                "because": "unclear",
            },
        ]

    play(load(edited(edit)), SYSTEM, Stop(1, (2, 0, 0, 0)))
    left, own = Penalty.objects.all()
    assert (left.sanction, left.proposed) == ({"lost_claim": True}, None)
    assert (own.sanction, own.proposed, own.because) == ({"warning": True}, {"dead_hand": True}, "unclear")


@pytest.mark.django_db
@pytest.mark.thorough
def test_a_second_replay_is_a_second_tournament() -> None:
    transcript = load(edited(first_session))
    once, again = play(transcript, SYSTEM), play(transcript, SYSTEM)
    assert (once.slug, again.slug) == ("evening-of-16", "evening-of-16-2")
    assert current_standings(again, Audience.STAFF).rows == current_standings(once, Audience.STAFF).rows


@pytest.mark.django_db
def test_it_tells_of_each_session_played_to_its_end() -> None:
    told: list[int] = []
    play(load(edited(first_session)), SYSTEM, Stop(1, (1, 1, 1, 1)), after_session=told.append)
    play(load(edited(first_session)), SYSTEM, after_session=told.append)
    assert told == [1]


@pytest.mark.django_db
def test_it_stops_where_it_is_told_to() -> None:
    tournament = play(load(evening()), SYSTEM, Stop(session=2, hands=(4, 6, 0, 5)))
    states = [session.state for session in tournament.sessions.all()]
    assert states == ["closed", "running", "planned", "planned", "planned"]
    running = tournament.sessions.get(number=2)
    assert [one.hands_played for one in running.tables.all()] == [4, 6, 0, 5]
    assert not running.tables.filter(is_in=True).exists()


@pytest.mark.django_db
def test_the_umpire_writes_the_tables_and_the_organiser_the_rest(django_user_model: Any) -> None:
    olga = django_user_model.objects.create_user("olga", is_staff=True)
    uma = django_user_model.objects.create_user("uma")
    tournament = play(load(evening()), Actor.of(olga), Stop(1, (2, 2, 2, 2)), umpire=Actor.of(uma))
    actors = {entry.action: entry.actor_name for entry in tournament.log.select_related("actor")}
    assert actors["hand_recorded"] == "uma"
    assert actors["session_started"] == "olga"


@pytest.mark.django_db
@pytest.mark.parametrize(("written", "counted"), [(None, True), (True, True), (False, False)])
def test_whether_a_held_out_tile_is_a_wait_is_played_as_it_was_written(
    written: bool | None, counted: bool
) -> None:
    text = edited(lambda data: data["tournament"].update(held_out_waits=written))
    assert play(load(text), SYSTEM, Stop(1, (0, 0, 0, 0))).held_out_waits is counted


def barred_winner(data: dict[str, Any], **order: int) -> None:
    """Player 3, who wins hand 1 at table 1, says hu without a winning hand in it."""
    table(data)["penalties"] = [{"player": 3, "foul": "false_hu", "hand": 1, **order}]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "order", [{}, *(pytest.param({"after": after}, marks=pytest.mark.thorough) for after in (1, 16))]
)
def test_a_dead_hand_given_after_its_hand_was_won_is_played_and_the_hand_named(order: dict[str, int]) -> None:
    def edit(data: dict[str, Any]) -> None:
        first_session(data)
        barred_winner(data, **order)

    played = play(load(edited(edit)), SYSTEM)
    assert [(place, sentence(problem)) for place, problem in contradictions(played)] == [
        (
            "session 1, table 1, hand 1",
            "静 Zhang has a dead hand in hand 1 (False hu) and may not win it.",
        )
    ]


@pytest.mark.django_db
def test_a_penalty_is_given_after_as_many_hands_as_it_says() -> None:
    def edit(data: dict[str, Any]) -> None:
        first_session(data)
        table(data)["penalties"] = [
            {"player": 13, "foul": "false_hu", "hand": 1, "after": 0},
            {"player": 13, "foul": "empty_call", "hand": 3, "after": 2},
            {"player": 13, "foul": "empty_call", "hand": 3, "after": 4},
            {"player": 13, "foul": "empty_call", "hand": 3},
        ]

    played = play(load(edited(edit)), SYSTEM, Stop(1, (2, 0, 0, 0)))
    here = played.log.filter(data__session=1, data__table=1).order_by("seq")
    assert list(here.values_list("action", flat=True)) == [
        "penalty_given",
        "hand_recorded",
        "hand_recorded",
        "penalty_given",
    ]


# --- contradictions to the rules ----------------------------------------------------------------------------------
def five_of_a_tile(data: dict[str, Any]) -> None:
    record = hand(data)["hand"]
    record["melds"][0]["tiles"] = ["6s", "6s", "6s"]
    record["melds"][1]["tiles"] = ["5s", "6s", "7s"]
    record["melds"][1]["type"] = "chow"


def seventeenth_hand(data: dict[str, Any]) -> None:
    table(data)["hands"].append({"number": 17, "outcome": "draw"})


CONTRADICTIONS: dict[str, tuple[Edit, str]] = {
    "wrong seat wind": (
        lambda data: hand(data)["hand"].update(seat_wind="N"),
        "session 1, table 1, hand 1: The winner’s seat wind in this hand is S, not N.",
    ),
    "wrong prevalent wind": (
        lambda data: hand(data, hand=2)["hand"].update(prevalent_wind="S"),
        "session 1, table 1, hand 2: The prevalent wind in this hand is E, not S.",
    ),
    "a discarder of a self-drawn hand": (
        lambda data: hand(data).update(discarder=13),
        "session 1, table 1, hand 1: Self-drawn and a discarder contradict each other.",
    ),
    "a winner who does not play": (
        lambda data: hand(data, number=2, hand=3).update(winner=99),
        "session 1, table 2, hand 3: Player 99 does not sit at this table.",
    ),
    "a winner of another table": (
        lambda data: hand(data).update(winner=1),
        "session 1, table 1, hand 1: Player 1 does not sit at this table.",
    ),
    "the winner discards": (
        lambda data: hand(data, hand=2).update(discarder=7),
        "session 1, table 1, hand 2: The winner cannot have discarded the winning tile.",
    ),
    "a discarder of another table": (
        lambda data: hand(data, hand=2).update(discarder=1),
        "session 1, table 1, hand 2: Player 1 does not sit at this table.",
    ),
    "below eight points": (
        lambda data: hand(data).update(hand=deepcopy(CHEAP)),
        "session 1, table 1, hand 1: The hand has 3 points without flowers; 8 are needed to win.",
    ),
    "five of a tile": (five_of_a_tile, "session 1, table 1, hand 1: "),
    "no winning hand": (
        lambda data: hand(data)["hand"].update(concealed=["6s", "7s"]),
        "session 1, table 1, hand 1: These tiles are not a winning hand.",
    ),
    "a hand after the sixteenth": (
        seventeenth_hand,
        "session 1, table 1, hand 17: All 16 hands of this session are recorded.",
    ),
    "an outcome nobody knows": (
        lambda data: hand(data, hand=3).update(outcome="chombo"),
        "session 1, table 1, hand 3: “chombo” is not an outcome: a hand is won or washed out.",
    ),
    "a wash-out with a winner": (
        lambda data: hand(data, hand=3).update(winner=7),
        "session 1, table 1, hand 3: A wash-out has no winner, no discarder and no tiles.",
    ),
    "a table without hands": (
        lambda data: table(data, 1, 1).update(hands=[], penalties=[]),
        "session 1, table 1: Nothing is recorded at table 1 yet.",
    ),
    "a foul nobody knows": (
        lambda data: table(data)["penalties"][0].update(foul="sneezing"),
        "session 1, table 1, penalty 1: There is no foul “sneezing”.",
    ),
    "another sanction without a reason": (
        lambda data: table(data)["penalties"][0].update(sanction={"warning": True}),
        "session 1, table 1, penalty 1: Say why: another sanction than the foul book’s needs a reason.",
    ),
    "a foul of a player elsewhere": (
        lambda data: table(data)["penalties"][0].update(player=1),
        "session 1, table 1, penalty 1: Player 1 does not sit at this table.",
    ),
    "fans that cannot stand together": (
        lambda data: hand(data).update(
            outcome="win", winner=3, discarder=None, hand=None, fans={"two_dragons": 1, "dragon_pung": 1}
        ),
        "session 1, table 1, hand 1: Dragon Pung does not count beside Two Dragons.",
    ),
    "fans that no hand counts together": (
        lambda data: hand(data).update(
            outcome="win", winner=3, discarder=None, hand=None, fans={"full_flush": 1, "mixed_straight": 1}
        ),
        "session 1, table 1, hand 1: No hand won like this counts Mixed Straight beside Full Flush.",
    ),
    "self-drawn without what follows from it": (
        lambda data: hand(data).update(
            outcome="win", winner=3, discarder=None, hand=None, fans={"mixed_straight": 1}
        ),
        "session 1, table 1, hand 1: A hand with these fans, won like this, counts one more: Self-Drawn or Fully",
    ),
    "points below the minimum without a reason": (
        lambda data: hand(data).update(outcome="win", winner=3, discarder=None, hand=None, points=7),
        "session 1, table 1, hand 1: 7 points do not win: 8 are needed.",
    ),
    "a foul whose points the book does not have": (
        lambda data: table(data)["penalties"][0].update(points=7),
        "session 1, table 1, penalty 1: ",
    ),
    "a foul without its points": (
        lambda data: table(data)["penalties"][0].pop("points"),
        "session 1, table 1, penalty 1: ",
    ),
    "a foul in hand 20": (
        lambda data: table(data)["penalties"][0].update(hand=20),
        "session 1, table 1, penalty 1: There is no hand 20: a session has hands 1 to 16.",
    ),
    "a barred player wins": (
        lambda data: barred_winner(data, after=0),
        "session 1, table 1, hand 1: 静 Zhang has a dead hand in hand 1 (False hu) and may not win it.",
    ),
    "a foul in hand 9 of a one-hand table": (
        lambda data: table(data).update(
            hands=table(data)["hands"][:1], penalties=[{"player": 13, "foul": "empty_call", "hand": 9}]
        ),
        "session 1, table 1, penalty 1: Hand 9 has not begun: hand 2 is under way.",
    ),
    "a late pung given before its hand began": (
        lambda data: table(data).update(
            penalties=[{"player": 13, "foul": "late_pung", "hand": 16, "after": 6}]
        ),
        "session 1, table 1, penalty 1: Hand 16 has not begun: hand 7 is under way.",
    ),
    "a dead hand outside a hand": (
        lambda data: table(data).update(penalties=[{"player": 13, "foul": "false_hu"}]),
        "session 1, table 1, penalty 1: In which hand was it?",
    ),
    "a seat for a player who is not entered": (
        lambda data: table(data, 3, 2)["seats"].update(E=99),
        "session 3, table 2: There is no player 99.",
    ),
    "a player in two seats": (
        lambda data: table(data, 1, 1)["seats"].update(E=3),
        "session 1, table 1: Player 3 is seated twice.",
    ),
    "a session that lacks a table": (
        lambda data: data["sessions"][4]["tables"].pop(),
        "session 5: player 7 has no seat in this session.",
    ),
    "a player without a seat": (
        lambda data: data["players"].append(data["players"][0] | {"number": 17, "ema_number": ""}),
        "session 1: player 17 has no seat in this session.",
    ),
    "a player too few": (
        lambda data: data["players"].pop(),
        "session 1, table 3: There is no player 16.",
    ),
    "a session too few": (
        lambda data: data["sessions"].pop(),
        "sessions: 5 sessions are announced and 4 are written down.",
    ),
    "a player number twice": (
        lambda data: data["players"][1].update(number=1),
        "player 2, number: Number 1 belongs to another player.",
    ),
    "a country that does not exist": (
        lambda data: data["players"][4].update(country="XXX"),
        "player 5, country: There is no country “XXX”.",
    ),
    "days in the wrong order": (
        lambda data: data["tournament"].update(ends_on="2026-11-13"),
        "tournament: The last day comes before the first.",
    ),
    "a rulebook nobody knows": (
        lambda data: data["tournament"].update(rulebook="riichi"),
        "tournament: No tournament is played by a rulebook “riichi”; there are mcr, mwt, guide.",
    ),
    "a rulebook without fouls": (
        lambda data: data["tournament"].update(rulebook="botzone"),
        "tournament: No tournament is played by a rulebook “botzone”; there are mcr, mwt, guide.",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("edit", "line"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_a_contradiction_stops_at_its_place_and_nothing_is_kept(edit: Edit, line: str) -> None:
    said = refusal(edited(edit))
    assert said.startswith(line)
    assert "\n" not in said
    assert rows_kept() == 0


# --- not written as a transcript ----------------------------------------------------------------------------------
MALFORMED: dict[str, tuple[Edit, str]] = {
    "another format": (
        lambda data: data.update(version=2),
        "format: this is not a hule-transcript of version 1.",
    ),
    "no players": (lambda data: data.pop("players"), "transcript: the field “players” is missing."),
    "fans that are no numbers": (
        lambda data: hand(data).update(fans={"mixed_straight": "once"}),
        "session 1, table 1, hand 1: the field “mixed_straight” is not a whole number.",
    ),
    "claimants that are no numbers": (
        lambda data: hand(data).update(claimants=["everybody"]),
        "session 1, table 1, hand 1: the field “claimants” is not a whole number.",
    ),
    "players that are no list": (
        lambda data: data.update(players={"1": "Anna"}),
        "transcript: the field “players” is not a list ([…]).",
    ),
    "a player that is no object": (
        lambda data: data["players"].append("Anna"),
        "player 17: this is not an object ({…}), as the format asks for.",
    ),
    "no last name": (
        lambda data: data["players"][2].pop("last_name"),
        "player 3: the field “last_name” is missing.",
    ),
    "an empty last name": (
        lambda data: data["players"][2].update(last_name=" "),
        "player 3, last_name: The name is missing.",
    ),
    "a name as a number": (
        lambda data: data["players"][2].update(first_name=7),
        "player 3: the field “first_name” is not a text.",
    ),
    "a name with a zero byte": (
        lambda data: data["players"][2].update(first_name="A\x00"),
        "player 3: the field “first_name” is not a text.",
    ),
    "a name without end": (
        lambda data: data["players"][2].update(last_name="A" * 81),
        "player 3: the field “last_name” has more than 80 characters.",
    ),
    "a number as a text": (
        lambda data: data["players"][2].update(number="3"),
        "player 3: the field “number” is not a whole number.",
    ),
    "true for a number": (
        lambda data: hand(data).update(winner=True),
        "session 1, table 1, hand 1: the field “winner” is not a whole number.",
    ),
    "a number that is too large": (
        lambda data: hand(data).update(winner=10**30),
        "session 1, table 1, hand 1: the field “winner” is not between 0 and 32767.",
    ),
    "no day": (
        lambda data: data["tournament"].update(starts_on="14.11.2026"),
        "tournament: the field “starts_on” is not a day written like 2026-11-14.",
    ),
    "no seat of a wind": (
        lambda data: table(data, 2, 2)["seats"].pop("W"),
        "session 2, table 2: the field “W” is missing.",
    ),
    "tiles that are no object": (
        lambda data: hand(data).update(hand="1m1m1m"),
        "session 1, table 1, hand 1: the field “hand” is not an object ({…}).",
    ),
    "tiles that are no list": (
        lambda data: hand(data)["hand"].update(concealed=6),
        "session 1, table 1, hand 1: ",
    ),
    "a tile that does not exist": (
        lambda data: hand(data)["hand"].update(concealed=["6s", "0s"]),
        "session 1, table 1, hand 1: ",
    ),
    "a win without tiles": (
        lambda data: hand(data).pop("hand"),
        "session 1, table 1, hand 1: The winning hand’s tiles are missing.",
    ),
    "hands out of order": (
        lambda data: hand(data, hand=5).update(number=6),
        "session 1, table 1, hand 5: number 6 stands where number 5 has to.",
    ),
    "a table out of order": (
        lambda data: data["sessions"][1]["tables"].reverse(),
        "session 2, table 1: number 4 stands where number 1 has to.",
    ),
    "a setting that is neither yes nor no": (
        lambda data: data["tournament"].update(held_out_waits="yes"),
        "tournament: the field “held_out_waits” is neither true nor false.",
    ),
    "minutes as a text": (
        lambda data: table(data)["penalties"].append({"player": 13, "foul": "late", "minutes": "ten"}),
        "session 1, table 1, penalty 2: the field “minutes” is not a whole number.",
    ),
    "a sanction that is none": (
        lambda data: table(data)["penalties"][0].update(sanction={"prison": True}, because="x"),
        "session 1, table 1, penalty 1: “sanction” could not be read.",
    ),
    "a penalty given after more hands than there are": (
        lambda data: table(data)["penalties"][0].update(after=17),
        "session 1, table 1, penalty 1: the field “after” is not between 0 and 16.",
    ),
    "penalties that were not given in this order": (
        lambda data: table(data)["penalties"].append(table(data)["penalties"][0] | {"after": 3}),
        "session 1, table 1, penalty 2: the field “after” is not between 16 and 16.",
    ),
    "a foul without a player": (
        lambda data: table(data)["penalties"][0].pop("player"),
        "session 1, table 1, penalty 1: the field “player” is missing.",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("edit", "line"), MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_not_a_transcript_is_told_by_its_place(edit: Edit, line: str) -> None:
    said = refusal(edited(edit))
    assert said.startswith(line)
    assert "\n" not in said
    assert rows_kept() == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "line 1: this is not JSON."),
        ('{"format": "hule-transcript",\n "version": }', "line 2: this is not JSON."),
        ("[" * 100_000, "transcript: this is not JSON."),
        ("1" * 5000, "transcript: this is not JSON."),
        ("[]", "format: this is not a hule-transcript of version 1."),
        ("null", "format: this is not a hule-transcript of version 1."),
    ],
)
def test_what_is_not_json_is_told_by_its_line(text: str, line: str) -> None:
    assert refusal(text) == line


@pytest.mark.django_db
def test_an_empty_seat_neither_wins_nor_fouls() -> None:
    def wins(data: dict[str, Any]) -> None:
        first_session(data)
        hand(data)["absent"] = [hand(data)["winner"]]

    def fouls(data: dict[str, Any]) -> None:
        first_session(data)
        old = hand(data)
        away = next(
            n for n in table(data)["seats"].values() if n not in (old["winner"], old.get("discarder"))
        )
        old["absent"], old["claimants"] = [away], []
        table(data)["penalties"] = [{"player": away, "foul": "false_claim", "hand": 1}]

    assert "session 1, table 1, hand 1: The seat of player" in refusal(edited(wins))
    assert "session 1, table 1, penalty 1: The seat of player" in refusal(edited(fouls))
