"""Error messages of form fields."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

Messages = Mapping[str, str | Promise]

EMPTY: Final = _("Fill in “%(field)s”.")
"""For an empty field, with its label."""
_CHOOSE: Final = _("Choose one.")
_NOT_A_CHOICE: Final = _("“%(value)s” is not one of the choices.")
_NUMBER: Final = _("Enter a whole number in digits.")

DEFAULT_MESSAGES: Final[Messages] = {
    "required": EMPTY,
    "invalid": _("This cannot be read. Type it again."),
    "min_value": _("At least %(limit_value)s."),
    "max_value": _("At most %(limit_value)s."),
    "step_size": _("Use steps of %(limit_value)s."),
    "min_length": ngettext_lazy(
        "At least %(limit_value)d character; there are %(show_value)d.",
        "At least %(limit_value)d characters; there are %(show_value)d.",
        "limit_value",
    ),
    "max_length": ngettext_lazy(
        "At most %(limit_value)d character; there are %(show_value)d.",
        "At most %(limit_value)d characters; there are %(show_value)d.",
        "limit_value",
    ),
    "null_characters_not_allowed": _("It contains characters that cannot be shown. Type it again."),
}
"""By Django's error codes, for every field: `web/forms.py` puts them in the place of Django's."""

MESSAGES_BY_FIELD: Final[Mapping[str, Messages]] = {
    "IntegerField": {"invalid": _NUMBER},
    "DateField": {"invalid": _("This is not a date: year, month and day, for instance 2027-03-14.")},
    "TimeField": {"invalid": _("This is not a time: hours and minutes, for instance 18:30.")},
    "ChoiceField": {"required": _CHOOSE, "invalid_choice": _NOT_A_CHOICE},
    "MultipleChoiceField": {
        "required": _("Choose at least one."),
        "invalid_choice": _NOT_A_CHOICE,
        "invalid_list": _("Choose from the list."),
    },
    "FileField": {
        "required": _("Choose a file."),
        "missing": _("The file was not uploaded. Choose it again."),
        "invalid": _("The file was not uploaded. Choose it again."),
        "empty": _("There is nothing in this file."),
        "max_length": ngettext_lazy(
            "The file’s name has %(length)d characters; at most %(max)d fits.",
            "The file’s name has %(length)d characters; at most %(max)d fit.",
            "max",
        ),
        "contradiction": _("Choose a new file or remove the old one, not both."),
    },
    "UUIDField": {"invalid": _("This form is incomplete. Reload the page.")},
}
"""Field class → messages that differ for it and its subclasses."""

USERNAME: Final = _("Use only letters, digits and @ . + - _, without spaces.")

ACCOUNT_MESSAGES: Final[Mapping[str, Any]] = {
    "invalid_login": _("Wrong name or password. Both are case-sensitive."),
    "inactive": _("This account is closed."),
    "password_mismatch": _("The two passwords differ."),
}
"""Messages of the forms for signing in and passwords."""
