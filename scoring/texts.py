"""The engine's codes in words, in the active language.

Names of fans are rule data, not translations. Lists are joined by translated separators.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from scoring.classical import CLASSICAL, Flower, Row, Sort, find_row
from scoring.engine import Reason, Slip, Step
from scoring.engine.fans import FANS, Fan, FanType, find_fan
from scoring.engine.names import Names
from scoring.engine.problems import PROBLEM_CODES, Problem
from scoring.engine.reading import Form
from scoring.engine.rulebooks import Rulebook, find_rulebook

BACK = "back"
TILE_SUITS = {
    "m": gettext_lazy("%(number)s of Characters"),
    "p": gettext_lazy("%(number)s of Dots"),
    "s": gettext_lazy("%(number)s of Bamboos"),
}
TILE_NAMES = {
    "E": gettext_lazy("East wind"),
    "S": gettext_lazy("South wind"),
    "W": gettext_lazy("West wind"),
    "N": gettext_lazy("North wind"),
    "C": gettext_lazy("Red dragon"),
    "F": gettext_lazy("Green dragon"),
    "P": gettext_lazy("White dragon"),
    "f1": gettext_lazy("Plum flower"),
    "f2": gettext_lazy("Orchid flower"),
    "f3": gettext_lazy("Chrysanthemum flower"),
    "f4": gettext_lazy("Bamboo flower"),
    "f5": gettext_lazy("Spring flower"),
    "f6": gettext_lazy("Summer flower"),
    "f7": gettext_lazy("Autumn flower"),
    "f8": gettext_lazy("Winter flower"),
    BACK: gettext_lazy("concealed tile"),
}
TILE_CODES = (*(f"{number}{suit}" for suit in TILE_SUITS for number in range(1, 10)), *TILE_NAMES)
"""Codes of all tile drawings."""


def tile_name(code: str) -> str:
    """Return the name of a tile. Raises ValueError for an unknown code.

    Codes are those of the rules: 1m…9m Characters, 1p…9p Dots, 1s…9s Bamboos, E S W N, dragons C F P; f1…f8 are the
    flowers and `back` is a tile lying face down.
    """
    if code not in TILE_CODES:
        raise ValueError(f"no tile has the code {code!r}")
    if code in TILE_NAMES:
        return str(TILE_NAMES[code])
    return TILE_SUITS[code[1]] % {"number": code[0]}


_PLAIN: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
"""Letters that Unicode does not decompose into a plain letter and an accent."""


def folded(text: str) -> str:
    """Return a text for comparison: in lower case, without diacritics.

    >>> folded("Håkan ØSTERGAARD"), folded("Đặng"), folded("静")
    ('hakan ostergaard', 'dang', '静')
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char)).translate(_PLAIN)


_EXCERPT_MARGIN: Final = 70
"""Characters of an excerpt on each side of a match."""


def excerpt(text: str, words: Iterable[str], normalise: Callable[[str], str] = folded) -> str:
    """Return the text around the first of these normalised words, or its beginning if it has none of them."""
    flat = " ".join(text.split())
    places = [place for word in words if (place := normalise(flat).find(word)) >= 0]
    start = max(0, min(places, default=0) - _EXCERPT_MARGIN)
    end = start + 2 * _EXCERPT_MARGIN
    return f"{'…' if start else ''}{flat[start:end].strip()}{'…' if end < len(flat) else ''}"


def joined(items: Iterable[object]) -> str:
    """Return items as a list: "1, 2, 3", 「1、2、3」; "" for none."""
    return pgettext("between the items of a list", ", ").join(map(str, items))


def joined_and(items: Sequence[str]) -> str:
    """Return items with a final "and": "A", "A and B", "A, B and C", 「A、B和C」."""
    if len(items) < 2:
        return joined(items)
    return _("%(items)s and %(last)s") % {"items": joined(items[:-1]), "last": items[-1]}


def joined_parts(parts: Iterable[object]) -> str:
    """Return parts of one sentence: "20 points to each of the others, dead hand"; "" for none."""
    return _(", ").join(map(str, parts))


def joined_clauses(clauses: Iterable[object]) -> str:
    """Return clauses that contain commas: "session 1: tables 1, 2; session 2"; "" for none."""
    return _("; ").join(map(str, clauses))


