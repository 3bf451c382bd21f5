"""A valid transcript gives its true standings; an invalid one is refused with the place of the problem.

Each line of tests/data/transcript-faults.json changes tests/data/evening.json (source: evening.md) at one place.
"""

import csv
import json
from collections.abc import Callable
from functools import cache, reduce
from operator import getitem
from typing import Any

import pytest

from penalties.models import Penalty
from tests.support import factories
from tests.support.data import DATA, read_json
from tests.support.factories import SYSTEM
from tests.support.sampling import sample
from tests.support.transcripts import Change, changed
from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.exchange.transcripts.transcript import (
    Stop,
    TranscriptError,
    contradictions,
    load,
    play,
    play_sheet,
)
from tournament.ranking.selectors.standings import current_standings

FAULTS: dict[str, list[tuple[list[Change], str]]] = read_json("transcript-faults.json")
"""Kind of problem → changes to a valid transcript, and the beginning of the line with which it is refused."""
Data = dict[str, Any]
Edit = Callable[[Data], Any]


@cache
def evening_text() -> str:
    return (DATA / "evening.json").read_text("utf-8")


def edit_evening(edit: Edit) -> str:
    data = json.loads(evening_text())
    edit(data)
    return json.dumps(data, ensure_ascii=False)


def set_fields(*path: Any, **fields: Any) -> Edit:
    """Return an edit that sets fields of the object at a path."""
    return lambda data: reduce(getitem, path, data).update(fields)


def set_tournament(**fields: Any) -> Edit:
    return set_fields("tournament", **fields)


def set_table(**fields: Any) -> Edit:
    return set_fields("sessions", 0, "tables", 0, **fields)


def set_hand(number: int, table: int = 1, /, **fields: Any) -> Edit:
    """Return an edit of a hand of session 1."""
    return set_fields("sessions", 0, "tables", table - 1, "hands", number - 1, **fields)


def first_table(data: Data) -> Data:
    table: Data = data["sessions"][0]["tables"][0]
    return table


def keep_first_session(data: Data) -> None:
    """Remove all sessions but the first."""
    data["tournament"]["sessions"] = 1
    del data["sessions"][1:]


def first_session_text(*edits: Edit) -> str:
    return edit_evening(lambda data: [edit(data) for edit in (keep_first_session, *edits)])


def refusal_line(text: str) -> str:
    """Return the line with which a transcript is refused."""
    try:
        play(load(text), SYSTEM)
    except TranscriptError as error:
        return f"{error.where}: {sentence(error.problem)}"
    return "it is played"


def row_count() -> int:
    models = (Tournament, Player, Session, Table, Seat, Hand, Penalty, LogEntry)
    return sum(model.objects.count() for model in models)


