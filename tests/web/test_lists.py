"""Lists on pages: order, columns and cells (`tournament.web.lists`)."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client, RequestFactory

from tests.support.factories import make_organiser, make_tournament
from tests.support.html import element, elements, read, words
from tournament.base.access import Actor
from tournament.base.models.people import Player
from tournament.web.exports.lists import Column, Kind, ListTable, Place, Reader
from tournament.web.lists import ListPage, list_page

pytestmark = pytest.mark.django_db
FRUIT = ListTable(
    "fruit",
    "Fruit",
    columns=[
        Column("name", "Name", lambda row: row["name"], Kind.NAME),
        Column("price", "Price", lambda row: row["price"], Kind.FIGURE),
        Column("sort", "Sort", lambda row: row["name"][0], is_optional=True),
        Column("code", "Code", lambda row: row["name"].upper(), place=Place.FILES),
        Column("buy", "Buy", lambda row: None, Kind.CONTROL, place=Place.PAGE),
    ],
    rows=lambda reader: [
        {"name": "pear", "price": Decimal("2.50")},
        {"name": "Äpfel", "price": None},
        {"name": "plum", "price": Decimal(10)},
    ],
)


def page_at(address: str, session: dict[str, Any] | None = None, **options: Any) -> ListPage:
    request: HttpRequest = RequestFactory().get(address)
    request.session = SessionStore()
    request.session.update(session or {})
    reader = Reader.of(make_tournament(players=4), Actor.system("test"))
    return list_page(request, FRUIT, reader, **options)


def names(page: ListPage) -> list[str]:
    return [row["name"] for row in page.rows]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["pear", "Äpfel", "plum"]),
        ("?sort=name", ["Äpfel", "pear", "plum"]),
        ("?sort=-name", ["plum", "pear", "Äpfel"]),
        ("?sort=price", ["pear", "plum", "Äpfel"]),
        ("?sort=-price", ["plum", "pear", "Äpfel"]),
        ("?sort=buy", ["pear", "Äpfel", "plum"]),
        ("?sort=code", ["pear", "Äpfel", "plum"]),
    ],
)
def test_a_heading_sorts_and_rows_without_a_value_come_last(query: str, expected: list[str]) -> None:
    assert names(page_at(f"/{query}")) == expected


def test_columns_are_chosen_and_stay_chosen() -> None:
    def shown(page: ListPage) -> list[str]:
        return [heading.column.name for heading in page.headings]

    assert shown(page_at("/")) == ["name", "price", "buy"]
    assert shown(page_at("/?columns=&columns=sort")) == ["name", "sort", "buy"]
    assert shown(page_at("/", {"columns_fruit": ["sort"]})) == ["name", "sort", "buy"]
    assert shown(page_at("/?columns=", {"columns_fruit": ["sort"]})) == ["name", "buy"]


def test_a_heading_keeps_the_filters_and_turns_the_order_round() -> None:
    page = page_at("/?q=p&page=2&sort=name", page_size=1)
    assert names(page) == ["pear"]
    queries = {heading.column.name: (heading.order, heading.query) for heading in page.every_heading}
    assert queries == {
        "name": ("ascending", "q=p&sort=-name"),
        "price": ("", "q=p&sort=price"),
        "sort": ("", "q=p&sort=sort"),
        "buy": ("", ""),
    }


def test_the_list_of_people_on_its_page(client: Client) -> None:
    tournament = make_tournament(name="Spring Open", players=4)
    Player.objects.filter(number=2).update(team="=Dragons & <b>Winds</b>")
    client.force_login(make_organiser(tournament))
    address = "/organiser/spring-open/people/"
    page = read(client.get(f"{address}?sort=-player&columns=&columns=player&columns=team"))
    table = element(page, "table", class_="list")
    assert [words(head) for head in elements(table, "th", scope="col")] == ["No.", "Name", "Team"]
    assert dict(next(elements(table, "th", scope="col")).attributes)["aria-sort"] == "descending"
    rows = list(elements(element(table, "tbody"), "tr"))
    assert [dict(row.attributes)["id"] for row in rows] == ["p4", "p3", "p2", "p1"]
    assert "=Dragons & <b>Winds</b>" in words(rows[2])
    table = element(read(client.get(address)), "table", class_="list")
    assert len(list(elements(table, "th", scope="col"))) == 3, "the choice is remembered"
