"""What a password has to be, checked as Django checks it and said in our words (AUTH_PASSWORD_VALIDATORS)."""

from __future__ import annotations

from django.contrib.auth import password_validation as checks
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class LongEnough(checks.MinimumLengthValidator):
    def get_error_message(self) -> str:
        return self.get_help_text()

    def get_help_text(self) -> str:
        least = self.min_length
        return ngettext("At least %(n)s character.", "At least %(n)s characters.", least) % {"n": least}


class NotOnesName(checks.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return _("It is too much like your name: whoever guesses begins with that.")

    def get_help_text(self) -> str:
        return _("Not your name, nor much like it.")


class NotCommon(checks.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return _("Many people have this password: whoever guesses begins with those.")

    def get_help_text(self) -> str:
        return _("Not one that many people have.")
