"""Download lists and tournament files, and import a tournament file."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from config.front.bodies import largest_by
from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.exchange.event_file import uploads
from tournament.exchange.event_file.reading import schema_text
from tournament.exchange.forms import ImportForm, TournamentFileForm, largest_file
from tournament.exchange.lists import LISTS
from tournament.exchange.selectors import SLUG_TAKEN, preview_file
from tournament.exchange.services import (
    export_tournament,
    import_tournament,
)
from tournament.exchange.texts import sentence_with_place
from tournament.web.exports.lists import TYPES, ListTable, Reader
from tournament.web.views import UNPROCESSABLE, actor_of, allowed_or_404, page_for, tournament_page


@tournament_page
def open_list(
    request: HttpRequest, tournament: Tournament, audience: Audience, name: str, form: str
) -> HttpResponse:
    """Return a list for everybody who may see the event."""
    return _list_file(LISTS[name], Reader(tournament, audience, actor_of(request)), form)


@never_cache
@login_required
@require_safe
def staff_list(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponse:
    """Return a list for whoever has the right it requires."""
    list_table = LISTS[name]
    assert list_table.right is not None, "URLs of public lists lead to open_list"
    tournament = allowed_or_404(request, slug, [list_table.right])
    return _list_file(list_table, Reader.of(tournament, actor_of(request)), form)


def _list_file(list_table: ListTable, reader: Reader, form: str) -> HttpResponse:
    if not list_table.may_read(reader):
        raise Http404
    return HttpResponse(
        list_table.render(reader, form),
        content_type=TYPES[form],
        headers={
            "Content-Disposition": f'attachment; filename="{list_table.file_name(reader.tournament, form)}"'
        },
    )


@page_for(Right.OWN)
@require_POST
def tournament_file_export(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the tournament as a file, with or without contact data."""
    content = export_tournament(tournament, actor_of(request), contacts="contacts" in request.POST)
    response = HttpResponse(content, content_type="application/json")
    response["Content-Disposition"] = str(content_disposition_header(True, f"{tournament.slug}.hule.json"))
    return response


@largest_by(largest_file)
@never_cache
@login_required
def tournament_file_import(request: HttpRequest) -> HttpResponse:
    """Show the upload form; preview a posted file; import the file of a posted preview."""
    actor = actor_of(request)
    access.require_creator(actor)
    if request.method != "POST":
        return _render_upload(request, TournamentFileForm(), status=200)
    if "upload" in request.POST:
        return _import(request, actor)
    form = TournamentFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_upload(request, form)
    content = form.content()
    try:
        preview = preview_file(content, actor)
    except Refused as refused:
        return _render_upload(request, TournamentFileForm(), refused)
    upload = uploads.store(actor.user.pk, content)
    form_for_slug = ImportForm(initial={"slug": "" if preview["problem"] else preview["slug"]})
    return _render_preview(request, preview, upload, form_for_slug, 200)


def _import(request: HttpRequest, actor: Actor) -> HttpResponse:
    upload = str(request.POST["upload"])
    content = uploads.find(actor.user.pk, upload)
    if content is None:
        messages.error(request, _("This file was sent too long ago. Send it again."))
        return redirect("organiser_from_file")
    form = ImportForm(request.POST)
    try:
        if form.is_valid():
            tournament = import_tournament(content, actor, form.cleaned_data["slug"])
            uploads.remove(actor.user.pk, upload)
            messages.success(request, _("%(name)s has been imported.") % {"name": tournament.name})
            return redirect("organiser_board", tournament.slug)
        preview = preview_file(content, actor)
    except Refused as refused:
        if refused.problems[0].code != SLUG_TAKEN.code:
            return _render_upload(request, TournamentFileForm(), refused)
        form.add_error("slug", sentence_with_place(refused.problems[0]).partition(": ")[2])
        preview = preview_file(content, actor)
    return _render_preview(request, preview, upload, form, UNPROCESSABLE)


def _render_upload(
    request: HttpRequest,
    form: TournamentFileForm,
    refused: Refused | None = None,
    status: int = UNPROCESSABLE,
) -> HttpResponse:
    problems = [sentence_with_place(problem) for problem in refused.problems] if refused else []
    return render(request, "exchange/from_file.html", {"form": form, "problems": problems}, status=status)


def _render_preview(
    request: HttpRequest, preview: dict[str, Any], upload: str, form: ImportForm, status: int
) -> HttpResponse:
    context = {"preview": preview, "upload": upload, "form": form}
    return render(request, "exchange/from_file_preview.html", context, status=status)


@cache_control(public=True, max_age=3600)
@require_safe
def tournament_file_schema(request: HttpRequest) -> HttpResponse:
    """Return the JSON Schema of tournament files (docs/api/tournament-file.md)."""
    return HttpResponse(schema_text(), content_type="application/schema+json")
