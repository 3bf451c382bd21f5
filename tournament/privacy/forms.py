"""Forms of retention and erasure."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.privacy.models import PrivacyPlan
from tournament.web.forms import Form, ModelForm


class PrivacyForm(ModelForm):
    """How long contact data is stored."""

    class Meta:
        model = PrivacyPlan
        fields = ["contact_days"]


class ErasureForm(Form):
    """The name of who is to be erased, as a confirmation."""

    name = forms.CharField(label=_("Their name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
