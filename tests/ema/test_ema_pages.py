"""The EMA's pages and addresses: what is missing with its link, the file all the same, columns, reckoning."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_tournament
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing
from tests.support.sampling import sample
from tournament.base.models.tournament import Tournament
from tournament.ema.engine import DEFAULT
from tournament.ema.models import EmaColumns
from tournament.ema.selectors import columns_of


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, played=1)


def at(event: Tournament, name: str = "ema") -> str:
    return reverse(f"organiser_{name}", args=[event.slug])


def api(event: Tournament, more: str = "") -> str:
    return f"/api/v1/tournaments/{event.slug}/ema/{more}"


class TestThePage:
    def test_says_what_is_missing_with_links_to_pages(self, olga: Client, event: Tournament) -> None:
        event.players.filter(number=5).update(country="", ema_number="1")
        page = olga.get(at(event))
        assert "Håkan Dupont has no country." in page.text
        gaps = element(read(page), "ul", class_="lines")
        links = [attribute(link, "href") for link in elements(gaps, "a")]
        assert reverse("organiser_player", args=[event.slug, 5]) in {link.split("#")[0] for link in links}
        assert f"{reverse('organiser_event_page', args=[event.slug])}#id_country" in links
        assert len(links) > 5
        some = sample(sorted(set(links)), 2)
        assert {olga.get(link.split("#")[0], follow=True).status_code for link in some} == {200}

    def test_shows_what_a_place_is_worth_and_gives_the_file(self, olga: Client, event: Tournament) -> None:
        assert missing(words(read(olga.get(at(event)))), "1000 × 7 ÷ 7 1000", "1000 × 0 ÷ 7 0") == []
        for name in ("ema_sheet", "ema_csv"):
            file = olga.get(at(event, name))
            assert file.status_code == 200
            assert f"{event.slug}-ema." in file.headers["Content-Disposition"]
        for name in ("results.xlsx", "results.csv"):
            assert len(olga.get(api(event, name)).content) > 500
        names = ("ema", "ema_columns", "ema_sheet", "ema_csv")
        assert [Client().get(at(event, name)).status_code for name in names] == [302] * 4
        assert Client().get(api(event)).status_code in (401, 403)
        early = make_tournament(players=8, drawn=False, name="Early")
        event.memberships.update(tournament=early)
        assert olga.get(at(early)).status_code == 200, "before the first hand, too"


class TestColumns:
    def save(self, olga: Client, event: Tournament, **changes: str) -> Any:
        fields = {"sent": "True"}
        for n, column in enumerate(DEFAULT, 1):
            fields |= {f"order{n}": str(n), f"heading{n}": column.heading, f"field{n}": column.field}
            fields[f"text{n}"] = column.text
        return olga.post(at(event, "ema_columns"), fields | changes)

    def test_are_saved_in_order_and_come_back_as_usual(self, olga: Client, event: Tournament) -> None:
        self.save(olga, event, order3="0", text13="Lyon", heading18="")
        columns = columns_of(event)
        assert columns[0].heading == "Place"
        assert [column.text for column in columns if column.heading == "City"] == ["Lyon"]
        assert "Extra" not in [column.heading for column in columns]
        olga.post(at(event, "ema_usual"))
        assert columns_of(event) == DEFAULT

    def test_that_are_wrong_are_said_at_their_line(self, olga: Client, event: Tournament) -> None:
        page = self.save(olga, event, heading2="Place", heading4="Vorname")
        assert page.status_code == 422
        assert missing(page.text, "There are two columns “Place”.", "Vorname") == []
        assert olga.post(at(event, "ema_columns"), {}).status_code == 422
        assert not EmaColumns.objects.exists()


class TestPrograms:
    def test_read_all_of_it(self, olga: Client, event: Tournament) -> None:
        results = olga.get(api(event)).json()
        assert (results["participants"], results["weight"]["total"]) == (8, 2.5)
        assert results["lines"][0]["base"] == 1000
        assert {"ema_not_final", "ema_referee_missing"} <= {gap["code"] for gap in results["gaps"]}

    def test_write_the_columns_as_they_read_them(self, olga: Client, event: Tournament) -> None:
        columns = olga.get(api(event, "columns/")).json()
        columns[12]["text"] = "Lyon"
        response = olga.put(api(event, "columns/"), columns, content_type="application/json")
        assert (response.json(), columns_of(event)[12].text) == (columns, "Lyon")
        wrong = [{"heading": "", "field": "place"}]
        response = olga.put(api(event, "columns/"), wrong, content_type="application/json")
        assert response.status_code == 422
        assert response.json()["problems"][0]["where"] == "columns.0.heading"

    def test_reckon_scores_and_seats(self, client: Client) -> None:
        pairs = [(1000, 1), (1000, 1), (1000, 1), (501, 6), (500, 1)]
        results: Any = {"results": [{"base": base, "weight": weight} for base, weight in pairs]}
        score = client.post("/api/v1/mers/score/", results, content_type="application/json").json()
        assert score == {"part_a": "650.60", "part_b": "667.33", "score": "658.95", "exact": "658.97"}
        nations = [{"name": "FRA", "players": 60, "strong": 6}, {"name": "ITA", "players": 20, "strong": 2}]
        event = {"seats": 10, "nations": nations}
        shares = client.post("/api/v1/mers/quotas/", event, content_type="application/json").json()
        assert [share["total"] for share in shares] == [6, 4]


class TestReckoning:
    def reckoned(self, client: Client, name: str, **query: str) -> str:
        return words(element(read(client.get(reverse(name), query)), "main"))

    def test_scores_are_of_bases_or_places_and_wrong_lines_are_told(self, client: Client) -> None:
        bases = "1000 1\n1000, 1\n1000;1\n501\t6\n500 1"
        assert "Score 658.95" in self.reckoned(client, "mers", results=bases)
        places = "1/60 1 2026-01-01\n32/60 2 2025-01-01"
        assert "475 1" in self.reckoned(client, "mers", results=places, on="2026-11-01")
        assert "Two results that are not too old" in self.reckoned(client, "mers", results="1000 1")
        text = self.reckoned(client, "mers", results="1000 1\nbest\n1001 1\n5/4 1\n5 0\n5 1 2026-02-30")
        assert [f"Line {n}," in text for n in range(1, 7)] == [False, True, True, True, True, True]

    def test_seats_are_shared_and_strange_lists_refused(self, client: Client) -> None:
        text = self.reckoned(client, "mers_quotas", seats="10", nations="Česko 60 6\nCôte d’Ivoire, 20, 2, 1")
        assert missing(text, "Česko", "Côte d’Ivoire") == []
        for nations in ("France", "1 2 3", "France -1 2", "\0 1 2", "x" * 9000, "A 1 1\n" * 201, " , , 9"):
            response = client.get(reverse("mers_quotas"), {"seats": "70", "nations": nations})
            assert response.status_code == 200, nations[:20]
            assert "error-summary" in response.text, nations[:20]
