"""Invitations and passes: making them, taking them back, and opening them.

A link is in the answer to its making and nowhere else.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST
from segno.helpers import make_wifi

from scoring.engine.problems import Problem
from tournament.accounts import sign_in
from tournament.base.errors import Refused
from tournament.base.limits import Guesses
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Pass, Tournament
from tournament.base.problems import sentence
from tournament.base.requests import place_of, site_address
from tournament.messages.mail import delivery
from tournament.play.selectors.organiser import passes_of
from tournament.play.views.desk import desk_url
from tournament.staff.forms import InviteForm, JoinForm, PassForm
from tournament.staff.models import Invitation
from tournament.staff.passes import (
    NOT_OPEN,
    Letter,
    NewInvitation,
    NewPass,
    Standing,
    find_invitation,
    find_pass,
    open_pass,
    standing_of,
)
from tournament.staff.selectors import invitations_of
from tournament.staff.services import (
    accept_invitation,
    invite,
    join,
    make_passes,
    renew_pass,
    revoke_invitation,
    revoke_passes,
)
from tournament.web.display import qr_of, qr_svg
from tournament.web.forms import add_problems
from tournament.web.texts.words import role_name
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    count_guess,
    landing_in,
    organiser_page,
    press,
    show,
)

# --- Passes ---


QUIET_ZONE = 2
"""Modules of white around a code; the card is white around it, too."""


@organiser_page
def passes_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for passes, and show their cards to print."""
    form = PassForm(tournament, request)
    if request.method == "POST" and form.is_valid():
        try:
            passes = make_passes(tournament, actor_of(request), form.reaches(), form.expires_at())
        except Refused as refused:
            add_problems(form, refused)
        else:
            return _cards_page(request, tournament, passes, **form.printed())
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "staff/pass_new", tournament, "staff", {"form": form}, status=status)


def _cards_page(
    request: HttpRequest,
    tournament: Tournament,
    passes: Sequence[NewPass],
    *,
    network: str = "",
    network_password: str = "",
) -> HttpResponse:
    context: dict[str, Any] = {
        "cards": [_card(new_pass) for new_pass in passes],
        "network": network,
        "network_password": network_password,
        "network_code": _network_code(network, network_password) if network else "",
    }
    return show(request, "staff/passes_made", tournament, "staff", context)


def _card(new_pass: NewPass) -> dict[str, Any]:
    url = site_address() + reverse("pass", args=[new_pass.token])
    return {"pass": new_pass.desk_pass, "url": url, "code": qr_of(url, QUIET_ZONE)}


def _network_code(network: str, password: str) -> SafeString:
    code = make_wifi(ssid=network, password=password or None, security="WPA" if password else None)
    return qr_svg(code, QUIET_ZONE)


