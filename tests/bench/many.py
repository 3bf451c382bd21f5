"""A site with 500 tournaments, of which 20 are running, compared with 50. Prints one JSON object; about a minute.

Statements and milliseconds of the pages about all tournaments: the front page, a search on it, a page of past
tournaments, the home page of an organiser of a hundred, the first page of the API; and of the worker's check for a
backup. Django's test client, SQLite; medians without the first visit, at which code is loaded.
"""

import argparse
import json
from typing import Any

from tests.support.processes import make_place

MAKE = """
import json
from datetime import date, timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from tests.support.factories import make_tournament
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Membership, Tournament
live = make_tournament(name="Live", players=16, sessions=4, played=1, running=0)
today = timezone.localdate()
owner = User.objects.create_user("owner", is_staff=True)
rules = live.rules_snapshot
def row(n):
    days = timedelta(days=n * 3 - 600) if n >= {live} else timedelta(0)
    return Tournament(slug=f"t-{{n}}", name=f"Open de Lyon {{n}} 大阪", venue=f"Salle Molière {{n % 40}}",
        starts_on=today + days, ends_on=today + days, rules_snapshot=rules, version=1, public_version=1)
tournaments = Tournament.objects.bulk_create([row(n) for n in range({count})])
players = []
for event in tournaments:
    players += [Player(tournament=event, number=k + 1, last_name=f"Player {{k}}", country="FRA") for k in range(16)]
Player.objects.bulk_create(players)
sessions = []
for n, event in enumerate(tournaments):
    over = event.ends_on < today
    for k in range(4):
        live = n < {live}
        state = "closed" if over or (live and k == 0) else "running" if live and k == 1 else "planned"
        began = None if state == "planned" else timezone.now()
        ended = began if state == "closed" else None
        sessions.append(
            Session(tournament=event, number=k + 1, state=state, started_at=began, closed_at=ended))
Session.objects.bulk_create(sessions)
Membership.objects.bulk_create(
    [Membership(tournament=event, user=owner, role="organiser") for event in tournaments[:100]])
"""
MEASURE = """
import json, time
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.conf import settings
settings.ALLOWED_HOSTS = ["*"]
settings.SECURE_SSL_REDIRECT = False
stranger, owner = Client(), Client()
owner.force_login(User.objects.get(username="owner"))
figures = {}
for name, client, path in (
    ("home", stranger, "/"), ("search", stranger, "/?q=lyon+moliere"), ("past, page 5", stranger, "/?when=past&page=5"),
    ("organiser", owner, "/organiser/"), ("api", stranger, "/api/v1/tournaments/"),
):
    with CaptureQueriesContext(connection) as first:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        times.append((time.perf_counter() - begin) * 1000)
    figures[name] = {"first_statements": len(first), "statements": len(queries), "ms": round(sorted(times)[3], 1),
        "kilobytes": round(len(answer.content) / 1024)}
from tournament.backup.manifest import fingerprint
begin = time.perf_counter()
fingerprint()
figures["worker looks for something to back up"] = {"ms": round((time.perf_counter() - begin) * 1000, 1)}
import resource
figures["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps(figures))
"""


def measure(count: int, live: int) -> dict[str, Any]:
    with make_place() as place:
        place.migrate()
        process = place.manage("collectstatic", "--noinput", "--verbosity", "0", patience=300)
        assert process.returncode == 0, process.stdout
        place.python(MAKE.format(count=count, live=live))
        figures: dict[str, Any] = json.loads(place.python(MEASURE).strip().splitlines()[-1])
        return figures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tournaments", type=int, nargs="+", default=[50, 500])
    parser.add_argument("--live", type=int, default=20)
    options = parser.parse_args()
    figures = {str(count): measure(count, options.live) for count in options.tournaments}
    print(json.dumps({"benchmark": "many", "live": options.live, "tournaments": figures}))


if __name__ == "__main__":
    main()
