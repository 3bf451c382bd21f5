"""The one-time code that guards the making of the first organiser's account.

Whoever can read the server's screen or its data folder may make the account; a stranger on the network may not. The
code lives in a file that only the server's user can read, and ends with the first account.
"""

import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model

from config.private_files import read_or_create

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""No I, O, 0 or 1: the code is read from one screen and typed on another."""
LENGTH = 8


def is_open() -> bool:
    """Whether the first account is still to be made."""
    return not get_user_model()._default_manager.exists()


def code() -> str:
    """Return the code as printed, `ABCD-EFGH`; made at the first call, the same until `done`."""
    letters = read_or_create(_path(), lambda: "".join(secrets.choice(ALPHABET) for _ in range(LENGTH)))
    return f"{letters[:4]}-{letters[4:]}"


def check(code: str) -> bool:
    """Whether this is the code, typed in either case and with or without its dash. Never true once `done`."""
    path = _path()
    if not (path.exists() and is_open()):
        return False
    typed = "".join(code.upper().replace("-", "").split())
    return secrets.compare_digest(typed.encode(), path.read_text().encode())


def done() -> None:
    """Invalidate the code: the first account exists."""
    _path().unlink(missing_ok=True)


def _path() -> Path:
    return Path(settings.DATA_DIR) / "setup-code"
