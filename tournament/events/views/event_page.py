"""The event's page as its organiser writes it: texts by language, looked at before they are saved, and files."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.events.forms.event_page import EventDocumentForm, EventPageForm
from tournament.events.selectors.event_page import EventWords, coming, event_page_problems, told_in, words_of
from tournament.events.services.event_page import add_event_document, remove_event_document, set_event_page
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: what is told now. POST: saved; with `preview` looked at, and nothing is saved."""
    if request.method != "POST":
        return _shown(request, tournament, {"form": EventPageForm.of(words_of(tournament))})
    form = EventPageForm(request.POST)
    form.is_valid()
    if "preview" in request.POST:
        return _looked_at(request, tournament, form)
    if not form.errors:
        try:
            set_event_page(tournament, actor_of(request), form.words(), seen=form.cleaned_data["seen"])
        except Refused as refused:
            form.say(refused)
            form.show_again(words_of(tournament).fingerprint())
        else:
            messages.success(request, _("The event’s page is saved."))
            return redirect("organiser_event_page", tournament.slug)
    return _shown(request, tournament, {"form": form}, bad=True)


@organiser_page
@require_POST
def add(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A file for the page."""
    form = EventDocumentForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            add_event_document(
                tournament, actor_of(request), form.cleaned_data["title"], form.content, uuid=form.key
            )
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The file is on the event’s page."))
            return redirect("organiser_event_page", tournament.slug)
    words = EventPageForm.of(words_of(tournament))
    return _shown(request, tournament, {"form": words, "upload": form}, bad=True)


@organiser_page
@require_POST
def remove(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    document = get_object_or_404(tournament.event_documents, uuid=uuid)
    return press(
        request,
        lambda: remove_event_document(document, actor_of(request)),
        _("The file is removed."),
        "organiser_event_page",
        tournament.slug,
    )


def _looked_at(request: HttpRequest, tournament: Tournament, form: EventPageForm) -> HttpResponse:
    """What everybody would see, and everything that is wrong with it."""
    words = form.words().trimmed()
    if problems := event_page_problems(words):
        form.say(Refused(problems))
        return _shown(request, tournament, {"form": form}, bad=True)
    return _shown(request, tournament, {"form": form, "looked_at": words})


def _shown(
    request: HttpRequest, tournament: Tournament, context: dict[str, Any], *, bad: bool = False
) -> HttpResponse:
    words: EventWords | None = context.get("looked_at")
    if words is not None:
        told = told_in(words, get_language() or "en")
        context |= {"told": told, "coming": coming(tournament, words)}
    usual = {"upload": EventDocumentForm.blank(), "files": tournament.event_documents.all()}
    status = UNPROCESSABLE if bad else 200
    return show(request, "events/event_page", tournament, "settings", usual | context, status=status)
