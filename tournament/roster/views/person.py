"""The page of one person: answers, seats, payments, log; and the forms to add and change people."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right, may
from tournament.base.countries import country_names
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import registration_url
from tournament.dues.forms import DueForm, PaymentForm
from tournament.dues.models import Payment
from tournament.dues.selectors import Ledger, ledger_of_player, ledger_of_registration
from tournament.dues.services import record_payment, set_due
from tournament.messages.mail import delivery
from tournament.people.selectors import censured_lines, proposals_for, proposals_for_player
from tournament.people.texts import proposed_lines
from tournament.players.forms import PlayerForm
from tournament.players.selectors.players import removal_blocker
from tournament.players.services.players import add_player, edit_player
from tournament.registration.forms import DeskRegistrationForm
from tournament.registration.selectors.entering import doubles_of_listed
from tournament.registration.selectors.plan import plan_of, questions_of
from tournament.registration.selectors.registrations import last_step, position_of, warnings_of
from tournament.registration.services.admissions import add_registrations
from tournament.registration.services.registrations import edit_registration
from tournament.registration.texts import answers_of, double_mark
from tournament.roster.engine import EnterAs
from tournament.roster.forms.people import PlayerNumberForm
from tournament.roster.selectors.people import (
    RosterEntry,
    find_entry,
    log_of,
    seats_of,
    sees_dues,
    usual_target,
)
from tournament.web.forms import add_problems
from tournament.web.selectors import log_words
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    desk_page,
    page_for,
    person_url,
    render_page,
    run_and_redirect,
)

SECTION = "people"
any_reader = page_for(Right.READ, Right.ADMIT, Right.CASH)
any_writer = page_for(Right.ORGANISE, Right.ADMIT)


def _entry_or_404(request: HttpRequest, tournament: Tournament, who: str) -> RosterEntry:
    entry = find_entry(tournament, who, actor_of(request))
    if entry is None:
        raise Http404
    return entry


# --- The page ---


@any_reader
@require_safe
def person_page(request: HttpRequest, tournament: Tournament, who: str) -> HttpResponse:
    return _page(request, tournament, _entry_or_404(request, tournament, who))


def _page(
    request: HttpRequest,
    tournament: Tournament,
    entry: RosterEntry,
    payment_form: PaymentForm | None = None,
    due_form: DueForm | None = None,
) -> HttpResponse:
    actor, player, registration = actor_of(request), entry.player, entry.registration
    context: dict[str, Any] = {"entry": entry, "player": player}
    if may(actor, tournament, Right.ADMIT) and registration is not None:
        context |= _registration_context(tournament, registration)
    if may(actor, tournament, Right.ORGANISE):
        proposals = proposals_for_player(player, actor) if player else proposals_for([entry.record], actor)[0]
        context |= {
            "censured": censured_lines([entry.record], lambda record: "", actor, tournament),
            "proposed": proposed_lines(proposals),
            "blocker": sentence(blocker) if player and (blocker := removal_blocker(player)) else "",
        }
    if may(actor, tournament, Right.READ):
        words = log_words(tournament)
        context |= {
            "seats": seats_of(player) if player else [],
            "log": [(line, words.sentence(line)) for line in log_of(entry)],
        }
    if sees_dues(actor, tournament):
        context["ledger"] = ledger = _ledger_of(entry)
        if ledger is not None:
            payment_form = payment_form or PaymentForm(initial=_usual_payment(ledger))
            context |= {"form": payment_form, "due_form": due_form or DueForm(ledger)}
    is_refused = any(form is not None and form.errors for form in (payment_form, due_form))
    status = UNPROCESSABLE if is_refused else 200
    return render_page(request, "roster/person", tournament, SECTION, context, status=status)


def _registration_context(tournament: Tournament, registration: Registration) -> dict[str, Any]:
    plan = plan_of(tournament)
    double = doubles_of_listed(tournament, [registration]).get(registration.number)
    return {
        "registration": registration,
        "double": double and double_mark(double),
        "position": position_of(registration),
        "unapproved": [
            (name, registration.changed_from[name], getattr(registration, name))
            for name in ("country", "club")
            if name in registration.changed_from
        ],
        "answers": answers_of(registration, questions_of(plan) if plan else []),
        "warnings": [sentence(problem) for problem in warnings_of(registration)],
        "sends_mail": bool(registration.email) and delivery.is_configured(),
        "mails": list(registration.mails.all()),
        "undoable": step if (step := last_step(tournament)) and registration in step.people else None,
        "link": registration_url(registration),
    }


# --- Adding and changing ---


def _data(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


@any_writer
def person_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Add a person, as `?as=players` or `registrations`; by default whatever suits the event."""
    target = request.GET.get("as")
    if target not in list(EnterAs) or not may(actor_of(request), tournament, Right.ORGANISE):
        target = usual_target(tournament, actor_of(request))
    if target == EnterAs.PLAYERS:
        return _new_player(request, tournament)
    return _new_registration(request, tournament)


