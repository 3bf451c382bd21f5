"""Every address × every role, a token × every step, and what no page of ours sends: who is let in, and never a crash.

Addresses are read from the URL configuration and bodies from the API's own description, so that a new address and a new
field are tried the day they are added. The test's client raises what the server would log as an error.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern
from drf_spectacular.generators import SchemaGenerator

from tests.house.addresses import ADDRESSES, addresses, parameters_of, route_of, steps
from tests.house.event import House, client_for, status_of
from tests.house.url_rights import URL_RIGHTS
from tests.support.checks import VALUES
from tests.support.factories import make_api_token, make_member
from tests.support.sampling import sample
from tournament.base import access
from tournament.base.access import RIGHTS, Actor, Right
from tournament.base.models.people import ApiToken, Visit
from tournament.base.models.tournament import Role, Tournament

pytestmark = pytest.mark.django_db
Request = tuple[str, str, str]
"""Who asks, by which method, for which address."""
OUTSIDERS = ("visitor", "player", "umpire elsewhere", "organiser elsewhere")
INSIDERS = ("umpire", "organiser")
WRITES = ("post", "put", "patch", "delete")
SOME_OR_ALL = pytest.mark.parametrize(
    "size", [60, pytest.param(10**5, marks=pytest.mark.thorough)], ids=["some", "all"]
)
"""Before each commit so many requests, other ones each run; in CI every address."""
NONSENSE = ("{}", "[]", "null", '"text"', "{", '{"uuid": 3, "tiles": [], "winner": {}}')

OWN_ACCOUNT = {
    *("login", "login_code", "logout", "password_change", "set_language", "api_token", "setup", "appearance"),
    *("password_forgotten", "password_new"),
    *("second_factor_begin", "second_factor", "second_factor_disable", "recovery_codes"),
    *("visit_end", "visits_end_others", "token_revoke", "token_new"),
}
"""What anybody may do to their own visit and account: sign in and out, choose language and appearance."""
ANYBODYS = {
    *("api_score", "api_evening", "api_mers_score", "api_mers_quotas"),
    *("calculator", "calculator_score", "calculator_systems", "classical"),
}
"""Pages that compute and store nothing."""
CALLING = {"call_umpire", "api_table_calls"}
"""What may be written without an account: a player's call from the table, within limits (tests/play/test_hall.py,
tests/play/test_calls_api.py)."""
AT_THE_DOOR = {"check_in", "check_in_undo"}
"""Where people check themselves in, by the code of the screen at the door alone
(tests/players/test_check_in_pages.py)."""
INVITED = {"invitation", "api_invitation_accept"}
"""Where a token that nobody guesses is asked for (tests/staff/test_staff.py)."""
OUTSIDERS_WRITE = OWN_ACCOUNT | ANYBODYS | CALLING | AT_THE_DOOR | INVITED
CREATING = {
    *("organiser_new", "organiser_trials", "organiser_from_file", "organiser_home"),
    *("api_tournaments", "api_tournament_files"),
}
"""Where an organiser of another tournament may make one of their own."""
KEEPING = {
    *("persons", "persons_merge", "persons_undo", "persons_visibility", "persons_erase"),
    *("api_person", "api_person_merging"),
}
"""Where an organiser of any tournament says who is who across them
(tests/people/test_people_pages.py, docs/organisers/check-in.md)."""
FOR_UMPIRES = {
    "api_call": "who goes to a table where somebody called says so, and says when it is done",
    "api_own_registration": "whoever has the link of a registration confirms, changes and cancels it",
    "api_registrations": "anybody registers, while the event takes registrations",
    "api_clock_step": "an umpire of all the hall stops its clock when something happens in it",
}
"""Addresses of a whole tournament that an umpire's program writes to, with the reason."""
NINETY_NINE: dict[str, Any] = {"number": 99, "table": 99, "hand": 99}
"""What there is not in an event so small."""
FUZZED = 150
"""Of all addresses, others each run: each kind of nonsense is refused in one place for all of them."""
METHODS = ("get", "post", "put", "patch", "delete")
SHUT = (401, 403, 404, 405)
"""Not for who asks, or there is no such step."""
OF_ACCOUNTS = ("api_token", "api_invitation_accept")
"""By a password, and by an invitation: tests/accounts/test_account.py."""
BODIES = (
    *("[" * 200_000, '{"a":' * 100_000, "9" * 6_000, '{"table_version": 1e400, "uuid": NaN}'),
    *('"\\ud800"', '{"username": "\\ud800", "password": "\\udfff", "reason": "\\u0000"}', "\x00"),
)
"""JSON that is none, is too deep, or holds what no text holds."""
QUERIES = (
    *("q=%00", "q=%ED%A0%80", "page=-1", "since=1e400", "%FF=%FF"),
    *(f"page={'9' * 5_000}", f"session={'9' * 30}"),
)


