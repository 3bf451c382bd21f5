"""The foul book: RULES §7, seed 000 "Fouls and Penalties"; and rules that organisers' programs write."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from penalties.engine.books import FOUL_BOOKS, find_foul_book
from penalties.engine.catalogue import Foul, FoulBook
from penalties.engine.facts import Need, RepeatScope
from penalties.engine.rules import Cases, Fixed, Late, Rule, rule_from_json, rule_written
from penalties.engine.sanctions import Sanction
from penalties.engine.sources import EUROPEAN_PRACTICE, HOUSE_RULE
from penalties.texts import first_cost, foul_book_name
from scoring.engine import RULEBOOKS
from scoring.engine.names import Names

MCR = find_foul_book("mcr")
BOOKS = list(FOUL_BOOKS.values())
EIGHTEEN = """
    late rules_violation cheating false_claim empty_call touching_wall late_pung false_hu exposed_tile
    shown_tiles knocked_tiles wrong_tile_count passing_information severe_disturbance nonstandard_hu
    shown_without_hu reaching_across forgot_winning_tile
"""

RULES = [foul.rule for book in FOUL_BOOKS.values() for foul in book.fouls]


def text_problems(foul: Foul) -> list[str]:
    cases = foul.rule.cases if isinstance(foul.rule, Cases) else ()
    texts = [foul.names, foul.description, foul.source, *(case.names for case in cases)]
    told = foul.description
    checks = {
        "a language is missing": all(all((text.en, text.zh_hans, text.zh_hant)) for text in texts),
        "English is not plain": all(text.en.isascii() for text in texts),
        "no full stop": told.en.endswith(".") and told.zh_hans.endswith("。"),
        "the scripts differ in length": len(told.zh_hans) == len(told.zh_hant),
    }
    return [problem for problem, is_right in checks.items() if not is_right]


def test_every_foul_is_named_and_described_in_three_languages() -> None:
    fouls = {(book.key, foul.key): text_problems(foul) for book in BOOKS for foul in book.fouls}
    assert {key: problems for key, problems in fouls.items() if problems} == {}


def test_a_book_survives_its_snapshot() -> None:
    """Also one from before sources had three languages: it is read in all of them."""
    for book in BOOKS:
        snapshot = json.loads(json.dumps(book.to_json()))
        assert FoulBook.from_json(snapshot) == book
        for foul in snapshot["fouls"]:
            foul["source"] = foul["source"]["en"]
        assert FoulBook.from_json(snapshot) == book
    # A source that no book has is kept as it is.
    snapshot = MCR.to_json()
    snapshot["fouls"][0]["source"] = "Club rules, 7"
    assert FoulBook.from_json(snapshot).fouls[0].source == Names(*["Club rules, 7"] * 3)


def test_what_the_umpire_must_say_and_what_counts_as_a_repeat() -> None:
    assert [foul.key for foul in MCR.fouls] == EIGHTEEN.split()
    needs = {foul.key: set(foul.needs) for foul in MCR.fouls if foul.needs}
    assert needs == {
        "late": {Need.MINUTES},
        "rules_violation": {Need.POINTS},
        "shown_tiles": {Need.HU_WAS_VALID},
        "knocked_tiles": {Need.POINTS, Need.VICTIM},
        "reaching_across": {Need.CIRCUMSTANCE},
    }
    assert {foul.key: foul.repeats for foul in MCR.fouls if foul.repeats} == {
        "empty_call": RepeatScope.SESSION,
        "touching_wall": RepeatScope.SESSION,
        "late_pung": RepeatScope.WIND_ROUND,
    }


def test_a_hu_called_in_a_wrong_way_costs_the_win_on_this_turn_in_every_language() -> None:
    """Seed 000, "Other": he'll have to discard a tile and hope to declare "Hu" on another turn."""
    foul = MCR.find("nonstandard_hu")
    assert foul is not None
    sayings = {
        "en": "May not win on this turn; a claim stands, and a tile is discarded",
        "zh-hans": "当次不得和牌；所喊的吃、碰、杠有效，并须打出一张牌",
        "zh-hant": "當次不得和牌；所喊的吃、碰、槓有效，並須打出一張牌",
    }
    for language, saying in sayings.items():
        with override(language):
            assert first_cost(foul) == saying[0].lower() + saying[1:]


def test_what_happens_to_tiles_that_were_seen_is_told() -> None:
    """Seed 000, "Touching the tile" and "How to cope with erroneously exposed tiles"."""
    told = {key: foul.description.en for key in ("touching_wall", "shown_tiles") if (foul := MCR.find(key))}
    assert "may be put back" in told["touching_wall"]
    assert "one by one until all are replaced" in told["shown_tiles"]


def test_only_the_default_book_takes_in_what_no_text_says() -> None:
    practice = [foul.key for foul in MCR.fouls if not foul.source.en.startswith("MCR, ")]
    assert practice == ["forgot_winning_tile"]
    assert find_foul_book("mwt").fouls == MCR.without(*practice).fouls
    assert [book.key for book in BOOKS if book.find("forgot_winning_tile")] == ["mcr"]