def _new_player(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = PlayerForm(_data(request), instance=Player(tournament=tournament))
    if form.is_valid():
        is_another = form.cleaned_data["is_another_person"]
        try:
            player = add_player(form.instance, actor_of(request), is_another_person=is_another)
        except Refused as refused:
            form.add_problems(refused.problems)
        else:
            text = _("%(name)s is entered, with number %(n)s.")
            return _added(request, tournament, player, text % {"name": player.name, "n": player.number})
    return _form_page(request, tournament, form, kind=EnterAs.PLAYERS)


def _new_registration(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = DeskRegistrationForm(plan_of(tournament), _data(request))
    if form.is_valid():
        notify = form.cleaned_data.get("notify", False)
        apart = [0] if form.cleaned_data["is_another_person"] else []
        try:
            add_registrations(
                tournament,
                actor_of(request),
                [form.instance],
                notify=notify,
                apart=apart,
                fee=form.fee,
                is_accepting=True,
            )
        except Refused as refused:
            form.add_problems(problem.at(problem.where.partition(".")[2]) for problem in refused.problems)
        else:
            registration = form.instance
            params = {"name": registration.name, "state": registration.get_state_display()}
            text = _("%(name)s is registered: %(state)s.") % params
            return _added(request, tournament, registration, text)
    return _form_page(request, tournament, form, kind=EnterAs.REGISTRATIONS)


def _added(
    request: HttpRequest, tournament: Tournament, record: Player | Registration, text: str
) -> HttpResponse:
    messages.success(request, text)
    if "another" in request.POST:
        return redirect(request.get_full_path())
    return redirect(person_url(request, tournament, record.roster_key))


@any_writer
def person_change(request: HttpRequest, tournament: Tournament, who: str) -> HttpResponse:
    """Change a registration, with its player's number; or a player without one."""
    entry = _entry_or_404(request, tournament, who)
    can_organise = may(actor_of(request), tournament, Right.ORGANISE)
    form: DeskRegistrationForm | PlayerForm
    if entry.registration is not None and may(actor_of(request), tournament, Right.ADMIT):
        form = DeskRegistrationForm(plan_of(tournament), _data(request), instance=entry.registration)
    elif entry.player is not None and can_organise:
        form = PlayerForm(_data(request), instance=entry.player)
    else:
        raise Http404
    number_form = None
    if entry.registration is not None and entry.player is not None and can_organise:
        number_form = PlayerNumberForm(_data(request), instance=Player.objects.get(pk=entry.player.pk))
    name = entry.name
    checked = [part.is_valid() for part in (form, number_form) if part is not None]
    if all(checked):
        try:
            record = _save_change(request, form, number_form)
        except Refused as refused:
            add_problems(_form_with_fault(refused, form, number_form), refused)
        else:
            messages.success(request, _("%(name)s is saved.") % {"name": record.name})
            return redirect(person_url(request, tournament, record.roster_key))
    return _form_page(request, tournament, form, number_form=number_form, name=name, key=who)


def _form_with_fault(
    refused: Refused, form: PlayerForm | DeskRegistrationForm, number_form: PlayerNumberForm | None
) -> BaseForm:
    is_about_number = number_form and all(problem.where in number_form.fields for problem in refused.problems)
    return number_form if number_form is not None and is_about_number else form


@transaction.atomic
def _save_change(
    request: HttpRequest, form: PlayerForm | DeskRegistrationForm, number_form: PlayerNumberForm | None
) -> Player | Registration:
    """Store both forms or neither."""
    actor = actor_of(request)
    if isinstance(form, PlayerForm):
        return edit_player(form.instance, actor)
    registration: Registration = form.instance
    edit_registration(registration, actor)
    if number_form is not None and number_form.has_changed():
        player = Player.objects.get(pk=number_form.instance.pk)
        for field in number_form.changed_data:
            setattr(player, field, number_form.cleaned_data[field])
        registration.player = edit_player(player, actor)
    return registration.player or registration


def _form_page(
    request: HttpRequest, tournament: Tournament, form: PlayerForm | DeskRegistrationForm, **context: Any
) -> HttpResponse:
    context |= {"form": form, "countries": country_names()}
    context["is_registration"] = isinstance(form, DeskRegistrationForm)
    status = UNPROCESSABLE if request.method == "POST" else 200
    return render_page(request, "roster/person_form", tournament, SECTION, context, status=status)


@desk_page
@require_POST
def accept_change(request: HttpRequest, tournament: Tournament, who: str) -> HttpResponse:
    """Approve the country and club that the page showed, not those that were changed since."""
    entry = _entry_or_404(request, tournament, who)
    if (registration := entry.registration) is None:
        raise Http404
    registration.country = request.POST.get("country", registration.country)
    registration.club = request.POST.get("club", registration.club)
    return run_and_redirect(
        request,
        lambda: edit_registration(registration, actor_of(request)),
        _("Accepted: it now counts for reserved places."),
        person_url(request, tournament, entry.key),
    )


# --- Payments ---


def _ledger_of(entry: RosterEntry) -> Ledger | None:
    if entry.registration is not None:
        return ledger_of_registration(entry.registration)
    return ledger_of_player(entry.player) if entry.player else None


def _ledger_or_404(request: HttpRequest, tournament: Tournament, who: str) -> tuple[RosterEntry, Ledger]:
    entry = _entry_or_404(request, tournament, who)
    ledger = _ledger_of(entry)
    if ledger is None:
        raise Http404
    return entry, ledger


def _usual_payment(ledger: Ledger) -> dict[str, Any]:
    """Return the initial values: the whole open amount paid today, or the overpaid one refunded."""
    open_amount = ledger.balance.open
    return {"amount": abs(open_amount) or None, "back": open_amount < 0, "on": timezone.localdate()}


@page_for(Right.CASH)
@require_POST
def payment(request: HttpRequest, tournament: Tournament, who: str) -> HttpResponse:
    """Record a payment or a refund."""
    entry, ledger = _ledger_or_404(request, tournament, who)
    recorded = Payment(due=ledger.due)
    form = PaymentForm(request.POST, instance=recorded, initial=_usual_payment(ledger))
    if form.is_valid():
        try:
            record_payment(recorded, actor_of(request))
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Payment recorded."))
            return redirect(person_url(request, tournament, entry.key))
    return _page(request, tournament, entry, payment_form=form)


@page_for(Right.CASH)
@require_POST
def fee(request: HttpRequest, tournament: Tournament, who: str) -> HttpResponse:
    """Set the category, or an own amount."""
    entry, ledger = _ledger_or_404(request, tournament, who)
    form = DueForm(ledger, request.POST)
    if form.is_valid():
        try:
            set_due(tournament, actor_of(request), ledger.debtor, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect(person_url(request, tournament, entry.key))
    return _page(request, tournament, entry, due_form=form)
