"""The language in which commands speak to whoever runs them: that of the shell's locale."""

import os
from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation


def shell_language() -> str:
    """Return the language that the locale of the environment names, or the site's."""
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    try:
        return translation.get_supported_language_variant(translation.to_language(name.partition(".")[0]))
    except LookupError:
        return settings.LANGUAGE_CODE


def in_shell_language() -> AbstractContextManager[None]:
    """Translate meanwhile into the shell's language; never around the server, whose readers have their own."""
    return translation.override(shell_language())
