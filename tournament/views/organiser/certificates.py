"""What the certificates of an event say, and the picture behind them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.errors import Refused
from tournament.forms.certificates import CertificatesForm
from tournament.forms.problems import add_problems
from tournament.models import Tournament
from tournament.selectors.certificates import design_of
from tournament.services.certificates import set_certificates
from tournament.views.common import actor_of
from tournament.views.organiser.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: as they are. POST: saved, with all that is wrong said at its place."""
    design = design_of(tournament)
    if request.method != "POST":
        return show(
            request,
            "certificates",
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
    return show(request, "certificates", tournament, "documents", context, status=UNPROCESSABLE)
