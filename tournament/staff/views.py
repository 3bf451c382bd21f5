"""Pages of the team: roles, invitations, passes and the umpires' tables.

A password, and the link of an invitation or a pass, is only in the response to the POST that creates it.
"""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST
from segno.helpers import make_wifi

from config.front.addresses import rate_limit_key
from scoring.engine.problems import Problem
from tournament.accounts import sign_in
from tournament.accounts.forms import NewAccountForm
from tournament.base import access
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.limits import GuessLimit
from tournament.base.models.log import name_of
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Membership, Pass, Role, Tournament
from tournament.base.problems import sentence
from tournament.base.requests import site_address
from tournament.messages.mail import delivery
from tournament.play.selectors.organiser import passes_of
from tournament.play.views.desk import desk_url
from tournament.staff.forms import (
    LINK,
    NEW,
    InviteForm,
    LinkedPlayerForm,
    PassForm,
    RoleForm,
    RotaForm,
)
from tournament.staff.models import Invitation
from tournament.staff.passes import (
    INVITATION_UNKNOWN,
    INVITATION_USED_BY_YOU,
    closed_reason,
    find_invitation,
    find_pass,
    open_pass,
)
from tournament.staff.selectors import invitations_of, is_last, proposed_rota, rota_of, staff_of, tables_of
from tournament.staff.services import (
    accept_invitation,
    accept_with_new_account,
    change_role,
    end_role,
    hand_over,
    invite,
    link_player,
    make_member,
    make_passes,
    renew_pass,
    revoke_invitation,
    revoke_passes,
    set_rota,
)
from tournament.web.display import qr_of, qr_svg
from tournament.web.forms import add_problems, adding_problems
from tournament.web.generic import Part, PartsView
from tournament.web.sections import landing_url
from tournament.web.texts.words import role_name
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    count_guess,
    organiser_page,
    page_for,
    render_page,
    run_and_redirect,
)

# --- The team ---


MANY_TABLES: Final = 10
"""From so many tables on, the umpires' tables are shown before they are planned."""


class MemberPart(Part):
    """A part of the form of `member`, in their row."""

    member: Membership


class RolePart(MemberPart):
    """The member's role and its scope."""

    name = "role"

    def get_form(self, data: Any = None, files: Any = None) -> RoleForm:
        initial = RoleForm.of(self.member)
        return RoleForm(self.tournament, self.actor, data, initial=initial, prefix=self.name)

    def save(self, instance: RoleForm, rows: list[Any]) -> None:
        change_role(self.member, self.actor, instance.cleaned_data["role"], **instance.scope)


class PlaysPart(MemberPart):
    """The player that the member plays as."""

    name = "plays"

    def get_form(self, data: Any = None, files: Any = None) -> LinkedPlayerForm:
        initial = {"player": self.member.player and self.member.player.number}
        return LinkedPlayerForm(self.tournament, data, initial=initial, prefix=self.name)

    def save(self, instance: LinkedPlayerForm, rows: list[Any]) -> None:
        link_player(self.member, self.actor, instance.cleaned_data["player"])


class TeamPage(PartsView):
    """Everybody who works at the event; `?member=` opens the form of a member in their row."""

    http_method_names = ["get", "head"]
    rights = (Right.READ,)
    part_classes = (RolePart, PlaysPart)
    template, section, success_page = "staff/staff", "staff", "organiser_staff"

    def get_parts(self) -> Sequence[Part]:
        key = self.kwargs.get("pk", self.request.GET.get("member", ""))
        self.member = next((member for member in self.members if str(member.pk) == str(key)), None)
        if self.member is None or not self.can_change(self.member):
            return []
        parts = super().get_parts()
        for part in parts:
            vars(part)["member"] = self.member
        return parts

    @cached_property
    def members(self) -> list[Membership]:
        return list(staff_of(self.tournament))

    def can_change(self, member: Membership) -> bool:
        return access.can_assign_role(self.actor, self.tournament, member.role)

    def extra_context(self) -> dict[str, Any]:
        return {
            "members": [
                (member, self.can_change(member), self.parts and member == self.member)
                for member in self.members
            ],
            "is_last": self.member and is_last(self.member),
            "invitations": invitations_of(self.tournament),
            "passes": passes_of(self.tournament),
            "now": timezone.now(),
            "rota": rota_of(self.tournament),
            "has_many_tables": len(tables_of(self.tournament)) >= MANY_TABLES,
        }


