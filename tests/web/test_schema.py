"""The API as its schema says: examples, what an owner reads, pages of lists, steps in a row, hostile programs."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from tests.house.addresses import ADDRESSES, addresses, alternatives_of, route_of, routes
from tests.house.event import House
from tests.support.factories import SYSTEM, make_member, make_tournament, make_user
from tests.support.programs import ROOT, Program, client_of, codes_of, published_schema
from tests.support.sampling import sample
from tournament.accounts.services import make_token
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.people.services import link_players
from tournament.site.api.published import render_schema
from tournament.web.api import base
from tournament.web.api.schema import EXAMPLES, PAGED_BY

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
FEW = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), database=None)

AT = "sessions/1/tables/1/"
EVENT_WITH = {"players": 8, "sessions": 2, "played": 1}


def test_the_schema_is_rendered_once_per_language_and_format(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a second of the processor, and anybody may ask for it."""
    drawn: list[str | None] = []

    def draw(_generator: SchemaGenerator, **_more: Any) -> dict[str, Any]:
        drawn.append(get_language())
        return {"openapi": "3.1.0"}

    monkeypatch.setattr(SchemaGenerator, "get_schema", draw)
    render_schema.cache_clear()
    there = reverse("api_schema")
    try:
        for _ in range(2):
            assert client.get(there).text == "openapi: 3.1.0\n"
            assert client.get(there, {"format": "json"}).json() == {"openapi": "3.1.0"}
            client.get(there, {"lang": "zh-hant"})
            client.get(there, headers={"accept-language": "zh-hant"})
            client.get(there, {"lang": "nowhere"})
    finally:
        render_schema.cache_clear()
    assert drawn == ["en", "en", "zh-hant"]


def written_out(path: str, methods: Mapping[str, Any]) -> list[str]:
    """A path of the schema, with each of the words that may stand in it."""
    urls = [path]
    for parameter in next(iter(methods.values())).get("parameters", ()):
        if parameter["in"] == "path" and (words := alternatives_of(parameter["schema"].get("pattern", ""))):
            urls = [url.replace(f"{{{parameter['name']}}}", word) for url in urls for word in words]
    return urls


def nameless(path: str) -> str:
    """A path of the schema, or a route, without the names of what is filled in."""
    return "/" + re.sub(r"<[^>]+>|\{[^}]+\}", "{}", path).strip("/") + "/"


def test_the_schema_has_every_address_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    assert schema["openapi"] == "3.1.0"
    described = [url for path, methods in schema["paths"].items() for url in written_out(path, methods)]
    there = [nameless(route) for route in routes() if route.startswith("api/v1/")]
    assert sorted(map(nameless, described)) == sorted(there)
    assert capsys.readouterr().err == ""


@pytest.mark.thorough
def test_the_documentation_is_public() -> None:
    assert [Program().get(reverse(name)).status_code for name in ("api_schema", "api_docs")] == [200, 200]


def test_an_unknown_url_is_answered_with_a_problem() -> None:
    for path in ("/api/v1/nothing/", "/api/v1/tournaments/a%20b/tables/x/"):
        answer = Program().get(path)
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
        assert codes_of(answer) == ["not_found"]


def test_every_list_is_paginated() -> None:
    """Each says how the next page is asked for, and where it is."""
    schema = published_schema()
    lists = {name for name, shape in schema["components"]["schemas"].items() if shape.get("type") == "array"}
    endless = []
    for path, steps in schema["paths"].items():
        answer = steps.get("get", {}).get("responses", {}).get("200", {})
        shape = answer.get("content", {}).get("application/json", {}).get("schema", {})
        if shape.get("type") == "array" or shape.get("$ref", "").rpartition("/")[2] in lists:
            parameters = {field["name"] for field in steps["get"].get("parameters", ())}
            if not (PAGED_BY & parameters and "Link" in answer.get("headers", {})):
                endless.append(path)
    assert endless == []


@pytest.mark.thorough
def test_every_answer_to_a_read_is_as_the_schema_says() -> None:
    schema, house, wrong = published_schema(), House(), []
    client, steps = house.client("owner"), {nameless(path): steps for path, steps in schema["paths"].items()}
    for name, entry in ADDRESSES:
        step = steps.get(nameless(route_of(entry)), {}).get("get")
        if step is None or not route_of(entry).startswith("api/v1/tournaments/"):
            continue
        content = step["responses"].get("200", {}).get("content", {}).get("application/json")
        for url in addresses(entry, name, house.kwargs(house.public)) if content is not None else ():
            answer = client.get(url)
            if answer.status_code == 200 and "json" in answer["Content-Type"]:
                shape = Draft202012Validator(content.get("schema", {}) | {"components": schema["components"]})
                wrong += [f"{url}: {fault.message}" for fault in shape.iter_errors(answer.json())]
    assert wrong == []


