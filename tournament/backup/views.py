"""Pages for backups: list, make, upload, download, delete and restore.

On a first visit a backup can be restored into an empty installation. The worker does the work; the pages poll its
status. With PostgreSQL, the pages only show how to restore a backup.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
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

from config.front.addresses import rate_limit_key
from config.front.bodies import largest_by
from tournament.accounts import setup_code
from tournament.accounts.forms import SetupCodeForm
from tournament.accounts.views import SETUP_LIMIT
from tournament.backup import status, storage
from tournament.backup.display import contents_text, is_bad, reason_text, sentence
from tournament.backup.forms import BackupFileForm, RestoreForm
from tournament.backup.restoring import losses
from tournament.backup.services import (
    SETUP,
    delete_backup,
    request_backup,
    request_first_restore,
    request_restore,
    store_upload,
)
from tournament.backup.status import RESTORE
from tournament.backup.storage import StoredBackup
from tournament.backup.texts import LOSSES
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.database import backup_folder, can_restore_in_browser
from tournament.base.errors import Refused
from tournament.web.forms import add_problems
from tournament.web.views import UNPROCESSABLE, Request, actor_of, add_refusal_messages, count_guess

SETUP_CODE_KEY: Final = "setup_code"
"""Session key of the setup code that was typed."""


def _typed_code(request: HttpRequest) -> str:
    return str(request.session.get(SETUP_CODE_KEY, ""))


def _upload_limit(may_send: bool) -> int | None:
    return settings.BACKUP_UPLOAD_MB * 1024 * 1024 if may_send and can_restore_in_browser() else None


def backup_view(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a view so that only whoever may keep backups can open it."""

    @never_cache
    @login_required
    @wraps(view)
    def wrapper(request: HttpRequest, **url_kwargs: Any) -> HttpResponseBase:
        access.require_backup_manager(actor_of(request))
        return view(request, **url_kwargs)

    return wrapper


@backup_view
@require_safe
def backup_list(request: HttpRequest) -> HttpResponse:
    return _show_list(request, BackupFileForm())


def _show_list(request: HttpRequest, form: BackupFileForm, code: int = 200) -> HttpResponse:
    context = {
        "backups": list(map(_list_line, storage.stored_backups())),
        "form": form,
        "can_restore": can_restore_in_browser(),
        **status_context(reverse("organiser_backup_status")),
    }
    context |= {"free": storage.free_bytes(), "folder": backup_folder()}
    return render(request, "backup/backups.html", context, status=code)


def _list_line(backup: StoredBackup) -> tuple[StoredBackup, str, str]:
    """Return a backup, why it was made, and its content."""
    return (
        (backup, reason_text(backup.manifest), contents_text(backup.manifest))
        if backup.manifest
        else (backup, "", "")
    )


def status_context(address: str) -> dict[str, Any]:
    """Return the context of _backup_status.html, which polls `address`."""
    current = status.current()
    return {
        "status": current,
        "sentence": sentence(current),
        "is_bad": is_bad(current),
        "status_url": address,
    }


@backup_view
@require_POST
def backup_make(request: HttpRequest) -> HttpResponse:
    request_backup(actor_of(request))
    return redirect("organiser_backups")


@backup_view
@require_safe
def backup_progress(request: Request) -> HttpResponse:
    """Show the status: 204 while it equals `?seen=`; when it is done the page is reloaded."""
    if not request.htmx:
        return redirect("organiser_backups")
    return progress_of(request, reverse("organiser_backup_status"))


def progress_of(request: HttpRequest, address: str) -> HttpResponse:
    """Show the status, polled at `address`."""
    current = status.current()
    if request.GET.get("seen") == current.mark:
        return HttpResponse(status=204)
    response = render(request, "backup/_backup_status.html", status_context(address))
    if current.state == status.DONE:
        response["HX-Refresh"] = "true"
    return response


@backup_view
@require_safe
def backup_download(request: HttpRequest, backup: str) -> HttpResponseBase:
    stored = backup_or_404(backup)
    return FileResponse(
        stored.path.open("rb"), as_attachment=True, filename=stored.file_name, content_type="application/zip"
    )


