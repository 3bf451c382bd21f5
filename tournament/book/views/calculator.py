"""The calculator, with and without JavaScript: a hand by a rulebook, by the classical game, in five systems.

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
from scoring.classical.evening import MOST_HANDS, Evening, InvalidEvening, read_evening
from scoring.engine import MCR, WINDS, Hand, InvalidHand, to_text
from scoring.engine.notation import FLAGS, SETTINGS, parse_record
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
from tournament.book.forms.calculator import AgreedForm, CalculatorForm, HandForm
from tournament.play.engine.opinion import outlook
from tournament.play.tags import Sets, lay_group
from tournament.play.texts.desk import DESK_WORDS
from tournament.play.texts.verdict import points_text
from tournament.web.texts import words

# --- The calculator ---


Json = dict[str, Any]
AnyAnalysis = CalculatorAnalysis | classical.Analysis
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
        "words": {key: str(DESK_WORDS[key]) for key in PAD_WORDS},
        "sprite": static("tiles/tiles.svg"),
        "tiles": {code: tile_name(code) for code in TILE_CODES},
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
    } | (_answer_context(answer) if answer and not answer.problems else {})


def _answer(form: CalculatorForm) -> AnyAnalysis | None:
    """What there is to say; None while no tile is given. Problems are said at their fields."""
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
    """Whether there is a hand of all its tiles."""
    if isinstance(answer, classical.Analysis):
        return answer.score is not None
    return bool(answer and answer.explanation)


def _answer_context(answer: AnyAnalysis) -> dict[str, Any]:
    if isinstance(answer, CalculatorAnalysis):
        return calculator_context(answer)
    context = classical_hand_context(answer)
    return context | ({"title": _waiting(len(answer.waits))} if answer.missing == 1 else {})


def calculator_context(answer: CalculatorAnalysis) -> dict[str, Any]:
    """The answer in plain data, as REST gives it, with what the page says of it besides."""
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
        return _("Waiting for nothing")
    return ngettext("Waiting for {count} tile", "Waiting for {count} tiles", count).format(count=count)


def _outlook(answer: CalculatorAnalysis) -> dict[str, Any] | None:
    """The highest hand there can be with the last two tiles, as the desk is told of it; None with more to come."""
    record = {"melds": [], "self_drawn": False, "seat_wind": "E", "prevalent_wind": "E"} | dict(answer.record)
    ahead = outlook(record, answer.rulebook)
    return None if ahead is None else {"score": ahead.score.to_json(), "tiles": ahead.tiles}


def _circumstances(form: CalculatorForm, answer: AnyAnalysis | None) -> dict[str, Any]:
    """How the fields stand: as the record has it, which is the text and the fields together."""
    record = form.with_circumstances(answer.record if answer else {})
    return {
        "flags": [flag for flag in FLAGS if record.get(flag) is True],
        "seat": record.get("seat_wind", "E"),
        "round": record.get("prevalent_wind", "E"),
        "flowers": record.get("flowers", 0),
        "rulebook": form.system,
        "named": [flower.key for flower in form.extras.flowers],
        "ways": form.extras.flags,
        "wins": form.extras.wins_in_a_row,
    }


def _tiles_text(text: str) -> str:
    """The text without its circumstances, which the fields beside it show."""
    settings = tuple(f"{name}=" for name in SETTINGS)
    flags = {name.replace("_", "-") for name in FLAGS}
    return " ".join(word for word in text.split() if word not in flags and not word.startswith(settings))


def link_to(form: CalculatorForm, answer: AnyAnalysis | None) -> str:
    """The query that opens the calculator, or the page beside it, on what a form asks."""
    return _link(form, answer, _circumstances(form, answer))


def _link(form: CalculatorForm, answer: AnyAnalysis | None, circumstances: dict[str, Any]) -> str:
    """The query that opens the page on this very answer."""
    announced = {"points": form.values.get("points"), "fan": form.values.get("fan")}
    rest = (
        announced | classical_hand_query(form) | {"rulebook": None if form.system == MCR.key else form.system}
    )
    if hand := _hand(answer):
        return _query(hand=to_text(hand), **rest)
    winds = {name: circumstances[name] for name in ("seat", "round") if circumstances[name] != "E"}
    fields = {"flag": circumstances["flags"], "flowers": circumstances["flowers"], **winds}
    return _query(hand=_tiles_text(form.text), **fields, **rest)


def _hand(answer: AnyAnalysis | None) -> Hand | None:
    if isinstance(answer, classical.Analysis):
        return answer.winner.hand if answer.winner else None
    return answer.explanation.score.hand if answer and answer.explanation else None


def _query(**fields: Any) -> str:
    """?hand=…; what is empty is left out."""
    query = urlencode({name: value for name, value in fields.items() if value}, doseq=True)
    return f"?{query}" if query else ""


# --- By the classical game ---


def classical_hand_context(answer: classical.Analysis) -> Json:
    """The answer in plain data, as REST gives it, with what the page says of it besides."""
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
    """The fields of the classical game, for a link."""
    extras = form.extras
    wins = extras.wins_in_a_row if extras.wins_in_a_row > 1 else None
    return {"flower": [flower.key for flower in extras.flowers], "way": sorted(extras.flags), "wins": wins}


def payments(data: Json) -> list[Json]:
    """Who gains what while the losers' hands are worth nothing, the winner first."""
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
    """The reading's groups as they lie; the winning tile is marked in one of them."""
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
    """?hand=…, as the calculator's; a hand that is not whole is sent there."""
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
    """The query that opens the calculator on the hand in this system."""
    query = QueryDict(link.removeprefix("?"), mutable=True)
    query["rulebook"] = system
    return f"?{query.urlencode()}"


