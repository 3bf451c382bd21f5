"""Template tags that explain weights and bases of the European ranking."""

from collections.abc import Iterator
from fractions import Fraction

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined, joined_clauses
from tournament.ema.engine.mers import MAX_DAYS, Part, Score
from tournament.ema.selectors.results import EmaLine, EmaResults, Participation
from tournament.ema.texts import weight_text
from tournament.web.texts.words import table_points

register = template.Library()
register.filter(weight_text)


@register.filter
def weight_lines(participation: Participation) -> list[dict[str, str]]:
    """Return the weight by its parts, for `components/receipt.html`."""
    return list(_weight_lines(participation))


def _weight_lines(participation: Participation) -> Iterator[dict[str, str]]:
    parts, countries = participation.weight, participation.counted_countries
    yield {
        "name": ngettext("{n} day", "{n} days", participation.days).format(n=participation.days),
        "note": _("at most {n}").format(n=MAX_DAYS) if participation.days > MAX_DAYS else "",
        "points": weight_text(parts.days),
    }
    players = participation.players + participation.substitutes
    note = ngettext("{n} substitute among them", "{n} substitutes among them", participation.substitutes)
    yield {
        "name": ngettext("{n} player", "{n} players", players).format(n=players),
        "note": note.format(n=participation.substitutes) if participation.substitutes else "",
        "points": weight_text(parts.players),
    }
    guests = ngettext(
        "{n} guest counts for the country of the event",
        "{n} guests count for the country of the event",
        participation.guests,
    )
    yield {
        "name": ngettext("{n} country", "{n} countries", countries).format(n=countries),
        "note": guests.format(n=participation.guests) if participation.guests else "",
        "points": weight_text(parts.countries),
    }
    if parts.championship:
        yield {"name": _("Championship with qualification"), "points": weight_text(parts.championship)}


@register.filter
def weight_explanation(participation: Participation) -> str:
    """Explain the weight by its parts in a sentence."""
    weight, players = participation.weight, participation.players + participation.substitutes
    days, countries = participation.days, participation.counted_countries
    parts = [
        _part_text(ngettext("{weight} for {n} day", "{weight} for {n} days", days), weight.days, days),
        _part_text(
            ngettext("{weight} for {n} player", "{weight} for {n} players", players),
            weight.players,
            players,
        ),
        _part_text(
            ngettext("{weight} for {n} country", "{weight} for {n} countries", countries),
            weight.countries,
            countries,
        ),
    ]
    if weight.championship:
        parts.append(_("{weight} for a championship").format(weight=weight_text(weight.championship)))
    text = _("Current weight: {parts}.").format(parts=joined(parts))
    if days > MAX_DAYS:
        text = _("{text} More than {n} days count as {n}.").format(text=text, n=MAX_DAYS)
    return text


def _part_text(text: str, weight: Fraction, n: int) -> str:
    return text.format(weight=weight_text(weight), n=n)


@register.filter
def score_formula(score: Score | None) -> str:
    """Return both parts of a score: A (1000 × 2 + 500 × 1) ÷ 3 = 833.33; B …"""
    if score is None:
        return ""
    return joined_clauses(
        f"{name} {_part_formula(part)}" for name, part in (("A", score.part_a), ("B", score.part_b))
    )


def _part_formula(part: Part) -> str:
    products = " + ".join(f"{result.base} × {table_points(result.weight)}" for result in part.counted)
    total = sum((Fraction(result.weight) for result in part.counted), Fraction(0))
    return f"({products}) ÷ {table_points(total)} = {table_points(part.mean)}"


@register.simple_tag
def base_formula(results: EmaResults, line: EmaLine) -> str:
    """Return how a base is calculated: 1000 × 13 ÷ 15."""
    if line.base is None or line.place is None:
        return ""
    return f"1000\u00a0×\u00a0{results.placed - line.place}\u00a0÷\u00a0{results.placed - 1}"
