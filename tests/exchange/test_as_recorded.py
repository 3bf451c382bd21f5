"""What the services take at a table replays to the point; what they refuse, a transcript with it is refused for, at
its place; and the audit finds nothing that could not have been saved.
"""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exchange.writes import Write, a_table, corrections, do, fouls, hands, record, refused
from tests.support.factories import SYSTEM
from tests.support.sampling import examples
from tournament.audit import audit
from tournament.exchange.transcript import TranscriptError, load, play
from tournament.models import Table, Tournament

others = st.sampled_from(("cancel", "hand_in", "reopen")) | corrections


def written_down(table: Table) -> Write:
    """The transcript of a tournament of this one table, nothing recorded yet."""
    about = {"name": table.session.tournament.name, "rulebook": "mcr", "sessions": 1, "minutes": 120}
    days = {"starts_on": "2026-11-14", "ends_on": "2026-11-14"}
    players = table.session.tournament.players.values("number", "last_name")
    seats = dict(table.seats.values_list("wind", "player__number"))
    sheet = {"number": 1, "seats": seats, "hands": [], "penalties": []}
    return {
        "format": "hule-transcript",
        "version": 1,
        "tournament": about | days,
        "players": list(players),
        "sessions": [{"number": 1, "tables": [sheet]}],
    }


def with_it(transcript: Write, write: Write) -> tuple[Write, str]:
    """The transcript with one more write, and its place in there."""
    more = deepcopy(transcript)
    (sheet,) = more["sessions"][0]["tables"]
    if "foul" in write:
        sheet["penalties"].append(write | {"after": len(sheet["hands"])})
        return more, f"session 1, table 1, penalty {len(sheet['penalties'])}"
    sheet["hands"].append({"number": len(sheet["hands"]) + 1} | write)
    return more, f"session 1, table 1, hand {len(sheet['hands'])}"


def figures(tournament: Tournament) -> list[Any]:
    """Every score, and what each penalty was."""
    table = Table.objects.get(session__tournament=tournament)
    names = ("player__number", "game_points", "hands_won", "deal_ins")
    scores = table.seats.order_by("wind").values_list(*names)
    given = table.penalties.order_by("id").values_list("hand_number", "sanction", "effects", "occurrence")
    return [*scores, *given]


@pytest.mark.thorough
@examples(8)
@given(writes=st.lists(hands | fouls, min_size=1, max_size=8))
def test_what_the_services_take_replays_and_what_they_refuse_is_refused(writes: list[Write]) -> None:
    with a_table() as table:
        transcript = written_down(table)
        for write in [*writes, {"outcome": "draw"}]:
            more, place = with_it(transcript, write)
            if (problem := refused(record, table, write)) is None:
                transcript = more
                continue
            with pytest.raises(TranscriptError) as caught:
                play(load(json.dumps(more)), SYSTEM)
            assert (caught.value.where, caught.value.problem.code) == (place, problem.code)
        assert figures(play(load(json.dumps(transcript)), SYSTEM)) == figures(table.session.tournament)


@pytest.mark.thorough
@examples(8)
@given(writes=st.lists(hands | fouls | others, min_size=4, max_size=12))
def test_nothing_that_the_services_take_could_not_have_been_saved(writes: list[Any]) -> None:
    with a_table() as table:
        for write in writes:
            refused(do, table, write)
        findings = [finding.what for finding in audit(Tournament.objects.get(sessions=table.session_id))]
        assert [what for what in findings if not what.startswith("wants correcting")] == []