def test_a_book_is_called_as_the_rulebook_is() -> None:
    names = {rulebook.key: rulebook.name for rulebook in RULEBOOKS} | {"china1998": "1998 rules"}
    with override("en"):
        assert {book.key: foul_book_name(book) for book in BOOKS}.items() <= names.items()


def test_a_source_calls_a_book_by_the_books_name() -> None:
    """Every source begins with the name of the book it cites; those of `mwt` and `mcr` are of the same text."""
    for language in ("en", "zh-hans", "zh-hant"):
        with override(language):
            names = tuple(foul_book_name(book).strip("《》") for book in BOOKS)
        sources = [(book.key, foul.source.in_language(language)) for book in BOOKS for foul in book.fouls]
        others = [(key, source) for key, source in sources if not source.lstrip("《").startswith(names)]
        assert others == [("mcr", EUROPEAN_PRACTICE.in_language(language))]


def test_an_organiser_changes_a_foul_adds_one_and_drops_one() -> None:
    foul = MCR.fouls[0]
    rule = Fixed(Sanction(warning=True))
    phone = replace(foul, key="phone", names=Names("Phone", "手机", "手機"), rule=rule)
    book = MCR.having(phone, replace(foul, source=HOUSE_RULE)).without("forgot_winning_tile")
    assert [each.key for each in book.fouls][-1] == "phone"
    assert len(book.fouls) == 18
    assert book.fouls[0].source == HOUSE_RULE
    assert book.find("forgot_winning_tile") is None


def test_what_no_book_can_have_is_refused() -> None:
    """A foul twice, bands of minutes that do not grow, an unknown kind of rule."""
    band = (10, Sanction(warning=True))
    with pytest.raises(ValueError, match="twice"):
        FoulBook("house", (MCR.fouls[0], MCR.fouls[0]))
    with pytest.raises(ValueError, match="grow"):
        Late((band, band), beyond=Sanction(ban=True))
    with pytest.raises(ValueError, match="grow"):
        Late((band,))
    with pytest.raises(ValueError, match="roulette"):
        rule_from_json({"kind": "roulette"})


def test_names_fall_back_to_english() -> None:
    names = Names("Late", "迟到", "遲到")
    assert [names.in_language(code) for code in ("zh-hans", "zh_Hant", "fr")] == ["迟到", "遲到", "Late"]


def of(kind: str) -> Rule:
    return next(rule for rule in RULES if rule.kind == kind)


def test_every_rule_of_a_book_reads_back() -> None:
    assert [rule for rule in RULES if rule_written(rule.to_json(), rule) != rule] == []


FINE = {"points": {"amount": 5, "scope": "session", "paid_to": "nobody"}}
TO_VICTIM = {"points": {"amount": 5, "scope": "hand", "paid_to": "victim"}}

REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("choice", {"amounts": []}),
    ("choice", {"amounts": [0, 5]}),
    ("choice", {"amounts": [5, 10000]}),
    ("choice", {"amounts": list(range(1, 90))}),
    ("choice", {"amounts": "123"}),
    ("choice", {"amounts": {"least": 5, "most": 10**15}}),
    ("ladder", {"steps": [FINE], "if_seen": FINE}),
    ("ladder", {"steps": [FINE] * 51}),
    ("ladder", {"steps": [{"points": {**FINE["points"], "amount": 5.5}}]}),
    ("ladder", {"repeats": "century"}),
    ("late", {"bands": []}),
    ("late", {"bands": [[1000, FINE]]}),
    ("late", {"bands": [[10, FINE], [5, FINE]]}),
    ("late", {"bands": [[10, TO_VICTIM]]}),
    ("late", {"further_minutes": 0}),
    ("late", {"others_start_after": 10**9}),
    ("cases", {"cases": []}),
    ("fixed", {"sanction": {"boiling_oil": True}}),
    ("fixed", {"sanction": FINE, "more": 1}),
]


def test_a_rule_that_no_penalty_can_be_given_by_is_refused() -> None:
    """Of a foul by cases, the cases stay."""
    for kind, change in REFUSED:
        with pytest.raises(ValueError, match=r"\w"):
            rule_written(of(kind).to_json() | change, of(kind))
    cases = of("cases")
    data: Any = cases.to_json()
    data["cases"][0]["names"]["en"] = "Otherwise"
    with pytest.raises(ValueError, match="the cases stay"):
        rule_written(data, cases)


def test_a_house_foul_costs_the_same_more_or_as_the_umpire_decides() -> None:
    for kind in ("fixed", "ladder", "choice"):
        assert rule_written(of(kind).to_json()) == of(kind)
    with pytest.raises(ValueError, match="the kind has to be"):
        rule_written(of("late").to_json())
