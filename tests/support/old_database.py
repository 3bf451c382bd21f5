"""Write tests/data/hule-0.1.0.sql:  python -m tests.support.old_database

Only until 0.1.0 is released: after that the file stays, and later versions are tested with it.
"""

import sqlite3
from contextlib import closing

from tests.support.processes import ROOT, make_place

FILE = ROOT / "tests" / "data" / "hule-0.1.0.sql"
EVENT = """
from django.contrib.auth.models import User
from tests.support.factories import make_organiser, make_tournament, make_umpire
played = make_tournament(players=8, sessions=2, played=1, running=2)
make_organiser(played, "olga")
make_umpire(played, "uma")
User.objects.filter(username="olga").update(is_superuser=True)
"""


def write() -> None:
    with make_place() as place:
        place.migrate()
        place.python(EVENT)
        with closing(sqlite3.connect(place.folder / "hule.sqlite3")) as database:
            FILE.write_text("\n".join(database.iterdump()) + "\n", "utf-8")


if __name__ == "__main__":
    write()
