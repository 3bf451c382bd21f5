"""The closing check and the signatures on pages, by REST and on the desk."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.support.closing import appeal_at, players_at, session_all_in, table_of
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire, record, wash_out
from tests.support.pages import missing, write_at
from tests.support.programs import client_of
from tournament.base.access import Actor
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.appeals import rule_appeal
from tournament.play.api.facts import url_of
from tournament.play.engine.statements import TotalsEntry
from tournament.play.selectors.closing import Kind, closing_check
from tournament.play.services.absences import record_absence, record_arrival
from tournament.play.services.sessions import close_session, raise_call
from tournament.play.services.tables import hand_in, sign
from tournament.play.services.totals import enter_second_reading, enter_totals
from tournament.play.views.sessions import LINK_TEXTS
from tournament.ranking.services import hide_results

REASON = "The committee meets at eight"


@pytest.fixture
def session() -> Session:
    return session_all_in()


@pytest.fixture
def organiser(client: Client, session: Session) -> Client:
    client.force_login(make_organiser(session.tournament))
    return client


def everything_open(session: Session) -> None:
    """One of each kind at table 1, and four sheets to sign."""
    table = table_of(session)
    seats = players_at(table)
    appeal_at(table)
    rule_appeal(appeal_at(table, seats[1], 2), SYSTEM, granted=True, ruling="So be it.")
    record_arrival(record_absence(table, SYSTEM, seats[1], uuid=uuid4()), SYSTEM)
    raise_call(table, SYSTEM, "score")
    sign(table_of(session, 2), SYSTEM, players_at(table_of(session, 2))[0])
    assert session.started_at is not None
    hands = Hand.objects.filter(table=table, number=2)
    hands.update(recorded_at=session.started_at + timedelta(minutes=200))


def go_on(client: Client, page: Any, url: str, reason: str = REASON) -> Any:
    """Send the page's form as it stands, with a reason."""
    keys = [thing.key for thing in page.context["open_items"]]
    return client.post(url, {"reason": reason, "seen": keys}, follow=True)


def url(name: str, *where: object) -> str:
    return reverse(name, args=["spring-open", *where])


def test_with_nothing_open_the_session_closes_in_one_tap(organiser: Client) -> None:
    assert "Session 1 is closed." in organiser.post(url("organiser_session_close", 1), follow=True).text
    answer = organiser.get(url("organiser_session_close", 1))
    assert (answer.status_code, answer["Location"]) == (302, url("organiser_session", 1))


@pytest.mark.thorough
def test_open_items_are_listed_and_accepted_with_a_reason(organiser: Client, session: Session) -> None:
    everything_open(session)
    close = url("organiser_session_close", 1)
    page = organiser.post(close, follow=True)
    assert page.redirect_chain[-1][0] == close
    things = page.context["open_items"]
    assert len(things) == len(closing_check(session.tournament, [session])) == 9
    assert [thing.url for thing in things if thing.url.replace("&", "&amp;") not in page.text] == []
    pages = {thing.url.partition("#")[0] for thing in things}
    assert {address: organiser.get(address).status_code for address in pages} == dict.fromkeys(pages, 200)
    late = next(thing for thing in things if thing.key.startswith("lateness"))
    assert organiser.get(late.url).context["form"]["minutes"].value() == "1", "the minutes measured"
    assert "saved after time, in minute 200 of 120: hand 2" in page.text
    state = organiser.get(reverse("api_desk", args=["spring-open", 1, 1])).json()["state"]
    assert [(hand["number"], hand["saved_in"]) for hand in state["hands"]] == [(1, None), (2, 200)]
    assert state["minutes"] == 120
    again = go_on(organiser, page, close, reason=" ")
    assert "say why you are continuing" in again.text
    session.refresh_from_db()
    assert session.state == "running"
    assert "Session 1 is closed." in go_on(organiser, again, close).text
    assert f"9 things were still open. Reason: {REASON}" in organiser.get(url("organiser_log")).text


def test_new_findings_since_the_page_was_shown_are_shown_first(organiser: Client, session: Session) -> None:
    appeal_at(table_of(session))
    close = url("organiser_session_close", 1)
    page = organiser.post(close, follow=True)
    raise_call(table_of(session), SYSTEM, "score")
    again = go_on(organiser, page, close)
    assert missing(again.text, "2 things are still open", f'value="{REASON}"') == []


def test_the_confirmation_page_keeps_the_unplayed_tables(client: Client) -> None:
    tournament = make_tournament(running=(2, 2, 2, 0))
    session = tournament.sessions.get(number=1)
    for number in (1, 2, 3):
        hand_in(table_of(session, number), SYSTEM)
    appeal_at(table_of(session))
    client.force_login(make_organiser(tournament))
    page = client.post(url("organiser_session_close", 1), {"unplayed": ["4"]}, follow=True)
    assert '<input type="hidden" name="unplayed" value="4">' in page.text


