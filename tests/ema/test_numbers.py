"""EMA numbers compared with a list of the association, and what an event brings to each player."""

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.checks import newest_sentence
from tests.support.factories import make_tournament
from tests.support.html import element, read, words
from tests.support.pages import missing
from tournament.base.models.tournament import Role, Tournament
from tournament.ema.engine.mers import Result, change
from tournament.ema.engine.numbers import Finding, Holder, Member, check_numbers
from tournament.ema.selectors.preview import preview_of
from tournament.ema.selectors.results import ema_results

MONDAY = 739_587
LIST = [
    Member("04000001", ("DUPONT Anne",)),
    Member("04000002", ("Müller Jürgen",)),
    Member("04000003", ("Berg Ida",)),
    Member("04000004", ("Berg Ida",)),
    Member("04000005", ("Nowak Jan",)),
]


@pytest.mark.parametrize(
    ("holder", "finding", "number"),
    [
        (Holder(1, "Anne Dupont", "04000001"), Finding.MATCHES, ""),
        (Holder(1, "Juergen Mueller"), Finding.MISSING, "04000002"),
        (Holder(1, "Anne Dupont", "04000009"), Finding.OTHER_NUMBER, "04000001"),
        (Holder(1, "Ola Nord", "04000005"), Finding.OTHER_NAME, ""),
        (Holder(1, "Ida Berg"), Finding.AMBIGUOUS, ""),
        (Holder(1, "Ola Nord", "04000009"), Finding.NOT_LISTED, ""),
        (Holder(1, "Ola Nord"), Finding.WITHOUT, ""),
    ],
)
def test_a_player_is_compared_by_number_and_name(holder: Holder, finding: Finding, number: str) -> None:
    (check,) = check_numbers([holder], LIST)
    assert (check.finding, check.number) == (finding, number)


def test_a_number_is_never_offered_twice_or_to_somebody_else() -> None:
    namesakes = [Holder(1, "Jan Nowak"), Holder(2, "Jan Nowak")]
    assert {check.finding for check in check_numbers(namesakes, LIST)} == {Finding.AMBIGUOUS}
    taken = check_numbers([Holder(1, "Jan Nowak"), Holder(2, "Ola Nord", "04000005")], LIST)
    assert [(check.holder.player, check.finding, check.number) for check in taken] == [
        (2, Finding.OTHER_NAME, ""),
        (1, Finding.AMBIGUOUS, ""),
    ]


def test_the_change_of_a_score_is_of_one_day() -> None:
    """A result that expires meanwhile changes neither: both scores are of the day from which the event counts."""
    results = [Result(500, 2)] * 4
    assert change(results, Result(1000, 2), MONDAY).gain == Fraction("140.3")
    newcomer = change([], Result(1000, 2), MONDAY)
    assert (newcomer.before, newcomer.after, newcomer.gain) == (None, None, 0)
    second = change([Result(1000, 2)], Result(1000, 2), MONDAY)
    assert (second.before, second.gain) == (None, Fraction("619.05"))


@pytest.fixture
def organised(olga: Client) -> Tournament:
    event = make_tournament(players=8, sessions=1, played=1)
    event.memberships.create(user_id=int(olga.session["_auth_user_id"]), role=Role.OWNER)
    event.players.update(ema_number="")
    return event


class TestNumbersPage:
    def test_stores_what_is_ticked_and_can_be_undone(self, olga: Client, organised: Tournament) -> None:
        first, second = organised.players.order_by("number")[:2]
        url = reverse("organiser_ema_numbers", args=[organised.slug])
        pasted = f"4000001 {first.last_name.upper()} {first.first_name}\n04000002;{second.full_name};FRA"
        for text in pasted.split("\n"):
            page = olga.post(url, {"pasted": text})
            assert "Store the ticked numbers" in page.text
            assert not organised.players.exclude(ema_number="").exists(), "nothing is stored yet"
        page = olga.post(url, {"pasted": pasted.replace(";FRA", "").replace(";", " ")})
        sent = {"pasted": page.context["pasted"], "apply": "1", "chosen": [str(second.number), "x"]}
        assert olga.post(url, sent).status_code == 302
        stored = dict(organised.players.exclude(ema_number="").values_list("number", "ema_number"))
        assert stored == {second.number: "04000002"}
        assert newest_sentence(organised)
        undo = reverse("organiser_list_undo", args=[organised.slug])
        assert second.full_name in olga.get(undo).text

    def test_shows_what_nobody_can_decide(self, olga: Client, organised: Tournament) -> None:
        player = organised.players.get(number=1)
        organised.players.filter(number=1).update(ema_number="04000007")
        url = reverse("organiser_ema_numbers", args=[organised.slug])
        page = olga.post(url, {"pasted": "04000007 Somebody Else"})
        text = words(element(read(page), "main"))
        assert missing(text, player.full_name, "with another name: Somebody Else") == []
        assert olga.post(url, {"pasted": "no numbers"}).status_code == 422
        assert olga.post(url, {}).status_code == 422
        assert Client().get(url).status_code == 302


HISTORY = """Place,Number,Name,Base,Event,Date,Weight
1,{number},ANA,1000,Open de Lyon,2026-10-04,2.5
9,{number},ANA,500,Graz,12/04/2026,1
"""


class TestPreview:
    def test_adds_the_base_of_the_event_to_earlier_results(self, olga: Client, organised: Tournament) -> None:
        line = ema_results(organised).lines[0]
        organised.players.filter(number=line.player.number).update(ema_number="04000001")
        ended = organised.ends_on.toordinal()
        history = {"04000001": [Result(500, 1, ended - 30)]}
        preview = preview_of(ema_results(Tournament.objects.get(pk=organised.pk)), history)
        (row,) = preview.lines
        assert (row.line.base, row.change.before is None, row.change.after is None) == (1000, True, False)
        assert preview.without_number == 7
        url = reverse("organiser_ema_preview", args=[organised.slug])
        page = olga.post(url, {"pasted": HISTORY.format(number="4000001")})
        text = words(element(read(page), "main"))
        assert missing(text, "7 players without an EMA number are left out", "÷", "A (1000 ×") == []

    @pytest.mark.parametrize(
        "pasted",
        [
            "Number,Base\n1,2",
            HISTORY.format(number="x"),
            HISTORY.format(number="04000001") + "a,b",
            "Number,Base,Weight,Date\n04000001,500,1e-99999999,2026-03-15",
        ],
    )
    def test_reports_what_it_cannot_read(self, olga: Client, organised: Tournament, pasted: Any) -> None:
        url = reverse("organiser_ema_preview", args=[organised.slug])
        assert olga.post(url, {"pasted": pasted}).status_code == 422
