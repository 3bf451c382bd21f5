"""A whole tournament replayed through the engines: tests/data/evening.md."""

import csv
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from penalties.engine import EarlierFoul, Facts, point_effects, propose
from scoring.engine import Hand, payments, score
from tournament.engine.results import PlayerRow, SeatResult, TableResult
from tournament.engine.rotation import WINDS
from tournament.engine.standings import standings
from tournament.engine.table_points import two_decimals

DATA = Path(__file__).parents[2] / "data"
Record = Mapping[str, Any]


def hand_payments(seats: list[int], hand: Record) -> dict[int, int]:
    """Player → points of one hand; nothing for a wash-out."""
    if hand["outcome"] == "draw":
        return {}
    points = score(Hand.from_json(hand["hand"])).points
    discarder = seats.index(hand["discarder"]) if "discarder" in hand else None
    return dict(zip(seats, payments(points, seats.index(hand["winner"]), discarder), strict=True))


def penalty_points(session: int, seats: list[int], penalties: list[Record]) -> Counter[int]:
    """Player → points of all the fouls at one table, each proposed in the light of the earlier ones."""
    total: Counter[int] = Counter()
    earlier: dict[int, list[EarlierFoul]] = {player: [] for player in seats}
    for penalty in penalties:
        player, hand = penalty["player"], penalty.get("hand")
        details = {
            key: penalty[key] for key in ("minutes", "points", "victim", "hu_was_valid") if key in penalty
        }
        facts = Facts(session=session, hand_number=hand, **details)
        proposal = propose(penalty["foul"], facts, earlier[player])
        assert proposal.sanction is not None, proposal.problems
        others = [seat for seat in seats if seat != player]
        total.update(point_effects(proposal.sanction, player, others, penalty.get("victim")))
        earlier[player].append(EarlierFoul(penalty["foul"], hand, session))
    return total


def table_result(session: int, table: Record) -> TableResult:
    seats = [table["seats"][wind] for wind in WINDS]
    points = penalty_points(session, seats, table["penalties"])
    for hand in table["hands"]:
        points.update(hand_payments(seats, hand))
    return TableResult(
        session, table["number"], tuple(SeatResult(player, points[player]) for player in seats)
    )


def test_the_evening_ends_with_the_standings_computed_independently() -> None:
    evening = json.loads((DATA / "evening.json").read_text(encoding="utf-8"))
    results = [
        table_result(session["number"], table)
        for session in evening["sessions"]
        for table in session["tables"]
    ]
    final = standings([PlayerRow(player["number"]) for player in evening["players"]], results)
    with (DATA / "evening-standings.csv").open(encoding="utf-8", newline="") as file:
        expected = list(csv.reader(file))[1:]
    assert [
        [str(row.rank), str(row.number), two_decimals(row.table_points), str(row.game_points)]
        for row in final.rows
    ] == expected
