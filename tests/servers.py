"""Which tests depend on the servers of DATABASE_URL and REDIS_URL; the others are not run a second time with them."""

from __future__ import annotations

from typing import Final

import pytest

ASKS_A_DATABASE: Final = {"db", "transactional_db", "django_db_setup"}
OWN_PROGRAMS: Final = {"migrated", "place", "postgres_url"}
"""A place's programs run on databases that it names itself, whatever these variables say (tests/processes.py)."""
OWN_SERVERS: Final = ("postgres", "redis", "nginx")
"""Markers of tests on the servers of TEST_DATABASE_URL and TEST_REDIS_URL."""
READ_SETTINGS: Final = {
    "api",
    "backup",
    "commands",
    "live",
    "mail",
    "outbound",
    "platform",
    "push",
    "web",
    "webhooks",
}
"""Folders where a test without a database of pytest's may still meet the caches, the queue or Redis."""


def depends_on_servers(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("django_db") or fixtures & ASKS_A_DATABASE:
        return True
    has_its_own = fixtures & OWN_PROGRAMS or any(item.get_closest_marker(name) for name in OWN_SERVERS)
    return not has_its_own and item.path.parent.name in READ_SETTINGS
