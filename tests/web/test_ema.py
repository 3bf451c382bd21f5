"""The EMA's pages and addresses: what is missing with its link, the file all the same, columns, reckoning."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament
from tests.support.html import attribute, element, elements, read, words
from tournament.engine.ema_columns import DEFAULT
from tournament.models import EmaColumns, Tournament
from tournament.selectors.ema_results import columns_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, played=1)


@pytest.fixture
def olga(event: Tournament, client: Client) -> Client:
    client.force_login(make_organiser(event))
    return client


def at(event: Tournament, name: str = "ema") -> str:
    return reverse(f"organiser_{name}", args=[event.slug])


def sent(**changes: str) -> dict[str, str]:
    found = {"sent": "True"}
    for n, column in enumerate(DEFAULT, 1):
        found |= {f"order{n}": str(n), f"heading{n}": column.heading, f"field{n}": column.field}
        found[f"text{n}"] = column.text
    return found | changes


def api(event: Tournament, more: str = "") -> str:
    return f"/api/v1/tournaments/{event.slug}/ema/{more}"


class TestThePage:
    def test_says_what_is_missing_with_the_way_there(self, olga: Client, event: Tournament) -> None:
        event.players.filter(number=5).update(country="")
        page = olga.get(at(event)).text
        assert "Håkan Dupont has no country." in page
        assert reverse("organiser_player", args=[event.slug, 5]) in page
        assert f"{reverse('organiser_event_page', args=[event.slug])}#id_country" in page

    def test_every_link_of_a_gap_leads_to_a_page(self, olga: Client, event: Tournament) -> None:
        event.players.filter(number=5).update(country="", ema_number="1")
        gaps = element(read(olga.get(at(event))), "ul", class_="lines")
        links = [attribute(one, "href") for one in elements(gaps, "a")]
        assert len(links) > 5
        assert {olga.get(link.split("#")[0], follow=True).status_code for link in links} == {200}

    def test_shows_what_each_place_is_worth_and_how(self, olga: Client, event: Tournament) -> None:
        page = words(read(olga.get(at(event))))
        assert "1000 × 7 ÷ 7 1000" in page
        assert "1000 × 0 ÷ 7 0" in page

    def test_stands_before_the_first_hand_too(self, client: Client) -> None:
        event = make_tournament(players=8, drawn=False)
        client.force_login(make_organiser(event))
        assert client.get(at(event)).status_code == 200

    @pytest.mark.parametrize("name", ["ema_sheet", "ema_csv"])
    def test_gives_the_file_whatever_is_missing(self, olga: Client, event: Tournament, name: str) -> None:
        answer = olga.get(at(event, name))
        assert answer.status_code == 200
        assert f"{event.slug}-ema." in answer.headers["Content-Disposition"]

    @pytest.mark.parametrize("name", ["ema", "ema_columns", "ema_sheet", "ema_csv"])
    def test_is_nobodys_who_does_not_organise(self, client: Client, event: Tournament, name: str) -> None:
        assert client.get(at(event, name)).status_code == 302
        assert client.get(api(event)).status_code in (401, 403)


class TestColumns:
    def test_are_saved_in_the_order_of_their_numbers(self, olga: Client, event: Tournament) -> None:
        olga.post(at(event, "ema_columns"), sent(order3="0", text13="Lyon"))
        now = columns_of(event)
        assert now[0].heading == "Place"
        assert [one.text for one in now if one.heading == "City"] == ["Lyon"]

    def test_go_when_their_heading_is_emptied(self, olga: Client, event: Tournament) -> None:
        olga.post(at(event, "ema_columns"), sent(heading18=""))
        assert "Extra" not in [one.heading for one in columns_of(event)]

    def test_that_are_wrong_are_said_at_their_line_and_nothing_is_lost(
        self, olga: Client, event: Tournament
    ) -> None:
        answer = olga.post(at(event, "ema_columns"), sent(heading2="Place", heading4="Vorname"))
        assert answer.status_code == 422
        assert "There are two columns “Place”." in answer.text
        assert "Vorname" in answer.text
        assert not EmaColumns.objects.exists()

    def test_nothing_sent_changes_nothing(self, olga: Client, event: Tournament) -> None:
        assert olga.post(at(event, "ema_columns"), {}).status_code == 422
        assert columns_of(event) == DEFAULT

    def test_come_back_as_usual(self, olga: Client, event: Tournament) -> None:
        olga.post(at(event, "ema_columns"), sent(text13="Lyon"))
        olga.post(at(event, "ema_usual"))
        assert columns_of(event) == DEFAULT


class TestPrograms:
    def test_read_all_of_it(self, olga: Client, event: Tournament) -> None:
        told = olga.get(api(event)).json()
        assert (told["participants"], told["weight"]["total"]) == (8, 2.5)
        assert told["lines"][0]["base"] == 1000
        assert {"ema_not_final", "ema_referee_missing"} <= {gap["code"] for gap in told["gaps"]}

    def test_write_the_columns_as_they_read_them(self, olga: Client, event: Tournament) -> None:
        told = olga.get(api(event, "columns/")).json()
        told[12]["text"] = "Lyon"
        answer = olga.put(api(event, "columns/"), told, content_type="application/json")
        assert answer.json() == told
        assert columns_of(event)[12].text == "Lyon"

    def test_are_refused_columns_with_their_places(self, olga: Client, event: Tournament) -> None:
        wrong = [{"heading": "", "field": "place"}]
        answer = olga.put(api(event, "columns/"), wrong, content_type="application/json")
        assert answer.status_code == 422
        assert answer.json()["problems"][0]["where"] == "columns.0.heading"

    @pytest.mark.parametrize("name", ["results.xlsx", "results.csv"])
    def test_get_the_file(self, olga: Client, event: Tournament, name: str) -> None:
        assert len(olga.get(api(event, name)).content) > 500

    def test_reckon_a_score(self, client: Client) -> None:
        pairs = [(1000, 1), (1000, 1), (1000, 1), (501, 6), (500, 1)]
        sent: Any = {"results": [{"base": base, "weight": weight} for base, weight in pairs]}
        told = client.post("/api/v1/mers/score/", sent, content_type="application/json").json()
        assert told == {"part_a": "650.60", "part_b": "667.33", "score": "658.95", "exact": "658.97"}

    def test_share_seats(self, client: Client) -> None:
        nations = [{"name": "FRA", "players": 60, "strong": 6}, {"name": "ITA", "players": 20, "strong": 2}]
        sent = {"seats": 10, "nations": nations}
        told = client.post("/api/v1/mers/quotas/", sent, content_type="application/json").json()
        assert [one["total"] for one in told] == [6, 4]


class TestReckoning:
    def reckoned(self, client: Client, name: str, **query: str) -> str:
        return words(element(read(client.get(reverse(name), query)), "main"))

    def test_a_score(self, client: Client) -> None:
        results = "1000 1\n1000, 1\n1000;1\n501\t6\n500 1"
        assert "Score 658.95" in self.reckoned(client, "mers", results=results)

    def test_from_places_and_days(self, client: Client) -> None:
        text = self.reckoned(client, "mers", results="1/60 1 2026-01-01\n32/60 2 2025-01-01", on="2026-11-01")
        assert "475 1" in text

    def test_too_few_results_are_said(self, client: Client) -> None:
        assert "Two results that are not too old" in self.reckoned(client, "mers", results="1000 1")

    def test_all_lines_that_are_none_are_said(self, client: Client) -> None:
        text = self.reckoned(client, "mers", results="1000 1\nbest\n1001 1\n5/4 1\n5 0\n5 1 2026-02-30")
        assert [f"Line {n}," in text for n in range(1, 7)] == [False, True, True, True, True, True]

    def test_seats(self, client: Client) -> None:
        text = self.reckoned(client, "mers_quotas", seats="10", nations="Česko 60 6\nCôte d’Ivoire, 20, 2, 1")
        assert "Česko" in text
        assert "Côte d’Ivoire" in text

    @pytest.mark.parametrize(
        "nations", ["France", "1 2 3", "France -1 2", "\0 1 2", "x" * 9000, "A 1 1\n" * 201, " , , 9"]
    )
    def test_no_list_is_too_strange(self, client: Client, nations: str) -> None:
        answer = client.get(reverse("mers_quotas"), {"seats": "70", "nations": nations})
        assert answer.status_code == 200
        assert "error-summary" in answer.text
