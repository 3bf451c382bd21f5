"""How a line of the log is written: with the request that it belongs to, and without what opens something."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

IN_ADDRESS = re.compile(r"(/pass/)[^/\s?\"'<>]+")
"""The link of a pass is its whole secret, and the framework logs the addresses that it turned down."""
ABOUT_REQUEST: Final = ("method", "path", "status", "ms")
"""What the line of a request (`config.front.request_lines`) has beside its words."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is answered at the moment; nothing outside of one."""


class Line(logging.Formatter):
    """Words. Whatever is written, tracebacks too."""

    def format(self, record: logging.LogRecord) -> str:
        record.request = f" [{known}]" if (known := request_id.get()) else ""
        return IN_ADDRESS.sub(r"\1…", super().format(record))


class JsonLine(logging.Formatter):
    """A JSON object a line, for programs that collect logs: `time`, `level`, `logger`, `message`; where there are any
    `request`, `traceback` and ABOUT_REQUEST."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if known := request_id.get():
            said["request"] = known
        said |= {name: getattr(record, name) for name in ABOUT_REQUEST if hasattr(record, name)}
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return IN_ADDRESS.sub(r"\1…", json.dumps(said, ensure_ascii=False, default=str))