RULEBOOK_NAMES: Final[dict[str, str | Promise]] = {
    "mcr": gettext_lazy("MCR"),
    "mwt": gettext_lazy("MCR to the letter"),
    "botzone": gettext_lazy("Botzone"),
    "guide": gettext_lazy("Guide to Mahjong"),
}
"""Names of rulebooks by key, on pages, on paper and as books of fouls."""

CLASSICAL_GAME: Final = gettext_lazy("Classical game")
"""The name of the classical game in lists of rulebooks."""

FORM_NAMES: Final[dict[Form, str | Promise]] = {
    Form.CHOW: gettext_lazy("chow"),
    Form.PUNG: gettext_lazy("pung"),
    Form.KONG: gettext_lazy("kong"),
    Form.PAIR: gettext_lazy("pair"),
    Form.KNITTED: gettext_lazy("knitted"),
    Form.SINGLES: gettext_lazy("single tiles"),
}
"""Names of groups of tiles."""

FAN_TYPES: Final[dict[FanType, str | Promise]] = {
    FanType.HONOURS: gettext_lazy("Honours"),
    FanType.CHOWS: gettext_lazy("Chows"),
    FanType.PUNGS: gettext_lazy("Pungs and kongs"),
    FanType.SEVEN_PAIRS: gettext_lazy("Seven pairs"),
    FanType.SUITS: gettext_lazy("Suits"),
    FanType.TERMINALS: gettext_lazy("Terminals and numbers"),
    FanType.KNITTED: gettext_lazy("Knitted tiles"),
    FanType.WAITS: gettext_lazy("Waits and ways to win"),
    FanType.SPECIAL: gettext_lazy("Special"),
}
"""Names of types of fans."""


def translated(names: Names) -> str:
    """Return the text in the reader's language."""
    return names.in_language(get_language() or "en")


def fan_name(fan: Fan) -> str:
    """Return the name of a fan in the reader's language."""
    return {"zh-hans": fan.zh_hans, "zh-hant": fan.zh_hant}.get(get_language() or "", fan.en)


def rulebook_name(rulebook: Rulebook) -> str:
    """Return the name of a rulebook in the reader's language; a house rulebook has one name only."""
    return str(RULEBOOK_NAMES.get(rulebook.key, rulebook.name))


def scoring_name(key: str) -> str:
    """Return the name of the rulebook with this key, or of the classical game."""
    return str(CLASSICAL_GAME) if key == CLASSICAL.key else rulebook_name(find_rulebook(key))


def form_name(form: Form) -> str:
    """Return the name of a form of tiles: "chow"."""
    return str(FORM_NAMES[form])


CITED_BOOKS: Final[dict[str, str | Promise]] = {
    "MCR": pgettext_lazy("a book that is cited", "MCR"),
    "Botzone": pgettext_lazy("a book that is cited", "Botzone"),
    "Guide": pgettext_lazy("a book that is cited", "Guide"),
}
_CLAUSE: Final = re.compile(
    r"(?P<book>\w+),? ((?P<kind>principle|note) )?((?P<n>\d+)(, example (?P<example>\d+))?|(?P<fan>\D+))"
)
_BY_NAME: Final = {fan.en: fan for fan in FANS}


def clause_text(clause: str) -> str:
    """Return a clause, such as "MCR principle 1", in the reader's language; other formats are unchanged."""
    match = _CLAUSE.fullmatch(clause)
    if match is None or match["book"] not in CITED_BOOKS:
        return clause
    book, n = str(CITED_BOOKS[match["book"]]), match["n"]
    if match["fan"]:
        fan = _BY_NAME.get(match["fan"])
        return _("{book}, {fan}").format(book=book, fan=fan_name(fan)) if fan else clause
    if match["kind"] == "principle":
        return _("{book} principle {n}").format(book=book, n=n)
    if match["kind"] == "note":
        return _("{book} note {n}").format(book=book, n=n)
    if match["example"]:
        return _("{book} {n}, example {example}").format(book=book, n=n, example=match["example"])
    return _("{book} {n}").format(book=book, n=n)


