"""A transcript that is written and replayed gives the same tournament, and warns of what it leaves out."""

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
from tournament.base.engine.entries import PENDING, WIN, HandEntry
from tournament.base.models.play import Hand, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts.history import History
from tournament.exchange.transcripts.penalties import DEFAULT_REASON
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of, transcript_warnings
from tournament.fouls.services.appeals import open_appeal, rule_appeal
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in


@pytest.fixture
def table() -> Table:
    """Return the only table of a tournament, without hands."""
    return make_tournament(players=4, sessions=1, running=0).sessions.get().tables.get()


def give_foul(table: Table, player: int, key: str, hand: int) -> Penalty:
    return give_penalty(table, SYSTEM, Accusation(player, key, hand, details={}), uuid=uuid4())


def close(table: Table) -> Tournament:
    hand_in(table, SYSTEM)
    close_session(table.session, SYSTEM)
    return Tournament.objects.get(sessions=table.session)


def warning_codes(tournament: Tournament) -> list[str]:
    return [problem.code for problem in transcript_warnings(tournament)]


@pytest.mark.thorough
def test_the_evening_replays_the_same() -> None:
    first = evening()
    replayed = replay_and_compare(first)
    assert warning_codes(first) == []
    effects, effects_again = (
        sorted(sorted(penalty.effects.values()) for penalty in event.penalties.all())
        for event in (first, replayed)
    )
    assert effects_again == effects


@pytest.mark.thorough
def test_hands_by_points_by_fans_and_overridden_replay(table: Table) -> None:
    fans = {"mixed_straight": 1, "all_types": 1, "dragon_pung": 1, "self_drawn": 1}
    record(table, HandEntry(WIN, 1, 2, points=19))
    record(table, HandEntry(WIN, 2, None, fans=fans))
    record(table, HandEntry(WIN, 3, 4, points=7, override="The umpire saw it."))
    record(table, HandEntry(WIN, 3, 4, tiles=win(3).tiles, points=30, override="Announced so."))
    replay_and_compare(close(table))


@pytest.mark.thorough
def test_a_disputed_hand_replays_as_it_was_ruled_on_and_as_it_was_at_an_appeal(table: Table) -> None:
    for _ in range(2):
        record(table, HandEntry(PENDING, dispute="Both said hu.", claimants=(1, 2)))
    appeal = open_appeal(table, SYSTEM, 1, "I was first.", 1, uuid=uuid4())
    rule_appeal(appeal, SYSTEM, granted=True, ruling="So it was.")
    for hand in table.hands.all():
        correct_hand(hand, SYSTEM, win(1, 3), reason="So it was.", uuid=uuid4())
    replayed = replay_and_compare(close(table))
    hands = Hand.objects.filter(table__session__tournament=replayed).order_by("number", "version")
    assert [(hand.number, hand.outcome) for hand in hands] == [(1, "pending"), (1, "win"), (2, "win")]


@pytest.mark.thorough
def test_a_penalty_after_a_cancelled_one_replays_with_its_sanction(table: Table) -> None:
    """The second empty call cost more than the first, which was cancelled afterwards."""
    for player in (2, 3):
        record(table, HandEntry(WIN, player, 4, points=8))
    first, _, last = (give_foul(table, 1, "empty_call", hand) for hand in (1, 2, 2))
    assert first.sanction != last.sanction
    cancel_penalty(first, SYSTEM, reason="not so")
    tournament = close(table)
    (sheet,) = json.loads(transcript_of(tournament))["sessions"][0]["tables"]
    assert DEFAULT_REASON in {penalty.get("because") for penalty in sheet["penalties"]}
    replay_and_compare(tournament)


