"""Pages of check-in: the desk, the door, and who is missing at the deadline."""

from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core import signing
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.front.addresses import rate_limit_key
from tournament.base import access
from tournament.base.access import Right, audience_of
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.base.engine.text import numbers_in
from tournament.base.errors import Refused, TooMany
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.requests import site_address
from tournament.dues.models import Payment
from tournament.dues.selectors import account_of, find_payment, ledger_of_player
from tournament.dues.services import cancel_payment, record_payment
from tournament.players.forms import CheckInForm
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import (
    DESK_FILTERS,
    check_in_desk,
    check_in_ends,
    check_in_of,
    door_code,
    has_check_in,
    is_playing,
    line_of,
    missing_players,
    newest_restart,
    newest_withdrawal,
    of_registration,
    search_players,
)
from tournament.players.selectors.players import player_counts
from tournament.players.services.check_in import (
    UNDO_SALT,
    check_in,
    check_in_self,
    check_in_several,
    readmit_missing,
    require_code,
    restart_check_in,
    set_check_in,
    undo_check_in,
    undo_own_check_in,
    withdraw_missing,
)
from tournament.players.services.players import add_substitutes
from tournament.web.display import qr_of
from tournament.web.forms import adding_problems
from tournament.web.views import (
    UNPROCESSABLE,
    Request,
    actor_of,
    add_refusal_messages,
    organiser_page,
    page_for,
    render_page,
    too_many_requests,
    tournament_html,
    visible_tournament_or_404,
)

# --- At the desk ---


@page_for(Right.ADMIT)
def check_in_page(request: Request, tournament: Tournament) -> HttpResponse:
    """List players, filtered by `?show=` and `?q=`.

    A POST with `player` checks in, with `undo` undoes it; `cash` records a payment, `return` undoes that; `settings`
    stores when and how people are checked in.
    """
    plan = check_in_of(tournament)
    form = CheckInForm(request.POST if "settings" in request.POST else None, instance=plan)
    if form.is_bound:
        if form.is_valid():
            with adding_problems(form):
                set_check_in(plan, actor_of(request))
                messages.success(request, _("Saved."))
                return redirect("organiser_check_in", tournament.slug)
    elif request.method == "POST":
        takes_money = "cash" in request.POST or "return" in request.POST
        return (_take_or_return_cash if takes_money else _check_in_or_undo)(request, tournament)
    shown, query = _shown_people(request), request.GET.get("q", "").strip()
    context = {
        "desk": check_in_desk(tournament, shown, query),
        "account": account_of(tournament),
        "shown": shown,
        "query": query,
        "querystring": urlencode({"show": shown, "q": query}),
        "self_check_in": check_in_of(tournament).self_check_in,
        "form": form,
        "usual": check_in_ends(tournament, CheckIn(tournament=tournament)),
        "checked_in": tournament.players.exclude(checked_in_at=None),
        "organises": access.may(actor_of(request), tournament, Right.ORGANISE),
        "restarted": newest_restart(tournament),
        "takes_cash": access.may(actor_of(request), tournament, Right.CASH),
        "payment": find_payment(tournament, request.GET.get("payment", "")),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "players/check_in", tournament, "check_in", context, status=status)


