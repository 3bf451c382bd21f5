"""gunicorn's settings for one web process; another is another unit, which counts and is stopped for itself."""

from typing import Any, Final

from config.settings import LOGGING

worker_class: Final = "asgi"
workers: Final = 1
graceful_timeout: Final = 25
"""Seconds for what is under way once it is told to stop: a write waits no longer than 20 for its turn."""
control_socket_disable: Final = True

logconfig_dict: Final[dict[str, Any]] = LOGGING | {
    "loggers": {name: {"level": "WARNING"} for name in ("gunicorn.error", "gunicorn.access")},
}
"""gunicorn's own lines are written as all others are."""
