"""Views of the calculator, with and without JavaScript, of one hand in five systems, and of a classical evening.

Beside it an evening of the classical game for four.
"""

import json
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from scoring.calculator import Analysis as CalculatorAnalysis
from scoring.calculator import analyse
from scoring.classical import analysis as classical
from scoring.classical.evening import MAX_HANDS, Evening, InvalidEvening, read_evening
from scoring.engine import MCR, WINDS, Hand, InvalidHand, to_text
from scoring.engine.notation import EXAMPLE as TEXT_EXAMPLE
from scoring.engine.notation import FLAGS, parse_record, without_circumstances
from scoring.texts import (
    TILE_CODES,
    by_sort,
    joined,
    rulebook_name,
    sum_text,
    tile_name,
    with_names,
    with_sentences,
)
from tournament.book import texts
from tournament.book.forms.calculator import CalculatorForm, EveningForm, HandForm
from tournament.play.engine.preview import find_outlook
from tournament.play.tags import Sets, lay_group
from tournament.play.texts.desk import desk_texts
from tournament.play.texts.verdict import points_text
from tournament.web.texts import words

# --- The calculator ---


Json = dict[str, Any]
AnyAnalysis = CalculatorAnalysis | classical.Analysis
EXAMPLE = "123m 123p 12s 789s 99m +3s seat=W round=S"
PAD_WORDS = (
    *("the_hand", "to_go", "tap_to_remove", "remove_tile", "mark_winner", "won_on"),
    *("change_tiles", "done", "next_tap", "tile", "chow", "pung", "kong", "concealed_kong"),
    *("concealed_kong_short", "characters", "dots", "bamboos", "honours", "flower_key", "delete_last"),
    "flowers",
)
"""Texts of the desk's tray and keyboard."""


@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """Show the calculator. ?hand=<notation>&rulebook=<key>, as in shared links, opens it with a hand."""
    setup = {
        "words": {key: text for key, text in desk_texts().items() if key in PAD_WORDS},
        "sprite": static("tiles/tiles.svg"),
        "tiles": {code: tile_name(code) for code in TILE_CODES},
    }
    return render(request, "book/calculator/page.html", _context(request) | {"setup": setup})


@require_safe
def score(request: HttpRequest) -> HttpResponse:
    """Render the result alone, which htmx swaps in while tiles are entered."""
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
        "tiles_text": without_circumstances(form.text),
        "link": _link(form, answer, circumstances),
        "example": _query(hand=EXAMPLE),
        "example_hand": parse_record(EXAMPLE),
        "text_example": TEXT_EXAMPLE,
    } | (_answer_context(answer) if answer and not answer.problems else {})


def _answer(form: CalculatorForm) -> AnyAnalysis | None:
    """Return the analysis, or None without a tile. Problems are added to the form."""
    if "hand" in form.errors:
        return None
    try:
        record = form.with_circumstances(parse_record(form.text, partial=True))
    except InvalidHand as refused:
        form.add_problems(refused.problems)
        return CalculatorAnalysis({}, form.book, refused.problems)
    if not record["concealed"] and not record["melds"]:
        return None
    answer = (
        classical.analyse(record, form.extras)
        if form.is_classical
        else analyse(record, form.book, form.announcement)
    )
    form.add_problems(answer.problems)
    return answer


def is_whole(answer: AnyAnalysis | None) -> bool:
    """Return whether a complete hand was analysed."""
    if isinstance(answer, classical.Analysis):
        return answer.score is not None
    return bool(answer and answer.explanation)


def _answer_context(answer: AnyAnalysis) -> dict[str, Any]:
    if isinstance(answer, CalculatorAnalysis):
        return calculator_context(answer)
    context = classical_hand_context(answer)
    return context | ({"title": _waiting(len(answer.waits))} if answer.missing == 1 else {})


def calculator_context(answer: CalculatorAnalysis) -> dict[str, Any]:
    """Return the analysis as REST returns it, with what the page adds."""
    data = with_sentences(answer.to_json())
    context: dict[str, Any] = {"result": data, "minimum": answer.rulebook.minimum}
    if answer.explanation:
        title = points_text(data["counted_points"]) if data["win"] else _("Not a winning hand")
        same = [other for other in answer.comparisons if not other.differs]
        context["same_elsewhere"] = joined(rulebook_name(other.score.rulebook) for other in same)
        context["elsewhere"] = [other for other in data["rulebooks"] if other["more"] or other["less"]]
        return context | {"title": title}
    if answer.missing == 1:
        return context | {"title": _waiting(len(answer.waits))}
    return context | {"outlook": _outlook(answer)}


def _waiting(count: int) -> str:
    if not count:
        return _("Not a waiting hand")
    return ngettext("Waiting for {count} tile", "Waiting for {count} tiles", count).format(count=count)


