"""Passes: links and cards that open the desk without an account; their scope, expiry and API."""

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
from tournament.staff.passes import PassScope
from tournament.staff.services import make_passes, renew_pass, revoke_passes

TOMORROW = timedelta(days=1)

PATH = "passes/"
EVENT_WITH = {"sessions": 2, "running": 0}


def table(event: Tournament, number: int, session: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=event, session__number=session, number=number)


def make(event: Tournament, scope: PassScope) -> tuple[Pass, str]:
    """Return a new pass and its URL."""
    (desk_pass,) = make_passes(event, SYSTEM, [scope], timezone.now() + TOMORROW)
    return desk_pass, reverse("pass", args=[desk_pass.token])


def post_passes(olga: Client, event: Tournament, **changes: object):  # type: ignore[no-untyped-def]
    today = timezone.localdate().isoformat()
    fields = {"kind": "tables", "tables": "1-4", "expires_on": today}
    return olga.post(reverse("organiser_pass_new", args=[event.slug]), fields | changes)


def wash_out_at(client: Client, where: Table) -> int:
    body = {"uuid": str(uuid4()), "number": 1, "outcome": "draw", "table_version": 0}
    return client.post(url_of("api_hands", where), body, content_type="application/json").status_code


def open_pass(url: str) -> Client:
    """Return a device on which the pass was opened."""
    visitor = Client()
    visitor.get(url)
    return visitor


def tables_reached(desk_pass: Pass) -> list[tuple[int, int]]:
    """Return (session, table) of each table that the pass may umpire."""
    actor, tables = Actor.of(desk_pass.membership.user), Table.objects.select_related("session__tournament")
    return sorted((table.session.number, table.number) for table in tables if can_umpire(actor, table))


def test_a_pass_for_a_table_opens_its_desk_in_every_session(event: Tournament) -> None:
    desk_pass, url = make(event, PassScope("Table 3", table_number=3))
    assert tables_reached(desk_pass) == [(1, 3), (2, 3)]
    visitor = Client()
    assert visitor.get(url)["Location"] == desk_url(table(event, 3))
    assert wash_out_at(visitor, table(event, 3)) == 201
    assert event.log.latest("seq").actor_name == "Table 3"
    first = event.sessions.get(number=1)
    for other in first.tables.all():
        if other.number != 3:
            record(other, wash_out())
        hand_in(other, SYSTEM)
    close_session(first, SYSTEM)
    start_session(event.sessions.get(number=2), SYSTEM)
    assert visitor.get(url)["Location"] == desk_url(table(event, 3, session=2))


def test_between_sessions_a_pass_redirects_to_the_list_of_tables() -> None:
    event = make_tournament(sessions=1)
    _, url = make(event, PassScope("Table 3", table_number=3))
    response = Client().get(url, follow=True)
    assert response.redirect_chain[0][0] == reverse("umpire_tables", args=[event.slug])
    assert "Session 1 has not started" in response.text


def test_a_pass_for_a_table_is_valid_in_sessions_that_are_drawn_later() -> None:
    event = make_tournament(drawn=False, players=8)
    desk_pass, _ = make(event, PassScope("Table 2", table_number=2))
    seat_players(event, SYSTEM, seats_for(8, 2))
    assert tables_reached(desk_pass) == [(1, 2), (2, 2)]


def test_an_umpires_pass_is_for_everywhere_or_for_some_sessions(event: Tournament) -> None:
    everywhere, _ = make(event, PassScope("Anna"))
    assert tables_reached(everywhere) == [(session, number) for session in (1, 2) for number in (1, 2, 3, 4)]
    second, _ = make(event, PassScope("Bo", sessions=[2]))
    assert tables_reached(second) == [(2, number) for number in (1, 2, 3, 4)]


def test_a_signed_in_user_is_asked_before_a_pass_is_opened(olga: Client, event: Tournament) -> None:
    desk_pass, url = make(event, PassScope("Table 3", table_number=3))
    response = olga.get(url)
    assert "will be signed out" in response.text
    assert int(olga.session["_auth_user_id"]) != desk_pass.membership.user_id
    assert olga.post(url)["Location"] == desk_url(table(event, 3))
    assert int(olga.session["_auth_user_id"]) == desk_pass.membership.user_id


def test_a_pass_opens_no_page_of_organisers(event: Tournament) -> None:
    visitor = open_pass(make(event, PassScope("Anna"))[1])
    for name in ("organiser_board", "organiser_staff", "organiser_pass_new", "organiser_rules"):
        assert visitor.get(reverse(name, args=[event.slug])).status_code == 403


def test_a_revoked_or_expired_pass_signs_its_devices_out(event: Tournament) -> None:
    scope = PassScope("Table 3", table_number=3)
    (revoked, revoked_url), (expired, expired_url) = make(event, scope), make(event, scope)
    devices = {url: open_pass(url) for url in (revoked_url, expired_url)}
    hand = record(table(event, 3), wash_out(), Actor.of(revoked.membership.user))
    revoke_passes(event, SYSTEM, [revoked])
    hand.refresh_from_db()
    assert hand.is_current, "its hands stay"
    assert hand.recorded_by is not None
    assert hand.recorded_by.first_name == "Table 3"
    over = timezone.now() - timedelta(seconds=1)
    Pass.objects.filter(pk=expired.pk).update(expires_at=over)
    for url, device in devices.items():
        assert wash_out_at(device, table(event, 3)) == 401
        assert Client().get(url).status_code == 410
    unknown = Client().get(reverse("pass", args=["no-such-token"]))
    assert (unknown.status_code, "This access link is no longer valid" in unknown.text) == (410, True)


