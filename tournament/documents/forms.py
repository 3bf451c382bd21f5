"""Which document is asked for, and what certificates say."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.problems import sentence
from tournament.documents.selectors import Wording
from tournament.documents.services import LONGEST_TEXT, MOST_PLACES, PAPER_UNFIT
from tournament.events.services import MOST_PICTURE_BYTES
from tournament.web.forms import Form


class DocumentForm(Form):
    """Which document, in which language or two, on which paper."""

    kind = forms.ChoiceField(choices=DocumentJob.Kind.choices)
    language = forms.ChoiceField(choices=settings.LANGUAGES)
    second = forms.ChoiceField(choices=[("", ""), *settings.LANGUAGES], required=False)
    paper = forms.ChoiceField(choices=DocumentJob.Paper.choices)
    session = forms.IntegerField(required=False, min_value=1, max_value=999)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "kind" in data and data.get("paper") not in DocumentJob.papers_of(data["kind"]):
            self.add_error("paper", sentence(PAPER_UNFIT()))
        return data


class CertificatesForm(Form):
    """What certificates say, for whom there are any, and the picture behind them.

    The service is the one who judges the picture, so that all faults are said at once.
    """

    text = forms.CharField(
        label=_("Your own words"),
        help_text=_("On every certificate, below the name and what it is for."),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    places = forms.IntegerField(
        label=_("For places 1 to"), help_text=_("0 for none."), min_value=0, max_value=MOST_PLACES
    )
    best_hand = forms.BooleanField(label=_("One for the best hand, with its tiles"), required=False)
    picture = forms.FileField(
        label=_("Picture behind it"),
        help_text=_("PNG, JPEG or WebP, 5 MB at most; upright, as large as the page."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp"}),
    )
    remove = forms.BooleanField(label=_("Take the picture away"), required=False)

    @classmethod
    def of(cls, design: CertificateDesign) -> CertificatesForm:
        initial = {"text": design.text, "places": design.places, "best_hand": design.best_hand}
        return cls(initial=initial)

    @property
    def wording(self) -> Wording:
        data = self.cleaned_data
        return Wording(data["text"], data["places"], data["best_hand"])

    @property
    def sent(self) -> bytes | None:
        """The picture; of one that is too large no more than it takes to know that."""
        file = self.cleaned_data["picture"]
        if file is None:
            return None
        with file:
            return bytes(file.read(MOST_PICTURE_BYTES + 1))