class ChangeMember(TeamPage):
    """Change a member's role, its scope and the player they play as."""

    http_method_names = ["get", "head", "post"]
    rights = (Right.ORGANISE,)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Redirect to the row of the member."""
        pk = kwargs["pk"]
        return redirect(f"{self.get_success_url()}?member={pk}#member-{pk}")

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        member = _member(self.tournament, kwargs["pk"])
        access.require_role_assignment(self.actor, self.tournament, Role(member.role))
        return super().post(request, **kwargs)


def _member(tournament: Tournament, pk: int) -> Membership:
    return get_object_or_404(staff_of(tournament), pk=pk)


@organiser_page
@require_POST
def staff_hand_over(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    user, actor = _member(tournament, pk).user, actor_of(request)
    done = _("The tournament belongs to %(name)s now.") % {"name": name_of(user)}
    return run_and_redirect(
        request, lambda: hand_over(tournament, actor, user), done, "organiser_staff", tournament.slug
    )


@organiser_page
@require_POST
def staff_end(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    member, actor = _member(tournament, pk), actor_of(request)
    facts = {"name": name_of(member.user), "role": role_name(member.role)}
    done = _("%(name)s is no longer %(role)s.") % facts
    return run_and_redirect(
        request, lambda: end_role(member, actor), done, "organiser_staff", tournament.slug
    )


# --- Passes ---


QUIET_ZONE = 2
"""Modules of white around a QR code: less than the usual 4, because the card is white."""


@organiser_page
def passes_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Create passes, and show their cards to print."""
    form = PassForm(tournament, request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        with adding_problems(form):
            passes = make_passes(tournament, actor_of(request), form.scopes(), data["expires_on"])
            return _cards_page(request, tournament, passes, data["network"], data["network_password"])
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "staff/pass_new", tournament, "staff", {"form": form}, status=status)


def _cards_page(
    request: HttpRequest,
    tournament: Tournament,
    passes: Sequence[Pass],
    network: str = "",
    network_password: str = "",
) -> HttpResponse:
    context: dict[str, Any] = {
        "cards": [(desk_pass, qr_of(desk_pass.link, QUIET_ZONE)) for desk_pass in passes],
        "network": network,
        "network_password": network_password,
    }
    if network:
        code = make_wifi(network, network_password or None, "WPA" if network_password else None)
        context["network_code"] = qr_svg(code, QUIET_ZONE)
    return render_page(request, "staff/passes_made", tournament, "staff", context)


@organiser_page
@require_POST
def pass_renew(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Replace a lost pass, and show the new card."""
    return _cards_page(request, tournament, [renew_pass(_pass(tournament, pk), actor_of(request))])


def _pass(tournament: Tournament, pk: int) -> Pass:
    return get_object_or_404(passes_of(tournament), pk=pk)


@organiser_page
@require_POST
def passes_revoke(request: HttpRequest, tournament: Tournament, pk: int | None = None) -> HttpResponse:
    """Revoke a pass, or all of them."""
    actor, passes = actor_of(request), passes_of(tournament) if pk is None else [_pass(tournament, pk)]
    done = _("Revoked. The links no longer work.")
    return run_and_redirect(
        request, lambda: revoke_passes(tournament, actor, passes), done, "organiser_staff", tournament.slug
    )


# --- Opening a pass ---


GONE = 410
CARDS = GuessLimit.named("passes", burst=100, seconds=1)
"""Room for a hall that tries expired cards; after that the valid ones still open, with a short delay."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_pass_page(request: HttpRequest, token: str) -> HttpResponse:
    """Sign the device in by the token of a pass, and redirect to its desk. Wrong tokens are counted by address.

    If somebody else is signed in on the device, ask first.
    """
    if (refusal := count_guess(request, CARDS)) is not None:
        return refusal
    desk_pass = find_pass(token)
    if desk_pass is None:
        return render(request, "staff/pass_over.html", status=GONE)
    CARDS.forgive(rate_limit_key(request))
    if request.user != desk_pass.membership.user:
        if request.user.is_authenticated and request.method != "POST":
            return render(request, "staff/pass.html", {"pass": desk_pass})
        open_pass(request, desk_pass)
    return redirect(_desk_url(desk_pass))


def _desk_url(desk_pass: Pass) -> str:
    """Return the URL of the pass's table in the running session; else that of the umpire's list of tables."""
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
    """Create an invitation, and show its link; or give the role to an account, and show a new one's password."""
    form = InviteForm(tournament, actor_of(request), request.POST or None)
    if form.is_valid():
        with adding_problems(form):
            if form.cleaned_data["account"] == LINK:
                return _invite(request, tournament, form)
            return _add_member(request, tournament, form)
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "staff/invite", tournament, "staff", {"form": form}, status=status)


