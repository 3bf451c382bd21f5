"""The screens in the hall: which there are, what each goes through, and steering one from a phone."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base import access
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.screens.engine.screens import Kind
from tournament.screens.engine.steering import MOST_PAGES, Command, Way
from tournament.screens.forms.screens import ArrangeForm, NewScreenForm
from tournament.screens.models.screens import Screen
from tournament.screens.selectors.screens import find_screen, on_screen, screens_of
from tournament.screens.services.screens import add_screen, arrange_screen, remove_screen, steer_screen
from tournament.screens.texts.screens import KINDS
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, page_for, press, show
from tournament.web.views.frame_public import build

SECTION = "screens"


@page_for(Right.READ, Right.SHOW)
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All screens, and a form for one more."""
    if request.method not in ("GET", "HEAD"):
        access.require(actor_of(request), tournament, Right.SHOW)
    form = NewScreenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            screen = add_screen(tournament, actor_of(request), form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The screen %(name)s is there.") % {"name": screen.name})
            return redirect("organiser_screens", tournament.slug)
    context = {"form": form, "shown": [on_screen(screen) for screen in screens_of(tournament)]}
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "screens/screens", tournament, SECTION, context, status=status)


@page_for(Right.SHOW)
@require_safe
def control(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """What a screen shows now, and the buttons that steer it."""
    found = _screen(tournament, screen)
    context = {"screen": found, "on": on_screen(found), "kinds": KINDS, "build": build()}
    return show(request, "screens/screen", tournament, SECTION, context)


@page_for(Right.SHOW)
@require_POST
def steer(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """`do`: what; `kind`, `page` and `turn`: the page to hold as the phone shows it, or the kind to show alone."""
    found = _screen(tournament, screen)
    try:
        steer_screen(tournament, actor_of(request), found.name, _command(request))
    except Refused as refused:
        tell_refusal(request, refused)
    return redirect("organiser_screen", tournament.slug, found.name)


@page_for(Right.SHOW)
def arrange(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """The parts of a rotation in their order; all empty: the screen chooses by itself."""
    found = _screen(tournament, screen)
    form = ArrangeForm(found, request.POST or None)
    if request.method == "POST" and form.is_valid():
        turns = [] if "automatic" in request.POST else form.turns()
        try:
            arrange_screen(tournament, actor_of(request), found.name, turns)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Arranged. The screen begins anew."))
            return redirect("organiser_screen", tournament.slug, found.name)
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "screens/screen_arrange", tournament, SECTION, {"screen": found, "form": form}, status=status
    )


@page_for(Right.SHOW)
@require_POST
def remove(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    return press(
        request,
        lambda: remove_screen(tournament, actor_of(request), screen),
        _("Removed."),
        "organiser_screens",
        tournament.slug,
    )


def _screen(tournament: Tournament, name: str) -> Screen:
    found = find_screen(tournament, name)
    if found is None:
        raise Http404
    return found


def _command(request: HttpRequest) -> Command:
    """What was pressed; 404 for what no button says."""
    asked = request.POST
    try:
        kind = Kind(asked["kind"]) if asked.get("kind") else None
        page = _small(asked["page"], 1) if "page" in asked else None
        return Command.of(Way(asked.get("do", "")), kind, page, _small(asked.get("turn", "-1"), -1))
    except ValueError:
        raise Http404 from None


def _small(text: str, least: int) -> int:
    """A page or a place as a button says it; ValueError for anything else."""
    number = int(text)
    if not least <= number <= MOST_PAGES:
        raise ValueError(text)
    return number