def _outlook(answer: CalculatorAnalysis) -> dict[str, Any] | None:
    """Return the best hand that two missing tiles allow, as the desk shows it, or None with more tiles missing."""
    record = {"melds": [], "self_drawn": False, "seat_wind": "E", "prevalent_wind": "E"} | dict(answer.record)
    ahead = find_outlook(record, answer.rulebook)
    return None if ahead is None else {"score": ahead.score.to_json(), "tiles": ahead.tiles}


def _circumstances(form: CalculatorForm, answer: AnyAnalysis | None) -> dict[str, Any]:
    """Return the state of the fields: the text and the fields merged."""
    record = form.with_circumstances(answer.record if answer else {})
    flags = [flag for flag in FLAGS if record.get(flag) is True]
    hand = _hand(answer)
    certain = [flag for flag in FLAGS if flag not in flags and hand and getattr(hand, flag)]
    return {
        "flags": flags + certain,
        "certain": certain,
        "seat": record.get("seat_wind", "E"),
        "round": record.get("prevalent_wind", "E"),
        "flowers": record.get("flowers", 0),
        "rulebook": form.system,
        "named": [flower.key for flower in form.extras.flowers],
        "ways": form.extras.flags,
        "wins": form.extras.wins_in_a_row,
    }


def link_to(form: CalculatorForm, answer: AnyAnalysis | None) -> str:
    """Return the query that opens the calculator, or the systems page, with this form's hand."""
    return _link(form, answer, _circumstances(form, answer))


def _link(form: CalculatorForm, answer: AnyAnalysis | None, circumstances: dict[str, Any]) -> str:
    """Return the query of a link to this result."""
    announced = {"points": form.values.get("points"), "fan": form.values.get("fan")}
    rest = (
        announced | classical_hand_query(form) | {"rulebook": None if form.system == MCR.key else form.system}
    )
    if hand := _hand(answer):
        return _query(hand=to_text(hand), **rest)
    winds = {name: circumstances[name] for name in ("seat", "round") if circumstances[name] != "E"}
    fields = {"flag": circumstances["flags"], "flowers": circumstances["flowers"], **winds}
    return _query(hand=without_circumstances(form.text), **fields, **rest)


def _hand(answer: AnyAnalysis | None) -> Hand | None:
    if isinstance(answer, classical.Analysis):
        return answer.winner.hand if answer.winner else None
    return answer.explanation.score.hand if answer and answer.explanation else None


def _query(**fields: Any) -> str:
    """Return a query string without empty fields."""
    query = urlencode({name: value for name, value in fields.items() if value}, doseq=True)
    return f"?{query}" if query else ""


# --- By the classical game ---


def classical_hand_context(answer: classical.Analysis) -> Json:
    """Return the classical analysis as REST returns it, with what the page adds."""
    data = with_names(answer.to_json())
    if answer.score is None:
        return {"result": data}
    title = points_text(data["points"]) if data["win"] else _("Not a winning hand")
    if not data["win"]:
        return {"result": data, "title": title}
    groups = [(heading, [_with_sets(data, line) for line in lines]) for heading, lines in by_sort(data)]
    return {
        "result": data,
        "title": title,
        "groups": groups,
        "sum_text": sum_text(data),
        "pays": payments(data),
        "laid": laid_out(data),
    }


def classical_hand_query(form: CalculatorForm) -> Json:
    """Return the query fields of the classical game."""
    extras = form.extras
    wins = extras.wins_in_a_row if extras.wins_in_a_row > 1 else None
    return {"flower": [flower.key for flower in extras.flowers], "way": sorted(extras.flags), "wins": wins}


def payments(data: Json) -> list[Json]:
    """Return what each player gains, the winner first, if the losers' hands are worth nothing."""
    changes, seat = data["changes"], data["hand"]["seat_wind"]
    rows = [(_("Winner"), changes[seat], "")]
    factors = {payment["payer"]: payment["factor"] for payment in data["payments"]}
    for wind in WINDS:
        if wind != seat:
            factor = factors.get(wind, 1)
            note = f"{factor} × {data['points']}" if factor > 1 else ""
            rows.append((str(words.NAMES[wind]), changes[wind], note))
    return [{"name": name, "change": change, "note": note} for name, change, note in rows]


def laid_out(data: Json) -> Sets:
    """Return the groups of the reading to draw, the winning tile marked in one of them."""
    tile = data["hand"]["winning_tile"]
    marked, laid = False, []
    for group in data["reading"]["groups"]:
        mark = not marked and tile in group["tiles"] and group["concealed"] and group["form"] != "kong"
        laid.append(lay_group(group, tile if mark else None))
        marked = marked or mark
    return laid


def _with_sets(data: Json, line: Json) -> Json:
    groups = data["reading"]["groups"]
    return line | {"sets": [lay_group(groups[place]) for place in line["groups"]]}


# --- In five systems ---


