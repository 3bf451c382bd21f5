"""How many connections the process has room for, by the files that the system lets it open."""

from __future__ import annotations

import resource
from functools import cache
from typing import Final

BACKLOG: Final = 128
"""How many are let in at once, before any of them is looked at: asyncio accepts as many in one go."""
KEPT_BACK: Final = 400
"""Open files that are not visitors': those let in and those turned away, the database a thread, what is served."""
MOST: Final = 20_000
FILES: Final = 65_536
"""More than this is of no use to anybody here."""


def take_all() -> int:
    """Raise the limit of open files as far as the system allows. Returns what it is now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        connections.cache_clear()
        return wanted
    return soft


@cache
def connections() -> int:
    """How many visitors may be connected at once."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST if soft == resource.RLIM_INFINITY else soft - KEPT_BACK
    return max(50, min(most, MOST))
