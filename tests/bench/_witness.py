"""A process that says what is stored, for each line it is given: the rows as they are, and what the audit finds.

python -m tests.bench._witness SLUG     in the environment of a place
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from tests.support.processes import ROOT, Place


class Witness:
    """The other end of that process."""

    def __init__(self, place: Place, slug: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench._witness", slug],
            cwd=ROOT,
            env=place.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self) -> dict[str, Any]:
        """`version`, `findings`; `hands`, `penalties` and `logged`: the uuids, as often as they are there."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        said: dict[str, Any] = json.loads(self._process.stdout.readline())
        return said

    def end(self) -> None:
        self._process.communicate(timeout=30)


def _say(slug: str) -> dict[str, Any]:
    from django.db import transaction

    from penalties.models import Penalty
    from tournament.audit import audit
    from tournament.models import Hand, Tournament

    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(slug=slug)
        hands = Hand.objects.filter(table__session__tournament=event)
        entries = event.log.values_list("data", flat=True)
        return {
            "version": event.version,
            "findings": [str(finding) for finding in audit(event)],
            "hands": [str(uuid) for uuid in hands.values_list("uuid", flat=True)],
            "penalties": [
                str(uuid) for uuid in Penalty.objects.filter(tournament=event).values_list("uuid", flat=True)
            ],
            "logged": [data[name] for data in entries for name in ("uuid", "penalty") if name in data],
        }


def main(slug: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.db import OperationalError, connection

    for _ in sys.stdin:
        try:
            said = _say(slug)
        except OperationalError:  # its connection died with the database's server
            said = _say(slug)
        connection.close()
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
