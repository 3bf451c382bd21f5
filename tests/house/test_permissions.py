"""Every address × every role: who is let in, who can write, and that nobody ever meets a crash.

The addresses are read from the URL configuration, so a new one is tested the day it is added.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern

from tests.house.addresses import ADDRESSES, NAMES, addresses, filled_in, route_of, steps
from tests.house.event import House
from tests.support.sampling import sample
from tournament.models import ApiToken, LogEntry, Tournament, Visit

pytestmark = pytest.mark.django_db

OUTSIDERS = ("visitor", "player", "umpire elsewhere", "organiser elsewhere")
INSIDERS = ("umpire", "organiser")
"""All roles at all addresses: tests/house/test_url_rights.py."""
WRITES = ("post", "put", "patch", "delete")

OWN_ACCOUNT = {
    *("login", "login_code", "logout", "password_change", "set_language", "api_token", "setup", "appearance"),
    *("second_factor_begin", "second_factor", "second_factor_off", "recovery_codes"),
    *("visit_end", "visits_end_others", "token_end", "token_new"),
}
"""What anybody may do to their own visit and account: sign in and out, choose language and appearance."""

ANYBODYS = {
    *("api_score", "api_evening", "api_mers_score", "api_mers_quotas"),
    *("calculator", "calculator_score", "calculator_systems", "classical"),
}
"""Pages that compute and store nothing."""

CALLING = {"call_umpire", "api_table_calls"}
"""What may be written without an account: a player's call from the table, within limits (tests/web/test_calls.py,
tests/api/test_calls.py)."""

AT_THE_DOOR = {"check_in", "check_in_undo"}
"""Where people check themselves in, by the code of the screen at the door alone (tests/web/test_check_in.py)."""
WITHIN_LIMITS = CALLING | AT_THE_DOOR


INVITED = {"invitation", "api_invitation_accept"}
"""Where a token that nobody guesses is asked for (tests/services/test_invitations.py)."""


@pytest.fixture
def house() -> House:
    return House()


def everything() -> dict[str, list[Any]]:
    """Every row of the product's own tables and of the accounts, but for visits and sign-ins."""
    ours = [
        m
        for m in apps.get_models()
        if m._meta.app_label in ("tournament", "penalties", "auth", "otp_totp", "otp_static")
        if m not in (Visit, ApiToken)
    ]
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in ours}


def without_sign_ins(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    users = [{key: value for key, value in row.items() if key != "last_login"} for row in rows["auth.User"]]
    return rows | {"auth.User": users}


def roles(*all_of_them: str, always: tuple[str, ...]) -> pytest.MarkDecorator:
    """`always`, and one of the other roles in turn: every address takes seconds a role."""
    return pytest.mark.parametrize("role", sample(all_of_them, 1, always=always))


@roles(*OUTSIDERS, always=("visitor",))
def test_outsiders_write_nothing_anywhere(house: House, role: str) -> None:
    client, before = house.client(role), without_sign_ins(everything())
    let_in = []
    for name, entry in ADDRESSES:
        if name in OWN_ACCOUNT | ANYBODYS | WITHIN_LIMITS | INVITED or (
            role == "organiser elsewhere" and name in CREATING | KEEPING
        ):
            continue
        for url, method in product(addresses(entry, name, house.kwargs(house.public)), WRITES):
            answer = getattr(client, method)(url, data="{}", content_type="application/json")
            if answer.status_code not in (302, 401, 403, 404, 405, 410):
                let_in.append(f"{method} {url}: {answer.status_code}")
            elif answer.status_code == 302 and not answer["Location"].startswith("/login/"):
                let_in.append(f"{method} {url}: to {answer['Location']}")
    assert let_in == []
    assert without_sign_ins(everything()) == before


CREATING = {
    *("organiser_new", "organiser_trials", "organiser_from_file", "organiser_home"),
    *("api_tournaments", "api_tournament_files"),
}
"""Where an organiser of another tournament may make one of their own."""

KEEPING = {
    "persons",
    "persons_merge",
    "persons_undo",
    "persons_shown",
    "persons_erase",
    "api_person",
    "api_person_merging",
}
"""Where an organiser of any tournament says who is who across them (tests/web/test_people.py, docs/people.md)."""


@roles(*OUTSIDERS, always=("visitor",))
def test_outsiders_read_nothing_of_a_private_tournament(house: House, role: str) -> None:
    client, seen = house.client(role), []
    for name, entry in ADDRESSES:
        if "slug" not in filled_in(entry):
            continue
        for url in addresses(entry, name, house.kwargs(house.private)):
            answer = client.get(url)
            to_login = answer.status_code == 302 and answer["Location"].startswith("/login/")
            if not to_login and answer.status_code not in (401, 403, 404, 405):
                seen.append(f"{url}: {answer.status_code}")
    assert seen == []


@roles(*OUTSIDERS, always=())
def test_no_page_list_feed_or_figure_elsewhere_knows_of_a_private_tournament(house: House, role: str) -> None:
    """Neither its name nor anybody in it: what reads several tournaments, or searches, reads those one may see."""
    Tournament.objects.filter(pk=house.private.pk).update(name="Zzyzx Closed", venue="Zzyzx Hall")
    house.private.players.update(last_name="Zzyzx", team="Zzyzx")
    client, telling = house.client(role), []
    for name, entry in ADDRESSES:
        for url, query in product(addresses(entry, name, house.kwargs(house.public)), ("", "?q=zzy")):
            answer = client.get(url + query)
            if not answer.streaming and b"zzyzx" in answer.content.lower():
                telling.append(url + query)
    assert telling == []


@roles(*OUTSIDERS, *INSIDERS, always=())
def test_no_address_crashes_on_a_visit(house: House, role: str) -> None:
    client = house.client(role)
    crashed = []
    for name, entry in ADDRESSES:
        for facts in (
            house.kwargs(house.public),
            {**house.kwargs(house.public), "number": 99, "table": 99, "hand": 99},
        ):
            crashed += [url for url in addresses(entry, name, facts) if client.get(url).status_code >= 500]
    assert crashed == []


def test_every_step_of_an_address_is_a_step_of_its_view() -> None:
    views = ((entry, words, vars(entry.callback).get("view_class")) for entry, words in steps())
    # What has no steps gives a list by its name (tests/house/test_downloads.py).
    known = {
        entry.name: (set(words), set(taken))
        for entry, words, view in views
        if (taken := getattr(view, "steps", None))
    }
    assert len(known) >= 2
    assert [name for name, (words, taken) in known.items() if words != taken] == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    "body", ["{}", "[]", "null", '"text"', "{", '{"uuid": 3, "tiles": [], "winner": {}}']
)
@pytest.mark.parametrize("role", INSIDERS)
def test_no_address_crashes_on_nonsense(house: House, role: str, body: str) -> None:
    client = house.client(role)
    crashed = []
    for name, entry in ADDRESSES:
        if name == "logout":
            continue
        for url in addresses(entry, name, house.kwargs(house.public)):
            if client.post(url, data=body, content_type="application/json").status_code >= 500:
                crashed.append(url)
    assert crashed == []