def backup_or_404(name: str) -> StoredBackup:
    if (backup := storage.find(name)) is None:
        raise Http404
    return backup


@backup_view
@require_POST
def backup_delete(request: HttpRequest, backup: str) -> HttpResponse:
    try:
        delete_backup(actor_of(request), backup)
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, _("%(name)s has been deleted.") % {"name": backup})
    return redirect("organiser_backups")


@largest_by(lambda request: _upload_limit(access.can_manage_backups(Actor.of(request.user))))
@backup_view
@require_POST
def backup_upload(request: HttpRequest) -> HttpResponse:
    """Check and store an uploaded backup, and show what it would change."""
    form = BackupFileForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            backup = store_upload(actor_of(request), file.chunks(), file.size)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("organiser_backup", backup.name)
    return _show_list(request, form, UNPROCESSABLE)


@backup_view
def restore_page(request: HttpRequest, backup: str) -> HttpResponse:
    """Show what would be lost, tournament by tournament; a POST with the backup's name restores it."""
    stored = backup_or_404(backup)
    if stored.manifest is None:
        raise Http404
    form = RestoreForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            request_restore(actor_of(request), stored.path, typed_name=form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("organiser_backups")
    losses_with_text = [(loss, LOSSES[loss.kind]) for loss in losses(stored.manifest)]
    context = {"backup": stored, "losses": losses_with_text, "form": form}
    context["can_restore"] = can_restore_in_browser()
    context["is_loss"] = any(loss.is_loss for loss, _word in losses_with_text)
    return render(request, "backup/backup.html", context, status=UNPROCESSABLE if form.errors else 200)


@largest_by(lambda request: _upload_limit(setup_code.check(_typed_code(request))))
@sensitive_post_parameters()
@never_cache
def first_restore(request: HttpRequest) -> HttpResponse:
    """Restore a backup before any account exists, by the setup code; afterwards there is no such page."""
    if not setup_code.is_open():
        return redirect(_sign_in_address(request))
    code = _typed_code(request)
    if not setup_code.check(code):
        return _ask_for_code(request)
    form = BackupFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            backup = store_upload(Actor.system(SETUP), file.chunks(), file.size)
            request_first_restore(code, backup.path)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("setup_restore")
    return _show_restore(request, form)


def _sign_in_address(request: HttpRequest) -> str:
    """Return the address to sign in at after a first restore. Raises Http404 for everybody else."""
    if request.session.pop(SETUP_CODE_KEY, None) is None:
        raise Http404
    messages.success(request, _("Everything has been restored. Sign in with the account you had then."))
    return reverse("login")


def _ask_for_code(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _show_restore(request, SetupCodeForm())
    if (refusal := count_guess(request, SETUP_LIMIT)) is not None:
        return refusal
    form = SetupCodeForm(request.POST)
    if form.is_valid():
        SETUP_LIMIT.forgive(rate_limit_key(request))
        request.session[SETUP_CODE_KEY] = form.cleaned_data["code"]
        return redirect("setup_restore")
    return _show_restore(request, form)


def _show_restore(request: HttpRequest, form: BackupFileForm | SetupCodeForm) -> HttpResponse:
    context = {"form": form, "asks_for_code": isinstance(form, SetupCodeForm)}
    if not context["asks_for_code"] and status.current().what == RESTORE:
        context |= status_context(reverse("setup_restore_status"))
    return render(request, "backup/setup_restore.html", context, status=UNPROCESSABLE if form.errors else 200)


@never_cache
@require_safe
def first_restore_progress(request: HttpRequest) -> HttpResponse:
    """Show the status of a first restore: 204 while it equals `?seen=`; when it is done, redirect to sign in."""
    if not setup_code.is_open():
        response = HttpResponse()
        response["HX-Redirect"] = _sign_in_address(request)
        return response
    if not setup_code.check(_typed_code(request)):
        raise Http404
    return progress_of(request, reverse("setup_restore_status"))
