"""How long contact data is kept, and a name typed once more."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.privacy.models import PrivacyPlan
from tournament.web.forms import Form, ModelForm


class PrivacyForm(ModelForm):
    """How long contact data is kept."""

    class Meta:
        model = PrivacyPlan
        fields = ["contact_days"]


class ErasureForm(Form):
    """The name of whoever is erased, so that nobody is by a slip."""

    name = forms.CharField(label=_("Their name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
