"""A tournament's own foul book: amounts changed, house fouls, in the browser and from then on."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import FOUL_BOOKS, FoulBook
from penalties.engine.rules import Choice
from penalties.models import Penalty
from tests.support.closing import players_at, table_of
from tests.support.factories import SYSTEM, make_tournament
from tests.support.pages import missing, organised, refused_page
from tournament.base.models.tournament import Tournament
from tournament.fouls.forms.penalties import FoulForm
from tournament.fouls.selectors import assess
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation

HOUSE = {"name": "Phone rings", "kind": "ladder", "amounts": "0, 5, 10", "repeats": "tournament"}
HOUSE |= {"paid_to": "nobody"}


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=0)


def stated(event: Tournament, foul: str, **details: int) -> Accusation:
    player = players_at(table_of(event.sessions.get(number=1)))[0]
    return Accusation(player, foul, 1, details=details)


def give(event: Tournament, foul: str, **details: int) -> Penalty:
    table = table_of(event.sessions.get(number=1))
    return give_penalty(table, SYSTEM, stated(event, foul, **details), uuid=uuid4())


def book_of(event: Tournament) -> FoulBook:
    return Tournament.objects.get(pk=event.pk).rules.fouls


def url(event: Tournament, name: str, *more: str) -> str:
    return reverse(name, args=[event.slug, *more])


def public_page(event: Tournament) -> str:
    return Client().get(url(event, "fouls_page")).text


def test_a_changed_amount_or_ladder_holds_for_penalties_from_then_on(olga: Client, event: Tournament) -> None:
    before = give(event, "forgot_winning_tile")
    form = {"always_amount": "15", "always_paid_to": "nobody"}
    assert olga.post(url(event, "organiser_foul", "forgot_winning_tile"), form).status_code == 302
    after = give(event, "forgot_winning_tile")
    before.refresh_from_db()
    assert [penalty.sanction["points"]["amount"] for penalty in (before, after)] == [10, 15]
    assert "changed here" in public_page(event)
    olga.post(url(event, "organiser_foul", "empty_call"), {"steps": "5 10", "repeats": "tournament"})
    assert [give(event, "empty_call").sanction["points"]["amount"] for _ in range(3)] == [5, 10, 10]


def test_the_umpire_chooses_from_a_scale_or_a_range(olga: Client, event: Tournament) -> None:
    cases: tuple[tuple[str, object], ...] = (("5-60", range(5, 61)), ("5, 25", (5, 25)))
    for typed, amounts in cases:
        olga.post(url(event, "organiser_foul", "rules_violation"), {"amounts": typed})
        assert give(event, "rules_violation", points=25).sanction["points"]["amount"] == 25
        changed = book_of(event).find("rules_violation")
        assert changed is not None
        assert isinstance(changed.rule, Choice)
        assert changed.rule.amounts == amounts
        assert typed.replace("-", "–") in public_page(event)


def test_the_lateness_clock_follows_the_changed_minutes(olga: Client, event: Tournament) -> None:
    form = {"bands": "5: 30, 10: 60", "further_points": "30", "further_minutes": "5"}
    olga.post(url(event, "organiser_foul", "late"), form | {"others_start_after": "10"})
    table = table_of(event.sessions.get(number=1))
    for minutes, amount in ((5, 30), (6, 60), (11, 90)):
        sanction = assess(table, stated(event, "late", minutes=minutes)).sanction
        assert sanction is not None
        assert sanction.points is not None
        assert sanction.points.amount == amount


def test_a_house_foul_is_given_counted_and_shown(olga: Client, event: Tournament) -> None:
    assert olga.post(url(event, "organiser_foul_new"), HOUSE).status_code == 302
    assert [give(event, "house_1").sanction for _ in range(2)] == [
        {"warning": True},
        {"points": {"amount": 5, "scope": "session", "paid_to": "nobody"}},
    ]
    page = public_page(event)
    assert missing(page, "Phone rings", "Repeats are counted in the whole tournament.") == []
    answer = olga.post(url(event, "organiser_foul_restore", "house_1"), follow=True)
    assert "stays in the book" in answer.text, "it was given"
    assert book_of(event).find("house_1")


@pytest.mark.thorough
def test_faults_of_a_house_foul_are_told(olga: Client, event: Tournament, subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({"name": ""}, "The name is missing."),
        ({"amounts": ""}, "Which points?"),
        ({"kind": "fixed"}, "one figure"),
        ({"kind": "choice"}, "leave the warning out"),
        ({"amounts": "5-60"}, "for the umpire to choose"),
        ({"kind": "choice", "amounts": "60-5"}, "is not an amount of points"),
    ]
    for change, sentence in cases:
        with subtests.test(sentence, change=change):
            refused = olga.post(url(event, "organiser_foul_new"), HOUSE | change)
            assert sentence in refused_page(refused)
    assert book_of(event) == event.rules.fouls


def test_a_foul_is_restored_and_an_unused_house_foul_taken_out(olga: Client, event: Tournament) -> None:
    olga.post(url(event, "organiser_foul", "empty_call"), {"steps": "5", "repeats": "hand"})
    olga.post(url(event, "organiser_foul_new"), HOUSE)
    for key in ("empty_call", "house_1"):
        olga.post(url(event, "organiser_foul_restore", key))
    assert book_of(event) == event.rules.fouls


def test_another_rulebook_before_the_draw_keeps_the_house_fouls(client: Client) -> None:
    event = organised(client, drawn=False)
    client.post(url(event, "organiser_foul_new"), HOUSE)
    fields = {"name": "Spring", "starts_on": "2026-11-14", "sessions_planned": "2", "minutes": "120"}
    client.post(url(event, "organiser_particulars"), fields | {"time_zone": "UTC", "rulebook": "guide"})
    book = book_of(event)
    assert (book.key, bool(book.find("house_1"))) == ("guide", True)


def test_a_foul_saved_untouched_is_the_same_foul() -> None:
    changed = {}
    for foul in (foul for book in FOUL_BOOKS.values() for foul in book.fouls):
        data = {name: field.initial for name, field in FoulForm(foul).fields.items()}
        form = FoulForm(foul, {name: "" if value is None else value for name, value in data.items()})
        if not form.is_valid() or form.rule() != foul.rule:
            changed[foul.key] = form.errors
    assert changed == {}
