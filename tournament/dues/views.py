"""Buttons for payments and fees, and how prices and payment are set."""

from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.dues.forms import AccountForm, FeeFormSet
from tournament.dues.models import Fee, Payment, TournamentAccount
from tournament.dues.selectors import Ledger, account_of, find_ledger
from tournament.dues.services import cancel_payment, record_payment, remove_due, set_account, set_fees
from tournament.web.generic import Part
from tournament.web.views import actor_of, add_refusal_messages, page_for, person_url, run_and_redirect

# --- Payments ---


@page_for(Right.CASH)
@require_POST
def due_cash(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Record the shown open amount as paid in cash."""
    ledger = _ledger_or_404(tournament, pk)
    query = request.GET.copy()
    for name in ("payment", "batch"):
        query.pop(name, None)
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
        query["payment"] = str(uuid)
    people = reverse("organiser_people", args=[tournament.slug])
    return redirect(f"{people}?{query.urlencode()}#{ledger.debtor.roster_key}")


@page_for(Right.CASH)
@require_POST
def payment_cancel(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """Cancel a payment that was recorded by mistake."""
    payments = Payment.objects.select_related("due__tournament", "due__registration__player", "due__player")
    payment = get_object_or_404(payments, due__tournament=tournament, uuid=uuid)
    to = person_url(request, tournament, payment.due.debtor.roster_key)
    if "list" in request.POST:
        to = reverse("organiser_people", args=[tournament.slug], query=request.GET)
    return run_and_redirect(
        request, lambda: cancel_payment(payment, actor_of(request)), _("Payment cancelled."), to
    )


@page_for(Right.CASH)
@require_POST
def due_remove(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    ledger = _ledger_or_404(tournament, pk)
    to = person_url(request, tournament, ledger.debtor.roster_key)
    done = _("The price of %(name)s has been removed.") % {"name": ledger.name}
    return run_and_redirect(request, lambda: remove_due(ledger.due, actor_of(request)), done, to)


def _ledger_or_404(tournament: Tournament, pk: int) -> Ledger:
    ledger = find_ledger(tournament, pk) if pk < 2**63 else None
    if ledger is None:
        raise Http404
    return ledger


# --- Parts of the page of registration ---


class PricesPart(Part):
    """The categories with their prices."""

    name, rows_name = "prices", "fees"
    rights = (Right.CASH,)
    formset_class = FeeFormSet

    def get_queryset(self) -> QuerySet[Fee]:
        return self.tournament.fees.all()

    def save(self, instance: None, rows: list[Fee]) -> None:
        set_fees(self.tournament, self.actor, rows)


class PaymentPart(Part):
    """How prices are paid: currency, bank account and link."""

    name = "payment"
    rights = (Right.CASH,)
    form_class = AccountForm

    def get_object(self) -> TournamentAccount:
        return account_of(self.tournament)

    def save(self, instance: TournamentAccount, rows: list[Any]) -> None:
        set_account(instance, self.actor)
