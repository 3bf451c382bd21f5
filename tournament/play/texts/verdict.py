"""The words for a judged hand, from the engine's plain data (`Score.to_json` and what is built on it).

The desk gets names and templates by code, which static/js/desk/judging.js fills in; pages get the same ones filled in.
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
from tournament.web.texts.log import sentences
from tournament.web.texts.words import NAMES, ROUNDS

Templates = dict[str, str]
Plurals = dict[str, list[str]]
Fact = Mapping[str, Any]

COUNTED: dict[str, Callable[[int], str]] = {
    "short": lambda n: ngettext(
        "{points} point: {missing} short of {minimum}", "{points} points: {missing} short of {minimum}", n
    ),
    "flowers": lambda n: ngettext("flower not counted", "flowers not counted", n),
}

WHY: dict[str, str | Promise] = {
    "minimum": gettext_lazy("A hand needs {minimum} points before flowers."),
    "flowers": gettext_lazy("Flowers count only once the hand stands."),
}


def verdict_words(rulebook: Rulebook) -> dict[str, Templates | Plurals]:
    """Return the desk's words, code → text: {"fans", "reasons", "slips", "clauses", "why", "counted"}.

    `counted` has a text for one and one for more.
    """
    return {
        "fans": {fan.key: fan_name(fan) for fan in Fan},
        "reasons": {reason.value: str(text) for reason, text in REASONS.items()},
        "slips": {slip.value: str(text) for slip, text in SLIPS.items()},
        "clauses": _clauses(rulebook),
        "why": {key: str(text) for key, text in WHY.items()},
        "counted": {key: [plural(1), plural(2)] for key, plural in COUNTED.items()},
    }


def _clauses(rulebook: Rulebook) -> Templates:
    """Return every clause a rejection can cite, as readers look it up, unless it is the same in their language."""
    cited = {exclusion.clause for exclusion in rulebook.exclusions}
    cited |= {*PRINCIPLES.values(), *(fan.clause for fan in Fan)}
    texts = {clause: clause_text(clause) for clause in sorted(cited)}
    return {clause: text for clause, text in texts.items() if text != clause}


def points_text(points: int) -> str:
    """Write "18 points"."""
    return ngettext("{points} point", "{points} points", points).format(points=points)


def conditions(score: Fact) -> str:
    """Write "Rulebook MCR · seat West, South round · won from a discard"."""
    hand = score["hand"]
    name = scoring_name(score["rulebook"])
    book = name if score["rulebook"] == CLASSICAL.key else _("Rulebook {name}").format(name=name)
    wind, wind_round = NAMES[hand["seat_wind"]], ROUNDS[hand["prevalent_wind"]]
    way = _("self-drawn") if hand["self_drawn"] else _("won from a discard")
    return " · ".join((book, _("seat {wind}, {round}").format(wind=wind, round=wind_round), way))


def shortfall(score: Fact) -> dict[str, str] | None:
    """Say why the hand may not be declared: {"title", "text"}; None when it may."""
    if not score["win"]:
        why = _("The tiles make neither four sets and a pair nor one of the special hands.")
        return {"title": _("These tiles are not a winning hand"), "text": why}
    if score["meets_minimum"]:
        return None
    points, minimum = score["points_without_flowers"], score["minimum"]
    title = COUNTED["short"](points).format(points=points, missing=score["missing"], minimum=minimum)
    reasons = [str(WHY["minimum"]).format(minimum=minimum)]
    if score["flowers"] and score["points"] >= minimum:
        reasons.append(str(WHY["flowers"]))
    return {"title": title, "text": sentences(*reasons)}


def sum_label(score: Fact) -> str:
    """Name the sum of the fans, with the flowers."""
    flowers = score["flowers"]
    if not flowers:
        return _("Sum, no flowers")
    if not score["meets_minimum"]:
        return _("Sum, flowers not counted")
    return ngettext("Sum with {count} flower", "Sum with {count} flowers", flowers).format(count=flowers)


def lines_that_count(score: Fact) -> list[Fact]:
    """List the fans, without flowers that do not count yet (MCR 39: only once the hand stands)."""
    enough = score["meets_minimum"]
    return [line for line in score["fans"] if enough or line["key"] != Fan.FLOWER_TILES.key]


def fan_list(lines: Iterable[Fact]) -> str:
    """Write "Mixed Straight 8, All Types 6"."""
    return joined(f"{fan_name(find_fan(line['key']))} {line['points'] * line['count']}" for line in lines)


def made_of(line: Fact, reading: Fact) -> str:
    """Say which sets make a fan: "sets 1, 2, 3", "set 4, pair", "whole hand"; nothing for flowers."""
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
    """Number the groups of a reading: sets by number, None for the pair and for single tiles."""
    groups = list(groups)
    counted = iter(range(1, 8))
    in_pairs = all(group["form"] == "pair" for group in groups)
    unnumbered = {"singles"} if in_pairs else {"singles", "pair"}
    return [None if group["form"] in unnumbered else next(counted) for group in groups]


def captions(score: Fact) -> list[str]:
    """Write the captions of the groups of a reading: "3 · chow, winning tile"."""
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


def payments(way: Fact) -> list[Fact]:
    """Say who gains what and why so much: [{"name", "change", "note"}], the winner first; none where nobody pays."""
    gains, points = way["payments"], way["points"]
    if not gains:
        return []
    extra = find_rulebook(way["rulebook"]).extra
    full = f"{points} + {extra}"
    if way["self_drawn"]:
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
