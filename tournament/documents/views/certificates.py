"""What the certificates of an event say, and the picture behind them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.documents.forms import CertificatesForm
from tournament.documents.selectors.certificates import design_of
from tournament.documents.services.certificates import set_certificates
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: as they are. POST: saved, with all that is wrong said at its place."""
    design = design_of(tournament)
    if request.method != "POST":
        return show(
            request,
            "documents/certificates_organiser",
            tournament,
            "documents",
            {"form": CertificatesForm.of(design), "design": design},
        )
    form = CertificatesForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            set_certificates(
                tournament,
                actor_of(request),
                form.wording,
                picture=form.sent,
                removes=form.cleaned_data["remove"],
            )
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The certificates are saved."))
            return redirect("organiser_certificates", tournament.slug)
    context = {"form": form, "design": design}
    return show(
        request, "documents/certificates_organiser", tournament, "documents", context, status=UNPROCESSABLE
    )
