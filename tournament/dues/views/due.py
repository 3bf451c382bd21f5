"""One person's due: what they paid, noting more, and what they are asked for."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.dues.forms import DueForm, PaymentForm
from tournament.dues.models import Payment
from tournament.dues.selectors.dues import Owes, one_due
from tournament.dues.selectors.fees import Paid
from tournament.dues.services.dues import remove_due, set_due
from tournament.dues.services.payments import cancel_payment, note_payment
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, page_for, press, show


@page_for(Right.CASH)
def page(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """A POST notes a payment."""
    owed = _found(tournament, pk)
    form = PaymentForm(request.POST if request.method == "POST" else None, initial=_usual(owed))
    if form.is_valid():
        try:
            note_payment(owed.due, actor_of(request), form.paid(), uuid=form.cleaned_data["uuid"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Noted."))
            return redirect("organiser_due", tournament.slug, pk)
    return _show(request, tournament, owed, form, DueForm(owed))


@page_for(Right.CASH)
def change(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Another category or amount."""
    owed = _found(tournament, pk)
    if request.method != "POST":
        return redirect("organiser_due", tournament.slug, pk)
    form = DueForm(owed, request.POST)
    if form.is_valid():
        try:
            set_due(tournament, actor_of(request), owed.whose, **form.asked())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_due", tournament.slug, pk)
    return _show(request, tournament, owed, PaymentForm(initial=_usual(owed)), form)


@page_for(Right.CASH)
@require_POST
def cash(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """One tap: all that was shown as open came in cash. The page then offers to take it back."""
    owed = _found(tournament, pk)
    back = f"{reverse('organiser_dues', args=[tournament.slug])}?{_query(request)}"
    try:
        uuid, amount = UUID(request.POST["uuid"]), Decimal(request.POST["open"])
        note_payment(owed.due, actor_of(request), Paid(amount, open=amount), uuid=uuid)
    except (KeyError, ValueError, InvalidOperation):
        messages.error(request, _("This form has lost its number. Load the page again."))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        back += f"&noted={uuid}"
    return redirect(f"{back}#d{pk}")


@page_for(Right.CASH)
@require_POST
def cancel(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """It was noted by mistake."""
    payments = Payment.objects.select_related("due__tournament")
    found = get_object_or_404(payments, due__tournament=tournament, uuid=uuid)
    to: tuple[Any, ...] = ("organiser_due", tournament.slug, found.due_id)
    if "list" in request.POST:
        to = ("organiser_dues", tournament.slug)
    return press(
        request, lambda: cancel_payment(found, actor_of(request)), _("Taken back: it counts no more."), *to
    )


@page_for(Right.CASH)
@require_POST
def remove(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """They are asked for nothing."""
    owed = _found(tournament, pk)
    done = _("%(name)s is asked for nothing any more.") % {"name": owed.name}
    return press(
        request, lambda: remove_due(owed.due, actor_of(request)), done, "organiser_dues", tournament.slug
    )


def _query(request: HttpRequest) -> str:
    """What the list was narrowed to."""
    query = request.GET.copy()
    query.pop("noted", None)
    return query.urlencode()


def _found(tournament: Tournament, pk: int) -> Owes:
    owed = one_due(tournament, pk) if pk < 2**63 else None
    if owed is None:
        raise Http404
    return owed


def _usual(owed: Owes) -> dict[str, Any]:
    """What is most often noted: all that is open came today; or what is too much went back."""
    still = owed.balance.open
    return {"amount": abs(still) or None, "back": still < 0, "on": timezone.localdate()}


def _show(
    request: HttpRequest, tournament: Tournament, owed: Owes, form: PaymentForm, due_form: DueForm
) -> HttpResponse:
    context = {"owed": owed, "form": form, "due_form": due_form}
    status = UNPROCESSABLE if form.errors or due_form.errors else 200
    return show(request, "dues/due", tournament, "dues", context, status=status)
