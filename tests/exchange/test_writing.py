"""Writing a transcript: replaying it gives the same tournament, and what it cannot hold is said."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from penalties.models import Penalty
from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, evening, make_tournament, record, win
from tests.support.transcripts import replay_and_compare, standing_lines
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts.history import AS_GIVEN, History
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of, transcript_warnings
from tournament.fouls.services import cancel_penalty, give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in


@pytest.fixture
def table() -> Table:
    """The only one of its tournament, and nothing is recorded yet."""
    return make_tournament(players=4, sessions=1, running=0).sessions.get().tables.get()


def foul(table: Table, player: int, key: str, hand: int) -> Penalty:
    return give_penalty(table, SYSTEM, Accusation(player, key, hand, details={}), uuid=uuid4())


def closed(table: Table) -> Tournament:
    hand_in(table, SYSTEM)
    close_session(table.session, SYSTEM)
    return Tournament.objects.get(sessions=table.session)


def codes(tournament: Tournament) -> list[str]:
    return [problem.code for problem in transcript_warnings(tournament)]


@pytest.mark.thorough
def test_the_evening_comes_back_the_same() -> None:
    first = evening()
    again = replay_and_compare(first)
    assert codes(first) == []
    effects, effects_again = (
        sorted(sorted(penalty.effects.values()) for penalty in event.penalties.all())
        for event in (first, again)
    )
    assert effects_again == effects


@pytest.mark.thorough
def test_hands_known_by_points_or_fans_or_overridden_come_back(table: Table) -> None:
    fans = {"mixed_straight": 1, "all_types": 1, "dragon_pung": 1, "self_drawn": 1}
    record(table, HandEntry(WIN, 1, 2, points=19))
    record(table, HandEntry(WIN, 2, None, fans=fans))
    record(table, HandEntry(WIN, 3, 4, points=7, override="The umpire saw it."))
    record(table, HandEntry(WIN, 3, 4, tiles=win(3).tiles, points=30, override="Announced so."))
    replay_and_compare(closed(table))


@pytest.mark.thorough
def test_a_penalty_that_followed_one_since_taken_back_is_the_same_again(table: Table) -> None:
    """The second touching of the wall cost more than the first; the first was taken back."""
    for player in (2, 3):
        record(table, HandEntry(WIN, player, 4, points=8))
    first, _, last = (foul(table, 1, "empty_call", hand) for hand in (1, 2, 2))
    assert first.sanction != last.sanction
    cancel_penalty(first, SYSTEM, reason="not so")
    tournament = closed(table)
    (sheet,) = json.loads(transcript_of(tournament))["sessions"][0]["tables"]
    assert AS_GIVEN in {penalty.get("because") for penalty in sheet["penalties"]}
    replay_and_compare(tournament)


@pytest.mark.thorough
def test_when_a_penalty_was_given_comes_back_with_it(table: Table) -> None:
    foul(table, 1, "false_hu", 1)
    record(table, HandEntry(WIN, 2, 3, points=19))
    record(table, HandEntry(WIN, 1, 3, points=19))
    foul(table, 2, "empty_call", 2)
    tournament = closed(table)
    (sheet,) = json.loads(transcript_of(tournament))["sessions"][0]["tables"]
    given = [(penalty["foul"], penalty.get("after")) for penalty in sheet["penalties"]]
    assert given == [("false_hu", 0), ("empty_call", None)]
    order = ["penalty_given", "hand_recorded", "hand_recorded", "penalty_given"]
    written = replay_and_compare(tournament).log.filter(action__in=order).order_by("seq")
    assert list(written.values_list("action", flat=True)) == order


def test_an_empty_seat_and_a_choice_of_waits_come_back(table: Table) -> None:
    record(table, HandEntry(WIN, 2, 3, points=19, absent=(1,)))
    tournament = closed(table)
    play = replace(tournament.rules.play, held_out_waits=False)
    tournament.rules_snapshot = tournament.rules.with_play(play).to_json()
    tournament.save()
    again = replay_and_compare(tournament)
    assert again.rules.play.held_out_waits is False
    assert [hand.entry.absent for hand in again.sessions.get().tables.get().hands.all()] == [(1,)]


def test_what_is_not_closed_is_left_out_and_said() -> None:
    """Also rules of its own."""
    assert refused_codes(transcript_of, make_tournament(running=1))
    tournament = make_tournament(players=8, sessions=3, played=1, running=2)
    data = json.loads(transcript_of(tournament))
    assert (data["tournament"]["sessions"], len(data["sessions"])) == (1, 1)
    assert codes(tournament) == ["transcript_open_sessions"]
    assert len(standing_lines(play(load(transcript_of(tournament)), SYSTEM))) == 8
    tournament.rules_snapshot = tournament.rules_snapshot | {
        "scoring": tournament.rules_snapshot["scoring"] | {"minimum": 6}
    }
    tournament.save()
    assert codes(tournament) == ["transcript_open_sessions", "transcript_own_rules"]


def test_the_command_writes_a_file_that_replays(tmp_path: Path) -> None:
    tournament = make_tournament(players=8, sessions=2, played=1)
    file, output = tmp_path / "spring.json", StringIO()
    call_command("export", tournament.slug, str(file), stderr=output)
    assert output.getvalue() == "Sessions that are not closed are left out of it.\n"
    assert standing_lines(play(load(file.read_text("utf-8")), SYSTEM)) == standing_lines(tournament)


def test_the_command_says_in_a_line_what_is_wrong(tmp_path: Path) -> None:
    tournament = make_tournament(players=0)
    make_tournament(players=4, sessions=1, played=1, name="Another")
    for arguments, line in (
        (["nowhere"], "There is no tournament"),
        ([tournament.slug], "No session is closed yet"),
        (["another", str(tmp_path / "no" / "folder.json")], "cannot be written"),
    ):
        with pytest.raises(CommandError, match=line):
            call_command("export", *arguments)


def test_who_is_gone_by_one_write_or_many() -> None:
    withdrawn: tuple[str, dict[str, Any]] = ("missing_withdrawn", {"players": [3, 5]})
    courses: list[tuple[set[int], list[tuple[str, dict[str, Any]]]]] = [
        ({3}, [("player_withdrawn", {"player": 3})]),
        ({3, 5}, [withdrawn]),
        ({3}, [withdrawn, ("missing_readmitted", {"players": [5]})]),
        ({2, 4}, [("list_entered", {"players": [], "changed": [], "left": [2, 4]})]),
        ({2}, [("list_entered", {"left": [2, 4]}), ("list_undone", {"back": [4]})]),
        (set(), [("list_entered", {"players": [9]})]),
    ]
    for gone, entries in courses:
        course = History()
        for seq, (action, data) in enumerate([*entries, ("session_started", {"session": 1})], 1):
            course.take(seq, action, data)
        assert course.gone[1] == gone, entries
