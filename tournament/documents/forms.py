"""Forms to request a document and to design the certificates."""

from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.web.forms import ModelForm

MAX_CAMERA_BYTES: Final = 32 * 1024 * 1024
"""Of a request with a picture, so that the form can say that it is too large."""


class DocumentForm(ModelForm):
    """A request: the kind, one language or two, the paper and the session."""

    class Meta:
        model = DocumentJob
        fields = ["kind", "language", "second", "paper", "session"]


class CertificatesForm(ModelForm):
    """Text, number of places and picture of the certificates.

    The service validates the picture, so that all problems are reported together.
    """

    picture = forms.FileField(
        label=_("Background picture"),
        help_text=_("PNG, JPEG or WebP, 5 MB at most; landscape, as large as the page."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp"}),
    )
    remove = forms.BooleanField(label=_("Remove the picture"), required=False)

    class Meta:
        model = CertificateDesign
        fields = ["text", "places", "best_hand"]
        widgets: ClassVar[Any] = {"text": forms.Textarea({"rows": 4})}
