"""The ASGI application: the live stream first, Django for everything else.

`/live/` is answered before Django's middleware: a sync-only middleware there would give every watcher a thread.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.asgi import get_asgi_application

_django = get_asgi_application()

from tournament.live.app import with_live  # noqa: E402  (needs the apps loaded)

application = with_live(_django)
