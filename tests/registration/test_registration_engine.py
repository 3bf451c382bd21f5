"""Who gets a place, in what order; what is owed and paid, accounts checked as banks do; whether two are one human."""

from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.engine.money import ZERO, Balance, Standing, Sums
from tournament.dues.engine import creditor_reference, grouped, is_bic, is_iban, remainder
from tournament.people.engine import Reason, Traits, is_certain_match, match_reasons, strength_key
from tournament.people.selectors import name_key
from tournament.registration.engine import (
    Candidate,
    Limits,
    Outcome,
    Places,
    ReservedPlaces,
    outcome_of,
    promotable,
)

COUNTRIES, CLUBS = ("FRA", "DEU", "AUT", ""), ("Nancy Mahjong", "nancy  mahjong", "Wien", "")


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    values = [("country", "FRA"), ("country", "DEU"), ("club", "Nancy Mahjong")]
    reserved = tuple(
        ReservedPlaces(by, value, draw(st.integers(0, 3))) for by, value in values if draw(st.booleans())
    )
    return Limits(sum(each.places for each in reserved) + draw(st.integers(0, 5)), None, reserved)


people = st.lists(st.tuples(st.sampled_from(COUNTRIES), st.sampled_from(CLUBS)), max_size=18).map(
    lambda rows: [Candidate(number, *row) for number, row in enumerate(rows, 1)]
)


