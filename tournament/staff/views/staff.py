"""Who works at the tournament, and the rota of the umpires."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.base import access
from tournament.base.access import Right
from tournament.base.models.log import name_of
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.requests import site_address
from tournament.play.selectors.organiser import passes_of
from tournament.staff.forms import NEW, NewMemberForm, PlaysForm, RoleForm, RotaForm
from tournament.staff.selectors import account_named, invitations_of, proposed, rota_of, staff_of
from tournament.staff.services import (
    change_role,
    end_role,
    give_role,
    hand_over,
    link_player,
    make_member,
    set_rota,
)
from tournament.web.forms import adding_problems
from tournament.web.texts.words import role_name
from tournament.web.views import UNPROCESSABLE, actor_of, organiser_page, page_for, press, show


@page_for(Right.READ)
@require_safe
def staff_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    actor = actor_of(request)
    members = [(member, access.can_give(actor, tournament, member.role)) for member in staff_of(tournament)]
    context = {
        "members": members,
        "invitations": invitations_of(tournament),
        "passes": passes_of(tournament),
        "now": timezone.now(),
    }
    return show(request, "staff/staff", tournament, "staff", context)


@organiser_page
def staff_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Name somebody. A new account's password is on the answer to this and nowhere else."""
    actor = actor_of(request)
    form = NewMemberForm(tournament, actor, request.POST or None)
    if form.is_valid():
        user, data = form.instance, form.cleaned_data
        with adding_problems(form):
            if data["account"] == NEW:
                _new, password = make_member(tournament, actor, user, data["role"], **form.scope)
                context = {"member": user, "password": password, "address": site_address()}
                return show(request, "staff/staff_made", tournament, "staff", context)
            user = account_named(user.username)
            member = give_role(tournament, actor, user, data["role"], **form.scope)
            facts = {"name": name_of(member.user), "role": role_name(member.role)}
            messages.success(request, _("%(name)s: %(role)s.") % facts)
            return redirect("organiser_staff", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "staff/staff_new", tournament, "staff", {"form": form}, status=status)


@organiser_page
def staff_edit(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Give another role, and another reach."""
    member, actor = _member(tournament, pk), actor_of(request)
    access.require_to_give(actor, tournament, Role(member.role))
    form = RoleForm(tournament, actor, request.POST or None, initial=RoleForm.of(member))
    if form.is_valid():
        with adding_problems(form):
            change_role(member, actor, form.cleaned_data["role"], **form.scope)
            messages.success(request, _("Saved."))
            return redirect("organiser_staff", tournament.slug)
    context = {
        "form": form,
        "member": member,
        "plays": PlaysForm(tournament, initial={"player": member.player}),
        "is_me": member.user == request.user,
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "staff/staff_one", tournament, "staff", context, status=status)


def _member(tournament: Tournament, pk: int) -> Membership:
    return get_object_or_404(staff_of(tournament), pk=pk)


@organiser_page
@require_POST
def staff_plays(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Say who of the players somebody is."""
    member, form = _member(tournament, pk), PlaysForm(tournament, request.POST)
    if not form.is_valid():
        messages.error(request, _("There is no such player."))
        return redirect("organiser_member", tournament.slug, pk)
    actor, player = actor_of(request), form.cleaned_data["player"]
    return press(
        request,
        lambda: link_player(member, actor, player),
        _("Saved."),
        "organiser_member",
        tournament.slug,
        pk,
    )


@organiser_page
@require_POST
def staff_hand_over(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    user, actor = _member(tournament, pk).user, actor_of(request)
    done = _("The tournament belongs to %(name)s now.") % {"name": name_of(user)}
    return press(
        request, lambda: hand_over(tournament, actor, user), done, "organiser_staff", tournament.slug
    )


@organiser_page
@require_POST
def staff_end(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    member, actor = _member(tournament, pk), actor_of(request)
    facts = {"name": name_of(member.user), "role": role_name(member.role)}
    done = _("%(name)s, no longer: %(role)s.") % facts
    return press(request, lambda: end_role(member, actor), done, "organiser_staff", tournament.slug)


@page_for(Right.READ)
@require_safe
def rota_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show umpires by sessions, the tables of each; what nobody umpires."""
    return show(request, "staff/rota", tournament, "rota", {"rota": rota_of(tournament)})


@page_for(Right.RULE)
@require_http_methods(["GET", "HEAD", "POST"])
def rota_edit(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Set the rota; nothing is kept until it is saved.

    `?propose` starts from an even one instead of from what is set.
    """
    is_proposal = "propose" in request.GET
    rota = proposed(tournament) if is_proposal else rota_of(tournament)
    if not rota.lines or not rota.sessions:
        return redirect("organiser_rota", tournament.slug)
    form = RotaForm(rota, request.POST or None)
    if form.is_valid():
        with adding_problems(form):
            set_rota(tournament, actor_of(request), form.rows())
            messages.success(request, _("The rota is set. Each umpire sees their tables."))
            return redirect("organiser_rota", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = {"form": form, "rota": rota, "is_proposal": is_proposal}
    return show(request, "staff/rota_edit", tournament, "rota", context, status=status)
