"""The ASGI application: the live stream first, Django for everything else.

`/live/` is answered before Django's middleware: a sync-only middleware there would give every watcher a thread.
"""

import gc
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.front.one_thread import get_application

# What is loaded stays loaded, and next to none of it is garbage: looking for that took a quarter of a server's start.
gc.disable()

_django = get_application()

import config.urls  # noqa: E402, F401  (needs the apps loaded; brings all pages with it)
from config.front.bodies import largest_body, with_small_bodies  # noqa: E402
from config.front.limits import with_limits  # noqa: E402
from config.front.measures import with_measures  # noqa: E402
from config.front.probes import with_probes  # noqa: E402
from config.front.request_lines import with_request_lines  # noqa: E402
from tournament.live.app import with_live  # noqa: E402

_pages = with_live(with_small_bodies(_django, largest_body))
application = with_request_lines(with_probes(with_measures(with_limits(_pages))))

# Nor need the collector look at it later: that took 70 ms of somebody's request.
gc.freeze()
gc.enable()