FINAL_OF_ALL = {"carry": "full", "groups": [[1, 2, 3, 4]]}
DAYS = {"starts_on": "2026-11-14", "ends_on": "2026-11-14"}
SEATS = ({"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8})


def example_transcript() -> dict[str, Any]:
    """Return a transcript of eight players: a session for all, a final of four, three hands at each table."""
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


@pytest.mark.thorough
def test_a_player_who_withdrew_before_the_first_session_is_absent_in_every_session() -> None:
    data = example_transcript()
    set_fields("players", 2, withdrawn=True)(data)
    played = play(load(json.dumps(data)), SYSTEM)
    empty = Absence.objects.filter(player=played.players.get(number=3))
    assert list(empty.values_list("table__session__number", flat=True).order_by("id")) == [1, 2]


# --- Valid transcripts ---
def test_the_evening_gives_its_true_standings() -> None:
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
def test_playing_a_sheet_again_changes_nothing_and_replaying_creates_another_tournament() -> None:
    transcript = load(edit_evening(keep_first_session))
    sessions: list[int] = []
    played = play(transcript, SYSTEM, after_session=sessions.append)
    session = played.sessions.get()
    assert (sessions, session.state) == ([1], Session.State.CLOSED)
    assert not Table.objects.filter(is_in=False).exists()
    before = row_count(), played.version, current_standings(played, Audience.STAFF)
    for table, sheet in zip(session.tables.all(), transcript.sessions[0].sheets, strict=True):
        play_sheet(table, sheet, SYSTEM)
    played.refresh_from_db()
    assert (row_count(), played.version, current_standings(played, Audience.STAFF)) == before
    second = play(transcript, SYSTEM, Stop(1, (1, 0, 0, 0)))
    assert (played.slug, second.slug) == ("evening-of-16", "evening-of-16-2")


@pytest.mark.thorough
def test_hands_by_points_and_by_fans_sanctions_and_facts_are_stored_as_in_the_transcript() -> None:
    win = {"outcome": "win", "winner": 3, "discarder": 13, "hand": None}
    reaching = {"player": 13, "foul": "reaching_across", "hand": 1, "circumstance": "discard_left"}
    claim = {"player": 13, "foul": "false_claim", "hand": 1}
    own = {"sanction": {"warning": True}, "because": "unclear"}
    fans = {"mixed_straight": 1, "flower_tiles": 2}
    edits = (
        set_hand(1, **win, points=19),
        set_hand(2, **win, fans=fans),
        set_tournament(held_out_waits=False),
    )
    penalties = set_table(penalties=[reaching, claim | own])
    text = edit_evening(lambda data: [edit(data) for edit in (*edits, penalties)])
    played = play(load(text), SYSTEM, Stop(1, (2, 0, 0, 0)))
    reaching_penalty, claim_penalty = Penalty.objects.all()
    assert (reaching_penalty.sanction, reaching_penalty.proposed) == ({"lost_claim": True}, None)
    assert (claim_penalty.sanction, claim_penalty.proposed) == ({"warning": True}, {"dead_hand": True})
    assert (claim_penalty.because, played.rules.play.held_out_waits) == ("unclear", False)
    hands = Hand.objects.filter(table__session__tournament=played).order_by("number")
    assert [(hand.points, hand.announced, hand.tiles) for hand in hands] == [
        (19, {"points": 19}, None),
        (10, {"fans": {"mixed_straight": 1, "flower_tiles": 2}}, None),
    ]


@pytest.mark.thorough
def test_play_stops_at_the_stop_and_the_umpire_writes_the_tables(django_user_model: Any) -> None:
    olga = django_user_model.objects.create_user("olga", is_staff=True)
    uma = django_user_model.objects.create_user("uma")
    sessions: list[int] = []
    stop = Stop(session=2, hands=(4, 6, 0, 5))
    actors_of: dict[str, Any] = {"umpire": Actor.of(uma), "after_session": sessions.append}
    tournament = play(load(evening_text()), Actor.of(olga), stop, **actors_of)
    states = [session.state for session in tournament.sessions.all()]
    assert (states, sessions) == (["closed", "running", "planned", "planned", "planned"], [1])
    running = tournament.sessions.get(number=2)
    assert [table.hands_played for table in running.tables.all()] == [4, 6, 0, 5]
    assert not running.tables.filter(is_in=True).exists()
    actors = {entry.action: entry.actor_name for entry in tournament.log.select_related("actor")}
    assert (actors["hand_recorded"], actors["session_started"]) == ("uma", "olga")


def barred_winner(**order: int) -> Edit:
    """Return an edit that gives a dead hand to player 3, who wins hand 1 at table 1."""
    return set_table(penalties=[{"player": 3, "foul": "false_hu", "hand": 1, **order}])


@pytest.mark.thorough
def test_a_dead_hand_given_after_its_hand_was_won_is_reported_as_a_contradiction() -> None:
    orders: list[dict[str, int]] = [{}, {"after": 1}, {"after": 16}]
    for order in sample(orders, 1):
        played = play(load(first_session_text(barred_winner(**order))), SYSTEM)
        assert [(place, sentence(problem)) for place, problem in contradictions(played)] == [
            (
                "session 1, table 1, hand 1",
                "静 Zhang may not win hand 1: dead hand for False hu.",
            )
        ], order


def test_penalties_after_more_hands_than_are_played_are_not_given() -> None:
    fouls = [("false_hu", 1, 0), ("empty_call", 3, 2), ("empty_call", 3, 4), ("empty_call", 3, None)]
    penalties = [
        {"player": 13, "foul": foul, "hand": hand} | ({} if after is None else {"after": after})
        for foul, hand, after in fouls
    ]
    played = play(load(first_session_text(set_table(penalties=penalties))), SYSTEM, Stop(1, (2, 0, 0, 0)))
    entries = played.log.filter(data__session=1, data__table=1).order_by("seq")
    order = ["penalty_given", "hand_recorded", "hand_recorded", "penalty_given"]
    assert list(entries.values_list("action", flat=True)) == order


# --- Invalid transcripts ---
@pytest.mark.thorough
@pytest.mark.parametrize("kind", FAULTS)
def test_an_invalid_transcript_is_refused_at_its_place_and_stores_nothing(kind: str) -> None:
    valid = json.dumps(example_transcript()) if kind == "an event that cannot have been" else evening_text()
    wrong = {}
    for changes, line in FAULTS[kind]:
        problem = refusal_line(json.dumps(changed(json.loads(valid), changes)))
        if not problem.startswith(line) or "\n" in problem or row_count():
            wrong[line] = f"{problem} ({row_count()} rows kept)"
    assert wrong == {}


def test_text_that_is_not_json_is_refused_at_its_line() -> None:
    lines = {
        "": "line 1: this is not JSON.",
        '{"format": "hule-transcript",\n "version": }': "line 2: this is not JSON.",
        "[" * 100_000: "transcript: this is not JSON.",
        "1" * 5000: "transcript: this is not JSON.",
        "[]": "format: this is not a hule-transcript of version 1.",
        "null": "format: this is not a hule-transcript of version 1.",
    }
    assert {text: refusal_line(text) for text in lines} == lines


def test_an_absent_player_neither_wins_nor_fouls() -> None:
    def wins(data: Data) -> None:
        hand = first_table(data)["hands"][0]
        hand["absent"] = [hand["winner"]]

    def fouls(data: Data) -> None:
        table = first_table(data)
        hand = table["hands"][0]
        away = next(n for n in table["seats"].values() if n not in (hand["winner"], hand.get("discarder")))
        hand.update(absent=[away], claimants=[])
        table["penalties"] = [{"player": away, "foul": "false_claim", "hand": 1}]

    assert "session 1, table 1, hand 1: The seat of player" in refusal_line(first_session_text(wins))
    assert "session 1, table 1, penalty 1: The seat of player" in refusal_line(first_session_text(fouls))