def _invite(request: HttpRequest, tournament: Tournament, form: InviteForm) -> HttpResponse:
    invitation = form.to_invitation()
    invite(invitation, actor_of(request), get_language() or "en")
    context = {
        "invitation": invitation,
        "code": qr_of(invitation.link, QUIET_ZONE),
        "is_mailed": delivery.is_configured(),
    }
    return render_page(request, "staff/invited", tournament, "staff", context)


def _add_member(request: HttpRequest, tournament: Tournament, form: InviteForm) -> HttpResponse:
    role, is_new = form.cleaned_data["role"], form.cleaned_data["account"] == NEW
    member, password = make_member(
        tournament, actor_of(request), form.instance, role, is_new=is_new, **form.scope
    )
    if is_new:
        context = {"member": member.user, "password": password, "address": site_address()}
        return render_page(request, "staff/staff_made", tournament, "staff", context)
    facts = {"name": name_of(member.user), "role": role_name(member.role)}
    messages.success(request, _("%(name)s: %(role)s.") % facts)
    return redirect("organiser_staff", tournament.slug)


@organiser_page
@require_POST
def invitation_revoke(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    invitation, actor = get_object_or_404(invitations_of(tournament), pk=pk), actor_of(request)
    done = _("Revoked. The link no longer works.")
    return run_and_redirect(
        request, lambda: revoke_invitation(invitation, actor), done, "organiser_staff", tournament.slug
    )


# --- Opening an invitation ---


LINKS = GuessLimit.named("invitations", burst=30, seconds=5)


@sensitive_post_parameters()
@sensitive_variables()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_invitation_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; accept it with the signed-in account or with a new one. Wrong tokens are counted by address.

    An invitation that cannot be accepted gets a page with the reason, and status 410.
    """
    if (refusal := count_guess(request, LINKS)) is not None:
        return refusal
    invitation = find_invitation(token)
    if invitation is None:
        return _closed_page(request, INVITATION_UNKNOWN())
    LINKS.forgive(rate_limit_key(request))
    # The account of a pass has no password and cannot accept.
    user = request.user if request.user.is_authenticated and request.user.has_usable_password() else None
    if (code := closed_reason(invitation, user)) is not None:
        is_own = code is INVITATION_USED_BY_YOU
        return _closed_page(
            request, code(), landing_url(actor_of(request), invitation.tournament) if is_own else ""
        )
    form = None if user else NewAccountForm(request.POST or None)
    try:
        if form is None and request.method == "POST":
            accept_invitation(invitation, actor_of(request))
            return _welcome(request, invitation)
        if form is not None and form.is_valid():
            accept_with_new_account(invitation, form.instance, form.cleaned_data["password1"])
            login(request, form.instance, backend="django.contrib.auth.backends.ModelBackend")
            return sign_in.remember_device(request, _welcome(request, invitation), form.instance.username)
    except Refused as refused:
        if form is None or refused.problems[0].where not in form.fields:
            return _closed_page(request, refused.problems[0])
        add_problems(form, refused)
    context = {"invitation": invitation, "form": form}
    status = UNPROCESSABLE if form is not None and form.errors else 200
    return render(request, "staff/invitation.html", context, status=status)


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    role = role_name(invitation.role)
    messages.success(request, _("Welcome. Your role here: %(role)s.") % {"role": role})
    return redirect(landing_url(actor_of(request), invitation.tournament))


def _closed_page(request: HttpRequest, problem: Problem, next_url: str = "") -> HttpResponse:
    """Show why an invitation cannot be accepted. `next_url`: the start page of a user who has already accepted it."""
    context = {"reason": sentence(problem), "next_url": next_url}
    return render(request, "staff/invitation_over.html", context, status=GONE)


# --- The umpires' tables ---


@page_for(Right.RULE)
@require_http_methods(["GET", "HEAD", "POST"])
def rota_edit(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the umpires' tables. `?propose` fills the form with a proposal instead of the stored ones."""
    is_proposal = "propose" in request.GET
    rota = proposed_rota(tournament) if is_proposal else rota_of(tournament)
    if not rota.lines or not rota.sessions:
        return redirect("organiser_staff", tournament.slug)
    form = RotaForm(rota, request.POST or None)
    if form.is_valid():
        with adding_problems(form):
            set_rota(tournament, actor_of(request), form.rows())
            messages.success(request, _("The umpires’ tables are saved. Each umpire sees their own."))
            return redirect("organiser_staff", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = {"form": form, "rota": rota, "is_proposal": is_proposal}
    return render_page(request, "staff/rota_edit", tournament, "staff", context, status=status)
