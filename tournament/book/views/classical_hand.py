"""What the calculator says of a hand by the classical game."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoring.classical.answers import Answer
from scoring.engine import WINDS
from scoring.texts.classical import by_sort, sum_text, with_names
from tournament.book.forms.calculator import CalculatorForm
from tournament.play.tags import Sets, lay_group
from tournament.play.texts.verdict import points_text
from tournament.web.texts import winds

Json = dict[str, Any]


def said(answer: Answer) -> Json:
    """The answer in plain data, as REST gives it, with what the page says of it besides."""
    found = with_names(answer.to_json())
    if answer.score is None:
        return {"found": found}
    title = points_text(found["points"]) if found["win"] else _("Not a winning hand")
    if not found["win"]:
        return {"found": found, "title": title}
    groups = [(heading, [_with_sets(found, line) for line in lines]) for heading, lines in by_sort(found)]
    return {
        "found": found,
        "title": title,
        "groups": groups,
        "sum_text": sum_text(found),
        "pays": payments(found),
        "laid": laid_out(found),
    }


def asked(form: CalculatorForm) -> Json:
    """The fields of the classical game, for a link."""
    besides = form.besides
    wins = besides.wins_in_a_row if besides.wins_in_a_row > 1 else None
    return {"flower": [flower.key for flower in besides.flowers], "way": sorted(besides.ways), "wins": wins}


def payments(found: Json) -> list[Json]:
    """Who gains what while the losers' hands are worth nothing, the winner first."""
    changes, seat = found["changes"], found["hand"]["seat_wind"]
    rows = [(_("Winner"), changes[seat], "")]
    factors = {payment["payer"]: payment["factor"] for payment in found["payments"]}
    for wind in WINDS:
        if wind != seat:
            factor = factors.get(wind, 1)
            note = f"{factor} × {found['points']}" if factor > 1 else ""
            rows.append((str(winds.NAMES[wind]), changes[wind], note))
    return [{"name": name, "change": change, "note": note} for name, change, note in rows]


def laid_out(found: Json) -> Sets:
    """The reading's groups as they lie; the winning tile is marked in one of them."""
    tile = found["hand"]["winning_tile"]
    marked, laid = False, []
    for group in found["reading"]["groups"]:
        mark = not marked and tile in group["tiles"] and group["concealed"] and group["form"] != "kong"
        laid.append(lay_group(group, tile if mark else None))
        marked = marked or mark
    return laid


def _with_sets(found: Json, line: Json) -> Json:
    groups = found["reading"]["groups"]
    return line | {"sets": [lay_group(groups[place]) for place in line["groups"]]}