@pytest.mark.thorough
def test_an_umpire_does_not_organise(house: House) -> None:
    client = house.client("umpire")
    before = LogEntry.objects.count()
    let_in = [
        url
        for name, entry in ADDRESSES
        if name.startswith("organiser_") and "slug" in filled_in(entry)
        for url in addresses(entry, name, house.kwargs(house.public))
        if client.post(url).status_code not in (403, 405) or client.get(url).status_code not in (403, 405)
    ]
    assert let_in == []
    assert LogEntry.objects.count() == before


FOR_UMPIRES = {
    "api_call": "who goes to a table where somebody called says so, and says when it is done",
    "api_own_registration": "whoever has the link of a registration confirms, changes and cancels it",
    "api_registrations": "anybody registers, while the event takes registrations",
    "api_clock_step": "an umpire of all the hall stops its clock when something happens in it",
}
"""Addresses of a whole tournament that an umpire writes to, with the reason."""


def of_a_whole_tournament(entry: URLPattern) -> bool:
    """What a program writes about a tournament, not at a table of its session."""
    return (
        route_of(entry).startswith("api/")
        and "slug" in filled_in(entry)
        and "/tables/" not in route_of(entry)
    )


def lets_in(client: Client, house: House, name: str, entry: URLPattern) -> list[str]:
    """The writes at this address that are not turned down for who asks."""
    return [
        f"{method} {url}: {answer.status_code}"
        for url, method in product(addresses(entry, name, house.kwargs(house.public)), WRITES)
        for answer in [getattr(client, method)(url, data="{}", content_type="application/json")]
        if answer.status_code not in (403, 405)
    ]


@pytest.mark.thorough
def test_an_umpires_program_does_not_organise(house: House) -> None:
    client = house.client("umpire")
    before = everything()
    let_in = [
        said
        for name, entry in ADDRESSES
        if of_a_whole_tournament(entry) and name not in FOR_UMPIRES
        for said in lets_in(client, house, name, entry)
    ]
    assert let_in == []
    assert everything() == before


def test_an_umpires_program_is_let_in_where_it_is_said(house: House) -> None:
    client = house.client("umpire")
    wide = {name: entry for name, entry in ADDRESSES if of_a_whole_tournament(entry)}
    assert [name for name in FOR_UMPIRES if not lets_in(client, house, name, wide[name])] == []


def test_the_public_pages_need_no_login(house: House) -> None:
    visitor: Callable[[str], Any] = house.client("visitor").get
    public = (
        "home",
        "tournament",
        "ranking",
        "session_page",
        "table_page",
        "draw_page",
        "players_page",
        "player_page",
    )
    refused = {
        name: status
        for name, entry in ADDRESSES
        if name in public
        for url in addresses(entry, name, house.kwargs(house.public))
        if (status := visitor(url).status_code) != 200
    }
    assert set(public) <= set(NAMES)
    assert refused == {}