def in_place(limited: Limits, everybody: list[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Who has a place and who has none, in their order."""
    up = set(promotable(limited, [], everybody))
    return [each for each in everybody if each.number in up], [
        each for each in everybody if each.number not in up
    ]


@given(limits(), people)
def test_no_place_is_given_twice_and_nobody_is_skipped(limited: Limits, everybody: list[Candidate]) -> None:
    """And a new look moves nobody up who was not moved before."""
    inside, outside = in_place(limited, everybody)
    assert len(inside) <= (limited.places or 0)
    strangers = [each for each in inside if not any(reserved.is_for(each) for reserved in limited.reserved)]
    assert len(strangers) <= (limited.open_places or 0)
    assert not any(Places.occupied_by(limited, inside).fits(each) for each in outside)
    for each in outside:
        before = [other for other in inside if other.number < each.number]
        assert not Places.occupied_by(limited, before).fits(each)
    assert promotable(limited, inside, outside) == []


@given(limits(), people, st.data())
def test_the_first_who_fits_gets_a_freed_place(
    limited: Limits, everybody: list[Candidate], data: st.DataObject
) -> None:
    inside, outside = in_place(limited, everybody)
    if not inside:
        return
    gone = data.draw(st.sampled_from(inside))
    inside.remove(gone)
    places = Places.occupied_by(limited, inside)
    first = [each.number for each in outside if places.fits(each)][:1]
    assert promotable(limited, inside, outside) == first


@given(limits(), people)
def test_all_places_that_can_be_taken_are(limited: Limits, everybody: list[Candidate]) -> None:
    """As many come in as in whatever order they were looked at."""
    backwards = promotable(limited, [], everybody[::-1])
    assert len(backwards) == len(promotable(limited, [], everybody))


@given(people, st.integers(0, 6), st.integers(0, 6))
def test_no_waiting_list_is_too_long(everybody: list[Candidate], places: int, waiting: int) -> None:
    limited = Limits(places, waiting)
    lists: dict[Outcome, list[Candidate]] = {outcome: [] for outcome in Outcome}
    for each in everybody:
        accepted, line = lists[Outcome.ACCEPTED], lists[Outcome.WAITING]
        lists[outcome_of(limited, accepted, line, each, is_automatic=True)].append(each)
    assert len(lists[Outcome.ACCEPTED]) <= places
    assert len(lists[Outcome.WAITING]) <= waiting
    assert len(lists[Outcome.FULL]) == max(0, len(everybody) - places - waiting)


def test_holders_move_to_reserved_places_to_make_room() -> None:
    limited = Limits(2, None, (ReservedPlaces("country", "FRA", 1), ReservedPlaces("club", "Wien", 1)))
    both, french = Candidate(1, "FRA", "Wien"), Candidate(2, "FRA", "")
    assert promotable(limited, [], [both, french]) == [1, 2]
    places = Places.occupied_by(
        Limits(6, None, (ReservedPlaces("country", "FRA", 3),)), [Candidate(1, "DEU")]
    )
    assert (places.left, places.left_open, places.left_reserved) == (5, 2, [3])


def test_waiting_candidates_are_not_overtaken_without_the_organiser() -> None:
    holder = Candidate(1)
    by_hand = [
        outcome_of(Limits(1, 1), [holder], line, Candidate(3), is_automatic=False)
        for line in ([], [Candidate(2)])
    ]
    assert by_hand == [Outcome.PENDING, Outcome.FULL]
    limited = Limits(1)
    assert outcome_of(limited, [], [Candidate(1)], Candidate(2), is_automatic=True) is Outcome.WAITING


AMOUNTS = st.decimals(Decimal("-9999.99"), Decimal("9999.99"), places=2)
OWED = st.decimals(Decimal(0), Decimal("9999.99"), places=2)


@given(OWED, st.lists(AMOUNTS), st.randoms())
def test_the_open_amount_is_the_due_less_payments(
    owed: Decimal, amounts: list[Decimal], chance: object
) -> None:
    """In whatever order."""
    balance = Balance.of(owed, amounts)
    assert balance.open == owed - sum(amounts, ZERO)
    assert balance.paid == (list(accumulate(amounts)) or [ZERO])[-1]
    assert balance == Balance.of(owed, sorted(amounts, key=lambda amount: hash((amount, str(chance)))))


@given(st.lists(st.tuples(OWED, st.lists(AMOUNTS)), max_size=20))
def test_the_sums_of_all_are_the_sum_of_each(people: list[tuple[Decimal, list[Decimal]]]) -> None:
    balances = [Balance.of(owed, amounts) for owed, amounts in people]
    one_way, other_way = Sums(), Sums()
    for balance in balances:
        one_way.add(balance)
    for balance in reversed(balances):
        other_way.add(balance)
    assert one_way == other_way
    assert one_way.total.open == sum((balance.open for balance in balances), ZERO)
    assert one_way.still_open - one_way.overpaid == one_way.total.open


def test_standing_of_a_balance(subtests: pytest.Subtests) -> None:
    for owed, amounts, standing in (
        ("40", [], Standing.OWES),
        ("40", ["39.99"], Standing.OWES),
        ("40", ["39.99", "0.01"], Standing.PAID),
        ("40", ["50"], Standing.OVERPAID),
        ("40", ["50", "-10"], Standing.REFUNDED),
        ("0", [], Standing.FREE),
        ("0", ["40"], Standing.OVERPAID),
        ("0", ["40", "-40"], Standing.REFUNDED),
    ):
        with subtests.test(owed=owed, amounts=amounts):
            assert Balance.of(Decimal(owed), map(Decimal, amounts)).standing is standing


IBANS = (
    *("DE89370400440532013000", "AT611904300234573201", "GB29NWBK60161331926819", "DK5000400440116243"),
    *("FR1420041010050500013M02606", "NL91ABNA0417164300", "CH9300762011623852957"),
)


def with_one_digit_changed(text: str) -> list[str]:
    return [
        text[:at] + str((int(sign) + 1) % 10) + text[at + 1 :]
        for at, sign in enumerate(text)
        if sign.isdecimal() and at > 1
    ]


def test_iban_reference_and_bic_are_validated() -> None:
    wrong = ["", "DE", "DE89 3704", "XX00", "de89370400440532013000", "DE8937040044053201300٣"]
    for iban in IBANS:
        wrong += [iban[:-1], *with_one_digit_changed(iban)]
    assert [iban for iban in (*IBANS, *wrong) if is_iban(iban)] == list(IBANS)
    assert grouped("DE89370400440532013000") == "DE89 3704 0044 0532 0130 00"
    assert creditor_reference("539007547034") == "RF18539007547034"
    assert [bic for bic in ("COBADEFF", "COBADEFF370", "COBA", "C0BA1EFF") if is_bic(bic)] == [
        *("COBADEFF", "COBADEFF370")
    ]


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=21))
def test_every_reference_is_valid_and_no_mistyped_digit_is(own: str) -> None:
    right = creditor_reference(own)
    assert remainder(right) == 1
    assert 1 not in map(remainder, with_one_digit_changed(right))


@pytest.mark.parametrize("own", ["", "a1", "A-1", "A" * 22])
def test_invalid_bases_of_a_reference(own: str) -> None:
    with pytest.raises(ValueError, match="creditor"):
        creditor_reference(own)


BJORN = Traits("bjorn lindqvist", "SWE", "01234567", "goteborg")


def test_an_ema_number_decides_else_name_and_traits(subtests: pytest.Subtests) -> None:
    name = "bjorn lindqvist"
    cases: dict[str, tuple[dict[str, object], tuple[Reason, ...]]] = {
        "the same number is enough": ({"ema_number": "01234567"}, (Reason.EMA_NUMBER,)),
        "another number is against it": ({"name": name, "country": "SWE", "ema_number": "01234568"}, ()),
        "name and country": ({"name": name, "country": "SWE"}, (Reason.NAME, Reason.COUNTRY)),
        "the name in another country": ({"name": name, "country": "NOR", "club": "goteborg"}, ()),
        "the name alone where nobody has said the country": ({"name": name}, (Reason.NAME,)),
        "club and country are no name": ({"country": "SWE", "club": "goteborg"}, ()),
        "another name in another script": (
            {"name": "比约恩", "aliases": frozenset({name}), "country": "SWE"},
            (Reason.ALIAS, Reason.COUNTRY),
        ),
    }
    for case, (other, expected) in cases.items():
        with subtests.test(case):
            assert match_reasons(BJORN, Traits(**({"name": "somebody else"} | other))) == expected  # type: ignore[arg-type]


def test_number_and_name_together_are_certain_and_the_number_is_likelier() -> None:
    assert is_certain_match([Reason.EMA_NUMBER, Reason.NAME])
    assert not is_certain_match([Reason.EMA_NUMBER])
    assert not is_certain_match([Reason.NAME, Reason.COUNTRY, Reason.CLUB])
    assert strength_key([Reason.EMA_NUMBER]) < strength_key([Reason.NAME, Reason.COUNTRY, Reason.CLUB])


words = st.sampled_from(["", "a", "b", "a b"])
anybody = st.builds(
    Traits,
    words,
    st.sampled_from(["", "SWE", "NOR"]),
    st.sampled_from(["", "1", "2"]),
    words,
    st.frozensets(words),
)


@given(anybody, anybody)
def test_similarity_is_symmetric_and_zero_without_data(first: Traits, second: Traits) -> None:
    assert match_reasons(first, second) == match_reasons(second, first)
    assert match_reasons(first, Traits("", "SWE", "", "a")) == ()


def test_a_name_is_found_without_accents_case_and_order() -> None:
    pairs = (
        (("Björn", "LINDQVIST"), ("lindqvist", "Bjorn")),
        (("伟", "张"), ("", "张伟")),
        (("Jean-Luc", "O'Neill"), ("jean luc", "o neill")),
        (("Fatima", "Đặng"), ("FATIMA", "Dang")),
    )
    assert [first for first, second in pairs if name_key(*first) != name_key(*second)] == []
    assert name_key("伟", "张") != name_key("Wei", "Zhang")
