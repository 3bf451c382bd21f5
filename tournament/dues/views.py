"""Dues as pages: the list, one person's due, and what it costs."""

from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right
from tournament.base.engine.money import Standing
from tournament.base.errors import Refused
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.forms import AccountForm, DueForm, DuesFilterForm, FeeFormSet, PaymentForm
from tournament.dues.models import Fee, Payment, TournamentAccount
from tournament.dues.selectors import (
    Accounts,
    DuesFilter,
    Owes,
    Whose,
    account_of,
    accounts_of,
    all_owed,
    day_of,
    fee_for,
    one_due,
    to_remind,
    without_due,
)
from tournament.dues.services import (
    cancel_payment,
    give_dues,
    record_payment,
    remind,
    remove_due,
    set_account,
    set_due,
    set_fees,
    take_dues_back,
)
from tournament.messages.mail import delivery
from tournament.messages.mail.texts import LETTERS
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.views import UNPROCESSABLE, actor_of, page_for, press, show, tell_refusal

# --- One due ---


@page_for(Right.CASH)
def due_page(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """A POST notes a payment."""
    owed = _owed_or_404(tournament, pk)
    payment = Payment(due=owed.due)
    sent = request.POST if request.method == "POST" else None
    form = PaymentForm(sent, instance=payment, initial=_usual_payment(owed))
    if form.is_valid():
        try:
            record_payment(payment, actor_of(request))
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Noted."))
            return redirect("organiser_due", tournament.slug, pk)
    return _due_html(request, tournament, owed, form, DueForm(owed))


@page_for(Right.CASH)
def due_change(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Another category or amount."""
    owed = _owed_or_404(tournament, pk)
    if request.method != "POST":
        return redirect("organiser_due", tournament.slug, pk)
    form = DueForm(owed, request.POST)
    if form.is_valid():
        try:
            set_due(tournament, actor_of(request), owed.whose, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_due", tournament.slug, pk)
    owed = _owed_or_404(tournament, pk)  # as it is stored, which the form has changed
    return _due_html(request, tournament, owed, PaymentForm(initial=_usual_payment(owed)), form)


@page_for(Right.CASH)
@require_POST
def due_cash(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """One tap: all that was shown as open came in cash. The page then offers to take it back."""
    owed = _owed_or_404(tournament, pk)
    back = f"{reverse('organiser_dues', args=[tournament.slug])}?{_query(request, 'noted')}"
    try:
        uuid, amount = UUID(request.POST["uuid"]), Decimal(request.POST["open"])
        record_payment(
            Payment(due=owed.due, uuid=uuid, amount=amount), actor_of(request), expected_open=amount
        )
    except (KeyError, ValueError, InvalidOperation):
        messages.error(request, _("This form has lost its number. Load the page again."))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        back += f"&noted={uuid}"
    return redirect(f"{back}#d{pk}")


def _query(request: HttpRequest, *without: str) -> str:
    """What the list was narrowed to, without what was just done."""
    query = request.GET.copy()
    for name in without:
        query.pop(name, None)
    return query.urlencode()


@page_for(Right.CASH)
@require_POST
def payment_cancel(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """It was noted by mistake."""
    payments = Payment.objects.select_related("due__tournament")
    payment = get_object_or_404(payments, due__tournament=tournament, uuid=uuid)
    to: tuple[Any, ...] = ("organiser_due", tournament.slug, payment.due_id)
    if "list" in request.POST:
        to = ("organiser_dues", tournament.slug)
    return press(
        request, lambda: cancel_payment(payment, actor_of(request)), _("Taken back: it counts no more."), *to
    )


@page_for(Right.CASH)
@require_POST
def due_remove(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """They are asked for nothing."""
    owed = _owed_or_404(tournament, pk)
    done = _("%(name)s is asked for nothing any more.") % {"name": owed.name}
    return press(
        request, lambda: remove_due(owed.due, actor_of(request)), done, "organiser_dues", tournament.slug
    )


def _owed_or_404(tournament: Tournament, pk: int) -> Owes:
    owed = one_due(tournament, pk) if pk < 2**63 else None
    if owed is None:
        raise Http404
    return owed


def _usual_payment(owed: Owes) -> dict[str, Any]:
    """What is most often noted: all that is open came today; or what is too much went back."""
    still = owed.balance.open
    return {"amount": abs(still) or None, "back": still < 0, "on": timezone.localdate()}


def _due_html(
    request: HttpRequest, tournament: Tournament, owed: Owes, form: PaymentForm, due_form: DueForm
) -> HttpResponse:
    context = {"owed": owed, "form": form, "due_form": due_form}
    status = UNPROCESSABLE if form.errors or due_form.errors else 200
    return show(request, "dues/due", tournament, "dues", context, status=status)


# --- The list ---


@page_for(Right.CASH)
@require_safe
def dues_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?standing=&fee=&q=` keep those; `noted`, `asked`: what was just done, and can be taken back."""
    everybody = all_owed(tournament)
    form = DuesFilterForm(tournament, request.GET)
    dues_filter = form.filter()
    context = {
        "form": form,
        "is_narrowed": dues_filter != DuesFilter(),
        "rows": [(owes, uuid4()) for owes in everybody if dues_filter.matches(owes)],
        "everybody": len(everybody),
        "owing": sum(owes.standing is Standing.OWES for owes in everybody),
        "account": account_of(tournament),
        "accounts": _accounts_context(accounts_of(everybody)),
        "unasked": len(without_due(tournament)),
        "has_fees": tournament.fees.exists(),
        "noted": _noted_payment(tournament, request.GET.get("noted", "")),
        "asked": _uuid(request.GET.get("asked", "")),
        "query": _query(request, "noted", "asked"),
    }
    return show(request, "dues/dues", tournament, "dues", context)


def _accounts_context(accounts: Accounts) -> dict[str, object]:
    return {
        "sums": accounts.sums,
        "by_method": [
            (Payment.Method(method).label, sums) for method, sums in sorted(accounts.by_method.items())
        ],
        "by_fee": [(name or _("no category"), sums) for name, sums in sorted(accounts.by_fee.items())],
    }


def _noted_payment(tournament: Tournament, uuid: str) -> Payment | None:
    if (known := _uuid(uuid)) is None:
        return None
    payments = Payment.objects.filter(due__tournament=tournament, uuid=known, cancelled_at=None)
    return payments.select_related("due__registration__player", "due__player").first()


@page_for(Right.CASH)
def dues_ask(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody who has a place and was never asked, with what is proposed; a POST asks those who are ticked."""
    fees = list(tournament.fees.all())
    rows = [(_tick_value(whose), whose, fee_for(fees, day_of(whose))) for whose in without_due(tournament)]
    if request.method != "POST":
        context = {"rows": rows, "uuid": uuid4(), "has_fees": bool(fees), "account": account_of(tournament)}
        return show(request, "dues/dues_ask", tournament, "dues", context)
    chosen = set(request.POST.getlist("who"))
    batch = _uuid(request.POST.get("uuid", "")) or uuid4()
    try:
        count = give_dues(
            tournament,
            actor_of(request),
            [whose for value, whose, _fee in rows if value in chosen],
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


def _tick_value(whose: Whose) -> str:
    """By which somebody is ticked."""
    return f"{'r' if isinstance(whose, Registration) else 'p'}{whose.number}"


@page_for(Right.CASH)
@require_POST
def dues_ask_undo(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """As before; who has paid meanwhile stays."""
    count = take_dues_back(tournament, actor_of(request), uuid)
    text = ngettext("%(n)s due taken back.", "%(n)s dues taken back.", count)
    messages.success(request, text % {"n": count})
    return redirect("organiser_dues", tournament.slug)


@page_for(Right.CASH)
def dues_reminders(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who would be written to, by name; a POST writes to those who are ticked."""
    reached, unreached = to_remind(tournament)
    if request.method != "POST":
        context = {
            "reached": reached,
            "unreached": unreached,
            "account": account_of(tournament),
            "uuid": uuid4(),
            "letter": LETTERS["payment_reminder"],
            "is_configured": delivery.is_configured(),
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


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


# --- Fees and account ---


class FeesPage(EditView):
    """All categories at once."""

    rights = (Right.CASH,)
    formset_class = FeeFormSet  # type: ignore[assignment]  # the factory's class has RowsFormSet as its base
    rows_name = "fees"
    template, section, success_page = "dues/fees", "dues", "organiser_dues"

    def get_queryset(self) -> QuerySet[Fee]:
        return self.tournament.fees.all()

    def save(self, instance: None, rows: list[Fee]) -> None:
        set_fees(self.tournament, self.actor, rows)

    def extra_context(self) -> dict[str, Any]:
        return {"account": account_of(self.tournament)}


class AccountPage(EditView):
    """Currency, bank account, link."""

    rights = (Right.CASH,)
    form_class = AccountForm
    template, section, success_page = "dues/account", "dues", "organiser_dues"

    def get_object(self) -> TournamentAccount:
        return account_of(self.tournament)

    def save(self, instance: TournamentAccount, rows: list[Any]) -> None:
        set_account(instance, self.actor)
