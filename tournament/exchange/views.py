"""Lists and tournament files to take away, and the formats of files."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.base import access
from tournament.base.access import Actor, Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.exchange.event_file import tournament_file as tournament_files
from tournament.exchange.event_file.format import schema_text
from tournament.exchange.event_file.tournament_file import bring_in, look_into, take_away
from tournament.exchange.forms import ArrivalFileForm, ArrivalForm
from tournament.exchange.lists import LISTS
from tournament.exchange.selectors import SLUG_TAKEN
from tournament.exchange.texts import placed
from tournament.web.exports.lists import TYPES, ListTable, Reader
from tournament.web.views import UNPROCESSABLE, actor_of, allowed_or_404, page_for, tournament_page


@tournament_page
def open_list(
    request: HttpRequest, tournament: Tournament, audience: Audience, name: str, form: str
) -> HttpResponse:
    """For everybody who sees the event."""
    return _list_file(LISTS[name], Reader(tournament, audience, actor_of(request)), form)


@never_cache
@login_required
@require_safe
def staff_list(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponse:
    """For whoever has the right that the list asks for."""
    listed = LISTS[name]
    assert listed.right is not None, "its address is among those for the staff"
    tournament = allowed_or_404(request, slug, [listed.right])
    return _list_file(listed, Reader.of(tournament, actor_of(request)), form)


def _list_file(listed: ListTable, reader: Reader, form: str) -> HttpResponse:
    if not listed.may_read(reader):
        raise Http404
    return HttpResponse(
        listed.render(reader, form),
        content_type=TYPES[form],
        headers={
            "Content-Disposition": f'attachment; filename="{listed.file_name(reader.tournament, form)}"'
        },
    )


@page_for(Right.OWN)
@require_POST
def tournament_file_take(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The file, with what people can be reached by or without."""
    content = take_away(tournament, actor_of(request), contacts="contacts" in request.POST)
    answer = HttpResponse(content, content_type="application/json")
    name = f"{tournament.slug}.hule.json"
    answer["Content-Disposition"] = str(content_disposition_header(True, name))
    return answer


@never_cache
@login_required
def tournament_file_bring(request: HttpRequest) -> HttpResponse:
    """GET: where to put a file. POST of one: what is in it. POST of what was looked at: taken in."""
    actor = actor_of(request)
    access.require_creator(actor)
    if request.method != "POST":
        return _ask_for_file(request, ArrivalFileForm(), status=200)
    if "seen" in request.POST:
        return _take_in(request, actor)
    form = ArrivalFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _ask_for_file(request, form)
    content = form.content()
    try:
        inside = look_into(content, actor)
    except Refused as refused:
        return _ask_for_file(request, ArrivalFileForm(), refused)
    seen = tournament_files.keep(actor.user.pk, content)
    form_for_slug = ArrivalForm(initial={"slug": "" if inside["problem"] else inside["slug"]})
    return _show_preview(request, inside, seen, form_for_slug, 200)


def _take_in(request: HttpRequest, actor: Actor) -> HttpResponse:
    seen = str(request.POST["seen"])
    content = tournament_files.find(actor.user.pk, seen)
    if content is None:
        messages.error(request, _("This file was sent too long ago. Send it again."))
        return redirect("organiser_from_file")
    form = ArrivalForm(request.POST)
    try:
        if form.is_valid():
            tournament = bring_in(content, actor, form.cleaned_data["slug"])
            tournament_files.forget(actor.user.pk, seen)
            messages.success(request, _("%(name)s has been imported.") % {"name": tournament.name})
            return redirect("organiser_board", tournament.slug)
        inside = look_into(content, actor)
    except Refused as refused:
        if refused.problems[0].code != SLUG_TAKEN.code:
            return _ask_for_file(request, ArrivalFileForm(), refused)
        form.add_error("slug", placed(refused.problems[0]).partition(": ")[2])
        inside = look_into(content, actor)
    return _show_preview(request, inside, seen, form, UNPROCESSABLE)


def _ask_for_file(
    request: HttpRequest, form: ArrivalFileForm, refused: Refused | None = None, status: int = UNPROCESSABLE
) -> HttpResponse:
    wrong = [placed(problem) for problem in refused.problems] if refused else []
    return render(request, "exchange/from_file.html", {"form": form, "wrong": wrong}, status=status)


def _show_preview(
    request: HttpRequest, inside: dict[str, Any], seen: str, form: ArrivalForm, status: int
) -> HttpResponse:
    context = {"inside": inside, "seen": seen, "form": form}
    return render(request, "exchange/from_file_preview.html", context, status=status)


@cache_control(public=True, max_age=3600)
@require_safe
def tournament_file(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of a tournament's file (docs/api/tournament-file.md)."""
    return HttpResponse(schema_text(), content_type="application/schema+json")
