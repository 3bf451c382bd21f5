"""Who owes what: the list with its sums, asking many at once, reminding them, and files for the accounts."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access.rights import Right
from tournament.base.engine.money import Standing
from tournament.base.errors import Refused
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues import exports as dues_sheet
from tournament.dues.forms import WantedForm
from tournament.dues.models import Payment
from tournament.dues.selectors.dues import (
    Accounts,
    account_of,
    accounts_of,
    all_owed,
    day_of,
    fee_for,
    to_remind,
    without_due,
)
from tournament.dues.services.dues import give_dues, take_dues_back
from tournament.dues.services.reminders import remind
from tournament.messages.mail import server
from tournament.messages.mail.texts.letters import LETTERS
from tournament.web.exports.spreadsheets import CONTENT_TYPE
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import page_for, show


@page_for(Right.CASH)
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?standing=&fee=&q=` keep those; `noted`, `asked`: what was just done, and can be taken back."""
    everybody = all_owed(tournament)
    form = WantedForm(tournament, request.GET)
    wanted = form.wanted()
    query = request.GET.copy()
    for name in ("noted", "asked"):
        query.pop(name, None)
    context = {
        "form": form,
        "is_narrowed": bool(wanted.standing or wanted.fee or wanted.words),
        "rows": [(one, uuid4()) for one in everybody if wanted.fits(one)],
        "everybody": len(everybody),
        "owing": sum(one.standing is Standing.OWES for one in everybody),
        "account": account_of(tournament),
        "accounts": _named(accounts_of(everybody)),
        "unasked": len(without_due(tournament)),
        "has_fees": tournament.fees.exists(),
        "noted": _noted(tournament, request.GET.get("noted", "")),
        "asked": _uuid(request.GET.get("asked", "")),
        "query": query.urlencode(),
    }
    return show(request, "dues/dues", tournament, "dues", context)


@page_for(Right.CASH)
def ask(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody who has a place and was never asked, with what is proposed; a POST asks those who are ticked."""
    fees = list(tournament.fees.all())
    rows = [(_mark(whose), whose, fee_for(fees, day_of(whose))) for whose in without_due(tournament)]
    if request.method != "POST":
        context = {"rows": rows, "uuid": uuid4(), "has_fees": bool(fees), "account": account_of(tournament)}
        return show(request, "dues/dues_ask", tournament, "dues", context)
    chosen = set(request.POST.getlist("who"))
    batch = _uuid(request.POST.get("uuid", "")) or uuid4()
    try:
        count = give_dues(
            tournament,
            actor_of(request),
            [whose for mark, whose, _fee in rows if mark in chosen],
            batch=batch,
        )
    except Refused as refused:
        tell_refusal(request, refused)
        return redirect("organiser_dues_ask", tournament.slug)
    text = ngettext("%(n)s person is asked to pay.", "%(n)s people are asked to pay.", count)
    messages.success(request, text % {"n": count})
    answer = redirect("organiser_dues", tournament.slug)
    answer["Location"] += f"?asked={batch}"
    return answer


@page_for(Right.CASH)
@require_POST
def undo_asking(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """As before; who has paid meanwhile stays."""
    count = take_dues_back(tournament, actor_of(request), uuid)
    text = ngettext("%(n)s due taken back.", "%(n)s dues taken back.", count)
    messages.success(request, text % {"n": count})
    return redirect("organiser_dues", tournament.slug)


@page_for(Right.CASH)
def reminders(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who would be written to, by name; a POST writes to those who are ticked."""
    reached, unreached = to_remind(tournament)
    if request.method != "POST":
        context = {
            "reached": reached,
            "unreached": unreached,
            "account": account_of(tournament),
            "uuid": uuid4(),
            "letter": LETTERS["payment_reminder"],
            "server_is_set": server.is_set(),
        }
        return show(request, "dues/dues_reminders", tournament, "dues", context)
    chosen = {int(pk) for pk in request.POST.getlist("who") if pk.isdecimal() and len(pk) < 18}
    try:
        count = remind(
            tournament, actor_of(request), chosen, uuid=_uuid(request.POST.get("uuid", "")) or uuid4()
        )
    except Refused as refused:
        tell_refusal(request, refused)
        return redirect("organiser_dues_reminders", tournament.slug)
    text = ngettext("%(n)s reminder is written.", "%(n)s reminders are written.", count)
    messages.success(request, text % {"n": count})
    return redirect("organiser_mail", tournament.slug)


@page_for(Right.CASH)
@require_safe
def workbook(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _file(dues_sheet.workbook(all_owed(tournament)), CONTENT_TYPE, f"{tournament.slug}-dues.xlsx")


@page_for(Right.CASH)
@require_safe
def csv_file(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    data = dues_sheet.csv_text(all_owed(tournament)).encode("utf-8-sig")
    return _file(data, "text/csv; charset=utf-8", f"{tournament.slug}-dues.csv")


def _file(data: bytes, kind: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(data, content_type=kind, headers=headers)


def _mark(whose: object) -> str:
    """By which somebody is ticked."""
    return f"{'r' if isinstance(whose, Registration) else 'p'}{whose.number}"  # type: ignore[attr-defined]


def _named(accounts: Accounts) -> dict[str, object]:
    return {
        "sums": accounts.sums,
        "by_method": [
            (Payment.Method(method).label, sums) for method, sums in sorted(accounts.by_method.items())
        ],
        "by_fee": [(name or _("no category"), sums) for name, sums in sorted(accounts.by_fee.items())],
    }


def _noted(tournament: Tournament, uuid: str) -> Payment | None:
    if (known := _uuid(uuid)) is None:
        return None
    payments = Payment.objects.filter(due__tournament=tournament, uuid=known, cancelled_at=None)
    return payments.select_related("due__registration__player", "due__player").first()


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
