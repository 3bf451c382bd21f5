"""Totals from paper: stored, refused, corrected, read twice, and held against hands."""

from uuid import UUID, uuid4

import pytest

from tests.support.factories import (
    SYSTEM,
    make_card,
    make_member,
    make_tournament,
    make_umpire,
    record,
    wash_out,
    win,
)
from tournament.access import Actor, Audience
from tournament.audit import audit
from tournament.engine.statements import Accusation
from tournament.engine.totals import BestHand, TotalsEntry
from tournament.errors import Forbidden, Refused, Stale, Unsettled
from tournament.exchange.transcript import load, play
from tournament.exchange.writing import transcript_of
from tournament.models import LogEntry, Role, Session, Table, Totals, Tournament
from tournament.selectors.standings import current_standings
from tournament.selectors.totals import beside_hands
from tournament.services.deletion import delete_tournament
from tournament.services.paper import keep_on_paper
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.second_readings import read_again, settle_totals
from tournament.services.sessions import close_session
from tournament.services.signing import sign
from tournament.services.tables import hand_in, reopen
from tournament.services.totals import correct_totals, enter_totals, set_totals_aside
from tournament.services.wrong_seats import correct_seats

pytestmark = pytest.mark.django_db
SHEET = {1: 120, 5: -40, 9: -50}


@pytest.fixture
def table() -> Table:
    """Table 1 of a session that has just begun: players 1, 5, 9, 13."""
    return table_of(make_tournament(running=0))


def table_of(tournament: Tournament, number: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=tournament, session__number=1, number=number)


def typed(table: Table, actor: Actor = SYSTEM, uuid: UUID | None = None, **more: int) -> Totals:
    points = {1: 120, 5: -40, 9: -50} | {int(name[1:]): value for name, value in more.items()}
    return enter_totals(table, actor, TotalsEntry(points), uuid=uuid or uuid4())


def scores(table: Table) -> dict[int, int]:
    return dict(table.seats.values_list("player__number", "game_points"))


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def is_whole(table: Table) -> bool:
    table.session.tournament.refresh_from_db()
    assert [str(finding) for finding in audit(table.session.tournament)] == []
    return True


# --- typed ------------------------------------------------------------------------------------------------------------
def test_totals_are_the_score_of_the_table_and_hand_it_in(table: Table) -> None:
    typed(table)
    table.refresh_from_db()
    assert scores(table) == {1: 120, 5: -40, 9: -50, 13: -30}
    assert (table.is_in, table.counts_totals, table.hands_played, table.version) == (True, True, 0, 1)
    assert is_whole(table)


def test_the_ranking_follows_from_totals_as_from_hands(table: Table) -> None:
    typed(table, s1=0)  # -40, -50, 90 of the fourth
    tournament = table.session.tournament
    tournament.refresh_from_db()
    rows = {row.number: row for row in current_standings(tournament, Audience.STAFF).rows}
    assert (rows[13].rank, rows[13].table_points, rows[13].game_points) == (1, 4, 90)
    assert [float(rows[player].table_points) for player in (1, 5, 9)] == [2, 1, 0]


def test_a_tie_in_totals_shares_the_table_points(table: Table) -> None:
    enter_totals(table, SYSTEM, TotalsEntry({1: 50, 5: 50, 9: -20}), uuid=uuid4())
    tournament = table.session.tournament
    tournament.refresh_from_db()
    rows = {row.number: row.table_points for row in current_standings(tournament, Audience.STAFF).rows}
    assert [float(rows[player]) for player in (1, 5, 9, 13)] == [3, 3, 1, 0]


def test_wins_and_deal_ins_are_kept_with_the_seat(table: Table) -> None:
    wins, deal_ins = {1: 6, 5: 2, 9: 1, 13: 0}, {1: 0, 5: 3, 9: 2, 13: 4}
    enter_totals(table, SYSTEM, TotalsEntry(SHEET, wins, deal_ins, hands=14), uuid=uuid4())
    kept = {seat.player.number: (seat.hands_won, seat.deal_ins) for seat in table.seats.all()}
    assert kept == {player: (wins[player], deal_ins[player]) for player in wins}