def stored_rows() -> dict[str, list[Any]]:
    """Every row of the product's own tables and of the accounts, but for visits and sign-ins."""
    rows = {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.app_label in ("tournament", "penalties", "auth", "otp_totp", "otp_static")
        if model not in (Visit, ApiToken)
    }
    for user in rows["auth.User"]:
        del user["last_login"]
    return rows


def sample_role(roles: tuple[str, ...], key: str) -> list[str]:
    """One of these roles, another one for each key and each run."""
    return sample(roles, 1, key=key)


def write(client: Client, method: str, url: str, body: str = "{}") -> Any:
    return getattr(client, method)(url, data=body, content_type="application/json")


def is_to_login(response: Any) -> bool:
    return bool(response.status_code == 302 and response["Location"].startswith("/login/"))


def admitted(house: House, requests: list[Request], *refusals: int) -> list[str]:
    """The requests that are not turned down, neither by such a status nor, of outsiders, by asking to sign in."""
    clients = {role: house.client(role) for role in (*OUTSIDERS, *INSIDERS)}
    answers = {}
    for role, method, url in requests:
        client = clients[role]
        answers[role, method, url] = client.get(url) if method == "get" else write(client, method, url)
    return [
        f"{method} {url} by {role}: {response.status_code}"
        for (role, method, url), response in answers.items()
        if not ((role in OUTSIDERS and is_to_login(response)) or response.status_code in refusals)
    ]


@SOME_OR_ALL
def test_outsiders_write_nothing_anywhere(house: House, size: int) -> None:
    of_an_organiser, requests = OUTSIDERS_WRITE | CREATING | KEEPING, list[Request]()
    for (name, url), method in product(house.urls(), WRITES):
        roles = OUTSIDERS if name not in of_an_organiser else OUTSIDERS[:-1]
        if name not in OUTSIDERS_WRITE:
            requests += [(role, method, url) for role in sample_role(roles, f"{method} {url}")]
    before = stored_rows()
    assert admitted(house, sample(requests, size), 401, 403, 404, 405, 410) == []
    assert stored_rows() == before


@pytest.mark.thorough
def test_outsiders_read_nothing_of_a_private_tournament(house: House) -> None:
    urls = house.urls(house.private, where=lambda _, entry: "slug" in parameters_of(entry))
    requests = [(role, "get", url) for _, url in urls for role in sample_role(OUTSIDERS, url)]
    assert admitted(house, requests, 401, 403, 404, 405) == []


@pytest.mark.parametrize("role", sample(OUTSIDERS, 1))
@pytest.mark.thorough
def test_no_other_page_or_list_reveals_a_private_tournament(house: House, role: str) -> None:
    """Neither its name nor anybody in it: what reads several tournaments, or searches, reads those one may see.

    Addresses of one tournament are sampled.
    """
    Tournament.objects.filter(pk=house.private.pk).update(name="Zzyzx Closed", venue="Zzyzx Hall")
    house.private.players.update(last_name="Zzyzx", team="Zzyzx")
    client, telling = house.client(role), []
    pages = list(house.urls())
    of_several = [url for name, url in pages if name not in URL_RIGHTS]
    of_another = sample([url for name, url in pages if name in URL_RIGHTS], 100)
    for url, query in (*product(of_several, ("", "?q=zzy")), *product(of_another, ("",))):
        response = client.get(url + query)
        if not response.streaming and b"zzyzx" in response.content.lower():
            telling.append(url + query)
    assert telling == []