def _answers(form: CalculatorForm) -> tuple[CalculatorAnalysis | None, classical.Analysis | None]:
    """Of the competition rules and of the classical game, which leaves out flowers that nobody named."""
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


LONGEST_EVENING = 300_000
"""Characters of an evening as text."""


@require_http_methods(["GET", "HEAD", "POST"])
def evening(request: HttpRequest) -> HttpResponse:
    """Show a new evening, and with a POST the one that is carried, after a step: start, open, hand, undo, agree.

    The page carries the whole evening and the server keeps nothing of it.
    """
    if request.method != "POST":
        return _show_start(request, AgreedForm())
    step = request.POST.get("step", "")
    if step == "start":
        form = AgreedForm(request.POST)
        return _show_evening(request, form.evening()) if form.is_valid() else _show_start(request, form)
    try:
        carried = _read_carried(request.POST.get("evening", ""))
    except InvalidEvening as refused:
        return _show_start(request, AgreedForm(), texts.unreadable(refused.place), status=400)
    return STEPS.get(step, _show_evening)(request, carried)


def _read_carried(text: str) -> Evening:
    try:
        return read_evening(json.loads(text[:LONGEST_EVENING]))
    except (ValueError, RecursionError) as refused:
        raise refused if isinstance(refused, InvalidEvening) else InvalidEvening() from refused


def _enter_hand(request: HttpRequest, carried: Evening) -> HttpResponse:
    """The hand that was entered, settled, or what is wrong with it."""
    form = HandForm(carried, request.POST)
    if carried.turn.is_over or len(carried.entries) >= MOST_HANDS or not form.is_valid():
        return _show_evening(request, carried, form)
    try:
        return _show_evening(request, carried.with_hand(form.entry()))
    except InvalidHand as refused:
        form.add_problems(refused.problems)
        return _show_evening(request, carried, form)


def _undo_hand(request: HttpRequest, carried: Evening) -> HttpResponse:
    return _show_evening(request, carried.without_last())


def _agree(request: HttpRequest, carried: Evening) -> HttpResponse:
    """Other names or rules; every hand is settled anew by them."""
    form = AgreedForm(request.POST)
    if form.is_valid():
        return _show_evening(request, form.evening(carried.entries))
    return _show_evening(request, carried, agreed=form)


STEPS = {"hand": _enter_hand, "undo": _undo_hand, "agree": _agree}


def _show_start(request: HttpRequest, form: AgreedForm, refused: str = "", status: int = 200) -> HttpResponse:
    context = {"form": form, "refused": refused}
    return render(request, "book/classical/start.html", context, status=status)


def _show_evening(
    request: HttpRequest, carried: Evening, form: HandForm | None = None, agreed: AgreedForm | None = None
) -> HttpResponse:
    turn = carried.turn
    context: dict[str, Any] = {
        "evening": carried,
        "carried": json.dumps(carried.to_json(), ensure_ascii=False, separators=(",", ":")),
        "turn": turn,
        "number": len(carried.entries) + 1,
        "is_full": len(carried.entries) >= MOST_HANDS,
        "headline": _("The four rounds are played") if turn.is_over else texts.headline(carried),
        "next": texts.next_sentence(carried),
        "seats": texts.seats(carried),
        "last": texts.last_hand(carried),
        "sheet": texts.sheet(carried),
        "form": form or HandForm(carried),
        "agreed": agreed or AgreedForm(evening=carried),
    }
    return render(request, "book/classical/evening.html", context)
