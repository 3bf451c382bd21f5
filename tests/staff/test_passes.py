"""Passes: a link or a card that opens the desk without an account, where it reaches, how long it is good; by REST."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_tournament, record, seats_for, wash_out
from tests.support.pages import missing
from tests.support.programs import Program, codes_of
from tournament.base.access import Actor, can_umpire
from tournament.base.models.play import Table
from tournament.base.models.tournament import Pass, Tournament
from tournament.play.api.facts import url_of
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.play.views.desk import desk_url
from tournament.seating.services.seatings import seat_players
from tournament.staff.passes import Reach
from tournament.staff.services import make_passes, renew_pass, revoke_passes

TOMORROW = timedelta(days=1)

PATH = "passes/"
EVENT_WITH = {"sessions": 2, "running": 0}


def table(event: Tournament, number: int, session: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=event, session__number=session, number=number)


def make(event: Tournament, reach: Reach) -> tuple[Pass, str]:
    (new,) = make_passes(event, SYSTEM, [reach], timezone.now() + TOMORROW)
    return new, reverse("pass", args=[new.token])


def ask(olga: Client, event: Tournament, **wish: object):  # type: ignore[no-untyped-def]
    today = timezone.localdate().isoformat()
    fields = {"kind": "tables", "tables": "1-4", "expires_on": today}
    return olga.post(reverse("organiser_pass_new", args=[event.slug]), fields | wish)


def wash_out_at(client: Client, where: Table) -> int:
    body = {"uuid": str(uuid4()), "number": 1, "outcome": "draw", "table_version": 0}
    return client.post(url_of("api_hands", where), body, content_type="application/json").status_code


def opened(url: str) -> Client:
    """A device on which somebody has opened the pass."""
    visitor = Client()
    visitor.get(url)
    return visitor


def reached(desk_pass: Pass) -> list[tuple[int, int]]:
    actor, tables = Actor.of(desk_pass.membership.user), Table.objects.select_related("session__tournament")
    return sorted((table.session.number, table.number) for table in tables if can_umpire(actor, table))


def test_a_table_s_card_opens_its_desk_in_every_session_and_no_other_table(event: Tournament) -> None:
    desk_pass, url = make(event, Reach("Table 3", table_number=3))
    assert reached(desk_pass) == [(1, 3), (2, 3)]
    visitor = Client()
    assert visitor.get(url)["Location"] == desk_url(table(event, 3))
    assert wash_out_at(visitor, table(event, 3)) == 201
    assert event.log.latest("seq").actor_name == "Table 3"
    first = event.sessions.get(number=1)
    for each in first.tables.all():
        if each.number != 3:
            record(each, wash_out())
        hand_in(each, SYSTEM)
    close_session(first, SYSTEM)
    start_session(event.sessions.get(number=2), SYSTEM)
    assert visitor.get(url)["Location"] == desk_url(table(event, 3, session=2))


def test_between_sessions_a_card_leads_to_the_list_that_says_what_comes() -> None:
    event = make_tournament(sessions=1)
    _, url = make(event, Reach("Table 3", table_number=3))
    response = Client().get(url, follow=True)
    assert response.redirect_chain[0][0] == reverse("umpire_tables", args=[event.slug])
    assert "Session 1 has not started" in response.text


def test_the_card_still_reaches_its_table_when_the_seats_are_drawn_later() -> None:
    event = make_tournament(drawn=False, players=8)
    desk_pass, _ = make(event, Reach("Table 2", table_number=2))
    seat_players(event, SYSTEM, seats_for(8, 2))
    assert reached(desk_pass) == [(1, 2), (2, 2)]


def test_an_umpire_s_pass_is_for_everywhere_or_for_some_sessions_only(event: Tournament) -> None:
    everywhere, _ = make(event, Reach("Anna"))
    assert reached(everywhere) == [(session, number) for session in (1, 2) for number in (1, 2, 3, 4)]
    second, _ = make(event, Reach("Bo", sessions=[2]))
    assert reached(second) == [(2, number) for number in (1, 2, 3, 4)]


def test_who_is_signed_in_is_asked_first(olga: Client, event: Tournament) -> None:
    desk_pass, url = make(event, Reach("Table 3", table_number=3))
    response = olga.get(url)
    assert "will be signed out" in response.text
    assert int(olga.session["_auth_user_id"]) != desk_pass.membership.user_id
    assert olga.post(url)["Location"] == desk_url(table(event, 3))
    assert int(olga.session["_auth_user_id"]) == desk_pass.membership.user_id


def test_a_pass_organises_nothing(event: Tournament) -> None:
    visitor = opened(make(event, Reach("Anna"))[1])
    for name in ("organiser_board", "organiser_staff", "organiser_pass_new", "organiser_settings"):
        assert visitor.get(reverse(name, args=[event.slug])).status_code == 403


def test_a_pass_taken_back_or_run_out_stops_the_devices_it_had_opened(event: Tournament) -> None:
    reach = Reach("Table 3", table_number=3)
    (revoked, revoked_url), (expired, expired_url) = make(event, reach), make(event, reach)
    devices = {url: opened(url) for url in (revoked_url, expired_url)}
    hand = record(table(event, 3), wash_out(), Actor.of(revoked.membership.user))
    revoke_passes(event, SYSTEM, [revoked])
    hand.refresh_from_db()
    assert hand.is_current, "what was recorded stays"
    assert hand.recorded_by is not None
    assert hand.recorded_by.first_name == "Table 3"
    over = timezone.now() - timedelta(seconds=1)
    Pass.objects.filter(pk=expired.pk).update(expires_at=over)
    for url, device in devices.items():
        assert wash_out_at(device, table(event, 3)) == 401
        assert Client().get(url).status_code == 410
    wrong = Client().get(reverse("pass", args=["no-such-token"]))
    assert (wrong.status_code, "This access link is no longer valid" in wrong.text) == (410, True)


def test_a_new_card_ends_the_old_one_and_reaches_as_far(event: Tournament) -> None:
    lost, old_url = make(event, Reach("Anna", sessions=[2]))
    new = renew_pass(lost, SYSTEM)
    assert Client().get(old_url).status_code == 410
    assert Client().get(reverse("pass", args=[new.token])).status_code == 302
    membership = new.membership
    assert (membership.everywhere, [session.number for session in membership.sessions.all()]) == (False, [2])


def test_a_card_a_table_is_made_each_with_its_link_and_code(olga: Client, event: Tournament) -> None:
    page = ask(olga, event)
    urls = re.findall(r"<code>(http://testserver/pass/[\w-]{24}/)</code>", page.text)
    assert len(set(urls)) == 4
    assert page.text.count('class="qr"') == 4
    assert "no-store" in page["Cache-Control"]
    path = urls[2].removeprefix("http://testserver")
    assert Client().get(path)["Location"] == desk_url(table(event, 3))
    olga.post(reverse("organiser_passes_revoke", args=[event.slug]))
    assert not Pass.objects.filter(revoked_at=None).exists()
    assert event.log.latest("seq").action == "passes_revoked"
    joined = ask(olga, event, tables="2", network="Mahjong Hall", network_password="pung-chow").text
    assert joined.count('class="qr"') == 2
    assert missing(joined, "Mahjong Hall", "pung-chow") == []


def test_the_token_is_kept_nowhere(olga: Client, event: Tournament) -> None:
    """Passes stand apart from the staff with accounts."""
    match = re.search(r"/pass/([\w-]{24})/", ask(olga, event, tables="2").text)
    assert match
    token, page = match[1], olga.get(reverse("organiser_staff", args=[event.slug]))
    assert token not in page.text
    assert token not in Pass.objects.get().token_hash
    assert token not in str(event.log.latest("seq").data)
    assert [member.user.username for member, _ in page.context["members"]] == ["olga"]
    assert "table 2 in every session" in page.text


def test_what_is_wrong_is_said_at_its_place_and_nothing_is_made(olga: Client, event: Tournament) -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({"tables": "1-9"}, "There is no table 5."),
        ({"tables": "one"}, "is not a list of tables"),
        ({"tables": ""}, "Which tables? Enter at least one."),
        ({"kind": "umpire", "name": " "}, "The name is missing."),
        ({"expires_on": "2020-01-01"}, "That day has passed."),
        ({"expires_on": "9999-12-31"}, "That is more than 366 days from the tournament."),
    ]
    for fields, sentence in cases:
        response = ask(olga, event, **fields)
        assert (response.status_code, sentence in response.text) == (422, True), fields
    assert not Pass.objects.exists()


def order(client: Program, base_url: str, **body: Any) -> Any:
    return client.post(base_url, {"expires_on": timezone.localdate().isoformat(), **body})


def opens(link: str) -> bool:
    return Client().get(urlsplit(link).path).status_code == 302


def test_cards_and_links_are_made_and_their_tokens_told_once(
    organiser_client: Program, base_url: str
) -> None:
    answer = order(organiser_client, base_url, tables=[2, 1], umpires=[{"name": "Uma", "sessions": [2]}])
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    passes = answer.json()
    assert [(card["label"], card["table_number"], card["sessions"]) for card in passes] == [
        ("Table 1", 1, []),
        ("Table 2", 2, []),
        ("Uma", None, [2]),
    ]
    assert all(opens(card["link"]) and card["token"] in card["link"] for card in passes)
    listed = organiser_client.get(base_url)
    assert {card["id"] for card in listed.json()} == {card["id"] for card in passes}
    assert not any(card["token"] in listed.text for card in passes)


def test_a_lost_card_gets_a_new_link_and_one_is_taken_back_then_all(
    organiser_client: Program, base_url: str
) -> None:
    (old,) = order(organiser_client, base_url, tables=[1]).json()
    new = organiser_client.post(f"{base_url}{old['id']}/renewal/").json()
    assert (opens(old["link"]), opens(new["link"]), new["label"]) == (False, True, "Table 1")
    assert organiser_client.delete(base_url).status_code == 204
    first, second, third = order(organiser_client, base_url, tables=[1, 2], umpires=[{"name": "Uma"}]).json()
    assert organiser_client.delete(f"{base_url}{first['id']}/").status_code == 204
    assert [opens(card["link"]) for card in (first, second, third)] == [False, True, True]
    assert organiser_client.delete(base_url).status_code == 204
    assert organiser_client.get(base_url).json() == []
    assert not opens(third["link"])
    assert organiser_client.post(f"{base_url}{first['id']}/renewal/").status_code == 404


def test_what_cannot_be_read_or_done_is_refused(organiser_client: Program, base_url: str) -> None:
    unreadable: tuple[Any, ...] = ({"expires_on": "soon"}, {"tables": [10**30]}, {"umpires": [{"name": ""}]})
    for body in unreadable:
        assert order(organiser_client, base_url, **({"tables": [1]} | body)).status_code == 400, body
    impossible: tuple[tuple[Any, str], ...] = (
        ({}, "tables_not_named"),
        ({"tables": [1, 9]}, "no_such_table"),
        ({"umpires": [{"name": "Uma", "sessions": [3]}]}, "no_such_session"),
        ({"tables": [1], "expires_on": "2020-01-01"}, "pass_already_over"),
    )
    for body, code in impossible:
        assert codes_of(order(organiser_client, base_url, **body)) == [code], body
    assert not Pass.objects.exists()