@pytest.mark.thorough
def test_no_address_of_what_does_not_exist_crashes(house: House) -> None:
    """Other addresses are visited by tests/house/test_confidential.py, with a client that raises too."""
    urls = house.urls(where=lambda _, entry: bool(parameters_of(entry) & NINETY_NINE.keys()), **NINETY_NINE)
    clients = {role: house.client(role) for role in (*OUTSIDERS, *INSIDERS)}
    visits = [(role, url) for _, url in urls for role in sample_role((*clients,), url)]
    assert [visit for visit in visits if clients[visit[0]].get(visit[1]).status_code >= 500] == []


def test_url_steps_match_the_steps_of_their_views() -> None:
    """What has no steps gives a list by its name (tests/house/test_templates.py)."""
    views = ((entry, words, vars(entry.callback).get("view_class")) for entry, words in steps())
    known = {
        entry.name: (set(words), set(view_steps))
        for entry, words, view in views
        if (view_steps := getattr(view, "steps", None))
    }
    assert len(known) >= 2
    assert [name for name, (words, view_steps) in known.items() if words != view_steps] == []


@pytest.mark.thorough
def test_no_address_crashes_on_nonsense(house: House) -> None:
    """A drawn body at each drawn address, from an organiser or from an umpire."""
    clients = {role: house.client(role) for role in INSIDERS}
    crashed = [
        f"{url} {body} by {role}"
        for name, url in sample(house.urls(), FUZZED)
        for role, body in sample(product(INSIDERS, NONSENSE), 1, key=url)
        if name != "logout" and write(clients[role], "post", url, body).status_code >= 500
    ]
    assert crashed == []


def is_of_a_whole_tournament(entry: URLPattern) -> bool:
    """What a program writes about a tournament, not at a table of its session."""
    route = route_of(entry)
    return route.startswith("api/") and "slug" in parameters_of(entry) and "/tables/" not in route


@SOME_OR_ALL
def test_an_umpire_does_not_organise(house: House, size: int) -> None:
    """Neither on pages nor by a program; nor is anything read that is for others."""
    requests = list[Request]()
    for name, entry in ADDRESSES:
        methods: tuple[str, ...] = ()
        if name.startswith("organiser_") and "slug" in parameters_of(entry):
            methods = ("post", "get")
        elif is_of_a_whole_tournament(entry):
            methods = WRITES if name not in FOR_UMPIRES else ()
            methods += () if URL_RIGHTS[name][0] & RIGHTS[Role.UMPIRE] else ("get",)
        urls = addresses(entry, name, house.kwargs(house.public)) if methods else []
        requests += [("umpire", method, url) for method, url in product(methods, urls)]
    before = stored_rows()
    assert admitted(house, sample(requests, size), 403, 405) == []
    assert stored_rows() == before


def test_an_umpires_token_may_write_only_to_listed_endpoints(house: House) -> None:
    client = house.client("umpire")
    admitted = {
        name
        for (name, url), method in product(house.urls(where=lambda name, _: name in FOR_UMPIRES), WRITES)
        if write(client, method, url).status_code not in (403, 405)
    }
    assert admitted == set(FOR_UMPIRES)


def test_every_event_url_declares_its_rights() -> None:
    """A new one fails here until tests/data/url-rights.txt has it."""
    assert {name for name, entry in ADDRESSES if "slug" in parameters_of(entry)} == set(URL_RIGHTS)


