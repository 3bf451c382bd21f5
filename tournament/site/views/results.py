"""The organiser's page of the results: publishing them, the ceremony and the certificates."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.models.documents import CertificateDesign
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_sessions
from tournament.documents.forms import MAX_CAMERA_BYTES, CertificatesForm
from tournament.documents.selectors import design_of
from tournament.documents.services import set_certificates
from tournament.fouls.selectors import objections
from tournament.ranking.selectors.progress import progress_of
from tournament.screens.forms import CeremonyForm
from tournament.screens.models import Ceremony
from tournament.screens.selectors import current_ceremony, is_out_of_date
from tournament.screens.services import start_ceremony
from tournament.web.generic import Part, SeparatePartsView
from tournament.web.uploads import MAX_PICTURE_BYTES


class CeremonyPart(Part):
    name = "ceremony_form"
    success_message = _("The ceremony has begun.")

    def get_form(self, data: Any = None, files: Any = None) -> CeremonyForm:
        return CeremonyForm(self.tournament, data)

    def save(self, instance: Ceremony, rows: list[Any]) -> None:
        start_ceremony(self.tournament, self.actor, Ceremony.Kind(instance.kind), instance.first)


class CertificatesPart(Part):
    name = "certificates"
    form_class = CertificatesForm
    success_message = _("The certificates are saved.")

    def get_object(self) -> CertificateDesign:
        return design_of(self.tournament)

    def save(self, instance: CertificateDesign, rows: list[Any]) -> None:
        assert self.form is not None, "form_class"
        upload, removes = self.form.cleaned_data["picture"], self.form.cleaned_data["remove"]
        # One byte more is enough to see that it is too large.
        picture = upload and upload.read(MAX_PICTURE_BYTES + 1)
        set_certificates(instance, self.actor, picture=picture, removes=removes)


class ResultsPage(SeparatePartsView):
    """Publish, hold the ceremony and design the certificates, in this order."""

    template, section, success_page = "site/results", "results", "organiser_results"
    part_classes = (CeremonyPart, CertificatesPart)

    def extra_context(self) -> dict[str, Any]:
        ceremony = current_ceremony(self.tournament)
        context = {
            "ceremony": ceremony,
            "is_out_of_date": ceremony is not None and is_out_of_date(ceremony),
            "hidden_sessions": sorted(hidden_sessions(self.tournament)),
            "progress": progress_of(self.tournament),
            "objections": objections(self.tournament, Audience.STAFF),
        }
        # The bar would lead here.
        return context | {"bar": None} if ceremony else context

    @staticmethod
    def largest_body(request: HttpRequest, slug: str) -> int | None:
        """Let an organiser send a camera's picture, so that the form can report it without losing its other fields."""
        tournament = Tournament.objects.filter(slug=slug).first()
        may_send = tournament is not None and access.can_organise(Actor.of(request.user), tournament)
        return MAX_CAMERA_BYTES if may_send else None
