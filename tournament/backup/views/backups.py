"""Backups: the list, a new one, downloading one, throwing one away. For whoever set Hule up."""

from __future__ import annotations

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
from django.views.decorators.http import require_POST, require_safe

from tournament.backup import shelf, status
from tournament.backup.display import contents_text, is_bad, sentence, why_text
from tournament.backup.forms import BackupFileForm
from tournament.backup.services.backups import delete_backup, keep_upload, request_backup
from tournament.backup.shelf import Kept
from tournament.base import access
from tournament.base.errors import Refused
from tournament.base.turn import folder
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import Request, actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE


def keepers_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view for whoever may keep backups."""

    @never_cache
    @login_required
    @wraps(view)
    def answer(request: HttpRequest, **where: Any) -> HttpResponseBase:
        access.require_keeper(actor_of(request))
        return view(request, **where)

    return answer


def kept_or_404(name: str) -> Kept:
    if (kept := shelf.find(name)) is None:
        raise Http404
    return kept


@keepers_page
@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    return _show(request, BackupFileForm())


@keepers_page
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    request_backup(actor_of(request))
    return redirect("organiser_backups")


@keepers_page
@require_safe
def progress(request: Request) -> HttpResponse:
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
def download(request: HttpRequest, backup: str) -> HttpResponseBase:
    kept = kept_or_404(backup)
    return FileResponse(
        kept.path.open("rb"), as_attachment=True, filename=kept.file_name, content_type="application/zip"
    )


@keepers_page
@require_POST
def delete(request: HttpRequest, backup: str) -> HttpResponse:
    try:
        delete_backup(actor_of(request), backup)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("%(name)s is deleted.") % {"name": backup})
    return redirect("organiser_backups")


@keepers_page
@require_POST
def upload(request: HttpRequest) -> HttpResponse:
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
    return _show(request, form, UNPROCESSABLE)


def _show(request: HttpRequest, form: BackupFileForm, code: int = 200) -> HttpResponse:
    context = {
        "kept": list(map(_line, shelf.all_kept())),
        "form": form,
        **status_context(reverse("organiser_backup_status")),
    }
    context |= {"free": shelf.free_bytes(), "folder": folder()}
    return render(request, "backup/backups.html", context, status=code)


def _line(kept: Kept) -> tuple[Kept, str, str]:
    """A backup, why it was made, and what is in it."""
    return (kept, why_text(kept.said), contents_text(kept.said)) if kept.said else (kept, "", "")


def status_context(address: str) -> dict[str, Any]:
    """What _backup_status.html takes. `address`: where it asks how far it is by now."""
    now = status.now()
    return {"now": now, "sentence": sentence(now), "is_bad": is_bad(now), "asks_at": address}