@pytest.mark.thorough
def test_each_role_has_access_exactly_where_its_rights_allow(house: House) -> None:
    """At each address a role that is let in and one that is not, other ones each run."""
    urls, wrong = defaultdict(list), []
    for name, url in house.urls(where=lambda name, _: name in URL_RIGHTS):
        urls[name].append(url)
    clients = {role: house.client(str(role.label)) for role in Role}
    for name, (readers, writers) in URL_RIGHTS.items():
        writes = WRITES if name.startswith("api_") else WRITES[:1]
        for methods, rights in ((("get",), readers), (writes, writers)):
            for role in roles_with_and_without(rights):
                requests = product(methods, urls[name])
                admitted = any(status_of(clients[role], *request) not in (403, 405) for request in requests)
                if admitted != bool(rights & RIGHTS[role]):
                    wrong.append(f"{name} {methods}: {role} is {'' if admitted else 'not '}let in")
    assert wrong == []


def roles_with_and_without(rights: frozenset[Right]) -> Iterable[Role]:
    having = [role for role in Role if rights & RIGHTS[role]]
    return sample(having, 1) + sample([role for role in Role if role not in having], 1)


def is_a_step(name: str, entry: URLPattern) -> bool:
    return route_of(entry).startswith("api/v1/") and name not in OF_ACCOUNTS


def open_steps(client: Client, house: House, event: Tournament) -> set[str]:
    """The steps, of 200 that are drawn, at which somebody is let in; what they write there is undone."""
    steps = [(method, url) for (_, url), method in product(house.urls(event, where=is_a_step), METHODS)]
    chosen = sample(steps, 200, key=event.slug)
    return {f"{method} {url}" for method, url in chosen if status_of(client, method, url) not in SHUT}


def program(user: Any, scope: str, *events: Tournament) -> Client:
    """One with a token of that account: for these events, or for everything."""
    token, text = make_api_token(user, scope=scope, everywhere=not events)
    token.tournaments.set(events)
    return Client(headers={"Authorization": f"Bearer {text}"})


@pytest.mark.parametrize("role", sample(Role, 1))
@pytest.mark.thorough
def test_an_owners_token_limited_to_a_role_has_the_access_of_that_role(house: House, role: Role) -> None:
    owner, other = house.people[str(Role.OWNER.label)], make_member(house.public, role, "somebody-else")
    by_token = open_steps(program(owner, role, house.public), house, house.public)
    assert by_token == open_steps(client_for(other), house, house.public) - OF_SEVERAL_EVENTS


OF_SEVERAL_EVENTS = {"patch /api/v1/people/1/", "post /api/v1/people/1/merging/"}
"""What no token of one event may change."""


@pytest.mark.parametrize("role", sample(Role, 1))
@pytest.mark.thorough
def test_an_unlimited_token_has_the_access_of_its_account(house: House, role: Role) -> None:
    user = house.people[str(role.label)]
    by_token = open_steps(program(user, ApiToken.ALL), house, house.public)
    assert by_token == open_steps(client_for(user), house, house.public)


@pytest.mark.thorough
def test_a_token_has_the_rights_common_to_its_account_and_scope(house: House) -> None:
    for role, scope in product(Role, Role):
        user = house.people[str(role.label)]
        token, _ = make_api_token(user, scope=scope)
        passed_on = access.rights_in(Actor.of(user, access.token_grant(token)), house.public)
        assert passed_on == RIGHTS[role] & RIGHTS[scope], (role, scope)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("role", "scope"),
    sample([(Role.UMPIRE, Role.CHIEF), (Role.DESK, Role.ORGANISER), (Role.SCORER, Role.UMPIRE)], 1),
)
def test_a_token_never_exceeds_its_account(house: House, role: Role, scope: Role) -> None:
    user = house.people[str(role.label)]
    by_token = open_steps(program(user, scope, house.public), house, house.public)
    assert by_token == open_steps(client_for(user), house, house.public)


@pytest.mark.thorough
def test_a_token_gives_no_access_to_other_events(house: House) -> None:
    owner = house.people[str(Role.OWNER.label)]
    house.private.memberships.create(user=owner, role=Role.OWNER)
    of_the_other = open_steps(program(owner, ApiToken.ALL, house.private), house, house.public)
    assert of_the_other == open_steps(client_for(house.people["player"]), house, house.public)
    elsewhere = open_steps(program(owner, ApiToken.ALL, house.public), house, house.private)
    assert not any("/private/" in step for step in elsewhere)


