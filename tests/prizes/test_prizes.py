"""The list of prizes: stored, checked, given by the standings, on the page, in the API and where else it is shown."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.test.html import parse_html
from django.urls import reverse

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import SYSTEM, make_tournament
from tests.support.html import element, elements, read, words
from tests.support.pages import missing
from tournament.base.engine.notices import Audience
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.events import EventPage
from tournament.base.models.people import Player
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Role, Tournament
from tournament.documents.exports.jobs import DRAFT_BUILDERS
from tournament.ema.selectors.certification import clauses_of
from tournament.events.services import set_event_page
from tournament.privacy.services import erase_player
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.selectors import prize_plan_of, winners_of
from tournament.prizes.services import set_prizes
from tournament.ranking.selectors.groups import current_groups
from tournament.ranking.selectors.ranking import ranking
from tournament.screens.models import Ceremony
from tournament.screens.selectors import is_out_of_date
from tournament.screens.services import start_ceremony

pytestmark = pytest.mark.django_db
Kind = Prize.Kind


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, played=1)


@pytest.fixture
def organised(olga: Client, event: Tournament) -> Tournament:
    event.memberships.create(user_id=int(olga.session["_auth_user_id"]), role=Role.OWNER)
    return event


def give(
    event: Tournament, *prizes: Prize, numbers: Sequence[Sequence[int]] = (), **plan: Any
) -> list[Prize]:
    stored = prize_plan_of(event)
    for name, value in plan.items():
        setattr(stored, name, value)
    return set_prizes(stored, SYSTEM, prizes, numbers)


def trophies() -> list[Prize]:
    return [Prize(rank=place, text=f"Trophy {place}") for place in (1, 2, 3)]


def best_first(event: Tournament) -> list[Player]:
    return [row.player for row in ranking(event, Audience.STAFF).rows]


def winners(event: Tournament) -> list[str]:
    return [winner.name for winner in winners_of(event)]


def status_of_prizes(event: Tournament) -> tuple[str, str]:
    clause = next(clause for clause in clauses_of(event) if clause.key == "prizes")
    return clause.status.value, clause.fact


class TestService:
    def test_stores_the_list_once(self, event: Tournament) -> None:
        rows = give(event, *trophies())
        assert [prize.position for prize in event.prizes.all()] == [1, 2, 3]
        assert "3 prizes" in newest_sentence(event)
        entries = event.log.count()
        give(event, *rows)
        assert event.log.count() == entries
        give(event, *rows[:1])
        assert [prize.text for prize in event.prizes.all()] == ["Trophy 1"]

    @pytest.mark.parametrize(
        ("prize", "code"),
        [
            (Prize(), "prize_empty"),
            (Prize(text="Cup", kind=Kind.CLUB), "value_missing"),
            (Prize(text="Cup", kind=Kind.COUNTRY, value="Atlantis"), "unknown_country"),
            (Prize(text="Cup", rank=0), "value_too_low"),
        ],
    )
    def test_refuses_what_cannot_be_given(self, event: Tournament, prize: Prize, code: str) -> None:
        assert refused_codes(lambda: give(event, prize)) == [code]

    def test_refuses_players_who_do_not_exist(self, event: Tournament) -> None:
        ladies = Prize(text="Cup", kind=Kind.CATEGORY, value="Ladies")
        assert refused_codes(lambda: give(event, ladies, numbers=[[1, 99]])) == ["unknown_player"]

    def test_refuses_money_where_the_european_ranking_counts_the_event(self, event: Tournament) -> None:
        """EMA, Requirements and guidelines for MERS tournaments, 3.12."""
        set_event_page(EventPage(tournament=event, country="FRA", mers="ranked"), SYSTEM)
        assert refused_codes(lambda: give(event, Prize(amount=Decimal(50)))) == ["prize_in_money"]

    def test_stores_the_code_of_a_country(self, event: Tournament) -> None:
        give(event, Prize(text="Cup", kind=Kind.COUNTRY, value="Danmark"))
        assert event.prizes.get().value == "DNK"


class TestWinners:
    def test_are_the_first_of_the_ranking(self, event: Tournament) -> None:
        give(event, *trophies())
        assert winners(event) == [player.name for player in best_first(event)[:3]]

    def test_of_a_part_are_its_best(self, event: Tournament) -> None:
        players = best_first(event)
        Player.objects.filter(pk=players[2].pk).update(country="DNK", club="Harbour")
        Player.objects.exclude(pk=players[4].pk).update(ema_number="01000001")
        give(
            event,
            Prize(text="Flag", kind=Kind.COUNTRY, value="DNK"),
            Prize(text="Mug", kind=Kind.CLUB, value="HARBOUR"),
            Prize(text="Book", kind=Kind.NEWCOMER),
            Prize(text="Fan", kind=Kind.CATEGORY, value="Ladies"),
            numbers=[(), (), (), [players[5].number]],
        )
        assert winners(event) == [players[at].name for at in (2, 2, 4, 5)]
        give(event, *event.prizes.all(), numbers=[(), (), (), [players[5].number]], one_per_person=True)
        assert winners(event) == [players[at].name for at in (2, 4, 5)]

    def test_of_hands_have_the_best_and_the_cheapest(self, event: Tournament) -> None:
        give(event, Prize(text="Fan", kind=Kind.BEST_HAND), Prize(text="Egg", kind=Kind.LOWEST_HAND))
        won = Hand.objects.filter(is_current=True, outcome=Hand.Outcome.WIN)
        best, cheapest = (won.order_by(order).first() for order in ("-points", "points"))
        assert best is not None
        assert cheapest is not None
        points = [winner.award.winner for winner in winners_of(event)]
        assert won.filter(winner__number=points[0], points=best.points).exists()
        assert won.filter(winner__number=points[1], points=cheapest.points).exists()

    def test_may_be_teams(self, event: Tournament) -> None:
        give(event, Prize(text="Cup", kind=Kind.TEAM))
        assert winners(event) == [current_groups(event, Audience.STAFF, "teams")[0].name]

    def test_there_are_none_before_the_first_hand(self) -> None:
        event = make_tournament(players=8, drawn=False)
        give(event, *trophies(), Prize(text="Fan", kind=Kind.BEST_HAND))
        assert winners(event) == []


class TestCertification:
    """Clause 3.12."""

    def test_needs_a_prize_for_each_of_the_first_three(self, event: Tournament) -> None:
        assert status_of_prizes(event)[1] == "no_prizes"
        give(event, *trophies()[:2])
        assert status_of_prizes(event)[1] == "no_prizes"
        give(event, *trophies())
        assert status_of_prizes(event) == ("met", "prizes")

    def test_is_not_met_with_money(self, event: Tournament) -> None:
        give(event, *trophies(), Prize(amount=Decimal(50)))
        assert status_of_prizes(event) == ("not_met", "money_prizes")


class TestPage:
    def test_begins_with_three_trophies_and_shows_who_gets_them(
        self, olga: Client, organised: Tournament
    ) -> None:
        url = reverse("organiser_prizes", args=[organised.slug])
        assert "Add three trophies" in olga.get(url).text
        assert olga.post(url, {"trophies": "3"}).status_code == 302
        text = words(element(read(olga.get(url)), "main"))
        assert missing(text, "Trophy", *(player.name for player in best_first(organised)[:3])) == []
        assert "Add three trophies" not in text

    def test_lists_what_nobody_gets_yet(self, olga: Client, organised: Tournament) -> None:
        give(organised, *trophies(), Prize(text="Mug", kind=Kind.CLUB, value="Harbour"))
        page = read(olga.get(reverse("organiser_prizes", args=[organised.slug])))
        card = words(element(page, "section", **{"aria-labelledby": "winners"}))
        assert card.endswith("Nobody gets these yet Harbour, place 1: Mug")

    def test_asks_for_no_money_where_it_is_refused(self, olga: Client, organised: Tournament) -> None:
        """Unless an amount from before is to be removed."""
        url = reverse("organiser_prizes", args=[organised.slug])
        give(organised, Prize(text="Cup", amount=Decimal(50)))
        set_event_page(EventPage(tournament=organised, country="FRA", mers="ranked"), SYSTEM)
        data = {
            "form-TOTAL_FORMS": "1",
            "form-INITIAL_FORMS": "1",
            "form-0-id": str(organised.prizes.get().pk),
            "form-0-kind": "overall",
            "form-0-rank": "1",
            "form-0-text": "Cup",
        }
        assert missing(olga.get(url).text, "form-0-amount", 'name="ties"') == []
        assert olga.post(url, data | {"ties": "shared"}).status_code == 302
        assert missing(olga.get(url).text, "form-0-amount", 'name="ties"') == ["form-0-amount", 'name="ties"']
        assert olga.post(url, data | {"form-0-text": "Medal"}).status_code == 302
        assert organised.prizes.get().text == "Medal"

    def test_stores_the_list_and_shows_what_is_wrong(self, olga: Client, organised: Tournament) -> None:
        url = reverse("organiser_prizes", args=[organised.slug])
        data = {
            "form-TOTAL_FORMS": "2",
            "form-INITIAL_FORMS": "0",
            "form-0-kind": "category",
            "form-0-value": "Ladies",
            "form-0-players": "1-3, 5",
            "form-0-rank": "1",
            "form-0-amount": "40,50",
            "form-1-kind": "overall",
            "form-1-rank": "1",
            "one_per_person": "on",
            "ties": "hort",
        }
        assert olga.post(url, data).status_code == 302
        prize = organised.prizes.get()
        assert sorted(player.number for player in prize.players.all()) == [1, 2, 3, 5]
        assert prize.amount == Decimal("40.50")
        assert prize_plan_of(organised).ties == PrizePlan.Ties.HORT
        answer = olga.post(url, data | {"form-0-amount": "", "form-0-players": "x"})
        assert answer.status_code == 422
        assert missing(answer.text, "There is no player x.", "Say what is given") == []


def test_the_api_reads_and_replaces_the_list(olga: Client, organised: Tournament) -> None:
    url = f"/api/v1/tournaments/{organised.slug}/prizes/"
    body = {"ties": "hort", "prizes": [{"kind": "overall", "rank": 1, "amount": "30.00"}]}
    answer = olga.put(url, body, content_type="application/json").json()
    assert answer["prizes"][0]["amount"] == "30.00"
    assert answer["winners"][0]["player"] == best_first(organised)[0].number
    assert (answer["ties"], answer["one_per_person"]) == ("hort", False)
    assert olga.get(url).json() == answer
    assert Client().get(url).status_code in (401, 403)


def test_the_ceremony_shows_what_each_place_gets(event: Tournament) -> None:
    give(event, *trophies())
    ceremony = start_ceremony(event, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    assert [line["prize"] for line in ceremony.lines] == ["Trophy 1", "Trophy 2", "Trophy 3"]
    give(event)
    assert not is_out_of_date(ceremony), "the standings have not changed"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (DocumentJob.Kind.CERTIFICATES, "Prize: Trophy 1"),
        (DocumentJob.Kind.OBSERVER, "Overall, place 1: Trophy 1"),
    ],
)
def test_papers_have_the_prizes(event: Tournament, kind: str, text: str) -> None:
    give(event, *trophies())
    job = DocumentJob(tournament=event, kind=kind, language="en", paper="a4")
    assert text in DRAFT_BUILDERS[kind](job).text


def certificates(event: Tournament, **design: Any) -> list[list[str]]:
    """Return the name, the heading and the lines of each certificate."""
    CertificateDesign.objects.update_or_create(design, tournament=event)
    job = DocumentJob(tournament=event, kind=DocumentJob.Kind.CERTIFICATES, language="en", paper="a4")
    pages = elements(parse_html(DRAFT_BUILDERS[job.kind](job).text), "section", class_="certificate")
    return [
        [words(element(page, name)) for name in ("h1", "h2")]
        + [words(line) for line in elements(page, "p", class_="line")]
        for page in pages
    ]


def test_who_wins_another_prize_has_a_certificate_of_it(event: Tournament) -> None:
    """Prizes for a place, and for the best hand, have theirs if the organiser chooses it."""
    players = best_first(event)
    ladies = Prize(text="Fan", kind=Kind.CATEGORY, value="Ladies")
    give(
        event,
        *trophies(),
        ladies,
        Prize(text="Cup", kind=Kind.TEAM),
        numbers=[(), (), (), [players[5].number]],
    )
    team = current_groups(event, Audience.STAFF, "teams")[0].name
    assert certificates(event, places=0, best_hand=False) == [
        [players[5].full_name, "Ladies", "1st place", "Prize: Fan"],
        [team, "Teams", "1st place", "Prize: Cup"],
    ]
    placed = certificates(event, places=6, best_hand=False)
    assert [page[-1] for page in placed if page[0] == players[5].full_name] == ["Prize: Fan"]


def test_prizes_come_in_the_order_of_the_list(olga: Client, organised: Tournament) -> None:
    """The first of the list first, wherever somebody gets several."""
    first = best_first(organised)[0]
    ladies = Prize(text="Fan", kind=Kind.CATEGORY, value="Ladies")
    give(organised, ladies, Prize(text="Cup"), numbers=[[first.number]])
    url = reverse("organiser_prizes", args=[organised.slug])
    card = element(read(olga.get(url)), "section", **{"aria-labelledby": "winners"})
    gains = [words(item) for item in elements(card, "li")]
    assert gains == [f"{first.name} Ladies, place 1 Fan", f"{first.name} Overall, place 1 Cup"]
    answer = olga.get(f"/api/v1/tournaments/{organised.slug}/prizes/").json()
    assert [winner["kind"] for winner in answer["winners"]] == ["category", "overall"]
    (line,) = start_ceremony(organised, SYSTEM, Ceremony.Kind.PLAYERS, 1).lines
    assert line["prize"] == "Fan, Cup"
    assert certificates(organised, places=1, best_hand=False)[0][-1] == "Prize: Fan, Cup"


def test_an_erased_player_is_in_no_category(event: Tournament) -> None:
    give(event, Prize(text="Fan", kind=Kind.CATEGORY, value="Ladies"), numbers=[[1, 2]])
    player = event.players.get(number=1)
    erase_player(player, SYSTEM, name=player.full_name)
    assert [player.number for player in event.prizes.get().players.all()] == [2]