def test_every_example_is_as_the_schema_says() -> None:
    components = published_schema()["components"]
    fields = [
        field for shape in components["schemas"].values() for field in shape.get("properties", {}).items()
    ]
    wrong = {
        name: fault.message
        for name, field in fields
        for example in field.get("examples", ())
        for fault in Draft202012Validator(field | {"components": components}).iter_errors(example)
    }
    assert wrong == {}
    assert {name for name, field in fields if "examples" in field} == {*EXAMPLES}


def test_responses_have_a_schema() -> None:
    """Without one the page has nothing to draw an example up from."""
    bare = {
        f"{method} {nameless(path)}"
        for path, steps in published_schema()["paths"].items()
        for method, step in steps.items()
        for code, answer in step["responses"].items()
        if code.startswith("2")
        and answer.get("content", {})
        .get("application/json", {})
        .get("schema", {})
        .get("additionalProperties")
        == {}
    }
    assert bare == set()


@pytest.fixture
def published() -> Iterator[Any]:
    """The schema as programs get it, asked of this very process.

    Its own requests would close the test's connection at their end; Django's client does the same.
    """
    schema = SchemaGenerator().get_schema(request=None, public=True)
    program = schemathesis.openapi.from_dict(json.loads(OpenApiJsonRenderer().render(schema)))
    program.app = get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield program
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.thorough
def test_operations_conform_to_the_schema(published: Any, subtests: pytest.Subtests) -> None:
    """As the organiser of an event, where what stands in addresses is there; each time of the same event."""
    house = House()
    known, token = house.kwargs(house.public), make_token(house.people["organiser"])[1]

    def ask(case: Any) -> None:
        path_parameters = (case.path_parameters or {}).items()
        case.path_parameters = {name: str(known.get(name, value)) for name, value in path_parameters}
        caches["limits"].clear()
        with transaction.atomic():
            case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Token {token}"})
            transaction.set_rollback(True)

    tests: Any = get_all_tests(schema=published, test_func=ask, settings=FEW, given_kwargs=None)
    operations = [test.ok() for test in tests]
    assert len(operations) > 200
    for index in sample(range(len(operations)), 4):
        operation, ask_for_each_case = operations[index]
        with subtests.test(operation.label):
            ask_for_each_case()


def pages(client: Program, url: str) -> Iterator[list[Any]]:
    """The rows of each page, by its link to the next."""
    while url:
        answer = client.get(url)
        yield answer.json()
        link = re.fullmatch(r'<http://testserver(.*)>; rel="next"', answer.headers.get("Link", ""))
        url = link[1] if link else ""


def test_by_the_links_every_entry_comes_once_the_newest_first(
    event: Tournament, organiser_client: Program
) -> None:
    log = f"{ROOT}{event.slug}/log/"
    for maximum in (1, 3, event.version, 1000):
        lists = list(pages(organiser_client, f"{log}?maximum={maximum}"))
        assert len(lists) == -(-event.version // maximum), "one that ends with the first entry is the last"
        assert max(map(len, lists)) <= maximum
        assert [entry["seq"] for rows in lists for entry in rows] == list(range(event.version, 0, -1))
    for query in ("before=0", "before=x", f"before={2**31}"):
        assert organiser_client.get(f"{log}?{query}").status_code == 400, query


def test_tournaments_come_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base.ShortPages, "page_size", 2)
    events = {make_tournament(name=f"Open {number}", players=0).slug for number in range(5)}
    lists = list(pages(Program(), ROOT))
    assert (len(lists), {row["slug"] for rows in lists for row in rows}) == (3, events)
    for page in ("0", "x", "-1", "9" * 20):
        assert Program().get(f"{ROOT}?page={page}").status_code == 404, page


def test_a_page_is_as_long_as_it_is_asked_to_be(event: Tournament) -> None:
    players = f"{ROOT}{event.slug}/players/"
    first, last = (Program().get(f"{players}?per_page=3&page={page}") for page in (1, 3))
    assert Program().get(f"{players}?per_page=3")["Link"].endswith('/players/?page=2&per_page=3>; rel="next"')
    assert [player["number"] for player in last.json()] == [7, 8]
    assert ("Link" in first.headers, "Link" in last.headers) == (True, False)
    refused = Program().get(f"{players}?page=4")
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")


