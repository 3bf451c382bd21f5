"""The ASGI application: the live stream first, then Django.

`/live/` is answered before Django's middleware, because synchronous middleware would hold a thread for every watcher.
"""

import gc
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.front.one_thread import get_application

# Almost nothing that is loaded at start is garbage, and collecting took a quarter of the start.
gc.disable()

_django = get_application()

import config.urls  # noqa: E402, F401  (needs the apps loaded; brings all pages with it)
from config.front import metrics  # noqa: E402
from config.front.bodies import largest_body, with_small_bodies  # noqa: E402
from config.front.limits import with_limits, with_open_connection_limit  # noqa: E402
from config.front.probes import with_probes  # noqa: E402
from config.front.request_lines import with_request_lines  # noqa: E402
from tournament.backup.storage import backup_age  # noqa: E402
from tournament.base import hooks  # noqa: E402
from tournament.live.app import with_live  # noqa: E402

metrics.site.gauges.append(("hule_backup_age_seconds", "Since the newest backup was made.", backup_age))

_pages = with_live(with_small_bodies(_django, largest_body))
_counted = metrics.with_metrics(with_limits(_pages), hooks.entry_committed.register)
application = with_request_lines(with_open_connection_limit(with_probes(_counted)))

# Later collections skip it too; they took 70 ms of a request.
gc.freeze()
gc.enable()