FAN_PARAMS = ("fan", "by", "other")
"""Parameters with the key of a fan, replaced by its name."""
MELD_TYPES = ("chow", "pung", "kong")
"""Values of the parameter `type`, replaced by their names."""


def problem_sentence(problem: Problem, params: Mapping[str, str | int] | None = None) -> str:
    """Return the sentence of a problem in the active language; `params` replace its own."""
    params = {"where": problem.where, **(problem.params if params is None else params)}
    if "fan" in params:
        params |= {name: _fan_or_key(str(params[name])) for name in FAN_PARAMS if name in params}
    if params.get("type") in MELD_TYPES:
        params["type"] = form_name(Form(params["type"]))
    if params.get("tile") in TILE_CODES:
        params["tile"] = tile_name(str(params["tile"]))
    by = PROBLEM_CODES[problem.code].by
    return problem_template(problem.code, int(problem.params[by]) if by else 1).format_map(params)


def problem_template(code: str, number: int = 1) -> str:
    """Return the sentence of a code for a number, with its {placeholders} in the active language."""
    declared = PROBLEM_CODES[code]
    if declared.plural:
        return ngettext(declared.sentence, declared.plural, number)
    return _(declared.sentence)


def _fan_or_key(key: str) -> str:
    try:
        return fan_name(find_fan(key))
    except KeyError:  # the problem may be that there is no such fan
        return key


REASONS: dict[Reason, str | Promise] = {
    Reason.EXCLUDED: gettext_lazy("{fan} does not combine with {by}."),
    Reason.PARTLY_EXCLUDED: gettext_lazy("One {fan} does not combine with {by}; the other one counts."),
    Reason.NON_REPEAT: gettext_lazy("{fan} is always part of {by} (non-repeat principle)."),
    Reason.NON_SEPARATION: gettext_lazy(
        "{fan} would rearrange sets that already make {by} (non-separation principle)."
    ),
    Reason.NON_IDENTICAL: gettext_lazy(
        "One of its sets already made {by} with another set (non-identical principle)."
    ),
    Reason.HIGHEST: gettext_lazy("{fan} belongs to a different arrangement of the tiles, which scores less."),
    Reason.ACCOUNT_ONCE: gettext_lazy("Its sets are already tied together by {by} (account-once principle)."),
    Reason.OTHER_WAITS: gettext_lazy("Other tiles would have completed the hand too: {tiles}."),
    Reason.COMPLETED_BY_DISCARD: gettext_lazy(
        "The winning discard completed one of the pungs, so it is not concealed."
    ),
    Reason.NOT_DISCARDED: gettext_lazy("The winning tile was drawn; {fan} needs a discard."),
    Reason.HONOURS: gettext_lazy("{fan} is made of suit tiles in this rulebook."),
    Reason.NOT_IN_RULEBOOK: gettext_lazy("This rulebook does not have {fan}."),
}

STEPS: dict[Step, str | Promise] = {
    Step.SELF_DRAWN: gettext_lazy("Self-drawn, the hand would be worth {points} points."),
    Step.WINNING_TILE: gettext_lazy("Won on {tile}, the hand would be worth {points} points."),
    Step.EXCHANGE: gettext_lazy(
        "With {tile} instead of {instead_of}, the hand would be worth {points} points."
    ),
}

SLIPS: dict[Slip, str | Promise] = {
    Slip.NOT_COUNTED: gettext_lazy("{fan} was announced {announced}×, but counts {counted}×."),
    Slip.FORGOTTEN: gettext_lazy("{fan} counts {counted}×, but was announced {announced}×."),
    Slip.WRONG_SUM: gettext_lazy("Points announced: {announced}. The hand is worth {counted}."),
}

Fact = Mapping[str, Any]
"""An item of the engine's `to_json`."""


def reason_sentence(rejection: Fact) -> str:
    """Return why a fan was not counted."""
    fan, by = (_fan_name_or_empty(rejection[name]) for name in ("key", "by"))
    tiles = joined(tile_name(tile) for tile in rejection["tiles"])
    return str(REASONS[Reason(rejection["reason"])]).format(fan=fan, by=by, tiles=tiles)


