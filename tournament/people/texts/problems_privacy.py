"""Codes → sentences about personal data."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "person_not_repeated": _("This is not the name: “{name}”."),
    "contact_days_out_of_range": _("From 0 to {most} days."),
}