@pytest.mark.thorough
def test_penalties_replay_after_the_same_hands(table: Table) -> None:
    give_foul(table, 1, "false_hu", 1)
    record(table, HandEntry(WIN, 2, 3, points=19))
    record(table, HandEntry(WIN, 1, 3, points=19))
    give_foul(table, 2, "empty_call", 2)
    tournament = close(table)
    (sheet,) = json.loads(transcript_of(tournament))["sessions"][0]["tables"]
    penalties = [(penalty["foul"], penalty.get("after")) for penalty in sheet["penalties"]]
    assert penalties == [("false_hu", 0), ("empty_call", None)]
    order = ["penalty_given", "hand_recorded", "hand_recorded", "penalty_given"]
    written = replay_and_compare(tournament).log.filter(action__in=order).order_by("seq")
    assert list(written.values_list("action", flat=True)) == order


def test_an_empty_seat_and_the_rule_of_held_out_waits_replay(table: Table) -> None:
    record(table, HandEntry(WIN, 2, 3, points=19, absent=(1,)))
    tournament = close(table)
    play = replace(tournament.rules.play, held_out_waits=False)
    tournament.rules_snapshot = tournament.rules.with_play(play).to_json()
    tournament.save()
    replayed = replay_and_compare(tournament)
    assert replayed.rules.play.held_out_waits is False
    assert [hand.entry.absent for hand in replayed.sessions.get().tables.get().hands.all()] == [(1,)]


def test_warnings_name_open_sessions_and_own_rules() -> None:
    assert refused_codes(transcript_of, make_tournament(running=1))
    tournament = make_tournament(players=8, sessions=3, played=1, running=2)
    data = json.loads(transcript_of(tournament))
    assert (data["tournament"]["sessions"], len(data["sessions"])) == (1, 1)
    assert warning_codes(tournament) == ["transcript_open_sessions"]
    assert len(standing_lines(play(load(transcript_of(tournament)), SYSTEM))) == 8
    tournament.rules_snapshot = tournament.rules_snapshot | {
        "scoring": tournament.rules_snapshot["scoring"] | {"minimum": 6}
    }
    tournament.save()
    assert warning_codes(tournament) == ["transcript_open_sessions", "transcript_own_rules"]


def test_the_export_command_writes_a_file_that_replays(tmp_path: Path) -> None:
    tournament = make_tournament(players=8, sessions=2, played=1)
    file, output = tmp_path / "spring.json", StringIO()
    call_command("export", tournament.slug, str(file), stderr=output)
    assert output.getvalue() == "Sessions that are not closed are left out.\n"
    assert standing_lines(play(load(file.read_text("utf-8")), SYSTEM)) == standing_lines(tournament)


def test_the_export_command_reports_problems_in_one_line(tmp_path: Path) -> None:
    tournament = make_tournament(players=0)
    make_tournament(players=4, sessions=1, played=1, name="Another")
    for arguments, line in (
        (["nowhere"], "There is no tournament"),
        ([tournament.slug], "No session is closed yet"),
        (["another", str(tmp_path / "no" / "folder.json")], "cannot be written"),
    ):
        with pytest.raises(CommandError, match=line):
            call_command("export", *arguments)


def test_the_history_knows_who_had_withdrawn_when_a_session_started() -> None:
    withdrawal: tuple[str, dict[str, Any]] = ("missing_withdrawn", {"players": [3, 5]})
    cases: list[tuple[set[int], list[tuple[str, dict[str, Any]]]]] = [
        ({3}, [("player_withdrawn", {"player": 3})]),
        ({3, 5}, [withdrawal]),
        ({3}, [withdrawal, ("missing_readmitted", {"players": [5]})]),
        ({2, 4}, [("list_entered", {"players": [], "changed": [], "left": [2, 4]})]),
        ({2}, [("list_entered", {"left": [2, 4]}), ("list_undone", {"back": [4]})]),
        (set(), [("list_entered", {"players": [9]})]),
    ]
    for withdrawn, entries in cases:
        history = History()
        for seq, (action, data) in enumerate([*entries, ("session_started", {"session": 1})], 1):
            history.apply(seq, action, data)
        assert history.withdrawn_at_start[1] == withdrawn, entries
