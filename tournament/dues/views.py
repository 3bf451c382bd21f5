"""Pages of dues, fees and the account."""

from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.db import transaction
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
from tournament.dues.exports import DUES
from tournament.dues.forms import AccountForm, DueForm, DuesFilterForm, FeeFormSet, PaymentForm
from tournament.dues.models import Fee, Payment, TournamentAccount
from tournament.dues.selectors import (
    Debtor,
    DuesFilter,
    Ledger,
    Totals,
    account_of,
    debtors_without_due,
    find_ledger,
    find_payment,
    list_ledgers,
    proposed_fee,
    registration_day,
    totals_of,
)
from tournament.dues.services import (
    cancel_payment,
    charge_debtors,
    record_payment,
    remove_due,
    set_account,
    set_due,
    set_fees,
    undo_charge,
)
from tournament.web.exports.lists import Reader
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.lists import list_page
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    page_for,
    render_page,
    run_and_redirect,
)

# --- One due ---


@page_for(Right.CASH)
def due_page(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show a ledger; a POST records a payment."""
    ledger = _ledger_or_404(tournament, pk)
    payment = Payment(due=ledger.due)
    data = request.POST if request.method == "POST" else None
    form = PaymentForm(data, instance=payment, initial=_usual_payment(ledger))
    if form.is_valid():
        try:
            record_payment(payment, actor_of(request))
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Payment recorded."))
            return redirect("organiser_due", tournament.slug, pk)
    return _due_html(request, tournament, ledger, form, DueForm(ledger))


@page_for(Right.CASH)
def due_change(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    ledger = _ledger_or_404(tournament, pk)
    if request.method != "POST":
        return redirect("organiser_due", tournament.slug, pk)
    form = DueForm(ledger, request.POST)
    if form.is_valid():
        try:
            set_due(tournament, actor_of(request), ledger.debtor, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_due", tournament.slug, pk)
    ledger = _ledger_or_404(tournament, pk)  # the form has changed the instance
    return _due_html(request, tournament, ledger, PaymentForm(initial=_usual_payment(ledger)), form)


@page_for(Right.CASH)
@require_POST
def due_cash(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Record the shown open amount as paid in cash."""
    ledger = _ledger_or_404(tournament, pk)
    back = f"{reverse('organiser_dues', args=[tournament.slug])}?{_query(request, 'payment')}"
    try:
        uuid, amount = UUID(request.POST["uuid"]), Decimal(request.POST["open"])
        record_payment(
            Payment(due=ledger.due, uuid=uuid, amount=amount), actor_of(request), expected_open=amount
        )
    except (KeyError, ValueError, InvalidOperation):
        messages.error(request, _("This form is incomplete. Reload the page."))
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        back += f"&payment={uuid}"
    return redirect(f"{back}#d{pk}")


def _query(request: HttpRequest, *without: str) -> str:
    query = request.GET.copy()
    for name in without:
        query.pop(name, None)
    return query.urlencode()


@page_for(Right.CASH)
@require_POST
def payment_cancel(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """Cancel a payment that was recorded by mistake."""
    payments = Payment.objects.select_related("due__tournament")
    payment = get_object_or_404(payments, due__tournament=tournament, uuid=uuid)
    to: tuple[Any, ...] = ("organiser_due", tournament.slug, payment.due_id)
    if "list" in request.POST:
        to = ("organiser_dues", tournament.slug)
    return run_and_redirect(
        request, lambda: cancel_payment(payment, actor_of(request)), _("Payment cancelled."), *to
    )


@page_for(Right.CASH)
@require_POST
def due_remove(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    ledger = _ledger_or_404(tournament, pk)
    done = _("The fee of %(name)s has been removed.") % {"name": ledger.name}
    return run_and_redirect(
        request, lambda: remove_due(ledger.due, actor_of(request)), done, "organiser_dues", tournament.slug
    )


def _ledger_or_404(tournament: Tournament, pk: int) -> Ledger:
    ledger = find_ledger(tournament, pk) if pk < 2**63 else None
    if ledger is None:
        raise Http404
    return ledger


def _usual_payment(ledger: Ledger) -> dict[str, Any]:
    """Return the initial values: the whole open amount paid today, or the overpaid one refunded."""
    open_amount = ledger.balance.open
    return {"amount": abs(open_amount) or None, "back": open_amount < 0, "on": timezone.localdate()}


def _due_html(
    request: HttpRequest, tournament: Tournament, ledger: Ledger, form: PaymentForm, due_form: DueForm
) -> HttpResponse:
    context = {"ledger": ledger, "form": form, "due_form": due_form}
    status = UNPROCESSABLE if form.errors or due_form.errors else 200
    return render_page(request, "dues/due", tournament, "dues", context, status=status)


# --- The list ---


@page_for(Right.CASH)
@require_safe
def dues_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List dues, filtered by `?standing=&fee=&q=`. `noted` and `asked`: what was just done and can be undone."""
    ledgers = list_ledgers(tournament)
    form = DuesFilterForm(tournament, request.GET)
    dues_filter = form.filter()
    context = {
        "form": form,
        "is_filtered": dues_filter != DuesFilter(),
        "list": list_page(
            request,
            DUES,
            Reader.of(tournament, actor_of(request)),
            [ledger for ledger in ledgers if dues_filter.matches(ledger)],
        ),
        "n_ledgers": len(ledgers),
        "n_owing": sum(ledger.standing is Standing.OWES for ledger in ledgers),
        "account": account_of(tournament),
        "totals": _totals_context(totals_of(ledgers)),
        "n_without_due": len(debtors_without_due(tournament)),
        "has_fees": tournament.fees.exists(),
        "payment": find_payment(tournament, request.GET.get("payment", "")),
        "charged_batch": _uuid(request.GET.get("batch", "")),
        "query": _query(request, "payment", "batch"),
    }
    return render_page(request, "dues/dues", tournament, "dues", context)


def _totals_context(totals: Totals) -> dict[str, object]:
    return {
        "sums": totals.sums,
        "by_method": [
            (Payment.Method(method).label, sums) for method, sums in sorted(totals.by_method.items())
        ],
        "by_fee": [(name or _("no category"), sums) for name, sums in sorted(totals.by_fee.items())],
    }


@page_for(Right.CASH)
def dues_charge(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List who has a place and no due, with the proposed fees; a POST charges those who are ticked."""
    fees = list(tournament.fees.all())
    rows = [
        (_tick_value(debtor), debtor, proposed_fee(fees, registration_day(debtor)))
        for debtor in debtors_without_due(tournament)
    ]
    if request.method != "POST":
        context = {"rows": rows, "uuid": uuid4(), "has_fees": bool(fees), "account": account_of(tournament)}
        return render_page(request, "dues/dues_ask", tournament, "dues", context)
    chosen = set(request.POST.getlist("who"))
    batch = _uuid(request.POST.get("uuid", "")) or uuid4()
    try:
        count = charge_debtors(
            tournament,
            actor_of(request),
            [debtor for value, debtor, _fee in rows if value in chosen],
            batch=batch,
        )
    except Refused as refused:
        add_refusal_messages(request, refused)
        return redirect("organiser_dues_charge", tournament.slug)
    text = ngettext("%(n)s person owes a fee now.", "%(n)s people owe a fee now.", count)
    messages.success(request, text % {"n": count})
    return redirect(f"{reverse('organiser_dues', args=[tournament.slug])}?batch={batch}")


def _tick_value(debtor: Debtor) -> str:
    return f"{'r' if isinstance(debtor, Registration) else 'p'}{debtor.number}"


@page_for(Right.CASH)
@require_POST
def dues_charge_undo(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """Undo a bulk charge, except for those who have paid since."""
    count = undo_charge(tournament, actor_of(request), uuid)
    text = ngettext("%(n)s fee request undone.", "%(n)s fee requests undone.", count)
    messages.success(request, text % {"n": count})
    return redirect("organiser_dues", tournament.slug)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


# --- Fees and account ---


class PricesPage(EditView):
    """Edit the categories with their prices, and how they are paid: currency, bank account and link."""

    rights = (Right.CASH,)
    form_class = AccountForm
    formset_class = FeeFormSet
    rows_name = "fees"
    template, section, success_page = "dues/prices", "dues", "organiser_dues"

    def get_object(self) -> TournamentAccount:
        return account_of(self.tournament)

    def get_queryset(self) -> QuerySet[Fee]:
        return self.tournament.fees.all()

    def save(self, instance: TournamentAccount, rows: list[Fee]) -> None:
        with transaction.atomic():
            set_account(instance, self.actor)
            set_fees(self.tournament, self.actor, rows)
