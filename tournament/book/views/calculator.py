"""The calculator: what a hand is worth, why, and what others would say. Works with and without JavaScript."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.calculator import Answer, consult
from scoring.classical import answers as classical
from scoring.engine import MCR, Hand, InvalidHand, to_text
from scoring.engine.notation import FLAGS, SETTINGS, parse_record
from scoring.texts import joined, rulebook_name, tile_name, with_sentences
from scoring.texts.tiles import CODES
from tournament.book.forms.calculator import CalculatorForm
from tournament.book.views import classical_hand
from tournament.play.engine.outlook import outlook
from tournament.play.texts.desk import WORDS
from tournament.play.texts.verdict import points_text

AnyAnswer = Answer | classical.Answer
EXAMPLE = "123m 123p 12s 789s 99m +3s seat=W round=S"
PAD_WORDS = (
    *("the_hand", "to_go", "one_to_go", "take_back", "take_back_tile", "mark_winner", "won_on"),
    *("change_tiles", "done", "next_tap", "tile", "chow", "pung", "kong", "concealed_kong"),
    *("concealed_kong_short", "characters", "dots", "bamboos", "honours", "flower_key", "delete_last"),
    *("one_flower", "flowers"),
)
"""What the desk's tray and keyboard say."""


@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """The page. ?hand=<notation>&rulebook=<key> opens on a hand: this is the link to share."""
    setup = {
        "words": {key: str(WORDS[key]) for key in PAD_WORDS},
        "sprite": static("tiles/tiles.svg"),
        "tiles": {code: tile_name(code) for code in CODES},
    }
    return render(request, "book/calculator/page.html", _context(request) | {"setup": setup})


@require_safe
def score(request: HttpRequest) -> HttpResponse:
    """The answer alone, which the page puts in its place while tiles are tapped."""
    context = _context(request)
    response = render(request, "book/calculator/_parts.html", context | {"swapped": True})
    response["HX-Replace-Url"] = reverse("calculator") + context["link"]
    return response


def _context(request: HttpRequest) -> dict[str, Any]:
    form = CalculatorForm(request.GET)
    answer = _answer(form)
    circumstances = _circumstances(form, answer)
    return {
        "form": form,
        "answer": answer,
        "is_whole": is_whole(answer),
        "classical": form.is_classical,
        "title": _("Calculator"),
        "record": dict(answer.record) if answer else {},
        "set": circumstances,
        "tiles_text": _tiles_text(form.text),
        "link": _link(form, answer, circumstances),
        "example": _query(hand=EXAMPLE),
    } | (_said_of_any(answer) if answer and not answer.problems else {})


def is_whole(answer: AnyAnswer | None) -> bool:
    """Whether there is a hand of all its tiles."""
    if isinstance(answer, classical.Answer):
        return answer.score is not None
    return bool(answer and answer.explanation)


def _said_of_any(answer: AnyAnswer) -> dict[str, Any]:
    if isinstance(answer, Answer):
        return said(answer)
    found = classical_hand.said(answer)
    return found | ({"title": _waiting(len(answer.waits))} if answer.missing == 1 else {})


def said(answer: Answer) -> dict[str, Any]:
    """The answer in plain data, as REST gives it, with what the page says of it besides."""
    found = with_sentences(answer.to_json())
    about: dict[str, Any] = {"found": found, "minimum": answer.rulebook.minimum}
    if answer.explanation:
        title = points_text(found["counted_points"]) if found["win"] else _("Not a winning hand")
        same = [other for other in answer.elsewhere if not other.differs]
        about["same_elsewhere"] = joined(rulebook_name(other.score.rulebook) for other in same)
        about["elsewhere"] = [other for other in found["rulebooks"] if other["more"] or other["less"]]
        return about | {"title": title}
    if answer.missing == 1:
        return about | {"title": _waiting(len(answer.waits))}
    return about | {"outlook": _outlook(answer)}


def _waiting(count: int) -> str:
    if not count:
        return _("Waiting for nothing")
    return ngettext("Waiting for {count} tile", "Waiting for {count} tiles", count).format(count=count)


def _outlook(answer: Answer) -> dict[str, Any] | None:
    """The dearest hand there can be with the last two tiles, as the desk is told of it; None with more to come."""
    given = {"melds": [], "self_drawn": False, "seat_wind": "E", "prevalent_wind": "E"} | dict(answer.record)
    ahead = outlook(given, answer.rulebook)
    return None if ahead is None else {"score": ahead.score.to_json(), "tiles": ahead.tiles}


def _answer(form: CalculatorForm) -> AnyAnswer | None:
    """What there is to say; None while no tile is given. Problems are said at their fields."""
    if "hand" in form.errors:
        return None
    try:
        record = form.with_circumstances(parse_record(form.text, partial=True))
    except InvalidHand as refused:
        form.say(refused.problems)
        return Answer({}, form.book, refused.problems)
    if not record["concealed"] and not record["melds"]:
        return None
    answer = (
        classical.consult(record, form.besides)
        if form.is_classical
        else consult(record, form.book, form.claimed)
    )
    form.say(answer.problems)
    return answer


def _circumstances(form: CalculatorForm, answer: AnyAnswer | None) -> dict[str, Any]:
    """How the fields stand: as the record has it, which is the text and the fields together."""
    record = form.with_circumstances(answer.record if answer else {})
    return {
        "flags": [flag for flag in FLAGS if record.get(flag) is True],
        "seat": record.get("seat_wind", "E"),
        "round": record.get("prevalent_wind", "E"),
        "flowers": record.get("flowers", 0),
        "rulebook": form.system,
        "named": [flower.key for flower in form.besides.flowers],
        "ways": form.besides.ways,
        "wins": form.besides.wins_in_a_row,
    }


def _tiles_text(text: str) -> str:
    """The text without its circumstances, which the fields beside it show."""
    settings = tuple(f"{name}=" for name in SETTINGS)
    flags = {name.replace("_", "-") for name in FLAGS}
    return " ".join(word for word in text.split() if word not in flags and not word.startswith(settings))


def link_to(form: CalculatorForm, answer: AnyAnswer | None) -> str:
    """The query that opens the calculator, or the page beside it, on what a form asks."""
    return _link(form, answer, _circumstances(form, answer))


def _link(form: CalculatorForm, answer: AnyAnswer | None, circumstances: dict[str, Any]) -> str:
    """The query that opens the page on this very answer."""
    announced = {"points": form.asked.get("points"), "fan": form.asked.get("fan")}
    asked = (
        announced | classical_hand.asked(form) | {"rulebook": None if form.system == MCR.key else form.system}
    )
    if hand := _hand(answer):
        return _query(hand=to_text(hand), **asked)
    winds = {name: circumstances[name] for name in ("seat", "round") if circumstances[name] != "E"}
    fields = {"flag": circumstances["flags"], "flowers": circumstances["flowers"], **winds}
    return _query(hand=_tiles_text(form.text), **fields, **asked)


def _hand(answer: AnyAnswer | None) -> Hand | None:
    if isinstance(answer, classical.Answer):
        return answer.winner.hand if answer.winner else None
    return answer.explanation.score.hand if answer and answer.explanation else None


def _query(**fields: Any) -> str:
    """?hand=…; what is empty is left out."""
    query = urlencode({name: value for name, value in fields.items() if value}, doseq=True)
    return f"?{query}" if query else ""
