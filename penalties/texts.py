"""Texts about fouls and sanctions in the active language."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from penalties.engine import Foul, FoulBook, Need, PaidTo, Points, Proposal, RepeatScope, Sanction
from penalties.engine.books import SPOKEN_WORDS
from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late, Rule, amounts_to_json
from penalties.engine.sanctions import NO_SANCTION
from scoring.book.terms import joined_words, search_words
from scoring.engine import RULEBOOKS
from scoring.texts import joined_parts, rulebook_name, translated

_BOOK_NAMES: dict[str, str | Promise] = {
    "china1998": gettext_lazy("1998 rules"),
    "mers": gettext_lazy("MERS Tournament Regulations"),
}
"""Names of the foul books that belong to no rulebook."""

_FLAGS: dict[str, str | Promise] = {
    "warning": gettext_lazy("warning"),
    "dead_hand": gettext_lazy("dead hand"),
    "no_claims": gettext_lazy("no claims this hand"),
    "lost_claim": gettext_lazy("may not claim or win on this discard"),
    "no_win_this_turn": gettext_lazy("may not win on this turn; a claim stands, and a tile is discarded"),
    "obligatory_discard": gettext_lazy("exposed tiles must be discarded"),
    "session_forfeited": gettext_lazy("session forfeited with score 0"),
    "may_not_continue": gettext_lazy("may not continue"),
    "loss_of_rank": gettext_lazy("loss of rank"),
    "disqualification": gettext_lazy("disqualification"),
    "criticism": gettext_lazy("open criticism"),
    "ban": gettext_lazy("ban from future competitions"),
}

_SCOPES: dict[RepeatScope, str | Promise] = {
    RepeatScope.HAND: gettext_lazy("this hand"),
    RepeatScope.WIND_ROUND: gettext_lazy("this wind round"),
    RepeatScope.SESSION: gettext_lazy("this session"),
    RepeatScope.TOURNAMENT: gettext_lazy("this tournament"),
}


def foul_book_name(book: FoulBook) -> str:
    """Return the name of the book's rulebook."""
    rulebook = next((rulebook for rulebook in RULEBOOKS if rulebook.key == book.key), None)
    return rulebook_name(rulebook) if rulebook else str(_BOOK_NAMES.get(book.key, book.key))


def foul_name(foul: Foul) -> str:
    return translated(foul.names)


def foul_name_in(book: FoulBook, key: str) -> str:
    """Return the name of a foul of this book, or its key if the book no longer has it."""
    foul = book.find(key)
    return foul_name(foul) if foul else key


def name_in_other_language(foul: Foul) -> str:
    """Return the foul's Chinese name if the active language is English, else its English name."""
    return foul.names.zh_hans if (get_language() or "en") == "en" else foul.names.en


def sanction_text(sanction: Sanction) -> str:
    """Return a sanction as text: "20 points to each of the others, dead hand", "at the umpire’s discretion"."""
    parts = [points_text(sanction.points)] if sanction.points else []
    parts += [str(text) for flag, text in _FLAGS.items() if getattr(sanction, flag)]
    return joined_parts(parts) or _("at the umpire’s discretion")


def flag_text(flag: str) -> str:
    """Return the text of a sanction's flag: "dead hand"."""
    return str(_FLAGS[flag])


def nth_time(n: int) -> str:
    """Return "1st time", "2nd time" …"""
    special = {1: _("1st time"), 2: _("2nd time"), 3: _("3rd time")}
    return special.get(n) or _("{n}th time").format(n=n)


def points_text(points: Points) -> str:
    amount = ngettext("{n} point", "{n} points", points.amount).format(n=points.amount)
    if points.paid_to is PaidTo.EACH_OPPONENT:
        return _("{amount} to each of the others").format(amount=amount)
    if points.paid_to is PaidTo.VICTIM:
        return _("{amount} to the other player").format(amount=amount)
    return amount


