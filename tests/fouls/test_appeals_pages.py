"""Appeals on pages: opening them at the desk, ruling, and what is provisional."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.blank_forms import Page
from tests.support.closing import appeal_at, players_at
from tests.support.factories import (
    SYSTEM,
    make_card,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
    wash_out,
    write_something,
)
from tests.support.pages import missing, page_text, refused_page, write_at
from tournament.base.access import Actor
from tournament.base.models.play import Appeal, Session, Table
from tournament.base.models.tournament import Role, Tournament
from tournament.fouls.services.appeals import rule_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.services.hands import correct_hand

WORDS = "It was not so."


@pytest.fixture
def tournament() -> Tournament:
    """Session 1 has just been closed, session 2 is running."""
    return make_tournament(sessions=3, played=1, running=2)


@pytest.fixture
def table(tournament: Tournament) -> Table:
    return tournament.sessions.get(number=1).tables.get(number=2)


def ruling(appeal: Appeal, **fields: str) -> tuple[str, dict[str, str]]:
    """Return the URL and the data of a ruling."""
    address = reverse("appeal_rule", args=["spring-open", appeal.uuid])
    return address, {f"{appeal.uuid}-{name}": value for name, value in fields.items()}


def test_the_page_of_a_ruling_says_that_judgements_of_fact_stand(
    client: Client, tournament: Tournament, table: Table
) -> None:
    """Seed 000, "Judgment on appeals"."""
    appeal_at(table)
    client.force_login(make_umpire(tournament))
    assert "judgement of fact is not overturned" in page_text(client, "appeals")


@pytest.mark.thorough
def test_more_umpires_cost_no_more_queries(client: Client, tournament: Tournament, table: Table) -> None:
    appeal_at(table)
    client.force_login(make_member(tournament, Role.OWNER, "odile"))
    counts = []
    for umpires in (3, 9):
        for number in range(tournament.memberships.filter(role=Role.UMPIRE).count(), umpires):
            make_umpire(tournament, f"uma-{number}")
        page_text(client, "appeals")
        with CaptureQueriesContext(connection) as statements:
            text = page_text(client, "appeals")
        assert text.count('name="c-') == umpires + 1, "the owner is a candidate too"
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_the_desk_opens_an_appeal_or_gets_its_problem(client: Client, tournament: Tournament) -> None:
    table = tournament.sessions.get(number=2).tables.get(number=1)
    client.force_login(make_umpire(tournament))
    player = players_at(table)[0]
    body = {"uuid": str(uuid4()), "player": player, "hand_number": 2, "text": ""}
    refused = write_at(client, table, "api_appeals", body)
    assert (refused.status_code, refused.json()["problems"][0]["where"]) == (422, "text")
    state = write_at(client, table, "api_appeals", body | {"text": WORDS}).json()["state"]
    (appeal,) = state["appeals"]
    name = tournament.players.get(number=player).name
    assert (appeal["name"], appeal["hand"], appeal["text"]) == (name, 2, WORDS)
    assert state["may_appeal"]


def test_an_umpire_rules_and_an_invalid_form_keeps_its_text(client: Client, table: Table) -> None:
    appeal = appeal_at(table)
    client.force_login(make_umpire(table.session.tournament))
    assert WORDS in page_text(client, "appeals")
    address, undecided = ruling(appeal, ruling="The wall was not empty.")
    answer = client.post(address, undecided)
    assert "The wall was not empty." in refused_page(answer)
    _address, decided = ruling(appeal, granted="yes", ruling="The wall was empty.")
    assert "The appeal has been decided." in client.post(address, decided, follow=True).text
    appeal.refresh_from_db()
    assert (appeal.granted, appeal.ruling) == (True, "The wall was empty.")


def test_a_granted_appeal_is_open_until_its_hand_is_corrected(client: Client, table: Table) -> None:
    rule_appeal(appeal_at(table), SYSTEM, granted=True, ruling="It was.")
    client.force_login(make_organiser(table.session.tournament))
    text = page_text(client, "appeals")
    assert "Correct hand 1" in text
    assert f"{reverse('desk', args=['spring-open', 1, 2])}#hand-1" in text
    assert "granted, to be carried out" in page_text(client, "organiser_board")
    assert "still to be carried out: this result is provisional" in page_text(client, "table_page", 1, 2)
    correct_hand(table.hands.get(number=1), SYSTEM, wash_out(), reason="As ruled", uuid=uuid4())
    assert "Correct hand 1" not in page_text(client, "appeals")


def test_a_granted_appeal_against_a_penalty_links_to_its_cancellation(client: Client, table: Table) -> None:
    player = players_at(table)[0]
    penalty = give_penalty(table, SYSTEM, Accusation(player, "false_hu", 1), uuid=uuid4())
    body = {"uuid": str(uuid4()), "player": player, "text": WORDS, "penalty": str(penalty.uuid)}
    client.force_login(make_umpire(table.session.tournament))
    invalid = write_at(client, table, "api_appeals", body | {"penalty": "that one"})
    assert (invalid.status_code, invalid.json()["problems"][0]["where"]) == (400, "penalty")
    (appeal,) = write_at(client, table, "api_appeals", body).json()["state"]["appeals"]
    assert (appeal["penalty"], appeal["state"]) == (str(penalty.uuid), "open")
    rule_appeal(Appeal.objects.get(), SYSTEM, granted=True, ruling="True.")
    assert "The session is closed: the organiser carries it out." in page_text(client, "appeals")
    client.force_login(make_organiser(table.session.tournament))
    page = reverse("organiser_penalty", args=["spring-open", penalty.uuid])
    assert f"{page}?cancel#cancel" in page_text(client, "appeals")


def test_a_granted_appeal_is_closed_without_a_change_for_a_reason(client: Client, table: Table) -> None:
    appeal = rule_appeal(appeal_at(table), SYSTEM, granted=True, ruling="It was.")
    client.force_login(make_umpire(table.session.tournament))
    address = reverse("appeal_waive", args=["spring-open", appeal.uuid])
    answer = client.post(address, {f"{appeal.uuid}-because": " "})
    assert "Say why nothing was changed" in refused_page(answer)
    form = {f"{appeal.uuid}-because": "The four agreed on a replay"}
    assert "The appeal has been closed." in client.post(address, form, follow=True).text
    assert "The four agreed on a replay" in page_text(client, "appeals")


@pytest.mark.thorough
def test_umpires_do_not_rule_on_their_own_decision_and_organisers_give_a_reason(client: Client) -> None:
    tournament = make_tournament(running=0)
    table = tournament.sessions.get(number=1).tables.get(number=1)
    uma, olga = make_umpire(tournament, "uma"), make_organiser(tournament)
    play_hands(table, 1, Actor.of(uma))
    address, form = ruling(appeal_at(table), granted="no", ruling="No.")
    client.force_login(uma)
    assert "so another umpire or the organiser must rule" in page_text(client, "appeals")
    assert "You took the decision" in client.post(address, form).text
    client.force_login(olga)
    assert "Why can nobody else" not in page_text(client, "appeals")
    correct_hand(table.hands.get(number=1), Actor.of(olga), wash_out(), reason="x", uuid=uuid4())
    address, form = ruling(appeal_at(table), granted="no", ruling="No.", alone="Alone")
    assert "Why can nobody else" in page_text(client, "appeals")
    assert "The appeal has been decided." in client.post(address, form, follow=True).text


def test_the_organiser_sets_the_time_for_appeals_and_the_deposit(
    client: Client, tournament: Tournament
) -> None:
    """MERS Tournament Regulations, 2.1: an appeal at an EMA event takes a deposit of €150."""
    client.force_login(make_organiser(tournament))
    address = reverse("organiser_rules", args=["spring-open"])
    shown = next(
        form for form in Page(address, client.get(address).text).submissions() if form.url == address
    )
    assert shown.data["appeal_minutes"] == ["30"]
    assert shown.send(client, {"appeal_minutes": ["0"], "appeal_deposit": ["€150"]}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.appeal_minutes, tournament.appeal_deposit) == (0, "€150")
    text = page_text(client, "appeals")
    assert missing(text, "raised on the table’s score sheet at once", "Deposit for an appeal: €150") == []


def test_passes_of_tables_do_not_rule_and_umpires_of_other_tables_see_no_appeal(
    client: Client, table: Table
) -> None:
    address, form = ruling(appeal_at(table), granted="yes", ruling="Ours.")
    client.force_login(make_card(table.session.tournament, 2))
    assert "An umpire rules on it." in page_text(client, "appeals")
    assert client.post(address, form).status_code == 403
    client.force_login(make_umpire(table.session.tournament, tables=[table.session.tables.get(number=1)]))
    assert WORDS not in page_text(client, "appeals")


def test_the_public_sees_what_is_provisional_and_the_staff_what_is_open(client: Client, table: Table) -> None:
    for where in (("table_page", 1, 2), ("ranking",)):
        assert "appeals are possible until" in page_text(client, *where)
    appeal = appeal_at(table)
    for page in (("table_page", 1, 2), ("session_page", 1)):
        text = page_text(client, *page)
        assert ("Under appeal" in text, WORDS in text) == (True, False), page
    assert "1 appeal is open: this result is provisional." in page_text(client, "ranking")
    organiser, umpire = make_organiser(table.session.tournament), make_umpire(table.session.tournament)
    client.force_login(organiser)
    assert "Show the open appeal" in page_text(client, "organiser_board")
    assert "Appeal: hand 1" in page_text(client, "organiser_session", 1)
    client.force_login(umpire)
    assert "1 appeal is open" in page_text(client, "umpire_tables")
    rule_appeal(appeal, SYSTEM, granted=False, ruling="No.")
    assert "appeal is open" not in page_text(client, "umpire_tables")


def test_cached_pages_change_when_the_time_for_appeals_is_over(client: Client, table: Table) -> None:
    Session.objects.filter(number=1).update(closed_at=timezone.now() - timedelta(minutes=29))
    write_something(table.session.tournament)
    before = client.get(reverse("ranking", args=["spring-open"]))
    assert "appeals are possible until" in before.text
    with pytest.MonkeyPatch.context() as patch:
        later = timezone.now() + timedelta(minutes=2)
        patch.setattr(timezone, "now", lambda: later)
        headers = {"if-none-match": before["ETag"]}
        after = client.get(reverse("ranking", args=["spring-open"]), headers=headers)
    assert after.status_code == 200
    assert "appeals are possible until" not in after.text


def test_a_final_session_is_reopened_for_a_reason(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1, played=1, name="Autumn Open")
    Session.objects.filter(tournament=tournament).update(closed_at=timezone.now() - timedelta(hours=1))
    client.force_login(make_organiser(tournament))
    address = reverse("organiser_session_reopen", args=[tournament.slug, 1])
    assert "Give a reason for the change." in client.post(address, follow=True).text
    answer = client.post(address, {"reason": "Two sheets were mixed up"}, follow=True)
    assert "Session 1 is open again." in answer.text
