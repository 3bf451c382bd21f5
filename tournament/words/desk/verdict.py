"""What the desk says a judged hand with: names and templates by code, filled in by static/js/desk/verdict.js."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.engine import Fan, Rulebook
from scoring.engine.rejections import PRINCIPLES
from scoring.texts import clause_text, fan_name
from scoring.texts.reasons import REASONS, VERDICTS

Templates = dict[str, str]
Plurals = dict[str, list[str]]

COUNTED: dict[str, Callable[[int], str]] = {
    "short": lambda n: ngettext(
        "{points} point: {missing} short of {minimum}", "{points} points: {missing} short of {minimum}", n
    ),
    "flowers": lambda n: ngettext("flower not counted", "flowers not counted", n),
}


def verdict_words(rulebook: Rulebook) -> dict[str, Templates | Plurals]:
    """{"fans", "reasons", "verdicts", "clauses", "why", "counted"}, each code → text; `counted` for one, for more."""
    return {
        "fans": {fan.key: fan_name(fan) for fan in Fan},
        "reasons": {reason.value: str(text) for reason, text in REASONS.items()},
        "verdicts": {verdict.value: str(text) for verdict, text in VERDICTS.items()},
        "clauses": _clauses(rulebook),
        "why": {
            "minimum": _("A hand needs {minimum} points before flowers."),
            "flowers": _("Flowers count only once the hand stands."),
        },
        "counted": {key: [plural(1), plural(2)] for key, plural in COUNTED.items()},
    }


def _clauses(rulebook: Rulebook) -> Templates:
    """Every clause a rejection can cite, as readers look it up, unless it is the same in their language."""
    cited = {exclusion.clause for exclusion in rulebook.exclusions}
    cited |= {*PRINCIPLES.values(), *(fan.clause for fan in Fan)}
    said = {clause: clause_text(clause) for clause in sorted(cited)}
    return {clause: text for clause, text in said.items() if text != clause}
