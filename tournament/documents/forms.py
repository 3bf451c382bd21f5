"""Which document is asked for, and what certificates say."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.web.forms import ModelForm


class DocumentForm(ModelForm):
    """Which document, in which language or two, on which paper."""

    class Meta:
        model = DocumentJob
        fields = ["kind", "language", "second", "paper", "session"]


class CertificatesForm(ModelForm):
    """What certificates say, for whom there are any, and the picture behind them.

    The service is the one who judges the picture, so that all faults are said at once.
    """

    picture = forms.FileField(
        label=_("Picture behind it"),
        help_text=_("PNG, JPEG or WebP, 5 MB at most; upright, as large as the page."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp"}),
    )
    remove = forms.BooleanField(label=_("Take the picture away"), required=False)

    class Meta:
        model = CertificateDesign
        fields = ["text", "places", "best_hand"]
        widgets: ClassVar[Any] = {"text": forms.Textarea({"rows": 4})}
