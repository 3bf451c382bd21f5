"""A tournament's own foul book: amounts changed, house fouls, in the browser and from then on."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import FOUL_BOOKS, Foul, FoulBook
from penalties.engine.rules import Choice
from penalties.models import Penalty
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.engine.statements import Accusation
from tournament.forms.fouls import FoulForm
from tournament.models import Table, Tournament
from tournament.selectors.assessments import assess
from tournament.services.penalties import give_penalty

pytestmark = pytest.mark.django_db

HOUSE = {
    "name": "Phone rings",
    "kind": "ladder",
    "amounts": "0, 5, 10",
    "repeats": "tournament",
    "paid_to": "nobody",
}


@pytest.fixture
def made() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def organiser(client: Client, made: Tournament) -> Client:
    client.force_login(make_organiser(made))
    return client


def table_of(made: Tournament) -> Table:
    return Table.objects.select_related("session__tournament").get(
        session__tournament=made, session__number=1, number=1
    )


def give(made: Tournament, foul: str, **more: object) -> Penalty:
    player = table_of(made).seats.order_by("id")[0].player.number
    return give_penalty(table_of(made), SYSTEM, Accusation(player, foul, 1, **more), uuid=uuid4())  # type: ignore[arg-type]


def book_of(made: Tournament) -> FoulBook:
    return Tournament.objects.get(pk=made.pk).rules.fouls


def url(made: Tournament, name: str, *more: str) -> str:
    return reverse(name, args=[made.slug, *more])


def public_page(made: Tournament) -> str:
    return Client().get(url(made, "fouls_page")).text


def test_a_changed_amount_holds_for_penalties_from_then_on(organiser: Client, made: Tournament) -> None:
    before = give(made, "forgot_winning_tile")
    form = {"always_amount": "15", "always_paid_to": "nobody"}
    assert organiser.post(url(made, "organiser_foul", "forgot_winning_tile"), form).status_code == 302
    after = give(made, "forgot_winning_tile")
    before.refresh_from_db()
    assert [one.sanction["points"]["amount"] for one in (before, after)] == [10, 15]
    assert "changed here" in public_page(made)


def test_a_ladder_is_rewritten_and_counted_elsewhere(organiser: Client, made: Tournament) -> None:
    organiser.post(url(made, "organiser_foul", "empty_call"), {"steps": "5 10", "repeats": "tournament"})
    amounts = [give(made, "empty_call").sanction["points"]["amount"] for _ in range(3)]
    assert amounts == [5, 10, 10]


@pytest.mark.parametrize(("typed", "kept"), [("5-60", range(5, 61)), ("5, 25", (5, 25))])
def test_the_umpire_chooses_from_a_scale_or_from_one_figure_to_another(
    organiser: Client, made: Tournament, typed: str, kept: object
) -> None:
    organiser.post(url(made, "organiser_foul", "rules_violation"), {"amounts": typed})
    assert give(made, "rules_violation", details={"points": 25}).sanction["points"]["amount"] == 25
    changed = book_of(made).find("rules_violation")
    assert changed is not None
    assert isinstance(changed.rule, Choice)
    assert changed.rule.amounts == kept
    assert typed.replace("-", "–") in public_page(made)


def test_the_lateness_clock_follows_the_changed_minutes(organiser: Client, made: Tournament) -> None:
    form = {
        "bands": "5: 30, 10: 60",
        "further_points": "30",
        "further_minutes": "5",
        "others_start_after": "10",
    }
    organiser.post(url(made, "organiser_foul", "late"), form)
    player = table_of(made).seats.order_by("id")[0].player.number
    amounts = []
    for minutes in (5, 6, 11):
        sanction = assess(table_of(made), Accusation(player, "late", details={"minutes": minutes})).sanction
        assert sanction is not None
        assert sanction.points is not None
        amounts.append(sanction.points.amount)
    assert amounts == [30, 60, 90]


def test_a_house_foul_is_given_counted_and_shown(organiser: Client, made: Tournament) -> None:
    assert organiser.post(url(made, "organiser_foul_new"), HOUSE).status_code == 302
    assert [give(made, "house_1").sanction for _ in range(2)] == [
        {"warning": True},
        {"points": {"amount": 5, "scope": "session", "paid_to": "nobody"}},
    ]
    shown = public_page(made)
    assert "Phone rings" in shown
    assert "Repeats are counted in the whole tournament." in shown


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "The name is missing."),
        ({"amounts": "much"}, "is not an amount of points"),
        ({"amounts": ""}, "Which points?"),
        ({"kind": "fixed"}, "one figure"),
        ({"kind": "choice"}, "leave the warning out"),
        ({"amounts": "5-60"}, "for the umpire to choose"),
        ({"kind": "choice", "amounts": "60-5"}, "is not an amount of points"),
    ],
)
def test_what_is_wrong_with_a_house_foul_is_said(
    organiser: Client, made: Tournament, change: dict[str, str], sentence: str
) -> None:
    refused = organiser.post(url(made, "organiser_foul_new"), HOUSE | change)
    assert refused.status_code == 422
    assert sentence in refused.text
    assert book_of(made) == made.rules.fouls


def test_a_foul_is_restored_and_an_unused_house_foul_taken_out(organiser: Client, made: Tournament) -> None:
    original = made.rules.fouls
    organiser.post(url(made, "organiser_foul", "empty_call"), {"steps": "5", "repeats": "hand"})
    organiser.post(url(made, "organiser_foul_new"), HOUSE)
    for key in ("empty_call", "house_1"):
        organiser.post(url(made, "organiser_foul_restore", key))
    assert book_of(made) == original


def test_a_house_foul_that_was_given_stays(organiser: Client, made: Tournament) -> None:
    organiser.post(url(made, "organiser_foul_new"), HOUSE)
    give(made, "house_1")
    answer = organiser.post(url(made, "organiser_foul_restore", "house_1"), follow=True)
    assert "stays in the book" in answer.text
    assert book_of(made).find("house_1")


def test_another_rulebook_before_the_draw_keeps_the_house_fouls(client: Client) -> None:
    made = make_tournament(drawn=False)
    client.force_login(make_organiser(made))
    client.post(url(made, "organiser_foul_new"), HOUSE)
    fields = {"name": "Spring", "starts_on": "2026-11-14", "sessions_planned": "2", "minutes": "120"}
    fields |= {"time_zone": "UTC"}
    client.post(url(made, "organiser_particulars"), fields | {"rulebook": "guide"})
    book = book_of(made)
    assert (book.key, bool(book.find("house_1"))) == ("guide", True)


ENTRIES = [foul for book in FOUL_BOOKS.values() for foul in book.fouls]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_a_foul_saved_untouched_is_the_same_foul(entry: Foul) -> None:
    blank = FoulForm(entry)
    data = {name: field.initial for name, field in blank.fields.items()}
    form = FoulForm(entry, {name: "" if value is None else value for name, value in data.items()})
    assert form.is_valid(), form.errors
    assert form.rule() == entry.rule
