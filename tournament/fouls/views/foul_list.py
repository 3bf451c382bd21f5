"""The foul book as the desk's script searches it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from penalties.engine import Foul, FoulBook, Need
from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late, amounts_to_json
from penalties.engine.sanctions import NO_SANCTION
from penalties.texts import foul_description, foul_name, sanction_text

FREQUENT = (
    "false_hu",
    "empty_call",
    "touching_wall",
    "false_claim",
    "late",
    "wrong_tile_count",
    "exposed_tile",
)
"""What happens most at tables stands first; the rest follows in the book's order."""


def foul_list(book: FoulBook) -> list[dict[str, Any]]:
    """[{"key", "name", "other", "description", "search", "costs", "needs", "amounts", "cases", "seen"}]

    "amounts": the figures to choose from, or {"least", "most"}.
    """
    ranked = {key: place for place, key in enumerate(FREQUENT)}
    return [_foul(foul) for foul in sorted(book.fouls, key=lambda foul: ranked.get(foul.key, len(ranked)))]


def _foul(foul: Foul) -> dict[str, Any]:
    rule = foul.rule
    names = foul.names
    return {
        "key": foul.key,
        "name": foul_name(foul),
        "other": names.zh_hans if (get_language() or "en") == "en" else names.en,
        "description": foul_description(foul),
        "search": " ".join((names.en, names.zh_hans, names.zh_hant, foul_description(foul))).lower(),
        "costs": first_cost(foul),
        "needs": [need.value for need in Need if need in foul.needs],
        "amounts": amounts_to_json(rule.amounts) if isinstance(rule, Choice) else [],
        "cases": _cases(rule) if isinstance(rule, Cases) else [],
        "seen": isinstance(rule, Ladder) and rule.if_seen != NO_SANCTION,
    }


def first_cost(foul: Foul) -> str:
    """What it costs the first time, in a few words: "warning", "20 points to each of the others, dead hand", "5–60"."""
    match foul.rule:
        case Fixed(sanction=sanction):
            return sanction_text(sanction)
        case Ladder(steps=steps):
            return sanction_text(steps[0])
        case Late(bands=bands):
            return f"{sanction_text(bands[0][1])} +"
        case Choice(amounts=amounts):
            return f"{min(amounts)}–{max(amounts)}"
        case Cases(cases=cases):
            return " / ".join(dict.fromkeys(sanction_text(case.sanction) for case in cases))
        case _:
            return ""


def _cases(rule: Cases) -> list[dict[str, str]]:
    language = get_language() or "en"
    return [{"key": case.key, "name": case.names.in_language(language)} for case in rule.cases]