def attack(client: Client, method: str, url: str, body: str = "") -> tuple[int, list[str]]:
    """The status of the answer, 0 where there is none, and what went wrong, if something did."""
    try:
        response = getattr(client, method)(url, data=body, content_type="application/json")
    except Exception as fault:
        return 0, [f"{method} {url:.200} {body[:40]!r}: {fault!r:.200}"]
    status = response.status_code
    return status, [f"{method} {url:.200} {body[:40]!r}: {status}"] if status >= 500 else []


@pytest.mark.thorough
def test_no_malformed_body_crashes(house: House) -> None:
    """A drawn body and method at each drawn address."""
    client, crashes = house.client("organiser"), []
    for _, url in sample(house.urls(where=lambda name, _: name != "logout"), FUZZED):
        for method, body in sample(product(WRITES, BODIES), 1, key=url):
            crashes += attack(client, method, url, body)[1]
    assert crashes == []


@pytest.mark.thorough
def test_no_malformed_query_crashes(house: House) -> None:
    client, crashes = house.client("organiser"), []
    for _, url in sample(house.urls(), FUZZED):
        for query in sample(QUERIES, 1, key=url):
            crashes += attack(client, "get", f"{url}?{query}")[1]
    assert crashes == []


@pytest.mark.thorough
def test_options_requests_do_not_crash(house: House) -> None:
    client, urls = house.client("visitor"), sample(house.urls(), FUZZED)
    assert [wrong for _, url in urls for wrong in attack(client, "options", url)[1]] == []


def example_of(schema: dict[str, Any], parts: dict[str, Any], depth: int = 0) -> Any:
    """A value of that description, as simple as it may be."""
    if "$ref" in schema:
        return example_of(parts[schema["$ref"].rpartition("/")[2]], parts, depth + 1)
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return example_of(schema[several][0], parts, depth + 1)
    if schema.get("enum"):
        return schema["enum"][0]
    if depth > 8:
        return None
    kind, form = schema.get("type"), schema.get("format")
    if isinstance(kind, list):  # OpenAPI 3.1: ["string", "null"]
        kind = next(name for name in kind if name != "null")
    if kind == "object":
        fields = schema.get("properties", {})
        return {key: example_of(field, parts, depth + 1) for key, field in fields.items()}
    if kind == "array":
        return [example_of(schema["items"], parts, depth + 1)]
    texts = {"uuid": str(UUID(int=1)), "date-time": "2026-03-01T10:00:00Z", "date": "2026-03-01"}
    return {"integer": 1, "number": 1, "boolean": False}.get(kind or "", texts.get(form or "", "a"))


def with_unexpected_values(body: Any, where: str) -> Iterator[Any]:
    """The body with drawn values in the place of each of its fields, those inside others too."""
    fields = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, field in fields:
        at = f"{where} {key}"
        for value in (*sample(VALUES, 1, key=at), *with_unexpected_values(field, at)):
            changed = body.copy()
            changed[key] = value
            yield changed


@pytest.mark.thorough
def test_no_unexpected_field_value_crashes(house: House) -> None:
    schema: Any = SchemaGenerator().get_schema(request=None, public=True)
    client, crashes, count = house.client("organiser"), [], 0
    kwargs = house.kwargs(house.public)
    kwargs |= {"step": "start", "id": kwargs["pk"]}
    for path, operations in sample(schema["paths"].items(), 60):
        for method in operations.keys() & set(WRITES):
            content = operations[method].get("requestBody", {}).get("content", {})
            if "application/json" not in content:
                continue
            body = example_of(content["application/json"]["schema"], schema["components"]["schemas"])
            for changed in with_unexpected_values(body, f"{method} {path}"):
                crashes += attack(client, method, path.format_map(kwargs), json.dumps(changed))[1]
                count += 1
    assert crashes == []
    assert count > 50
