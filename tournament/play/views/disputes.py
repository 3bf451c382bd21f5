"""The page of a disputed hand: what each side claims, the photographs, the ruling."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.base import access
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.play.forms import PhotoForm
from tournament.play.models import HandPhoto
from tournament.play.selectors.photos import dispute_at, require_viewer
from tournament.play.selectors.tables import latest_version
from tournament.play.services.photos import MAX_PHOTOS, add_photo, delete_photo
from tournament.play.views.desk import desk_url, table_or_404
from tournament.web.forms import add_problems
from tournament.web.uploads import MAX_PICTURE_BYTES
from tournament.web.views import UNPROCESSABLE, actor_of, run_and_redirect


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def disputed_hand(request: HttpRequest, slug: str, session: int, table: int, hand: int) -> HttpResponse:
    """Show a disputed hand, and add a photograph to it."""
    row = _table_for(request, slug, session, table)
    if dispute_at(row, hand) is None:
        raise Http404
    form = PhotoForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        # One byte more is enough to see that it is too large.
        picture = form.cleaned_data["picture"].read(MAX_PICTURE_BYTES + 1)
        try:
            add_photo(row, actor_of(request), hand, picture, uuid=form.cleaned_data["uuid"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The photograph has been added."))
            return redirect(request.path)
    return _show(request, row, hand, form)


def _table_for(request: HttpRequest, slug: str, session: int, table: int) -> Table:
    row = table_or_404(slug, session, table)
    require_viewer(actor_of(request), row)
    return row


def _show(request: HttpRequest, table: Table, number: int, form: PhotoForm) -> HttpResponse:
    actor, dispute = actor_of(request), dispute_at(table, number)
    assert dispute is not None
    now, photos = latest_version(table, number), table.photos.filter(hand_number=number)
    names = {seat.player.number: seat.player.name for seat in table.seated}
    context = {
        "tournament": table.session.tournament,
        "session": table.session,
        "table": table,
        "dispute": dispute,
        "claimants": [names[claimant] for claimant in dispute.claimants if claimant in names],
        "now": now,
        "photos": photos.select_related("added_by"),
        "form": form if len(photos) < MAX_PHOTOS else None,
        "may_write": access.can_umpire(actor, table),
        "may_rule": access.can_rule(actor, table),
        "desk_url": desk_url(table),
        "back_url": f"{desk_url(table)}#hand-{number}" if access.can_umpire(actor, table) else "",
    }
    return render(request, "play/dispute.html", context, status=UNPROCESSABLE if form.errors else 200)


@require_POST
@login_required
def photo_delete(
    request: HttpRequest, slug: str, session: int, table: int, hand: int, uuid: UUID
) -> HttpResponse:
    row = _table_for(request, slug, session, table)
    photo = get_object_or_404(HandPhoto, table=row, hand_number=hand, uuid=uuid)
    photo.table = row
    return run_and_redirect(
        request,
        lambda: delete_photo(photo, actor_of(request)),
        _("The photograph is deleted."),
        "disputed_hand",
        *(slug, session, table, hand),
    )
