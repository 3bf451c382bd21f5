"""Totals from paper: stored, refused, corrected, read twice, and held against hands."""

from uuid import UUID, uuid4

import pytest

from tests.support.checks import refused_codes, refused_problems
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_member, make_tournament, make_umpire, record, wash_out, win
from tests.support.play import scores
from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.errors import Forbidden, ReasonRequired, Refused, Stale
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Role, Tournament
from tournament.events.services import delete_tournament
from tournament.exchange.audit import audit
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.play.engine.statements import Accusation, BestHand, TotalsEntry
from tournament.play.models import Totals
from tournament.play.selectors.totals import compare_with_hands
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in, reopen, sign
from tournament.play.services.totals import (
    correct_totals,
    enter_second_reading,
    enter_totals,
    set_on_paper,
    set_totals_aside,
    settle_totals,
)
from tournament.ranking.selectors.standings import current_standings
from tournament.seating.services.corrections import correct_seats

pytestmark = pytest.mark.stored
SHEET = {1: 120, 5: -40, 9: -50}
CORRECTED = TotalsEntry({1: 90, 5: -10, 9: -50})


def table_of(tournament: Tournament, number: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=tournament, session__number=1, number=number)


def typed(
    table: Table, actor: Actor = SYSTEM, uuid: UUID | None = None, points: dict[int, int] = SHEET
) -> Totals:
    return enter_totals(table, actor, TotalsEntry(points), uuid=uuid or uuid4())


def is_whole(table: Table) -> bool:
    table.session.tournament.refresh_from_db()
    assert [str(finding) for finding in audit(table.session.tournament)] == []
    return True


def test_totals_are_the_score_of_the_table_and_hand_it_in(table: Table) -> None:
    wins, deal_ins = {1: 6, 5: 2, 9: 1, 13: 0}, {1: 0, 5: 3, 9: 2, 13: 4}
    enter_totals(table, SYSTEM, TotalsEntry(SHEET, wins, deal_ins, hands=14), uuid=uuid4())
    table.refresh_from_db()
    assert scores(table) == {1: 120, 5: -40, 9: -50, 13: -30}
    assert (table.is_in, table.counts_totals, table.hands_played, table.version) == (True, True, 0, 1)
    figures = {seat.player.number: (seat.hands_won, seat.deal_ins) for seat in table.seats.all()}
    assert figures == {player: (wins[player], deal_ins[player]) for player in wins}
    assert is_whole(table)


def test_the_ranking_follows_from_totals_as_from_hands_and_a_tie_shares_table_points(table: Table) -> None:
    typed(table, points={1: 0, 5: -40, 9: -50})
    rows = {row.number: row for row in current_standings(Tournament.objects.get(), Audience.STAFF).rows}
    assert (rows[13].rank, rows[13].table_points, rows[13].game_points) == (1, 4, 90)
    assert [rows[player].table_points for player in (1, 5, 9)] == [2, 1, 0]
    correct_totals(table, SYSTEM, TotalsEntry({1: 50, 5: 50, 9: -20}), reason="Misread", uuid=uuid4())
    rows = {row.number: row for row in current_standings(Tournament.objects.get(), Audience.STAFF).rows}
    assert [rows[player].table_points for player in (1, 5, 9, 13)] == [3, 3, 1, 0]


def test_totals_of_another_table_have_to_be_confirmed(table: Table) -> None:
    typed(table)
    other = table_of(table.session.tournament, 2)
    points = dict(zip(players_at(other), (-50, -40, 120, -30), strict=True))
    assert refused_problems(typed, other, points=points) == [("totals_same_as_table", "points")]
    enter_totals(other, SYSTEM, TotalsEntry(points, sure=True), uuid=uuid4())
    assert is_whole(table)


def test_the_same_uuid_is_the_same_totals_and_not_of_another_table(table: Table) -> None:
    uuid = uuid4()
    assert typed(table, uuid=uuid) == typed(table, uuid=uuid)
    assert Totals.objects.count() == 1
    with pytest.raises(Refused, match=r"^uuid: uuid_of_another_table$"):
        typed(table_of(table.session.tournament, 2), uuid=uuid)


def test_of_two_at_once_the_second_is_refused(table: Table) -> None:
    enter_totals(table, SYSTEM, TotalsEntry(SHEET), uuid=uuid4(), expected_version=0)
    with pytest.raises(Stale) as stale:
        enter_totals(table, SYSTEM, TotalsEntry(SHEET), uuid=uuid4(), expected_version=0)
    assert [change["action"] for change in stale.value.changes] == ["table_totals_entered"]
    assert refused_problems(typed, table) == [("totals_there_already", "points")]


def test_no_totals_at_a_table_with_hands_or_before_the_start(table: Table) -> None:
    record(table, win(1, 5))
    assert refused_problems(typed, table) == [("table_has_hands", "points")]
    assert scores(table)[1] > 0
    coming = table.session.tournament.sessions.get(number=2).tables.get(number=1)
    assert refused_codes(typed, coming) == ["session_not_started"]