@pytest.mark.parametrize(
    ("name", "where", "success"),
    [
        ("organiser_publish", (), "The standings are published."),
        ("organiser_results_reveal", (1,), "Everybody sees the results of session 1."),
        pytest.param(
            "organiser_ceremony_publish", (), "the standings are published", marks=pytest.mark.thorough
        ),
    ],
)
def test_publishing_and_opening_results_ask_for_confirmation(
    organiser: Client, session: Session, name: str, where: tuple[int, ...], success: str
) -> None:
    hide_results(session, SYSTEM)
    close_session(session, SYSTEM)
    appeal_at(table_of(session))
    page = organiser.post(url(name, *where), follow=True)
    assert page.redirect_chain[-1][0] == url(name, *where)
    assert "1 thing is still open" in page.text
    session.refresh_from_db()
    assert session.hidden
    assert success in go_on(organiser, page, url(name, *where)).text


@pytest.mark.thorough
def test_by_rest_it_is_a_409_with_everything_open_unless_a_reason_is_given(session: Session) -> None:
    client = client_of(make_organiser(session.tournament))
    root = f"/api/v1/tournaments/{session.tournament.slug}/"
    appeal_at(table_of(session))
    for address in ("sessions/1/close/", "standings/publish/"):
        refused = client.post(f"{root}{address}")
        assert refused.status_code == 409
        [problem] = refused.json()["problems"]
        assert (problem["code"], problem["params"]["table"]) == ("appeal_not_ruled", 1)
        assert client.post(f"{root}{address}", {"reason": REASON}, format="json").status_code in (200, 201)


def test_by_rest_the_time_for_appeals_is_set_and_kept() -> None:
    tournament = make_tournament()
    client = client_of(make_organiser(tournament))
    address = f"/api/v1/tournaments/{tournament.slug}/"
    fields = client.get(address).json()
    assert fields["appeal_minutes"] == 30
    assert client.put(address, fields | {"appeal_minutes": 0}, format="json").json()["appeal_minutes"] == 0
    without = {name: value for name, value in fields.items() if name != "appeal_minutes"}
    assert client.put(address, without, format="json").json()["appeal_minutes"] == 0
    assert Tournament.objects.get().appeal_minutes == 0


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(running=(16, 2, 0, 0))


@pytest.fixture
def table(tournament: Tournament) -> Table:
    return tournament.sessions.get(number=1).tables.get(number=1)


@pytest.fixture
def umpire(client: Client, tournament: Tournament) -> User:
    """Signed in."""
    user = make_umpire(tournament)
    client.force_login(user)
    return user


@pytest.mark.thorough
def test_the_desk_collects_signatures_and_gives_them_back(client: Client, umpire: User, table: Table) -> None:
    player = players_at(table)[0]

    def signed(answer: dict[str, Any]) -> list[int]:
        return [seat["player"] for seat in answer["state"]["seats"] if seat["signed"]]

    body = {"table_version": table.version}
    assert signed(write_at(client, table, "api_signature", body, player=player).json()) == [player]
    assert signed(write_at(client, table, "api_signature", body, "delete", player=player).json()) == []
    assert write_at(client, table, "api_signature", body, player=99).status_code == 422


def test_a_changed_sheet_voids_signatures(client: Client, umpire: User, tournament: Tournament) -> None:
    table = tournament.sessions.get(number=1).tables.get(number=2)
    seen, player = table.version, players_at(table)[0]
    sign(table, SYSTEM, player)
    record(table, wash_out())
    answer = write_at(client, table, "api_signature", {"table_version": seen}, player=player)
    assert (answer.status_code, answer.json()["state"]["played"]) == (409, 3)
    seats = client.get(url_of("api_desk", table)).json()["state"]["seats"]
    reasons = [seat["unsigned_because"] for seat in seats if seat["player"] == player]
    assert reasons == ["the sheet changed"]


def test_pages_of_staff_count_signatures(
    client: Client, umpire: User, tournament: Tournament, table: Table
) -> None:
    pages = ((make_organiser(tournament), "organiser_board"), (umpire, "umpire_tables"))
    for user, page in pages:
        client.force_login(user)
        assert "of 4 signed" not in client.get(reverse(page, args=[tournament.slug])).text
    sign(table, SYSTEM, players_at(table)[0])
    for user, page in pages:
        client.force_login(user)
        assert "1 of 4 signed" in client.get(reverse(page, args=[tournament.slug])).text


def test_the_public_sheet_names_who_signed_and_who_did_not(client: Client, table: Table) -> None:
    page = reverse("table_page", args=[table.session.tournament.slug, 1, table.number])
    assert "Signatures" not in client.get(page).text
    hand_in(table, SYSTEM)
    assert "No player has signed." in client.get(page).text
    sign(table, SYSTEM, players_at(table)[0])
    assert missing(client.get(page).text, "Signed:", "Not signed:") == []


def test_differing_readings_are_listed_with_a_link(client: Client) -> None:
    tournament = make_tournament(name="Spring Open", players=4, running=0, sessions=1)
    client.force_login(make_organiser(tournament))
    table = table_of(tournament.sessions.get())
    first, second, third, _fourth = players_at(table)
    enter_totals(table, SYSTEM, TotalsEntry({first: 120, second: -40, third: -50}), uuid=uuid4())
    umpire = Actor.of(make_umpire(tournament))
    enter_second_reading(table, umpire, TotalsEntry({first: 102, second: -40, third: -50}), uuid=uuid4())
    page = client.post(url("organiser_session_close", 1), follow=True)
    assert [thing.url for thing in page.context["open_items"]] == [url("paper_table", 1, 1)]


def test_every_kind_of_finding_has_a_link() -> None:
    assert LINK_TEXTS.keys() == set(Kind)