def test_the_same_uuid_is_the_same_totals(table: Table) -> None:
    uuid = uuid4()
    assert typed(table, uuid=uuid) == typed(table, uuid=uuid)
    assert Totals.objects.count() == 1


def test_of_two_at_once_the_second_is_told(table: Table) -> None:
    enter_totals(table, SYSTEM, TotalsEntry(SHEET), uuid=uuid4(), expected_version=0)
    with pytest.raises(Stale) as stale:
        enter_totals(table, SYSTEM, TotalsEntry(SHEET), uuid=uuid4(), expected_version=0)
    assert [change["action"] for change in stale.value.changes] == ["table_totals_entered"]
    with pytest.raises(Refused) as refused:
        typed(table)
    assert codes(refused) == ["totals_there_already"]


def test_a_table_with_hands_keeps_them(table: Table) -> None:
    record(table, win(1, 5))
    with pytest.raises(Refused) as refused:
        typed(table)
    assert codes(refused) == ["table_has_hands"]
    assert scores(table)[1] > 0


def test_a_uuid_of_another_table_is_refused(table: Table) -> None:
    uuid = typed(table).uuid
    other = table_of(table.session.tournament, 2)
    with pytest.raises(Refused) as refused:
        enter_totals(other, SYSTEM, TotalsEntry(SHEET), uuid=uuid)
    assert codes(refused) == ["uuid_of_another_table"]


def test_no_totals_before_the_gong() -> None:
    with pytest.raises(Refused) as refused:
        typed(table_of(make_tournament()))
    assert codes(refused) == ["session_not_started"]


# --- penalties --------------------------------------------------------------------------------------------------------
def test_totals_are_typed_with_the_penalties_of_the_table(table: Table) -> None:
    keep_on_paper(table.session.tournament, SYSTEM, True, session=1)
    table = table_of(table.session.tournament)
    penalty = give_penalty(table, SYSTEM, Accusation(1, "false_hu", 3), uuid=uuid4())
    effects = {int(player): change for player, change in penalty.effects.items()}
    assert effects
    entry = TotalsEntry({1: 100, 5: -40, 9: -50})
    enter_totals(table, SYSTEM, entry, uuid=uuid4())
    after = scores(table)
    assert (after[1], sum(after.values())) == (100, sum(effects.values()))
    cancel_penalty(penalty, SYSTEM, reason="It was the neighbour")
    assert scores(table)[1] == 100 - effects[1]
    assert is_whole(table)


def test_a_penalty_given_after_the_totals_moves_them(table: Table) -> None:
    typed(table)
    penalty = give_penalty(table, SYSTEM, Accusation(1, "false_hu", 16), uuid=uuid4())
    assert scores(table)[1] == 120 + penalty.effects["1"]


# --- corrected --------------------------------------------------------------------------------------------------------
def test_a_correction_is_a_version_that_names_the_one_it_replaces(table: Table) -> None:
    old = typed(table)
    new = correct_totals(
        table, SYSTEM, TotalsEntry({1: 90, 5: -10, 9: -50}), reason="A 9 read as 12", uuid=uuid4()
    )
    old.refresh_from_db()
    assert (new.version, new.replaces, new.is_current, old.is_current) == (2, old, True, False)
    assert scores(table)[1] == 90
    assert is_whole(table)


def test_a_correction_says_why_and_everything_that_is_wrong_at_once(table: Table) -> None:
    typed(table)
    with pytest.raises(Refused) as refused:
        correct_totals(table, SYSTEM, TotalsEntry({1: 1, 5: 1, 9: 1, 13: 1}), reason=" ", uuid=uuid4())
    assert codes(refused) == ["totals_not_zero", "reason_missing"]


