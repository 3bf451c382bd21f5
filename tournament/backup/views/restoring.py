"""Putting a backup back: what would be lost, said first; and on a first visit, into an installation that is empty.

The worker does it; the page of backups, or here the one of the first visit, tells how far it is.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from config.front.uploads import CODE_KNOWN
from tournament.accounts import setup_code
from tournament.accounts.views.setup import CODES, guessed_too_often
from tournament.backup import status
from tournament.backup.forms import BackupFileForm, RestoreForm, SetupCodeForm
from tournament.backup.losses import losses
from tournament.backup.services.backups import keep_upload
from tournament.backup.services.restores import SETUP, request_first_restore, request_restore
from tournament.backup.status import RESTORE
from tournament.backup.texts.backups import LOSSES
from tournament.backup.views.backups import keepers_page, kept_or_404, progress_of, status_context
from tournament.base.access import Actor
from tournament.base.access.address import place_of
from tournament.base.errors import Refused
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE


@keepers_page
def restore(request: HttpRequest, backup: str) -> HttpResponse:
    """What would be lost, tournament by tournament; a POST with the backup's name puts it back."""
    kept = kept_or_404(backup)
    if kept.said is None:
        raise Http404
    form = RestoreForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            request_restore(actor_of(request), kept.path, named=form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("organiser_backups")
    lost = [(loss, LOSSES[loss.kind]) for loss in losses(kept.said)]
    context = {"kept": kept, "said": kept.said, "losses": lost, "form": form}
    context["is_loss"] = any(loss.is_loss for loss, _word in lost)
    return render(request, "backup/backup.html", context, status=UNPROCESSABLE if form.errors else 200)


@sensitive_post_parameters()
@never_cache
def first(request: HttpRequest) -> HttpResponse:
    """Instead of a first account: the printed code, then the file. Once an account exists there is no such page."""
    if not setup_code.is_open():
        return redirect(_way_in(request))
    code = str(request.session.get(CODE_KNOWN, ""))
    if not setup_code.check(code):
        return _ask_for_code(request)
    form = BackupFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            kept = keep_upload(Actor.system(SETUP), file.chunks(), file.size)
            request_first_restore(code, kept.path)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("setup_restore")
    return _show(request, form)


@never_cache
@require_safe
def first_progress(request: HttpRequest) -> HttpResponse:
    """How far it is, for who brought the file: 204 while it looks as `?seen=` says, and at the end the way in."""
    if not setup_code.is_open():
        answer = HttpResponse()
        answer["HX-Redirect"] = _way_in(request)
        return answer
    if not setup_code.check(str(request.session.get(CODE_KNOWN, ""))):
        raise Http404
    return progress_of(request, reverse("setup_restore_status"))


def _way_in(request: HttpRequest) -> str:
    """Where who brought the backup signs in now. For everybody else there is no such page."""
    if request.session.pop(CODE_KNOWN, None) is None:
        raise Http404
    messages.success(request, _("Everything has come back. Sign in as you did then."))
    return reverse("login")


def _ask_for_code(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _show(request, SetupCodeForm())
    if (later := guessed_too_often(request)) is not None:
        return later
    form = SetupCodeForm(request.POST)
    if form.is_valid():
        CODES.was_right(place_of(request))
        request.session[CODE_KNOWN] = form.cleaned_data["code"]
        return redirect("setup_restore")
    return _show(request, form)


def _show(request: HttpRequest, form: BackupFileForm | SetupCodeForm) -> HttpResponse:
    context = {"form": form, "asks_for_code": isinstance(form, SetupCodeForm)}
    if not context["asks_for_code"] and status.now().what == RESTORE:
        context |= status_context(reverse("setup_restore_status"))
    return render(request, "backup/setup_restore.html", context, status=UNPROCESSABLE if form.errors else 200)
