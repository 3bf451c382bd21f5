"""How a line of the log is written: with the request that it belongs to, and without what opens something."""

import json
import logging
import re
from contextvars import ContextVar
from copy import copy
from datetime import UTC, datetime
from typing import Final

BEFORE_SECRETS: Final = ("invitation", "own", "pass", "registration")
"""What stands before a `<secret:…>` in the routes (`tests/platform/test_secrets.py` compares): such an address is its
whole secret, and the framework logs the addresses that it turned down. A link to it may be in a query, escaped."""
IN_ADDRESS: Final = re.compile(
    rf"((?:/|%2F)(?:{'|'.join(BEFORE_SECRETS)})(?:/|%2F))(?:(?!%2F)[^/\s?\"'<>])+", re.IGNORECASE
)
LONGEST: Final = 300
"""Characters of a line that says what a visitor asked for."""
ABOUT_REQUEST: Final = ("method", "path", "status", "ms")
"""What the line of a request (`config.front.request_lines`) has beside its words."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is answered at the moment; nothing outside of one."""


class Line(logging.Formatter):
    """Words. Whatever is written, tracebacks too."""

    def format(self, record: logging.LogRecord) -> str:
        record = _shortened(record)
        record.request = f" [{known}]" if (known := request_id.get()) else ""
        return without_secrets(super().format(record))


class JsonLine(logging.Formatter):
    """A JSON object a line, for programs that collect logs: `time`, `level`, `logger`, `message`; where there are any
    `request`, `traceback` and ABOUT_REQUEST."""

    def format(self, record: logging.LogRecord) -> str:
        record = _shortened(record)
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if known := request_id.get():
            line["request"] = known
        line |= {name: getattr(record, name) for name in ABOUT_REQUEST if hasattr(record, name)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return without_secrets(json.dumps(line, ensure_ascii=False, default=str))


def without_secrets(text: str) -> str:
    """
    >>> without_secrets("Not Found: /t/spring/registration/b1946ac9:Xk2/cancel")
    'Not Found: /t/spring/registration/…/cancel'
    """
    return IN_ADDRESS.sub(r"\1…", text)


def _shortened(record: logging.LogRecord) -> logging.LogRecord:
    """Copy the record; of a refusal (4xx, as Django marks it) only the beginning.

    Nothing here is broken, so where in the program it was refused says nothing, and how long its address is the visitor
    decides.
    """
    record = copy(record)
    if getattr(record, "status_code", 500) < 500:
        message = without_secrets(record.getMessage())
        record.msg = message if len(message) <= LONGEST else f"{message[:LONGEST]}…"
        record.args, record.exc_info, record.exc_text = (), None, None
    return record
