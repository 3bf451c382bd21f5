"""Disputed hands: recorded as pending without a score, and completed by the ruling before the session closes."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.checks import audit_is_clean, newest_sentence, refused_codes, refused_problems
from tests.support.closing import players_at, table_of
from tests.support.factories import (
    SYSTEM,
    TILES,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    record,
    wash_out,
    win,
)
from tests.support.pages import missing, page_text, write_at
from tests.support.play import scores
from tournament.base.access import Actor
from tournament.base.engine.entries import PENDING, HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import rules_named
from tournament.base.errors import Forbidden, UuidTaken
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.tournament import Role, Tournament
from tournament.play.engine.judge import judge
from tournament.play.selectors.closing import Kind, closing_check
from tournament.play.services.hands import correct_hand, record_hand, undo_hand
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in
from tournament.play.views.desk import desk_url
from tournament.ranking.selectors.statistics import event_statistics
from tournament.site.selectors.next_step import Code, next_step

pytestmark = pytest.mark.stored

EAST, SOUTH, WEST, NORTH = 1, 5, 9, 13
CLAIMS = "East: I said hu first. West: so did I."
SEATS = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}


def dispute(*claimants: int, text: str = CLAIMS, **more: Any) -> HandEntry:
    return HandEntry(PENDING, claimants=claimants, dispute=text, **more)


# --- the entry ---
@pytest.mark.parametrize(
    ("entry", "problems"),
    [
        (dispute(EAST, WEST), []),
        (dispute(tiles=TILES["seven_pairs"]), []),
        (dispute(tiles={"concealed": ["1m"]}), []),
        (dispute(tiles={"concealed": None, "flowers": 2}), []),
        (dispute(text=" "), [("dispute_missing", "dispute")]),
        (dispute(99), [("not_at_this_table", "claimants")]),
        (dispute(tiles={"concealed": ["1m"] * 5}), [("five_of_a_kind", "")]),
        (
            dispute(tiles={"concealed": ["1m"], "winning_tile": "E"}),
            [("winning_tile_not_held", "winning_tile")],
        ),
        (replace(dispute(), winner=EAST), [("dispute_and_result", "outcome")]),
        (replace(dispute(), points=24), [("dispute_and_result", "outcome")]),
        (replace(wash_out(), dispute=CLAIMS), [("dispute_and_result", "outcome")]),
    ],
)
def test_a_pending_hand_has_claims_in_words_and_no_result(
    entry: HandEntry, problems: list[tuple[str, str]]
) -> None:
    verdict = judge(rules_named("mcr"), SEATS, 1, entry)
    assert [(problem.code, problem.where) for problem in verdict.problems] == problems
    assert problems or set(verdict.payments.values()) == {0}


# --- services ---
def test_a_pending_hand_keeps_its_number_and_scores_nothing_until_the_ruling(table: Table) -> None:
    hand = record(table, dispute(EAST, WEST, tiles={"concealed": ["1m", "1m"]}))
    assert (hand.is_pending, hand.dispute, hand.claimants) == (True, CLAIMS, [EAST, WEST])
    assert hand.tiles == {"concealed": ["1m", "1m"], "melds": []}
    for entry in (wash_out(), win(SOUTH), wash_out()):
        record(table, entry)
    before = scores(table)
    assert table.hands_played == 4
    ruled = correct_hand(hand, SYSTEM, win(EAST, NORTH), reason="East was first.", uuid=uuid4())
    assert (ruled.number, ruled.version, ruled.dispute) == (1, 2, "")
    assert scores(table) == {player: before[player] + ruled.payments[str(player)] for player in before}
    assert "Reason: East was first." in newest_sentence(table.session.tournament)
    assert audit_is_clean()


def test_the_log_says_that_a_hand_is_to_be_ruled_on(table: Table) -> None:
    record(table, dispute(EAST))
    assert "to be ruled on" in newest_sentence(table.session.tournament)
    entry = table.session.tournament.log.latest("seq")
    assert entry.full_data["dispute"] == CLAIMS
    assert "dispute" not in entry.data, "typed texts can be erased"


def test_the_same_dispute_twice_is_one_hand(table: Table) -> None:
    uuid, entry = uuid4(), dispute(EAST, tiles={"concealed": ["1m"]})
    first = record_hand(table, SYSTEM, entry, number=1, uuid=uuid)
    assert record_hand(table, SYSTEM, entry, number=1, uuid=uuid) == first
    with pytest.raises(UuidTaken):
        record_hand(table, SYSTEM, dispute(EAST, text="Another"), number=1, uuid=uuid)


def test_a_recorded_hand_cannot_become_pending(table: Table) -> None:
    hand = record(table, win(EAST, SOUTH))
    refusal = refused_problems(correct_hand, hand, SYSTEM, dispute(EAST), reason="Disputed", uuid=uuid4())
    assert refusal == [("already_recorded", "outcome")]


def test_a_ruling_needs_a_reason_and_the_right_to_rule(table: Table) -> None:
    tournament = table.session.tournament
    umpire = Actor.of(make_umpire(tournament))
    chief = Actor.of(make_member(tournament, Role.CHIEF, "chief"))
    hand = record(table, dispute(EAST), umpire)
    with pytest.raises(Forbidden):
        correct_hand(hand, umpire, wash_out(), reason="Mine", uuid=uuid4())
    assert refused_codes(correct_hand, hand, chief, wash_out(), reason=" ", uuid=uuid4()) == [
        "reason_missing"
    ]
    assert correct_hand(hand, chief, wash_out(), reason="Both too late.", uuid=uuid4()).outcome == "draw"


def test_who_recorded_a_dispute_undoes_it_within_a_minute(table: Table, umpire: Actor) -> None:
    hand = record(table, dispute(EAST), umpire)
    undo_hand(hand, umpire)
    again = record_hand(table, umpire, win(EAST), number=1, uuid=uuid4())
    assert (again.version, again.dispute) == (2, "")


# --- closing ---
@pytest.fixture
def disputed() -> Session:
    """A session being played, every table handed in; hand 3 at table 2 is to be ruled on."""
    session = make_tournament(running=2).sessions.get(number=1)
    table = table_of(session, 2)
    record(table, dispute(players_at(table)[0]))
    for each in session.tables.all():
        hand_in(each, SYSTEM)
    return session


def test_a_session_with_a_pending_hand_cannot_be_closed_even_with_a_reason(disputed: Session) -> None:
    tournament = disputed.tournament
    [finding] = closing_check(tournament, [disputed])
    assert (finding.kind, finding.table, finding.params) == (Kind.DISPUTE, 2, {"hand": 3})
    for reason in ("", "We are late"):
        assert refused_codes(close_session, disputed, SYSTEM, reason=reason) == ["hand_not_ruled_on"]
    hand = Hand.objects.get(outcome=Hand.Outcome.PENDING)
    correct_hand(hand, SYSTEM, wash_out(), reason="Nobody was first.", uuid=uuid4())
    assert close_session(disputed, SYSTEM).state == Session.State.CLOSED


def test_a_pending_hand_is_recorded_only_while_the_session_is_played(disputed: Session) -> None:
    correct_hand(Hand.objects.get(outcome="pending"), SYSTEM, wash_out(), reason="So", uuid=uuid4())
    table = table_of(close_session(disputed, SYSTEM), 1)
    Table.objects.filter(pk=table.pk).update(counts_totals=True)
    refusal = refused_codes(record_hand, table, SYSTEM, dispute(), number=3, uuid=uuid4())
    assert refusal == ["session_not_running"]


def test_the_next_step_is_to_rule_on_the_hand(disputed: Session) -> None:
    step = next_step(Tournament.objects.get())
    assert (step.code, step.link.args, step.link.anchor) == (Code.DISPUTE, (1, 2, 3), "")
    assert step.params == {"table": 2, "hand": 3, "more": 0}


def test_pages_show_the_pending_hand_and_do_not_offer_to_close(client: Client, disputed: Session) -> None:
    assert "To be ruled on" in page_text(client, "table_page", 1, 2)
    assert "To be ruled on" in page_text(client, "session_page", 1)
    assert CLAIMS not in page_text(client, "table_page", 1, 2), "the claims are for umpires"
    client.force_login(make_organiser(disputed.tournament))
    assert missing(page_text(client, "organiser_board"), "Hand 3: to be ruled on", "Rule on the hand") == []
    page = client.post(reverse("organiser_session_close", args=["spring-open", 1]), follow=True).text
    assert "hand 3 has not been ruled on" in page
    page = page_text(client, "organiser_session_close", 1)
    assert missing(page, "Rule on the disputed hands first", "/1/2/hands/3/") == []
    assert "Why continue anyway?" not in page


def test_umpires_see_it_on_their_tables(client: Client, disputed: Session) -> None:
    client.force_login(make_umpire(disputed.tournament))
    assert "Hand 3: to be ruled on" in page_text(client, "umpire_tables")


def test_a_pending_hand_is_no_wash_out_in_the_statistics(table: Table) -> None:
    record(table, win(EAST))
    record(table, dispute(EAST))
    figures = event_statistics(table.session.tournament, Audience.STAFF).figures
    assert (figures.hands, figures.wash_outs) == (1, 0)


# --- by program ---
def test_programs_record_disputes_and_rulings(client: Client, table: Table) -> None:
    tournament = table.session.tournament
    client.force_login(make_umpire(tournament))
    body = {
        "outcome": "pending",
        "dispute": CLAIMS,
        "claimants": [EAST, WEST],
        "number": 1,
        "uuid": str(uuid4()),
    }
    answer = write_at(client, table, "api_hands", body)
    state = answer.json()["state"]
    [hand] = state["hands"]
    assert (answer.status_code, hand["text"], hand["dispute"]) == (201, "To be ruled on", CLAIMS)
    assert state["may_rule"], "without a chief umpire every umpire may rule"
    public = Client().get(hand["url"]).json()
    assert "dispute" not in public[0], "the claims are for umpires"
    ruling = {"outcome": "win", "winner": EAST, "discarder": SOUTH, "points": 24, "uuid": str(uuid4())}
    answer = write_at(client, table, "api_hand", ruling | {"reason": "East was first."}, "put", hand=1)
    assert answer.json()["state"]["hands"][0]["points"] == 24
    assert client.get(desk_url(table)).status_code == 200


def test_a_long_dispute_is_refused(client: Client, table: Table) -> None:
    client.force_login(make_umpire(table.session.tournament))
    body = {"outcome": "pending", "dispute": "x" * 2001, "number": 1, "uuid": str(uuid4())}
    assert write_at(client, table, "api_hands", body).status_code == 400
    assert not Hand.objects.exists()
    assert refused_problems(record, table, dispute(text="x" * 2001))[0][1] == "dispute"