class Steps:
    """What a program of this account asks, at an event's addresses, is answered with this status."""

    def __init__(self, user: Any, root: str) -> None:
        self.client, self.root = client_of(user), root

    def __call__(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        url = path if path.startswith("/") else self.root + path
        answer = getattr(self.client, method.lower())(url, body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None


@pytest.fixture
def playing() -> Tournament:
    return make_tournament(players=8, running=1)


@pytest.fixture
def owner(playing: Tournament) -> Steps:
    return Steps(make_member(playing, Role.OWNER, "olga"), f"{ROOT}{playing.slug}/")


@pytest.fixture
def seats(playing: Tournament) -> list[int]:
    table = Table.objects.get(session__tournament=playing, session__number=1, number=1)
    return [seat.player.number for seat in table.seats.order_by("wind")]


def test_fouls_and_a_withdrawal(owner: Steps, seats: list[int]) -> None:
    foul = {"player": seats[0], "foul": "false_hu", "hand_number": 2}
    owner("POST", f"{AT}penalties/preview/", foul)
    uuid = str(uuid4())
    owner("POST", f"{AT}penalties/", foul | {"uuid": uuid}, 201)
    owner("POST", f"{AT}penalties/{uuid}/undo/", {})
    uuid = str(uuid4())
    owner("POST", f"{AT}penalties/", foul | {"uuid": uuid}, 201)
    owner("DELETE", f"{AT}penalties/{uuid}/", {"reason": "It was another player."})
    owner("POST", "players/8/withdrawal/")
    owner("DELETE", "players/8/withdrawal/")


def test_appeals(owner: Steps, seats: list[int], playing: Tournament) -> None:
    chief = Steps(make_member(playing, Role.CHIEF, "carl"), owner.root)
    for name in ("uma", "ueli"):
        make_member(playing, Role.UMPIRE, name)
    first, second = str(uuid4()), str(uuid4())
    for uuid in (first, second):
        appeal = {"uuid": uuid, "player": seats[0], "hand_number": 1, "text": "The tile was not called."}
        owner("POST", f"{AT}appeals/", appeal, 201)
    owner("PUT", f"{AT}appeals/{second}/committee/", {"members": ["carl", "uma", "ueli"]})
    chief("POST", f"{AT}appeals/{first}/ruling/", {"granted": True, "ruling": "The hand is void."})
    chief("POST", f"{AT}appeals/{first}/waiver/", {"because": "The players agreed to play on."})


@pytest.mark.thorough
def test_the_sheet_and_who_is_missing(owner: Steps, seats: list[int]) -> None:
    arrives, mistaken = str(uuid4()), str(uuid4())
    for uuid, player in ((arrives, seats[1]), (mistaken, seats[2])):
        owner("POST", f"{AT}absences/", {"uuid": uuid, "player": player}, 201)
    owner("PATCH", f"{AT}absences/{arrives}/", {"arrived": True})
    owner("DELETE", f"{AT}absences/{mistaken}/")
    owner("POST", f"{AT}extra-time/", {"minutes": 5, "reason": "A wall fell over."})
    owner("POST", f"{AT}signatures/{seats[0]}/", {"table_version": owner("GET", AT)["version"]})
    owner("DELETE", f"{AT}signatures/{seats[0]}/")
    owner("POST", f"{AT}hand-in/", {"table_version": owner("GET", AT)["version"]})


def test_the_staff(owner: Steps, playing: Tournament) -> None:
    day = (timezone.localdate() + timedelta(days=3)).isoformat()
    invitation = owner("POST", "staff/invitations/", {"role": "scorer", "expires_on": day}, 201)
    nina = Steps(make_user("nina"), owner.root)
    member = nina("POST", "/api/v1/invitations/", {"token": invitation["token"]}, 201)
    owner("PATCH", f"staff/{member['id']}/", {"player": 8})
    umpire_client = make_member(playing, Role.UMPIRE, "uma").memberships.get().pk
    owner("PUT", "rota/", {"rota": [{"session": 1, "table": 1, "umpire": umpire_client}]})
    owner("POST", f"staff/{member['id']}/hand-over/")


def test_certificates_publishing_documents_and_ema_results() -> None:
    playing = make_tournament(players=8, sessions=2, played=1)
    owner = Steps(make_member(playing, Role.OWNER, "olga"), f"{ROOT}{playing.slug}/")
    owner("PUT", "certificates/", {"text": "With thanks to our hosts.", "places": 3, "best_hand": True})
    owner("POST", "standings/publish/", {"reason": "As it stands at noon."}, 201)
    assert owner("POST", "documents/", {"kind": "standings", "language": "en"}, 202)["kind"] == "standings"
    results = [{"base": base, "weight": "2"} for base in (1000, 500, 0)]
    assert owner("POST", "/api/v1/mers/score/", {"results": results})["score"] is not None


def test_merging_people() -> None:
    here, elsewhere = make_tournament(players=8), make_tournament(players=8, name="Elsewhere")
    olga = make_member(here, Role.OWNER, "olga")
    Membership.objects.create(tournament=elsewhere, user=olga, role=Role.OWNER)
    maker = Steps(olga, "/api/v1/")
    ((_, person),) = link_players(here, SYSTEM, {1: None})
    ((_, other),) = link_players(elsewhere, SYSTEM, {2: None})
    assert maker("POST", f"people/{person.pk}/merging/", {"into": other.pk})["id"] == other.pk
    assert maker("DELETE", f"people/{other.pk}/merging/")["id"] == other.pk
    assert maker("PATCH", f"people/{person.pk}/", {"shown": False})["name"] == "M. B."
