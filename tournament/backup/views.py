"""Backups as pages, for whoever set Hule up: the list, a new one, downloading, throwing away, putting one back.

On a first visit one is put back into an installation that is empty. The worker does it; the pages tell how far it is.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from config.front.bodies import SETUP_CODE_KEY
from tournament.accounts import setup_code
from tournament.accounts.forms import SetupCodeForm
from tournament.accounts.views import CODES
from tournament.backup import shelf, status
from tournament.backup.display import contents_text, is_bad, sentence, why_text
from tournament.backup.forms import BackupFileForm, RestoreForm
from tournament.backup.restoring import losses
from tournament.backup.services import (
    SETUP,
    delete_backup,
    keep_upload,
    request_backup,
    request_first_restore,
    request_restore,
)
from tournament.backup.shelf import Kept
from tournament.backup.status import RESTORE
from tournament.backup.texts import LOSSES
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.database import folder
from tournament.base.errors import Refused
from tournament.base.requests import place_of
from tournament.web.forms import add_problems
from tournament.web.views import UNPROCESSABLE, Request, actor_of, count_guess, tell_refusal


def keepers_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view for whoever may keep backups."""

    @never_cache
    @login_required
    @wraps(view)
    def answer(request: HttpRequest, **where: Any) -> HttpResponseBase:
        access.require_keeper(actor_of(request))
        return view(request, **where)

    return answer


@keepers_page
@require_safe
def backup_list(request: HttpRequest) -> HttpResponse:
    return _show_list(request, BackupFileForm())


def _show_list(request: HttpRequest, form: BackupFileForm, code: int = 200) -> HttpResponse:
    context = {
        "kept": list(map(_list_line, shelf.all_kept())),
        "form": form,
        **status_context(reverse("organiser_backup_status")),
    }
    context |= {"free": shelf.free_bytes(), "folder": folder()}
    return render(request, "backup/backups.html", context, status=code)


def _list_line(kept: Kept) -> tuple[Kept, str, str]:
    """A backup, why it was made, and what is in it."""
    return (kept, why_text(kept.said), contents_text(kept.said)) if kept.said else (kept, "", "")


def status_context(address: str) -> dict[str, Any]:
    """What _backup_status.html takes. `address`: where it asks how far it is by now."""
    now = status.now()
    return {"now": now, "sentence": sentence(now), "is_bad": is_bad(now), "asks_at": address}


@keepers_page
@require_POST
def backup_make(request: HttpRequest) -> HttpResponse:
    request_backup(actor_of(request))
    return redirect("organiser_backups")


@keepers_page
@require_safe
def backup_progress(request: Request) -> HttpResponse:
    """How far it is: 204 while it looks as `?seen=` says; once it is there, the page is asked for anew."""
    if not request.htmx:
        return redirect("organiser_backups")
    return progress_of(request, reverse("organiser_backup_status"))


def progress_of(request: HttpRequest, address: str) -> HttpResponse:
    """The same for who is shown it at that address."""
    now = status.now()
    if request.GET.get("seen") == now.mark:
        return HttpResponse(status=204)
    answer = render(request, "backup/_backup_status.html", status_context(address))
    if now.state == status.DONE:
        answer["HX-Refresh"] = "true"
    return answer


@keepers_page
@require_safe
def backup_download(request: HttpRequest, backup: str) -> HttpResponseBase:
    kept = kept_or_404(backup)
    return FileResponse(
        kept.path.open("rb"), as_attachment=True, filename=kept.file_name, content_type="application/zip"
    )


def kept_or_404(name: str) -> Kept:
    if (kept := shelf.find(name)) is None:
        raise Http404
    return kept


@keepers_page
@require_POST
def backup_delete(request: HttpRequest, backup: str) -> HttpResponse:
    try:
        delete_backup(actor_of(request), backup)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("%(name)s is deleted.") % {"name": backup})
    return redirect("organiser_backups")


@keepers_page
@require_POST
def backup_upload(request: HttpRequest) -> HttpResponse:
    """A backup from elsewhere, put on the shelf once all of it has been looked at; then what it would change."""
    form = BackupFileForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            kept = keep_upload(actor_of(request), file.chunks(), file.size)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("organiser_backup", kept.name)
    return _show_list(request, form, UNPROCESSABLE)


@keepers_page
def restore_page(request: HttpRequest, backup: str) -> HttpResponse:
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
def first_restore(request: HttpRequest) -> HttpResponse:
    """Instead of a first account: the printed code, then the file. Once an account exists there is no such page."""
    if not setup_code.is_open():
        return redirect(_sign_in_address(request))
    code = str(request.session.get(SETUP_CODE_KEY, ""))
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
    return _show_restore(request, form)


def _sign_in_address(request: HttpRequest) -> str:
    """Where who brought the backup signs in now. For everybody else there is no such page."""
    if request.session.pop(SETUP_CODE_KEY, None) is None:
        raise Http404
    messages.success(request, _("Everything has come back. Sign in as you did then."))
    return reverse("login")


def _ask_for_code(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _show_restore(request, SetupCodeForm())
    if (later := count_guess(request, CODES)) is not None:
        return later
    form = SetupCodeForm(request.POST)
    if form.is_valid():
        CODES.was_right(place_of(request))
        request.session[SETUP_CODE_KEY] = form.cleaned_data["code"]
        return redirect("setup_restore")
    return _show_restore(request, form)


def _show_restore(request: HttpRequest, form: BackupFileForm | SetupCodeForm) -> HttpResponse:
    context = {"form": form, "asks_for_code": isinstance(form, SetupCodeForm)}
    if not context["asks_for_code"] and status.now().what == RESTORE:
        context |= status_context(reverse("setup_restore_status"))
    return render(request, "backup/setup_restore.html", context, status=UNPROCESSABLE if form.errors else 200)


@never_cache
@require_safe
def first_restore_progress(request: HttpRequest) -> HttpResponse:
    """How far it is, for who brought the file: 204 while it looks as `?seen=` says, and at the end the way in."""
    if not setup_code.is_open():
        answer = HttpResponse()
        answer["HX-Redirect"] = _sign_in_address(request)
        return answer
    if not setup_code.check(str(request.session.get(SETUP_CODE_KEY, ""))):
        raise Http404
    return progress_of(request, reverse("setup_restore_status"))