def improvement_sentence(improvement: Fact) -> str:
    """Return what one step would have made of the hand."""
    tile, instead_of = (
        tile_name(improvement[name]) if improvement[name] else "" for name in ("tile", "instead_of")
    )
    sentence = str(STEPS[Step(improvement["step"])])
    return sentence.format(tile=tile, instead_of=instead_of, points=improvement["points"])


def difference_sentence(difference: Fact) -> str:
    """Return how an announcement differs from the score, with the reason where there is one."""
    facts = {**difference, "fan": _fan_name_or_empty(difference["fan"])}
    sentence = str(SLIPS[Slip(difference["slip"])]).format_map(facts)
    because = difference["because"]
    return f"{sentence} {reason_sentence(because)}" if because else sentence


ANSWER_SENTENCES: dict[str, Callable[[Fact], str]] = {
    "rejected": reason_sentence,
    "reasons": reason_sentence,
    "improvements": improvement_sentence,
    "differences": difference_sentence,
}


def with_sentences(answer: Fact) -> dict[str, Any]:
    """Return an analysis (`scoring.calculator.Analysis.to_json`) with a "message" in each of its items."""
    result = dict(answer)
    for name, sentence in ANSWER_SENTENCES.items():
        if result.get(name):
            result[name] = [entry | {"message": sentence(entry)} for entry in result[name]]
    if "rulebooks" in result:
        result["rulebooks"] = [with_sentences(other) for other in result["rulebooks"]]
    return result


def _fan_name_or_empty(key: str | None) -> str:
    return fan_name(find_fan(key)) if key else ""


Json = dict[str, Any]

SORTS: Final[dict[Sort, str | Promise]] = {
    Sort.POINTS: gettext_lazy("Points, for everybody"),
    Sort.BONUS: gettext_lazy("Bonuses, for the winner"),
    Sort.DOUBLES: gettext_lazy("Doubles, for everybody"),
    Sort.WINNER_DOUBLES: gettext_lazy("Doubles, for the winner"),
    Sort.LIMIT: gettext_lazy("Limit hands"),
    Sort.DEAD: gettext_lazy("Scores nothing"),
}
"""Headings for the lines of each sort."""


def row_name(row: Row) -> str:
    return translated(row.names)


def flower_name(flower: Flower) -> str:
    return translated(flower.names)


def line_worth(line: Mapping[str, Any], limit: int) -> str:
    """Return the value of a line: 4, ×2, or the limit."""
    sort = Sort(line["sort"])
    if sort is Sort.LIMIT:
        return str(limit)
    return f"×{line['value']}" if sort in (Sort.DOUBLES, Sort.WINNER_DOUBLES) else str(line["value"])


def sum_text(score: Mapping[str, Any]) -> str:
    """Return the calculation of the points: "36 × 4 = 144", and the limit where it applies."""
    added, factor, full = score["added"], score["factor"], score["in_full"]
    worked = f"{added} × {factor} = {full}" if factor > 1 else f"{added}"
    if score["points"] == full:
        return worked
    return _("{worked}; the limit is {limit}").format(worked=worked, limit=score["limit"])


def with_names(score: Mapping[str, Any]) -> Json:
    """Return a score (`scoring.classical.Score.to_json`) with "name", "worth" and "flower_names" in each line."""
    lines = [_named_line(line, score["limit"]) for line in score.get("lines", [])]
    return {**score, "lines": lines} if lines else dict(score)


def _named_line(line: Mapping[str, Any], limit: int) -> Json:
    flowers = [flower_name(Flower[key.upper()]) for key in line["flowers"]]
    return {
        **line,
        "name": row_name(find_row(line["key"])),
        "worth": line_worth(line, limit),
        "flower_names": flowers,
    }


def by_sort(score: Mapping[str, Any]) -> list[tuple[str, list[Json]]]:
    """Return the lines under their headings, in the order of calculation: added, multiplied, then the limit."""
    order = (Sort.POINTS, Sort.BONUS, Sort.DOUBLES, Sort.WINNER_DOUBLES, Sort.LIMIT, Sort.DEAD)
    groups = ((sort, [line for line in score["lines"] if line["sort"] == sort.value]) for sort in order)
    return [(str(SORTS[sort]), lines) for sort, lines in groups if lines]