def test_totals_are_typed_with_the_penalties_of_the_table(table: Table) -> None:
    set_on_paper(table.session.tournament, SYSTEM, True, session=1)
    table = table_of(table.session.tournament)
    penalty = give_penalty(table, SYSTEM, Accusation(1, "false_hu", 3), uuid=uuid4())
    effects = {int(player): change for player, change in penalty.effects.items()}
    assert effects
    typed(table, points={1: 100, 5: -40, 9: -50})
    after = scores(table)
    assert (after[1], sum(after.values())) == (100, sum(effects.values()))
    cancel_penalty(penalty, SYSTEM, reason="It was the neighbour")
    assert scores(table)[1] == 100 - effects[1]
    assert is_whole(table)
    later = give_penalty(table, SYSTEM, Accusation(1, "false_hu", 16), uuid=uuid4())
    assert scores(table)[1] == 100 - effects[1] + later.effects["1"], "given after the totals, it moves them"


def test_a_correction_is_a_version_that_names_the_one_it_replaces_and_says_why(table: Table) -> None:
    old = typed(table)
    signature = sign(table, SYSTEM, 1)
    assert signature.sheet["1"] == [120, "4"]
    assert refused_codes(
        correct_totals, table, SYSTEM, TotalsEntry({1: 1, 5: 1, 9: 1, 13: 1}), reason=" ", uuid=uuid4()
    ) == ["totals_not_zero", "reason_missing"]
    new = correct_totals(table, SYSTEM, CORRECTED, reason="A 9 read as 12", uuid=uuid4())
    old.refresh_from_db()
    assert (new.version, new.replaces, new.is_current, old.is_current) == (2, old, True, False)
    assert scores(table)[1] == 90
    signature.refresh_from_db()
    assert not signature.stands
    assert is_whole(table)
    delete_tournament(table.session.tournament, SYSTEM, name=table.session.tournament.name)
    assert not Totals.objects.exists()


def test_a_scorer_corrects_their_own_totals_and_an_umpire_anybodys(table: Table, umpire: Actor) -> None:
    scorer = Actor.of(make_member(table.session.tournament, Role.SCORER, "sam"))
    typed(table, scorer)
    correct_totals(table, scorer, CORRECTED, reason="Misread", uuid=uuid4())
    correct_totals(table, umpire, TotalsEntry(SHEET), reason="Yes", uuid=uuid4())
    with pytest.raises(Forbidden):
        correct_totals(table, scorer, CORRECTED, reason="Misread", uuid=uuid4())


def test_totals_of_an_open_table_wait_for_the_handing_in(table: Table) -> None:
    enter_totals(table, SYSTEM, TotalsEntry(SHEET), uuid=uuid4(), hand_in=False)
    table.refresh_from_db()
    assert not table.is_in
    assert hand_in(table, SYSTEM).is_in
    assert not reopen(table, SYSTEM).is_in


def test_wrong_seats_take_their_totals_along(table: Table) -> None:
    typed(table)
    correct_seats(table.session, SYSTEM, 1, 5)
    assert scores(table) == {1: -40, 5: 120, 9: -50, 13: -30}
    assert is_whole(table)


def test_hands_written_down_later_count_once_the_totals_are_set_aside(table: Table) -> None:
    typed(table)
    table.refresh_from_db()
    hand = record(table, win(1, 5))
    assert scores(table) == {1: 120, 5: -40, 9: -50, 13: -30}
    assert compare_with_hands(table, Totals.objects.get()) != {}
    assert refused_codes(set_totals_aside, table, SYSTEM) == ["set_aside_reason_missing"]
    set_totals_aside(table, SYSTEM, reason="The sheet was added up wrongly")
    assert scores(table) == {int(player): points for player, points in hand.payments.items()}
    assert is_whole(table)


def test_hands_that_come_to_the_same_need_no_reason(table: Table) -> None:
    typed(table, points={1: 0, 5: 0, 9: 0})
    table.refresh_from_db()
    record(table, wash_out())
    set_totals_aside(table, SYSTEM)
    table.refresh_from_db()
    assert (table.counts_totals, table.hands_played, table.is_in) == (False, 1, True)


def test_totals_typed_at_the_wrong_table_are_taken_back_and_typed_anew(table: Table) -> None:
    first = typed(table)
    set_totals_aside(table, SYSTEM, reason="The wrong table")
    table.refresh_from_db()
    assert (table.is_in, set(scores(table).values())) == (False, {0})
    second = typed(table)
    assert (second.version, second.replaces) == (2, first)
    assert is_whole(table)


SMUDGED = TotalsEntry({1: 20, 5: -40, 9: -50})