def test_a_scorer_corrects_their_own_totals_and_an_umpire_anybodys(table: Table) -> None:
    tournament = table.session.tournament
    scorer = Actor.of(make_member(tournament, Role.SCORER, "sam"))
    again = TotalsEntry({1: 90, 5: -10, 9: -50})
    typed(table, scorer)
    correct_totals(table, scorer, again, reason="Misread", uuid=uuid4())
    correct_totals(table, Actor.of(make_umpire(tournament)), TotalsEntry(SHEET), reason="Yes", uuid=uuid4())
    with pytest.raises(Forbidden):
        correct_totals(table, scorer, again, reason="Misread", uuid=uuid4())


# --- the sheet --------------------------------------------------------------------------------------------------------
def test_totals_are_signed_and_a_correction_voids_the_signature(table: Table) -> None:
    typed(table)
    signature = sign(table, SYSTEM, 1)
    assert signature.sheet["1"] == [120, "4"]
    correct_totals(table, SYSTEM, TotalsEntry({1: 90, 5: -10, 9: -50}), reason="Misread", uuid=uuid4())
    signature.refresh_from_db()
    assert not signature.stands


def test_a_session_of_paper_closes(table: Table) -> None:
    for one in table.session.tables.all():
        seated = list(one.seats.values_list("player__number", flat=True))
        enter_totals(one, SYSTEM, TotalsEntry(dict.fromkeys(seated[:3], 0)), uuid=uuid4())
    assert close_session(table.session, SYSTEM).state == Session.State.CLOSED


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


def test_an_event_with_totals_is_deleted(table: Table) -> None:
    typed(table)
    correct_totals(table, SYSTEM, TotalsEntry({1: 90, 5: -10, 9: -50}), reason="Misread", uuid=uuid4())
    delete_tournament(table.session.tournament, SYSTEM, name=table.session.tournament.name)
    assert not Totals.objects.exists()


# --- hands beside totals ----------------------------------------------------------------------------------------------
def test_hands_written_down_later_count_once_the_totals_are_set_aside(table: Table) -> None:
    typed(table)
    table.refresh_from_db()
    hand = record(table, win(1, 5))
    assert scores(table) == {1: 120, 5: -40, 9: -50, 13: -30}
    assert beside_hands(table, Totals.objects.get()) != {}
    with pytest.raises(Refused) as refused:
        set_totals_aside(table, SYSTEM)
    assert codes(refused) == ["set_aside_reason_missing"]
    set_totals_aside(table, SYSTEM, reason="The sheet was added up wrongly")
    assert scores(table) == {int(player): points for player, points in hand.payments.items()}
    assert is_whole(table)


def test_hands_that_come_to_the_same_need_no_reason(table: Table) -> None:
    enter_totals(table, SYSTEM, TotalsEntry({1: 0, 5: 0, 9: 0}), uuid=uuid4())
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


# --- read twice -------------------------------------------------------------------------------------------------------
def test_a_second_reading_that_agrees_is_settled(table: Table) -> None:
    typed(table)
    second = read_again(table, umpire(table), TotalsEntry({1: 120, 9: -50, 13: -30}), uuid=uuid4())
    assert second.settled_as == Totals.Settled.AGREED
    assert not second.is_current


def umpire(table: Table, name: str = "uma") -> Actor:
    return Actor.of(make_umpire(table.session.tournament, name))


def test_nobody_checks_themselves(table: Table) -> None:
    actor = umpire(table)
    typed(table, actor)
    with pytest.raises(Refused) as refused:
        read_again(table, actor, TotalsEntry(SHEET), uuid=uuid4())
    assert codes(refused) == ["second_is_first"]


def test_a_difference_holds_the_closing_up_until_it_is_settled() -> None:
    tournament = make_tournament(players=4, running=0, sessions=1)
    table = table_of(tournament)
    seated = list(table.seats.order_by("id").values_list("player__number", flat=True))
    first, second = ({seated[0]: points, seated[1]: -40, seated[2]: -50} for points in (120, 102))
    enter_totals(table, SYSTEM, TotalsEntry(first), uuid=uuid4())
    read_again(table, umpire(table), TotalsEntry(second), uuid=uuid4())
    assert scores(table)[seated[0]] == 120
    with pytest.raises(Unsettled) as open_thing:
        close_session(table.session, SYSTEM)
    assert [problem.code for problem in open_thing.value.problems] == ["totals_differ"]
    settle_totals(table, SYSTEM, Totals.Settled.SECOND, uuid=uuid4(), reason="A smudged 0")
    assert scores(table)[seated[0]] == 102
    entry = LogEntry.objects.get(action="table_totals_settled")
    assert (entry.data["choice"], entry.data["was"][str(seated[0])]) == ("second", 120)
    assert close_session(table.session, SYSTEM).state == Session.State.CLOSED
    assert is_whole(table)