def _check_in_or_undo(request: Request, tournament: Tournament) -> HttpResponse:
    player = _player_or_404(tournament, request.POST.get("player") or request.POST.get("undo", ""))
    write = check_in if "player" in request.POST else undo_check_in
    try:
        player = write(player, actor_of(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
    return _row_answer(request, tournament, player, None)


def _take_or_return_cash(request: Request, tournament: Tournament) -> HttpResponse:
    """Record the open amount that the button named as paid in cash, or cancel that payment.

    The button's value is the player's number, the payment's UUID and, to record it, the amount.
    """
    number, uuid, amount = [*request.POST.get("cash", request.POST.get("return", "")).split(" "), "", "", ""][
        :3
    ]
    player = _player_or_404(tournament, number)
    ledger = ledger_of_player(player)
    try:
        if ledger is None:
            raise Http404
        if "cash" in request.POST:
            payment = Payment(due=ledger.due, uuid=UUID(uuid), amount=Decimal(amount))
            record_payment(payment, actor_of(request), expected_open=payment.amount)
        else:
            payments = Payment.objects.select_related("due__tournament")
            cancel_payment(get_object_or_404(payments, due=ledger.due, uuid=UUID(uuid)), actor_of(request))
    except (ValueError, InvalidOperation):
        messages.error(request, _("This form is incomplete. Reload the page."))
    except Refused as refused:
        add_refusal_messages(request, refused)
    return _row_answer(request, tournament, player, find_payment(tournament, uuid))


def _player_or_404(tournament: Tournament, number: str) -> Player:
    return get_object_or_404(
        tournament.players.select_related("tournament"),
        number=int(number) if number.isdecimal() and len(number) < 6 else 0,
    )


def _row_answer(
    request: Request, tournament: Tournament, player: Player, payment: Payment | None
) -> HttpResponse:
    """Answer htmx with the player's row, a browser without scripts with the list."""
    if request.htmx:
        context = {
            "line": line_of(player),
            "account": account_of(tournament),
            "is_recent": True,
            "takes_cash": access.may(actor_of(request), tournament, Right.CASH),
            "payment": payment,
        }
        return render(request, "players/_check_in_row.html", context | {"tournament": tournament})
    query = {"show": _shown_people(request), "q": request.GET.get("q", "")}
    if payment is not None:
        query["payment"] = str(payment.uuid)
    desk = reverse("organiser_check_in", args=[tournament.slug])
    return redirect(f"{desk}?{urlencode(query)}#p{player.number}")


def _shown_people(request: HttpRequest) -> str:
    shown = request.GET.get("show", "")
    return shown if shown in DESK_FILTERS else DESK_FILTERS[0]


@organiser_page
@require_POST
def check_in_restart(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Restart check-in; with `back`, undo the last restart."""
    if "back" in request.POST:
        numbers = [player.number for player in newest_restart(tournament)]
        back = check_in_several(tournament, actor_of(request), numbers)
        done = ngettext("%(n)s player is checked in again.", "%(n)s players are checked in again.", len(back))
        messages.success(request, done % {"n": len(back)})
    else:
        restart_check_in(tournament, actor_of(request))
        messages.success(request, _("Check-in has been restarted."))
    return redirect("organiser_check_in", tournament.slug)


@page_for(Right.ADMIT)
@require_safe
def check_in_door(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the current code at the door, to scan or to type; the page refreshes itself."""
    now = door_code(tournament)
    address = site_address() + reverse("check_in", args=[tournament.slug])
    context = {
        "now": now,
        "address": address,
        "code": qr_of(f"{address}?door={now.code}"),
        "open": check_in_of(tournament).self_check_in,
    }
    return render_page(request, "players/check_in_door", tournament, "check_in", context)


# --- At the door ---


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def self_check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Check oneself in: enter the code (`door`), find oneself (`q`, or `own`: a registration's key), confirm."""
    tournament = visible_tournament_or_404(request, slug)
    data = request.POST if request.method == "POST" else request.GET
    context: dict[str, Any] = {
        "door": data.get("door", "").strip()[:20],
        "query": data.get("q", "").strip()[:80],
        "own": data.get("own", "")[:40],
    }
    try:
        if context["door"]:
            require_code(tournament, context["door"], address=rate_limit_key(request))
            context["is_open"] = True
        if request.method == "POST":
            player = _player_numbered(tournament, request.POST.get("player", ""))
            context["done"] = check_in_self(
                player, actor_of(request), context["door"], address=rate_limit_key(request)
            )
            context["undo"] = signing.dumps(player.number, salt=f"{UNDO_SALT}.{tournament.pk}")
    except TooMany as many:
        return too_many_requests(request, many)
    except Refused as refused:
        context["fault"] = " ".join(sentence(problem) for problem in refused.problems)
    return _self_check_in_page(request, tournament, context)


def _player_numbered(tournament: Tournament, number: str) -> Player:
    players = (
        tournament.players.filter(number=int(number)) if number.isdecimal() and len(number) < 6 else None
    )
    player = players.select_related("tournament").first() if players is not None else None
    if player is None:
        raise Refused(())
    return player


def _self_check_in_page(
    request: HttpRequest, tournament: Tournament, context: dict[str, Any]
) -> HttpResponse:
    own_player = of_registration(tournament, context.get("own", ""))
    query = context.get("query", "")
    if context.get("is_open") and not context.get("done"):
        context["people"] = [own_player] if own_player and not query else search_players(tournament, query)
    audience = audience_of(actor_of(request), tournament)
    full_context = {
        "ends_at": check_in_ends(tournament),
        "open": check_in_of(tournament).self_check_in,
        "own_player": own_player,
        **context,
    }
    status = UNPROCESSABLE if context.get("fault") else 200
    return tournament_html(
        request, "players/check_in_public", tournament, audience, full_context, status=status
    )


@never_cache
@require_POST
def self_check_in_undo(request: HttpRequest, slug: str) -> HttpResponse:
    tournament, context = visible_tournament_or_404(request, slug), {}
    try:
        player = undo_own_check_in(tournament, actor_of(request), request.POST.get("signed", ""))
        context["undone"] = _("%(name)s is not checked in.") % {"name": player.name}
    except Refused as refused:
        context["fault"] = " ".join(sentence(problem) for problem in refused.problems)
    return _self_check_in_page(request, tournament, context)


# --- At the deadline ---


@organiser_page
def missing_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List who is missing; a POST withdraws those who are ticked, and with `fill` adds substitutes."""
    status = 200
    if request.method == "POST":
        if _withdraw(request, tournament):
            drawn = tournament.sessions.exists() and not player_counts(tournament).missing
            return redirect("organiser_replan" if drawn else "organiser_missing", tournament.slug)
        status = UNPROCESSABLE
    missing, roll = list(missing_players(tournament)), player_counts(tournament)
    left = roll.players - len(missing)
    context = {
        "desk": check_in_desk(tournament),
        "missing": missing,
        "ticked": {player.number for player in missing} if status == 200 else set(_ticked_numbers(request)),
        "left": left,
        "tables": -(-left // SEATS_PER_TABLE),
        "short": -left % SEATS_PER_TABLE,
        "roll": roll,
        "withdrawn": newest_withdrawal(tournament),
        "has_begun": has_check_in(tournament),
        "is_playing": is_playing(tournament),
        "is_drawn": tournament.sessions.exists(),
    }
    return render_page(request, "players/missing", tournament, "check_in", context, status=status)


def _ticked_numbers(request: HttpRequest) -> list[int]:
    return numbers_in(request.POST.getlist("player"))


def _withdraw(request: HttpRequest, tournament: Tournament) -> bool:
    """Withdraw and fill up, both or neither; return whether it succeeded."""
    try:
        with transaction.atomic():
            withdrawn = withdraw_missing(tournament, actor_of(request), _ticked_numbers(request))
            if "fill" in request.POST and player_counts(tournament).missing:
                add_substitutes(tournament, actor_of(request), _("Substitute"))
    except Refused as refused:
        tournament.refresh_from_db()
        add_refusal_messages(request, refused)
        return False
    done = ngettext("%(n)s player has been withdrawn.", "%(n)s players have been withdrawn.", len(withdrawn))
    messages.success(request, done % {"n": len(withdrawn)})
    return True


@organiser_page
@require_POST
def missing_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        back = readmit_missing(tournament, actor_of(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        done = ngettext("%(n)s player plays again.", "%(n)s players play again.", len(back))
        messages.success(request, done % {"n": len(back)})
    return redirect("organiser_missing", tournament.slug)