def test_a_second_reading_by_somebody_else_that_agrees_is_settled(table: Table, umpire: Actor) -> None:
    typed(table, umpire)
    assert refused_codes(enter_second_reading, table, umpire, TotalsEntry(SHEET), uuid=uuid4()) == [
        "second_is_first"
    ]
    second = enter_second_reading(table, SYSTEM, TotalsEntry({1: 120, 9: -50, 13: -30}), uuid=uuid4())
    assert second.settled_as == Totals.Settled.AGREED
    assert not second.is_current


def test_a_difference_is_reported_at_the_closing_until_it_is_settled() -> None:
    tournament = make_tournament(players=4, running=0, sessions=1)
    table = table_of(tournament)
    first, second, third, _fourth = players_at(table)
    typed(table, points={first: 120, second: -40, third: -50})
    umpire = Actor.of(make_umpire(tournament))
    enter_second_reading(table, umpire, TotalsEntry({first: 102, second: -40, third: -50}), uuid=uuid4())
    assert scores(table)[first] == 120
    with pytest.raises(ReasonRequired) as unsettled:
        close_session(table.session, SYSTEM)
    assert [problem.code for problem in unsettled.value.problems] == ["totals_differ"]
    settle_totals(table, SYSTEM, Totals.Settled.SECOND, uuid=uuid4(), reason="A smudged 0")
    assert scores(table)[first] == 102
    entry = LogEntry.objects.get(action="table_totals_settled")
    assert (entry.data["choice"], entry.data["was"][str(first)]) == ("second", 120)
    assert close_session(table.session, SYSTEM).state == Session.State.CLOSED
    assert is_whole(table)


def test_the_first_reading_may_be_right_or_neither(table: Table, umpire: Actor) -> None:
    first = typed(table)
    enter_second_reading(table, umpire, SMUDGED, uuid=uuid4())
    assert settle_totals(table, SYSTEM, Totals.Settled.FIRST, uuid=uuid4()) == first
    assert scores(table)[1] == 120
    assert is_whole(table)
    other = table_of(table.session.tournament, 2)
    player, *others = players_at(other)
    points = {player: 120, others[0]: -40, others[1]: -50}
    enter_totals(other, SYSTEM, TotalsEntry(points, sure=True), uuid=uuid4())
    enter_second_reading(other, umpire, TotalsEntry(points | {player: 20}), uuid=uuid4())
    neither = TotalsEntry(points | {player: 21})
    settle_totals(other, SYSTEM, Totals.Settled.TYPED, uuid=uuid4(), entry=neither)
    assert scores(other)[player] == 21


def test_a_correction_overtakes_a_second_reading(table: Table, umpire: Actor) -> None:
    typed(table)
    second = enter_second_reading(table, umpire, SMUDGED, uuid=uuid4())
    correct_totals(table, SYSTEM, CORRECTED, reason="Misread", uuid=uuid4())
    second.refresh_from_db()
    assert second.settled_as == Totals.Settled.OVERTAKEN


def test_what_is_kept_on_paper_differs_by_table_and_closes(table: Table) -> None:
    tournament = table.session.tournament
    set_on_paper(tournament, SYSTEM, True)
    set_on_paper(tournament, SYSTEM, False, session=1)
    set_on_paper(tournament, SYSTEM, True, session=1, table=2)
    on_paper = [table_of(tournament, number).is_on_paper for number in (1, 2, 3, 4)]
    assert on_paper == [False, True, False, False]
    set_on_paper(tournament, SYSTEM, None, session=1)
    assert table_of(tournament).is_on_paper
    for other in table.session.tables.all():
        typed(other, points=dict.fromkeys(players_at(other)[:3], 0))
    assert close_session(table.session, SYSTEM).state == Session.State.CLOSED


def test_the_transcript_keeps_totals_and_plays_them_again() -> None:
    tournament = make_tournament(players=4, running=0, sessions=1)
    set_on_paper(tournament, SYSTEM, True)
    table = table_of(tournament)
    first, second, third, fourth = seated = players_at(table)
    give_penalty(table, SYSTEM, Accusation(first, "false_hu", 12), uuid=uuid4())
    wins, deal_ins = {first: 3, second: 1, third: 0, fourth: 1}, dict.fromkeys(seated, 0)
    points = {first: 90, second: -40, third: -50}
    entry = TotalsEntry(points, wins, deal_ins, 9, BestHand(first, 64))
    enter_totals(table, SYSTEM, entry, uuid=uuid4())
    record(table, wash_out())
    close_session(table.session, SYSTEM)
    tournament.refresh_from_db()
    before = [scores(table), current_standings(tournament, Audience.STAFF).rows]
    again = play(load(transcript_of(tournament)), SYSTEM)
    copy = table_of(again)
    again.refresh_from_db()
    assert [scores(copy), current_standings(again, Audience.STAFF).rows] == before
    assert (copy.hands_played, copy.totals.get().best) == (1, {"player": first, "points": 64})
    assert is_whole(copy)
