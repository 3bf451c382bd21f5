"""Appeals on pages: the desk opens them, umpires rule, the board counts, the hall learns what is provisional."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tests.web.test_umpire_desk import post
from tournament.models import Appeal, Membership, Session, Table, Tournament
from tournament.services.appeals import Objection, open_appeal, rule_appeal

pytestmark = pytest.mark.django_db

WORDS = "Hand 1 was a wash-out."


@pytest.fixture
def tournament() -> Tournament:
    """Session 1 is just closed, session 2 being played."""
    return make_tournament(sessions=3, played=1, running=2)


@pytest.fixture
def table(tournament: Tournament) -> Table:
    return tournament.sessions.get(number=1).tables.get(number=2)


def appeal_at(table: Table) -> Appeal:
    seat = table.seats.order_by("id").first()
    assert seat is not None
    return open_appeal(table, SYSTEM, Objection(seat.player.number, WORDS, 1), uuid=uuid4())


def page(client: Client, name: str, *where: Any) -> str:
    return client.get(reverse(name, args=["spring-open", *where])).text


def ruling(appeal: Appeal, **said: str) -> tuple[str, dict[str, str]]:
    address = reverse("appeal_rule", args=["spring-open", appeal.uuid])
    return address, {f"{appeal.uuid}-{name}": value for name, value in said.items()}


def test_the_desk_opens_an_appeal_and_says_what_is_missing(client: Client, table: Table) -> None:
    client.force_login(make_umpire(table.session.tournament))
    seat = table.seats.order_by("id").first()
    assert seat is not None
    body = {"uuid": str(uuid4()), "player": seat.player.number, "hand_number": 2, "text": ""}
    refused = post(client, table, "desk_appeal", body)
    assert (refused.status_code, refused.json()["problems"][0]["where"]) == (422, "text")
    state = post(client, table, "desk_appeal", body | {"text": WORDS}).json()["state"]
    assert [(one["name"], one["hand"], one["text"]) for one in state["appeals"]] == [
        (seat.player.name, 2, WORDS)
    ]
    assert state["may_appeal"]


def test_an_umpire_rules_and_nothing_typed_is_lost(client: Client, table: Table) -> None:
    appeal = appeal_at(table)
    client.force_login(make_umpire(table.session.tournament))
    assert WORDS in page(client, "appeals")
    address, undecided = ruling(appeal, ruling="The wall was not empty.")
    answer = client.post(address, undecided)
    assert answer.status_code == 422
    assert "The wall was not empty." in answer.text
    _address, decided = ruling(appeal, granted="yes", ruling="The wall was empty.")
    assert "The appeal is ruled." in client.post(address, decided, follow=True).text
    appeal.refresh_from_db()
    assert (appeal.granted, appeal.ruling) == (True, "The wall was empty.")


def test_who_holds_the_tables_card_reads_and_does_not_rule(client: Client, table: Table) -> None:
    appeal = appeal_at(table)
    holder = make_umpire(table.session.tournament)
    Membership.objects.filter(user=holder).update(everywhere=False, table_number=2)
    client.force_login(holder)
    assert "An umpire rules on it." in page(client, "appeals")
    address, decided = ruling(appeal, granted="yes", ruling="Ours.")
    assert client.post(address, decided).status_code == 403


def test_an_umpire_of_other_tables_sees_none(client: Client, table: Table) -> None:
    appeal_at(table)
    other = table.session.tables.get(number=1)
    client.force_login(make_umpire(table.session.tournament, tables=[other]))
    assert WORDS not in page(client, "appeals")


def test_the_board_and_the_umpires_tables_count_what_is_open(client: Client, table: Table) -> None:
    appeal = appeal_at(table)
    organiser, umpire = make_organiser(table.session.tournament), make_umpire(table.session.tournament)
    client.force_login(organiser)
    assert "Rule on 1 appeal" in page(client, "organiser_board")
    assert "Appeal: hand 1" in page(client, "organiser_session", 1)
    client.force_login(umpire)
    assert "1 appeal is open" in page(client, "umpire_tables")
    rule_appeal(appeal, SYSTEM, granted=False, ruling="No.")
    assert "appeal is open" not in page(client, "umpire_tables")


def test_the_hall_learns_that_a_result_is_provisional_and_not_why(client: Client, table: Table) -> None:
    assert "appeals are possible until" in page(client, "table_page", 1, 2)
    assert "appeals are possible until" in page(client, "ranking")
    appeal_at(table)
    for address in (("table_page", 1, 2), ("session_page", 1)):
        text = page(client, *address)
        assert "Under appeal" in text
        assert WORDS not in text
    assert "1 appeal is open: this result is provisional." in page(client, "ranking")


def test_pages_say_so_once_the_time_for_appeals_is_over_without_any_write(
    client: Client, table: Table
) -> None:
    Session.objects.filter(number=1).update(closed_at=timezone.now() - timedelta(minutes=29, seconds=59))
    Tournament.objects.update(version=table.session.tournament.version + 1)
    before = client.get(reverse("ranking", args=["spring-open"]))
    assert "appeals are possible until" in before.text
    with pytest.MonkeyPatch.context() as patch:
        later = timezone.now() + timedelta(seconds=2)
        patch.setattr(timezone, "now", lambda: later)
        after = client.get(
            reverse("ranking", args=["spring-open"]), headers={"if-none-match": before["ETag"]}
        )
    assert after.status_code == 200
    assert "appeals are possible until" not in after.text


def test_a_final_session_is_opened_again_with_a_reason(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1, played=1, name="Autumn Open")
    Session.objects.filter(tournament=tournament).update(closed_at=timezone.now() - timedelta(hours=1))
    client.force_login(make_organiser(tournament))
    address = reverse("organiser_session_reopen", args=[tournament.slug, 1])
    assert "Say why it is changed." in client.post(address, follow=True).text
    answer = client.post(address, {"reason": "Two sheets were mixed up"}, follow=True)
    assert "Session 1 is open again." in answer.text
