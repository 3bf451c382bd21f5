"""The hall on one server process with SQLite, at 400 players. Prints one JSON object; takes about five minutes.

`ranking` and `standings`: requests a second beside a bare ASGI application with as many bytes. `hall`: 5,000 watchers.
`last_to_empty`: how long a saved hand takes to the last of them, in times of an empty message through the same hub.
"""

import asyncio
import json
from typing import Any

from tests.bench._pages import against_bare
from tests.bench._place import SERVER, prepared
from tests.bench._watchers import a_hall, allow_many_files, an_empty_message
from tests.support.processes import Place, make_place

PLAYERS = 400


def measure(place: Place) -> dict[str, Any]:
    slug, token = prepared(place, PLAYERS, 1)
    with place.web(*SERVER, "config.asgi:application") as site:
        ranking = asyncio.run(against_bare(place, site, f"/t/{slug}/ranking/"))
        standings = asyncio.run(against_bare(place, site, f"/api/v1/tournaments/{slug}/standings/"))
        hall = asyncio.run(a_hall(site, slug, token))
    with place.web(*SERVER, "tests.bench._hub_alone:application") as alone:
        empty = asyncio.run(an_empty_message(alone))
    return {
        "benchmark": "live",
        "players": PLAYERS,
        "ranking": ranking,
        "standings": standings,
        "hall": hall,
        "empty_message_ms": empty,
        "last_to_empty": round(hall["last_heard_ms"]["median"] / empty["median"], 2),
    }


def main() -> None:
    allow_many_files()
    with make_place() as place:
        print(json.dumps(measure(place)))


if __name__ == "__main__":
    main()
