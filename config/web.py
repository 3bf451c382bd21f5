"""gunicorn's settings for one web process; further ones are units of their own, each with its own metrics."""

from typing import Any, Final

from config.settings import LOGGING

worker_class: Final = "asgi"
workers: Final = 1
graceful_timeout: Final = 25
"""Seconds for running requests after a stop; a write waits no longer than 20 for the database."""
control_socket_disable: Final = True

logconfig_dict: Final[dict[str, Any]] = LOGGING | {
    "loggers": {name: {"level": "WARNING"} for name in ("gunicorn.error", "gunicorn.access")},
}
"""Our handlers format gunicorn's own lines."""
