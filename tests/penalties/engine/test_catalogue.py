"""The foul books (RULES §7, seed 000 "Fouls and Penalties"), and the rules that organisers write."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from penalties.engine.books import FOUL_BOOKS, find_foul_book
from penalties.engine.catalogue import Foul, FoulBook
from penalties.engine.facts import Need, RepeatScope
from penalties.engine.rules import Cases, Fixed, Late, Rule, parse_rule, rule_from_json
from penalties.engine.sanctions import Sanction
from penalties.engine.sources import EUROPEAN_PRACTICE, HOUSE_RULE
from penalties.texts import first_time_cost, foul_book_name
from scoring.engine import RULEBOOKS
from scoring.engine.names import Names

MCR = find_foul_book("mcr")
BOOKS = list(FOUL_BOOKS.values())
MCR_FOULS = """
    late rules_violation cheating false_claim empty_call touching_wall late_pung false_hu exposed_tile
    shown_tiles knocked_tiles wrong_tile_count passing_information severe_disturbance nonstandard_hu
    shown_without_hu reaching_across forgot_winning_tile
"""

RULES = [foul.rule for book in FOUL_BOOKS.values() for foul in book.fouls]


def text_problems(foul: Foul) -> list[str]:
    cases = foul.rule.cases if isinstance(foul.rule, Cases) else ()
    texts = [foul.names, foul.description, foul.source, *(case.names for case in cases)]
    description = foul.description
    checks = {
        "a language is missing": all(all((text.en, text.zh_hans, text.zh_hant)) for text in texts),
        "English is not in ASCII and ’ “ ”": all(re.fullmatch(r"[ !#-&(-~’“”]+", text.en) for text in texts),
        "no full stop": description.en.endswith(".") and description.zh_hans.endswith("。"),
        "the scripts differ in length": len(description.zh_hans) == len(description.zh_hant),
    }
    return [problem for problem, is_right in checks.items() if not is_right]


def test_every_foul_has_names_and_descriptions_in_three_languages() -> None:
    fouls = {(book.key, foul.key): text_problems(foul) for book in BOOKS for foul in book.fouls}
    assert {key: problems for key, problems in fouls.items() if problems} == {}


def test_a_book_is_restored_from_its_snapshot() -> None:
    """Also from an old one, in which sources have only an English text."""
    for book in BOOKS:
        snapshot = json.loads(json.dumps(book.to_json()))
        assert FoulBook.from_json(snapshot) == book
        for foul in snapshot["fouls"]:
            foul["source"] = foul["source"]["en"]
        assert FoulBook.from_json(snapshot) == book
    # An unknown source has the same text in every language.
    snapshot = MCR.to_json()
    snapshot["fouls"][0]["source"] = "Club rules, 7"
    assert FoulBook.from_json(snapshot).fouls[0].source == Names(*["Club rules, 7"] * 3)


def test_the_facts_that_fouls_need_and_the_scopes_of_repeats() -> None:
    assert [foul.key for foul in MCR.fouls] == MCR_FOULS.split()
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


def test_a_nonstandard_hu_costs_the_win_on_this_turn_in_every_language() -> None:
    """Seed 000, "Other": he'll have to discard a tile and hope to declare "Hu" on another turn."""
    foul = MCR.find("nonstandard_hu")
    assert foul is not None
    texts = {
        "en": "May not win on this turn; a claim stands, and a tile is discarded",
        "zh-hans": "当次不得和牌；所喊的吃、碰、杠有效，并须打出一张牌",
        "zh-hant": "當次不得和牌；所喊的吃、碰、槓有效，並須打出一張牌",
    }
    for language, text in texts.items():
        with override(language):
            assert first_time_cost(foul) == text[0].lower() + text[1:]


def test_descriptions_say_what_happens_to_tiles_that_were_seen() -> None:
    """Seed 000, "Touching the tile" and "How to cope with erroneously exposed tiles"."""
    keys = ("touching_wall", "shown_tiles")
    descriptions = {key: foul.description.en for key in keys if (foul := MCR.find(key))}
    assert "may be put back" in descriptions["touching_wall"]
    assert "one by one until all are replaced" in descriptions["shown_tiles"]


def test_only_the_default_book_has_a_foul_that_is_practice_alone() -> None:
    practice = [foul.key for foul in MCR.fouls if not foul.source.en.startswith("MCR, ")]
    assert practice == ["forgot_winning_tile"]
    assert find_foul_book("mwt").fouls == MCR.without(*practice).fouls
    assert [book.key for book in BOOKS if book.find("forgot_winning_tile")] == ["mcr", "mers"]


def test_a_foul_book_has_the_name_of_its_rulebook() -> None:
    names = {rulebook.key: rulebook.name for rulebook in RULEBOOKS}
    names |= {"china1998": "1998 rules", "mers": "MERS Tournament Regulations"}
    with override("en"):
        assert {book.key: foul_book_name(book) for book in BOOKS}.items() <= names.items()


def test_a_source_begins_with_the_name_of_its_book() -> None:
    for language in ("en", "zh-hans", "zh-hant"):
        with override(language):
            names = tuple(foul_book_name(book).strip("《》") for book in BOOKS)
        sources = [(book.key, foul.source.in_language(language)) for book in BOOKS for foul in book.fouls]
        others = [(key, source) for key, source in sources if not source.lstrip("《").startswith(names)]
        assert others == [("mcr", EUROPEAN_PRACTICE.in_language(language))]


def test_a_book_with_a_changed_a_new_and_a_removed_foul() -> None:
    foul = MCR.fouls[0]
    rule = Fixed(Sanction(warning=True))
    phone = replace(foul, key="phone", names=Names("Phone", "手机", "手機"), rule=rule)
    book = MCR.with_fouls(phone, replace(foul, source=HOUSE_RULE)).without("forgot_winning_tile")
    assert book.fouls[-1].key == "phone"
    assert len(book.fouls) == 18
    assert book.fouls[0].source == HOUSE_RULE
    assert book.find("forgot_winning_tile") is None


def test_duplicate_fouls_bands_that_do_not_grow_and_unknown_kinds_are_refused() -> None:
    band = (10, Sanction(warning=True))
    with pytest.raises(ValueError, match="duplicate"):
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


def rule_of_kind(kind: str) -> Rule:
    return next(rule for rule in RULES if rule.kind == kind)


def test_every_rule_of_a_book_is_parsed_from_its_json() -> None:
    assert [rule for rule in RULES if parse_rule(rule.to_json(), rule) != rule] == []


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


def test_rules_outside_the_limits_are_refused() -> None:
    for kind, change in REFUSED:
        with pytest.raises(ValueError, match=r"\w"):
            parse_rule(rule_of_kind(kind).to_json() | change, rule_of_kind(kind))
    cases = rule_of_kind("cases")
    data: Any = cases.to_json()
    data["cases"][0]["names"]["en"] = "Otherwise"
    with pytest.raises(ValueError, match="the cases stay"):
        parse_rule(data, cases)


def test_a_house_foul_is_fixed_a_ladder_or_a_choice() -> None:
    for kind in ("fixed", "ladder", "choice"):
        assert parse_rule(rule_of_kind(kind).to_json()) == rule_of_kind(kind)
    with pytest.raises(ValueError, match="the kind has to be"):
        parse_rule(rule_of_kind("late").to_json())
