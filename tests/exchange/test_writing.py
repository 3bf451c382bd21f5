"""Writing a transcript: replaying it gives the same tournament, and what it cannot hold is said."""

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from tests.support.factories import SYSTEM, evening, make_tournament, record, win
from tournament.access import Audience
from tournament.engine.entry import WIN, HandEntry
from tournament.engine.statements import Accusation
from tournament.errors import Refused
from tournament.exchange.sanctions import AS_GIVEN
from tournament.exchange.transcript import load, play
from tournament.exchange.writing import left_out, transcript_of
from tournament.models import Tournament
from tournament.selectors.standings import current_standings
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.sessions import close_session
from tournament.services.tables import hand_in

pytestmark = pytest.mark.django_db

TYPES = {"mixed_straight": 1, "all_types": 1, "dragon_pung": 1, "self_drawn": 1}


def lines(tournament: Tournament) -> list[tuple[Any, ...]]:
    """The standings, whole."""
    rows = current_standings(tournament, Audience.STAFF).rows
    return [(row.rank, row.shared, row.number, row.totals, row.sessions) for row in rows]


def replayed(tournament: Tournament) -> Tournament:
    return play(load(transcript_of(tournament)), SYSTEM)


def codes(tournament: Tournament) -> list[str]:
    return [problem.code for problem in left_out(tournament)]


@pytest.mark.thorough
def test_the_evening_comes_back_the_same() -> None:
    first = evening()
    text = transcript_of(first)
    again = play(load(text), SYSTEM)
    assert lines(again) == lines(first)
    assert transcript_of(again) == text
    assert codes(first) == []
    assert again.penalties.count() == first.penalties.count()
    told = {tuple(sorted(one.effects.values())) for one in again.penalties.all()}
    assert told == {tuple(sorted(one.effects.values())) for one in first.penalties.all()}


def test_hands_known_by_points_or_fans_or_overridden_come_back() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    record(table, HandEntry(WIN, 1, 2, points=19))
    record(
        table,
        HandEntry(
            WIN, 2, None, fans={"mixed_straight": 1, "all_types": 1, "dragon_pung": 1, "self_drawn": 1}
        ),
    )
    record(table, HandEntry(WIN, 3, 4, points=7, override="The umpire saw it."))
    record(table, HandEntry(WIN, 3, 4, tiles=win(3).tiles, points=30, override="Announced so."))
    hand_in(table, SYSTEM)
    close_session(tournament.sessions.get(), SYSTEM)
    tournament.refresh_from_db()
    assert lines(replayed(tournament)) == lines(tournament)


def test_a_penalty_that_followed_one_since_taken_back_is_the_same_again() -> None:
    """The second touching of the wall cost more than the first; the first was taken back."""
    tournament = make_tournament(players=4, sessions=1, running=2)
    table = tournament.sessions.get().tables.get()
    fouls = [
        give_penalty(table, SYSTEM, Accusation(1, "empty_call", hand, details={}), uuid=uuid4())
        for hand in (1, 2, 2)
    ]
    assert fouls[0].sanction != fouls[-1].sanction
    cancel_penalty(fouls[0], SYSTEM, reason="not so")
    hand_in(table, SYSTEM)
    close_session(tournament.sessions.get(), SYSTEM)
    tournament.refresh_from_db()
    written = json.loads(transcript_of(tournament))["sessions"][0]["tables"][0]["penalties"]
    assert AS_GIVEN in {one.get("because") for one in written}
    assert lines(replayed(tournament)) == lines(tournament)


def test_when_a_penalty_was_given_comes_back_with_it() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1, details={}), uuid=uuid4())
    record(table, HandEntry(WIN, 2, 3, points=19))
    record(table, HandEntry(WIN, 1, 3, points=19))
    give_penalty(table, SYSTEM, Accusation(2, "empty_call", 2, details={}), uuid=uuid4())
    hand_in(table, SYSTEM)
    close_session(tournament.sessions.get(), SYSTEM)
    (sheet,) = json.loads(transcript_of(tournament))["sessions"][0]["tables"]
    assert [(one["foul"], one.get("after")) for one in sheet["penalties"]] == [
        ("false_hu", 0),
        ("empty_call", None),
    ]
    order = ["penalty_given", "hand_recorded", "hand_recorded", "penalty_given"]
    again = replayed(tournament)
    told = again.log.filter(action__in=order).order_by("seq").values_list("action", flat=True)
    assert list(told) == order


def test_an_empty_seat_and_a_choice_of_waits_come_back() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    record(table, HandEntry(WIN, 2, 3, points=19, absent=(1,)))
    hand_in(table, SYSTEM)
    close_session(tournament.sessions.get(), SYSTEM)
    tournament.refresh_from_db()
    tournament.rules_snapshot = tournament.rules.with_held_out_waits(False).to_json()
    tournament.save()
    again = replayed(tournament)
    assert again.held_out_waits is False
    assert [hand.entry.absent for hand in again.sessions.get().tables.get().hands.all()] == [(1,)]


def test_what_is_not_closed_is_left_out_and_said() -> None:
    tournament = make_tournament(players=8, sessions=3, played=1, running=2)
    data = json.loads(transcript_of(tournament))
    assert (data["tournament"]["sessions"], len(data["sessions"])) == (1, 1)
    assert codes(tournament) == ["transcript_open_sessions"]
    assert len(lines(replayed(tournament))) == 8


def test_before_a_session_is_closed_there_is_nothing_to_write() -> None:
    with pytest.raises(Refused):
        transcript_of(make_tournament(running=1))


def test_rules_of_its_own_are_said() -> None:
    tournament = make_tournament(players=4, sessions=1, played=1)
    tournament.rules_snapshot = tournament.rules_snapshot | {"scale": ["5", "3", "1", "0"]}
    tournament.save()
    assert codes(tournament) == ["transcript_own_rules"]


def test_the_command_writes_a_file_that_replays(tmp_path: Path) -> None:
    tournament = make_tournament(players=8, sessions=2, played=1)
    file, said = tmp_path / "spring.json", StringIO()
    call_command("export", tournament.slug, str(file), stderr=said)
    assert said.getvalue() == "Sessions that are not closed are left out of it.\n"
    assert lines(play(load(file.read_text("utf-8")), SYSTEM)) == lines(tournament)


def test_the_command_says_in_a_line_what_is_wrong(tmp_path: Path) -> None:
    tournament = make_tournament(players=0)
    for slug, line in (("nowhere", "There is no tournament"), (tournament.slug, "No session is closed yet")):
        with pytest.raises(CommandError, match=line):
            call_command("export", slug)
    make_tournament(players=4, sessions=1, played=1, name="Another")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export", "another", str(tmp_path / "no" / "folder.json"))
