"""The queue over a folder, whose worker notices soon that it is to stop."""

from typing import Any

from kombu.transport import filesystem

LOOK_UP_SECONDS = 0.2
"""How long the worker waits for a message before it looks up."""


class Transport(filesystem.Transport):
    """Celery asks for two seconds of messages at a time, and sees only afterwards that it was told to stop."""

    def drain_events(self, connection: Any, timeout: Any = None, **kwargs: Any) -> None:
        shorter = min(timeout or LOOK_UP_SECONDS, LOOK_UP_SECONDS)
        super().drain_events(connection, timeout=shorter, **kwargs)  # type: ignore[no-untyped-call]
