"""The one-time code that protects the creation of the first organiser's account.

It is printed when Hule starts and stored in a file that only the server's user can read, so that nobody else on the
network can create that account. The first account invalidates it.
"""

import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model

from config.private_files import read_or_create

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without I, O, 0 and 1, which are easy to confuse."""
LENGTH = 8


def is_open() -> bool:
    """Return whether there is no account yet."""
    return not get_user_model()._default_manager.exists()


def code() -> str:
    """Return the code as printed, `ABCD-EFGH`. The first call creates it."""
    letters = read_or_create(_path(), lambda: "".join(secrets.choice(ALPHABET) for _ in range(LENGTH)))
    return f"{letters[:4]}-{letters[4:]}"


def check(code: str) -> bool:
    """Return whether this is the code, in upper or lower case, with or without the dash. False once invalidated."""
    path = _path()
    if not (path.exists() and is_open()):
        return False
    typed = "".join(code.upper().replace("-", "").split())
    return secrets.compare_digest(typed.encode(), path.read_text().encode())


def invalidate() -> None:
    """Delete the code, once the first account exists."""
    _path().unlink(missing_ok=True)


def _path() -> Path:
    return Path(settings.DATA_DIR) / "setup-code"