def test_a_renewed_pass_has_the_same_scope_and_ends_the_old_one(event: Tournament) -> None:
    lost, old_url = make(event, PassScope("Anna", sessions=[2]))
    new = renew_pass(lost, SYSTEM)
    assert Client().get(old_url).status_code == 410
    assert Client().get(reverse("pass", args=[new.token])).status_code == 302
    membership = new.membership
    assert (membership.everywhere, [session.number for session in membership.sessions.all()]) == (False, [2])


def test_each_table_gets_a_card_with_its_link_and_qr_code(olga: Client, event: Tournament) -> None:
    page = post_passes(olga, event)
    urls = re.findall(r"<code>(http://testserver/pass/[\w-]{24}/)</code>", page.text)
    assert len(set(urls)) == 4
    assert page.text.count('class="qr"') == 4
    assert "no-store" in page["Cache-Control"]
    path = urls[2].removeprefix("http://testserver")
    assert Client().get(path)["Location"] == desk_url(table(event, 3))
    olga.post(reverse("organiser_passes_revoke", args=[event.slug]))
    assert not Pass.objects.filter(revoked_at=None).exists()
    assert event.log.latest("seq").action == "passes_revoked"
    text = post_passes(olga, event, tables="2", network="Mahjong Hall", network_password="pung-chow").text
    assert text.count('class="qr"') == 2
    assert missing(text, "Mahjong Hall", "pung-chow") == []


def test_the_token_of_a_pass_is_not_stored(olga: Client, event: Tournament) -> None:
    """Passes are not listed with the members."""
    match = re.search(r"/pass/([\w-]{24})/", post_passes(olga, event, tables="2").text)
    assert match
    token, page = match[1], olga.get(reverse("organiser_staff", args=[event.slug]))
    assert token not in page.text
    assert token not in Pass.objects.get().token_hash
    assert token not in str(event.log.latest("seq").data)
    assert [member.user.username for member, *_ in page.context["members"]] == ["olga"]
    assert "table 2 in every session" in page.text


def test_problems_of_new_passes(olga: Client, event: Tournament) -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({"tables": "1-9"}, "There is no table 5."),
        ({"tables": "one"}, "is not a list of tables"),
        ({"tables": ""}, "Which tables? Enter at least one."),
        ({"kind": "umpire", "name": " "}, "The name is missing."),
        ({"expires_on": "2020-01-01"}, "That day has passed."),
        ({"expires_on": "9999-12-31"}, "That is more than 366 days from the tournament."),
    ]
    for fields, sentence in cases:
        response = post_passes(olga, event, **fields)
        assert (response.status_code, sentence in response.text) == (422, True), fields
    assert not Pass.objects.exists()


def post_api(client: Program, base_url: str, **body: Any) -> Any:
    return client.post(base_url, {"expires_on": timezone.localdate().isoformat(), **body})


def opens(link: str) -> bool:
    return Client().get(urlsplit(link).path).status_code == 302


def test_the_api_returns_the_tokens_of_new_passes_once(organiser_client: Program, base_url: str) -> None:
    answer = post_api(organiser_client, base_url, tables=[2, 1], umpires=[{"name": "Uma", "sessions": [2]}])
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


def test_the_api_renews_a_pass_and_revokes_one_or_all(organiser_client: Program, base_url: str) -> None:
    (old,) = post_api(organiser_client, base_url, tables=[1]).json()
    new = organiser_client.post(f"{base_url}{old['id']}/renewal/").json()
    assert (opens(old["link"]), opens(new["link"]), new["label"]) == (False, True, "Table 1")
    assert organiser_client.delete(base_url).status_code == 204
    first, second, third = post_api(
        organiser_client, base_url, tables=[1, 2], umpires=[{"name": "Uma"}]
    ).json()
    assert organiser_client.delete(f"{base_url}{first['id']}/").status_code == 204
    assert [opens(card["link"]) for card in (first, second, third)] == [False, True, True]
    assert organiser_client.delete(base_url).status_code == 204
    assert organiser_client.get(base_url).json() == []
    assert not opens(third["link"])
    assert organiser_client.post(f"{base_url}{first['id']}/renewal/").status_code == 404


def test_invalid_and_impossible_passes_are_refused(organiser_client: Program, base_url: str) -> None:
    invalid: tuple[Any, ...] = ({"expires_on": "soon"}, {"tables": [10**30]}, {"umpires": [{"name": ""}]})
    for body in invalid:
        assert post_api(organiser_client, base_url, **({"tables": [1]} | body)).status_code == 400, body
    impossible: tuple[tuple[Any, str], ...] = (
        ({}, "tables_not_named"),
        ({"tables": [1, 9]}, "no_such_table"),
        ({"umpires": [{"name": "Uma", "sessions": [3]}]}, "no_such_session"),
        ({"tables": [1], "expires_on": "2020-01-01"}, "pass_already_over"),
    )
    for body, code in impossible:
        assert codes_of(post_api(organiser_client, base_url, **body)) == [code], body
    assert not Pass.objects.exists()
