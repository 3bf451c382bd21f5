"""The command `hule`, which is `python -m hule` too.

Installed, the rooms of the house lie in `hule/site`, so that no other package of that environment meets a `config`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

INSTALLED = Path(__file__).resolve().parent / "site"
SITE = INSTALLED if INSTALLED.is_dir() else INSTALLED.parent.parent
"""Where `config` and the rooms are."""


def main() -> None:
    """Run `hule …`. What it starts finds the rooms and the data folder by the environment."""
    sys.path.insert(0, str(SITE))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(SITE), os.environ.get("PYTHONPATH"))))
    if SITE == INSTALLED:
        os.environ.setdefault("HULE_DATA_DIR", str(_home()))
    from config.command import run

    run(sys.argv[1:])


def _home() -> Path:
    """Of the user's own data, as the XDG Base Directory Specification has it."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "hule"


if __name__ == "__main__":
    main()
