"""Texts for a judged hand, from its JSON (`Score.to_json`).

The desk gets names and templates by code, which static/js/desk/preview.js fills in; pages get them filled in.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.classical import CLASSICAL
from scoring.engine import Fan, Form, Rulebook, find_fan, find_rulebook
from scoring.engine.rejections import PRINCIPLES
from scoring.texts import (
    REASONS,
    SLIPS,
    clause_text,
    fan_name,
    form_name,
    joined,
    joined_parts,
    scoring_name,
)
from tournament.play.texts.desk import counted_texts
from tournament.web.texts.log import sentences
from tournament.web.texts.words import NAMES, ROUNDS

Templates = dict[str, str]
Plurals = dict[str, list[str]]
Fact = Mapping[str, Any]

PLURALS: dict[str, Callable[[int], str]] = {
    "short": lambda n: ngettext(
        "{points} point: {missing} short of the {minimum} needed",
        "{points} points: {missing} short of the {minimum} needed",
        n,
    ),
    "flowers": lambda n: ngettext("flower not counted", "flowers not counted", n),
}

EXPLANATIONS: dict[str, str | Promise] = {
    "minimum": gettext_lazy("A hand needs {minimum} points before flowers."),
    "flowers": gettext_lazy("Flowers count only once the hand reaches the minimum."),
}


def verdict_words(rulebook: Rulebook) -> dict[str, Templates | Plurals]:
    """Return the desk's texts by code: {"fans", "reasons", "slips", "clauses", "why", "counted"}.

    Those of `counted` are pairs of singular and plural.
    """
    return {
        "fans": {fan.key: fan_name(fan) for fan in Fan},
        "reasons": {reason.value: str(text) for reason, text in REASONS.items()},
        "slips": {slip.value: str(text) for slip, text in SLIPS.items()},
        "clauses": _clauses(rulebook),
        "why": {key: str(text) for key, text in EXPLANATIONS.items()},
        "counted": counted_texts(PLURALS),
    }


def _clauses(rulebook: Rulebook) -> Templates:
    """Return translations of the clauses that rejections cite, where they differ from the clause itself."""
    cited = {exclusion.clause for exclusion in rulebook.exclusions}
    cited |= {*PRINCIPLES.values(), *(fan.clause for fan in Fan)}
    texts = {clause: clause_text(clause) for clause in sorted(cited)}
    return {clause: text for clause, text in texts.items() if text != clause}


def points_text(points: int) -> str:
    """Return "18 points"."""
    return ngettext("{points} point", "{points} points", points).format(points=points)


def conditions(score: Fact) -> str:
    """Return "Rulebook MCR · seat West, South round · won from a discard"."""
    hand = score["hand"]
    name = scoring_name(score["rulebook"])
    book = name if score["rulebook"] == CLASSICAL.key else _("Rulebook {name}").format(name=name)
    wind, wind_round = NAMES[hand["seat_wind"]], ROUNDS[hand["prevalent_wind"]]
    how_won = _("self-drawn") if hand["self_drawn"] else _("won from a discard")
    return " · ".join((book, _("seat {wind}, {round}").format(wind=wind, round=wind_round), how_won))


def shortfall(score: Fact) -> dict[str, str] | None:
    """Return why the hand may not be declared, as {"title", "text"}; None when it may."""
    if not score["win"]:
        text = _("The tiles make neither four sets and a pair nor one of the special hands.")
        return {"title": _("These tiles are not a winning hand"), "text": text}
    if score["meets_minimum"]:
        return None
    points, minimum = score["points_without_flowers"], score["minimum"]
    title = PLURALS["short"](points).format(points=points, missing=score["missing"], minimum=minimum)
    reasons = [str(EXPLANATIONS["minimum"]).format(minimum=minimum)]
    if score["flowers"] and score["points"] >= minimum:
        reasons.append(str(EXPLANATIONS["flowers"]))
    return {"title": title, "text": sentences(*reasons)}


def sum_label(score: Fact) -> str:
    """Return the label of the sum of the fans, which tells of flowers."""
    flowers = score["flowers"]
    if not flowers:
        return _("Sum, no flowers")
    if not score["meets_minimum"]:
        return _("Sum, flowers not counted")
    return ngettext("Sum with {count} flower", "Sum with {count} flowers", flowers).format(count=flowers)


def counting_lines(score: Fact) -> list[Fact]:
    """List the lines that count: below the minimum flowers do not (MCR 39)."""
    is_enough = score["meets_minimum"]
    return [line for line in score["fans"] if is_enough or line["key"] != Fan.FLOWER_TILES.key]


def join_fans(lines: Iterable[Fact]) -> str:
    """Return "Mixed Straight 8, All Types 6"."""
    return joined(f"{fan_name(find_fan(line['key']))} {line['points'] * line['count']}" for line in lines)


def sets_text(line: Fact, reading: Fact) -> str:
    """Return which sets make a fan: "sets 1, 2, 3", "set 4, pair", "whole hand"; "" for flowers."""
    if line["key"] == Fan.FLOWER_TILES.key:
        return ""
    places = sorted({place for places in line["groups"] for place in places})
    if not places:
        return _("whole hand")
    groups = reading["groups"]
    numbers = set_numbers(groups)
    sets = [str(numbers[place]) for place in places if numbers[place] is not None]
    words = [ngettext("set {sets}", "sets {sets}", len(sets)).format(sets=joined(sets))] if sets else []
    words += [form_name(Form(groups[place]["form"])) for place in places if numbers[place] is None]
    return joined_parts(words)


def set_numbers(groups: Iterable[Fact]) -> list[int | None]:
    """Number the groups of a reading; None for the pair and for single tiles."""
    groups = list(groups)
    numbers = iter(range(1, 8))
    in_pairs = all(group["form"] == "pair" for group in groups)
    unnumbered = {"singles"} if in_pairs else {"singles", "pair"}
    return [None if group["form"] in unnumbered else next(numbers) for group in groups]


def captions(score: Fact) -> list[str]:
    """Return the captions of the groups of a reading, such as "3 · chow, winning tile"."""
    groups = score["reading"]["groups"]
    return [
        _caption(number, group, place == score["completed"])
        for place, (number, group) in enumerate(zip(set_numbers(groups), groups, strict=True))
    ]


def _caption(number: int | None, group: Fact, won: bool) -> str:
    words = [form_name(Form(group["form"]))]
    if not group["concealed"]:
        words.append(_("claimed"))
    elif group["form"] == "kong":
        words.append(_("concealed"))
    if won:
        words.append(_("winning tile"))
    text = joined_parts(words)
    return text if number is None else f"{number} · {text}"


def payments(answer: Fact) -> list[Fact]:
    """List payments with their calculation as {"name", "change", "note"}, winner first; empty if nobody pays."""
    gains, points = answer["payments"], answer["points"]
    if not gains:
        return []
    extra = find_rulebook(answer["rulebook"]).extra
    full = f"{points} + {extra}"
    if answer["self_drawn"]:
        winner = f"3 × ({full})"
        others = [(_("Other"), gains["others"], full)] * 3
    else:
        winner = f"{points + extra} + {extra} + {extra}"
        others = [
            (_("Discarder"), gains["discarder"], full),
            *[(_("Other"), gains["others"], str(extra))] * 2,
        ]
    rows = [(_("Winner"), gains["winner"], winner), *others]
    return [{"name": name, "change": change, "note": note} for name, change, note in rows]