@organiser_page
@require_POST
def pass_renew(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Make a new card for a lost one."""
    new_pass = renew_pass(_pass(tournament, pk), actor_of(request))
    return _cards_page(request, tournament, [new_pass])


def _pass(tournament: Tournament, pk: int) -> Pass:
    return get_object_or_404(passes_of(tournament), pk=pk)


@organiser_page
@require_POST
def pass_revoke(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    return _revoke(request, tournament, [_pass(tournament, pk)])


@organiser_page
@require_POST
def passes_revoke_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _revoke(request, tournament, list(passes_of(tournament)))


def _revoke(request: HttpRequest, tournament: Tournament, passes: Sequence[Pass]) -> HttpResponse:
    actor = actor_of(request)
    return press(
        request,
        lambda: revoke_passes(tournament, actor, passes),
        _("Taken back. The links open nothing any more."),
        "organiser_staff",
        tournament.slug,
    )


# --- Opening a pass ---


PASS_GONE = 410
CARDS = Guesses.at("passes", freely=100, seconds=1)
"""A hall that tries yesterday's cards fits; beyond, today's still open, a little later."""


@method_decorator(never_cache, name="dispatch")
class OpenPass(View):
    """The address on a card: it signs this device in and leads to the table.

    Scanning is enough on a device where nobody is signed in; elsewhere the change is asked about first.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Wrong ones are counted where they come from."""
        if (later := count_guess(request, CARDS)) is not None:
            return later
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code != PASS_GONE:
            CARDS.was_right(place_of(request))
        return response

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        desk_pass = find_pass(token)
        if desk_pass is None:
            return render(request, "staff/pass_over.html", status=PASS_GONE)
        if request.user.is_authenticated and request.user != desk_pass.membership.user:
            return render(request, "staff/pass.html", {"pass": desk_pass})
        return self._enter(request, desk_pass)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        desk_pass = find_pass(token)
        if desk_pass is None:
            return render(request, "staff/pass_over.html", status=PASS_GONE)
        return self._enter(request, desk_pass)

    def _enter(self, request: HttpRequest, desk_pass: Pass) -> HttpResponse:
        if request.user != desk_pass.membership.user:
            open_pass(request, desk_pass)
        return redirect(_desk_of(desk_pass))


def _desk_of(desk_pass: Pass) -> str:
    """Find the desk of the pass's table in the session being played; else the list of tables, which says what comes."""
    membership = desk_pass.membership
    running = Table.objects.filter(
        session__tournament=membership.tournament, session__state=Session.State.RUNNING
    )
    # No table has the number 0.
    table = running.filter(number=membership.table_number or 0).select_related("session__tournament").first()
    return desk_url(table) if table else reverse("umpire_tables", args=[membership.tournament.slug])


# --- Invitations ---


@organiser_page
def invitation_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask whom to invite, and give the link."""
    initial = {"expires_on": max(tournament.ends_on, timezone.localdate())}
    form = InviteForm(tournament, actor_of(request), request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            new = invite(form.invitation(), actor_of(request), _letter(form))
        except Refused as refused:
            add_problems(form, refused)
        else:
            return _invited_page(request, tournament, new)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "staff/invite", tournament, "staff", {"form": form}, status=status)


def _letter(form: InviteForm) -> Letter | None:
    to = form.cleaned_data["email"]
    return Letter(to, get_language() or "en", _link) if to else None


def _link(token: str) -> str:
    return site_address() + reverse("invitation", args=[token])


def _invited_page(request: HttpRequest, tournament: Tournament, new: NewInvitation) -> HttpResponse:
    link = _link(new.token)
    context = {"invitation": new.invitation, "link": link, "code": qr_of(link, QUIET_ZONE)}
    context["writes"] = delivery.is_set()
    return show(request, "staff/invited", tournament, "staff", context)


@organiser_page
@require_POST
def invitation_revoke(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    invitation = get_object_or_404(invitations_of(tournament), pk=pk)
    return press(
        request,
        lambda: revoke_invitation(invitation, actor_of(request)),
        _("Taken back. The link opens nothing any more."),
        "organiser_staff",
        tournament.slug,
    )


# --- Opening an invitation ---


INVITATION_GONE = 410
LINKS = Guesses.at("invitations", freely=30, seconds=5)


@sensitive_post_parameters()
@sensitive_variables()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def opened(request: HttpRequest, token: str) -> HttpResponse:
    """Show what one is invited to, and one button: whoever signs in or makes an account has the role. Once.

    Where the link opens nothing, a sentence says why. Wrong ones are counted.
    """
    if (later := count_guess(request, LINKS)) is not None:
        return later
    invitation, user = find_invitation(token), _signed_in_user(request)
    stands = standing_of(invitation, user)
    if invitation is not None:
        LINKS.was_right(place_of(request))
    if invitation is None or stands is not Standing.OPEN:
        return _gone_page(request, NOT_OPEN[stands](), invitation, stands)
    if request.method != "POST":
        return _invitation_page(request, invitation, None if user else JoinForm())
    return _accept(request, invitation) if user else _join(request, invitation)


def _signed_in_user(request: HttpRequest) -> Any:
    """Return who is signed in with an account of their own: a pass is none."""
    user = request.user
    return user if user.is_authenticated and user.has_usable_password() else None


def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    try:
        accept_invitation(invitation, actor_of(request))
    except Refused as refused:
        return _gone_page(request, refused.problems[0])
    return _welcome(request, invitation)


def _join(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    form = JoinForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        try:
            user = join(
                invitation,
                username=data["username"],
                password=data["password1"],
                full_name=data["full_name"],
            )
        except Refused as refused:
            if refused.problems[0].where not in form.fields:
                return _gone_page(request, refused.problems[0])
            add_problems(form, refused)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            response = _welcome(request, invitation)
            sign_in.remember(request, response, user.username)
            return response
    return _invitation_page(request, invitation, form, status=UNPROCESSABLE)


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    role = role_name(invitation.role)
    messages.success(request, _("Welcome. Your role here: %(role)s.") % {"role": role})
    return redirect(landing_in(actor_of(request), invitation.tournament))


def _invitation_page(
    request: HttpRequest, invitation: Invitation, form: JoinForm | None, *, status: int = 200
) -> HttpResponse:
    context = {"invitation": invitation, "form": form}
    return render(request, "staff/invitation.html", context, status=status)


def _gone_page(
    request: HttpRequest,
    problem: Problem,
    invitation: Invitation | None = None,
    stands: Standing | None = None,
) -> HttpResponse:
    """Say why the link opens nothing; who has accepted it before is led on."""
    is_own = invitation is not None and stands is Standing.USED_BY_YOU
    go_on = landing_in(actor_of(request), invitation.tournament) if is_own and invitation else ""
    context = {"said": sentence(problem), "go_on": go_on}
    return render(request, "staff/invitation_over.html", context, status=INVITATION_GONE)
