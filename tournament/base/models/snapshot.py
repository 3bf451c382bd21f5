"""A tournament's rules as they are stored: read out of the same text once a process, not once a request."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from typing import Any

from django.db import models

from tournament.base.engine.rules import Rules


class Snapshot(dict[str, Any]):
    """Rules as the database has them. Whoever reads the same text gets the same one: replace it, never change it."""

    @cached_property
    def rules(self) -> Rules:
        return Rules.from_json(self)

    def __setitem__(self, key: str, value: Any) -> None:
        raise TypeError("a snapshot of rules is replaced as a whole")

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        raise TypeError("a snapshot of rules is replaced as a whole")


class SnapshotField(models.JSONField):
    """A JSON field whose values come as `Snapshot`. They have 30 KB, and every request to a tournament reads one."""

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> Snapshot | None:
        return None if value is None else _read(value)


@lru_cache(maxsize=64)
def _read(text: str) -> Snapshot:
    return Snapshot(json.loads(text))