def reason_text(proposal: Proposal, foul: Foul) -> str:
    """Say why the foul book proposes its sanction, which stands beside it: "Empty call, 2nd time this session"."""
    assert proposal.reason is not None
    params = proposal.reason.params
    if proposal.reason.code == "ladder" and foul.repeats is RepeatScope.ANY_FOUL:
        return _("{foul}, foul {n} in this session").format(foul=foul_name(foul), n=params["occurrence"])
    if proposal.reason.code == "ladder":
        scope = _SCOPES[RepeatScope(str(params["scope"]))]
        return _("{foul}, {time} {scope}").format(
            foul=foul_name(foul), time=nth_time(int(params["occurrence"])), scope=scope
        )
    if proposal.reason.code == "minutes":
        minutes = int(params["minutes"])
        return ngettext("{minutes} minute late", "{minutes} minutes late", minutes).format(minutes=minutes)
    return foul_name(foul)


def search_text(foul: Foul) -> str:
    """Return the words that a foul is found by: those of its names and its description, and what players call it."""
    names = foul.names
    spoken = SPOKEN_WORDS.get(foul.key, ())
    texts = (names.en, names.zh_hans, names.zh_hant, translated(foul.description), *spoken)
    return joined_words(search_words(" ".join(texts)))


FREQUENT = (
    *("false_hu", "empty_call", "touching_wall", "false_claim", "late", "wrong_tile_count", "exposed_tile"),
)
"""The most frequent fouls, which are listed first."""


def foul_options(book: FoulBook) -> list[dict[str, Any]]:
    """Return the fouls of a book for the umpire's desk: the `FREQUENT` ones, then the others in the book's order.

    As [{"key", "name", "other", "description", "search", "costs", "needs", "amounts", "cases", "ticks"}]. "amounts":
    the figures to choose from, 0 for a warning, or {"least", "most", "warning"}. "ticks": [{"key", "name"}] of the
    `CHECKBOX_FACTS`.
    """
    return [
        _foul_option(foul)
        for foul in sorted(book.fouls, key=lambda foul: [*FREQUENT, foul.key].index(foul.key))
    ]


def _foul_option(foul: Foul) -> dict[str, Any]:
    rule = foul.rule
    return {
        "key": foul.key,
        "name": foul_name(foul),
        "other": name_in_other_language(foul),
        "description": translated(foul.description),
        "search": search_text(foul),
        "costs": first_time_cost(foul),
        "needs": [need.value for need in Need if need in foul.needs],
        "amounts": _amounts(rule) if isinstance(rule, Choice) else [],
        "cases": [{"key": case.key, "name": translated(case.names)} for case in rule.cases]
        if isinstance(rule, Cases)
        else [],
        "ticks": [{"key": fact, "name": str(CHECKBOX_FACTS[fact])} for fact in checkbox_facts(rule)],
    }


CHECKBOX_FACTS: dict[str, str | Promise] = {
    "tile_seen": gettext_lazy("The tile was seen"),
    "stopped": gettext_lazy("The offender may not continue"),
}
"""The optional facts that add to a sanction, with the labels of their checkboxes."""


def checkbox_facts(rule: Rule) -> list[str]:
    """Return the `CHECKBOX_FACTS` of a rule."""
    if isinstance(rule, Ladder) and rule.if_seen != NO_SANCTION:
        return ["tile_seen"]
    return ["stopped"] if isinstance(rule, Choice) and rule.stops else []


def _amounts(rule: Choice) -> Any:
    amounts = amounts_to_json(rule.amounts)
    if not rule.warning:
        return amounts
    return [0, *amounts] if isinstance(amounts, list) else amounts | {"warning": True}


def first_time_cost(foul: Foul) -> str:
    """Return the first sanction of a foul as text: "warning", "20 points to each of the others, dead hand", "5–60"."""
    match foul.rule:
        case Fixed(sanction=sanction):
            return sanction_text(sanction)
        case Ladder(steps=steps):
            return sanction_text(steps[0])
        case Late(bands=bands):
            return f"{sanction_text(bands[0][1])} +"
        case Choice(amounts=amounts, warning=warning):
            figures = f"{min(amounts)}–{max(amounts)}"
            return f"{flag_text('warning')} / {figures}" if warning else figures
        case Cases(cases=cases):
            return " / ".join(dict.fromkeys(sanction_text(case.sanction) for case in cases))
        case _:
            return ""