@require_safe
def systems_page(request: HttpRequest) -> HttpResponse:
    """Show one hand in five systems. ?hand=… is the calculator's; an incomplete hand is referred there."""
    form = CalculatorForm(request.GET)
    mcr, by_classical = _answers(form)
    context: dict[str, Any] = {"form": form, "link": link_to(form, mcr), "answered": False}
    if mcr and mcr.explanation and by_classical:
        context |= {
            "answered": True,
            "rows": [
                row | {"link": _link_in(context["link"], row["key"])} for row in texts.rows(mcr, by_classical)
            ],
            "reasons": texts.reasons(mcr, by_classical),
            "unnamed": form.extras.flowers == () and mcr.explanation.score.hand.flowers,
            "classical": classical_hand_context(by_classical),
        }
        context |= calculator_context(mcr)
    return render(request, "book/calculator/systems.html", context)


def _link_in(link: str, system: str) -> str:
    """Return the calculator query of this link for another system."""
    query = QueryDict(link.removeprefix("?"), mutable=True)
    query["rulebook"] = system
    return f"?{query.urlencode()}"


def _answers(form: CalculatorForm) -> tuple[CalculatorAnalysis | None, classical.Analysis | None]:
    """Return the analyses by the competition rules and by the classical game, which ignores unnamed flowers."""
    try:
        record = form.with_circumstances(parse_record(form.text, partial=True))
    except InvalidHand as refused:
        form.add_problems(refused.problems)
        return None, None
    mcr = analyse(record, MCR)
    form.add_problems(mcr.problems)
    if mcr.explanation is None:
        return mcr, None
    extras = form.extras
    answer = classical.analyse({**record, "flowers": len(extras.flowers)}, extras)
    form.add_problems(answer.problems)
    return mcr, answer if answer.score else None


# --- An evening of the classical game ---


MAX_EVENING_LENGTH = 300_000
"""Characters of an evening as text."""


@require_http_methods(["GET", "HEAD", "POST"])
def evening(request: HttpRequest) -> HttpResponse:
    """Show a new evening, or perform a step on the submitted one. The page carries it; nothing is stored."""
    if request.method != "POST":
        return _render_start(request, EveningForm())
    step = request.POST.get("step", "")
    if step == "start":
        form = EveningForm(request.POST)
        return _render_evening(request, form.evening()) if form.is_valid() else _render_start(request, form)
    try:
        carried = _read_carried(request.POST.get("evening", ""))
    except InvalidEvening as refused:
        return _render_start(request, EveningForm(), texts.unreadable(refused.place), status=400)
    return STEPS.get(step, _render_evening)(request, carried)


def _read_carried(text: str) -> Evening:
    try:
        return read_evening(json.loads(text[:MAX_EVENING_LENGTH]))
    except (ValueError, RecursionError) as refused:
        raise refused if isinstance(refused, InvalidEvening) else InvalidEvening() from refused


def _enter_hand(request: HttpRequest, carried: Evening) -> HttpResponse:
    """Settle the entered hand, or show its problems."""
    form = HandForm(carried, request.POST)
    if carried.turn.is_over or len(carried.entries) >= MAX_HANDS or not form.is_valid():
        return _render_evening(request, carried, form)
    try:
        return _render_evening(request, carried.with_hand(form.entry()))
    except InvalidHand as refused:
        form.add_problems(refused.problems)
        return _render_evening(request, carried, form)


def _undo_hand(request: HttpRequest, carried: Evening) -> HttpResponse:
    return _render_evening(request, carried.without_last())


def _agree(request: HttpRequest, carried: Evening) -> HttpResponse:
    """Change names or rules; every hand is settled anew."""
    form = EveningForm(request.POST)
    if form.is_valid():
        return _render_evening(request, form.evening(carried.entries))
    return _render_evening(request, carried, evening_form=form)


STEPS = {"hand": _enter_hand, "undo": _undo_hand, "agree": _agree}


def _render_start(
    request: HttpRequest, form: EveningForm, error: str = "", status: int = 200
) -> HttpResponse:
    context = {"form": form, "error": error}
    return render(request, "book/classical/start.html", context, status=status)


def _render_evening(
    request: HttpRequest,
    carried: Evening,
    form: HandForm | None = None,
    evening_form: EveningForm | None = None,
) -> HttpResponse:
    turn = carried.turn
    context: dict[str, Any] = {
        "evening": carried,
        "carried": json.dumps(carried.to_json(), ensure_ascii=False, separators=(",", ":")),
        "turn": turn,
        "number": len(carried.entries) + 1,
        "is_full": len(carried.entries) >= MAX_HANDS,
        "headline": _("The four rounds are played") if turn.is_over else texts.headline(carried),
        "next": texts.next_sentence(carried),
        "seats": texts.seats(carried),
        "last": texts.last_hand(carried),
        "sheet": texts.sheet(carried),
        "form": form or HandForm(carried),
        "evening_form": evening_form or EveningForm(evening=carried),
    }
    return render(request, "book/classical/evening.html", context)