def test_the_first_reading_may_be_right(table: Table) -> None:
    first = typed(table)
    read_again(table, umpire(table), TotalsEntry({1: 20, 5: -40, 9: -50}), uuid=uuid4())
    assert settle_totals(table, SYSTEM, Totals.Settled.FIRST, uuid=uuid4()) == first
    assert scores(table)[1] == 120
    assert is_whole(table)


def test_neither_may_be_right(table: Table) -> None:
    typed(table)
    read_again(table, umpire(table), TotalsEntry({1: 20, 5: -40, 9: -50}), uuid=uuid4())
    settle_totals(
        table, SYSTEM, Totals.Settled.TYPED, uuid=uuid4(), entry=TotalsEntry({1: 21, 5: -40, 9: -50})
    )
    assert scores(table)[1] == 21


def test_a_correction_overtakes_a_second_reading(table: Table) -> None:
    typed(table)
    second = read_again(table, umpire(table), TotalsEntry({1: 20, 5: -40, 9: -50}), uuid=uuid4())
    correct_totals(table, SYSTEM, TotalsEntry({1: 21, 5: -40, 9: -50}), reason="Misread", uuid=uuid4())
    second.refresh_from_db()
    assert second.settled_as == Totals.Settled.OVERTAKEN


# --- what is kept on paper --------------------------------------------------------------------------------------------
def test_a_table_says_otherwise_than_its_session_and_the_event(table: Table) -> None:
    tournament = table.session.tournament
    keep_on_paper(tournament, SYSTEM, True)
    keep_on_paper(tournament, SYSTEM, False, session=1)
    keep_on_paper(tournament, SYSTEM, True, session=1, table=2)
    on_paper = {
        one.number: one.is_on_paper
        for one in Table.objects.filter(session__number=1).select_related("session__tournament")
    }
    assert on_paper == {1: False, 2: True, 3: False, 4: False}
    keep_on_paper(tournament, SYSTEM, None, session=1)
    assert table_of(tournament).is_on_paper


def test_the_card_on_a_table_types_its_own_totals_alone(table: Table) -> None:
    card = Actor.of(make_card(table.session.tournament, 1))
    assert typed(table, card).is_current
    with pytest.raises(Forbidden):
        typed(table_of(table.session.tournament, 2), card)


# --- kept for good ----------------------------------------------------------------------------------------------------
def test_the_transcript_keeps_totals_and_plays_them_again() -> None:
    tournament = make_tournament(players=4, running=0, sessions=1)
    keep_on_paper(tournament, SYSTEM, True)
    table = table_of(tournament)
    one, two, three, four = table.seats.order_by("id").values_list("player__number", flat=True)
    give_penalty(table, SYSTEM, Accusation(one, "false_hu", 12), uuid=uuid4())
    wins, none = {one: 3, two: 1, three: 0, four: 1}, dict.fromkeys((one, two, three, four), 0)
    entry = TotalsEntry({one: 90, two: -40, three: -50}, wins, none, 9, BestHand(one, 64))
    enter_totals(table, SYSTEM, entry, uuid=uuid4())
    record(table, wash_out())
    close_session(table.session, SYSTEM)
    tournament.refresh_from_db()
    before = [scores(table), current_standings(tournament, Audience.STAFF).rows]
    again = play(load(transcript_of(tournament)), SYSTEM)
    copy = table_of(again)
    again.refresh_from_db()
    assert [scores(copy), current_standings(again, Audience.STAFF).rows] == before
    assert (copy.hands_played, copy.totals.get().best) == (1, {"player": one, "points": 64})
    assert is_whole(copy)
