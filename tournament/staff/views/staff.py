"""Who works at the tournament, and the rota of the umpires."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.base import access
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.log import name_of
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.requests import site_address
from tournament.play.selectors.organiser import passes_of
from tournament.staff.forms import MemberForm, NewMemberForm, PlaysForm, RotaForm
from tournament.staff.selectors import invitations_of, proposed, rota_of, staff_of
from tournament.staff.services import (
    change_role,
    end_role,
    give_role,
    hand_over,
    link_player,
    make_member,
    set_rota,
)
from tournament.web.forms import add_problems
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
    form = NewMemberForm(tournament, actor_of(request), request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            member, password = _give_role(request, tournament, form)
        except Refused as refused:
            add_problems(form, refused)
        else:
            if password:
                context = {"member": member.user, "password": password, "address": site_address()}
                return show(request, "staff/staff_made", tournament, "staff", context)
            facts = {"name": name_of(member.user), "role": role_name(member.role)}
            messages.success(request, _("%(name)s: %(role)s.") % facts)
            return redirect("organiser_staff", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "staff/staff_new", tournament, "staff", {"form": form}, status=status)


def _give_role(request: HttpRequest, tournament: Tournament, form: NewMemberForm) -> tuple[Membership, str]:
    """Give the role; the password when the account is new."""
    actor = actor_of(request)
    if not form.makes_account:
        return give_role(tournament, actor, form.user(), form.chosen, **form.scope()), ""
    account: dict[str, Any] = {name: form.cleaned_data[name] for name in ("username", "full_name")}
    return make_member(tournament, actor, role=form.chosen, **account, **form.scope())


@organiser_page
def staff_edit(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Give another role, and another reach."""
    member, actor = _member(tournament, pk), actor_of(request)
    access.require_to_give(actor, tournament, Role(member.role))
    form = MemberForm(tournament, actor, request.POST or None, initial=MemberForm.of(member))
    if request.method == "POST" and form.is_valid():
        try:
            change_role(member, actor, form.chosen, **form.scope())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_staff", tournament.slug)
    context = {
        "form": form,
        "member": member,
        "plays": PlaysForm(tournament, initial={"player": member.player and member.player.number}),
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
    return press(
        request,
        lambda: link_player(member, actor_of(request), form.player_chosen()),
        _("Saved."),
        "organiser_member",
        tournament.slug,
        pk,
    )


@organiser_page
@require_POST
def staff_hand_over(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    member = _member(tournament, pk)
    return press(
        request,
        lambda: hand_over(tournament, actor_of(request), member.user),
        _("The tournament belongs to %(name)s now.") % {"name": name_of(member.user)},
        "organiser_staff",
        tournament.slug,
    )


@organiser_page
@require_POST
def staff_end(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    member = _member(tournament, pk)
    facts = {"name": name_of(member.user), "role": role_name(member.role)}
    return press(
        request,
        lambda: end_role(member, actor_of(request)),
        _("%(name)s, no longer: %(role)s.") % facts,
        "organiser_staff",
        tournament.slug,
    )


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
    form = RotaForm(tournament, rota, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_rota(tournament, actor_of(request), form.rows())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The rota is set. Each umpire sees their tables."))
            return redirect("organiser_rota", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = {"form": form, "rota": rota, "is_proposal": is_proposal}
    return show(request, "staff/rota_edit", tournament, "rota", context, status=status)
