"""Log formatters: each line with its request's id, and without secrets."""

import json
import logging
import re
from contextvars import ContextVar
from copy import copy
from datetime import UTC, datetime
from typing import Final

BEFORE_SECRETS: Final = ("invitation", "own", "pass", "password", "registration")
"""Path segments before a `<secret:…>` in the routes (`tests/platform/test_secrets.py` compares). Such an address is a
secret, and Django logs addresses that it refuses. A link to one may be in a query, escaped."""
IN_ADDRESS: Final = re.compile(
    rf"((?:/|%2F)(?:{'|'.join(BEFORE_SECRETS)})(?:/|%2F))(?:(?!%2F)[^/\s?\"'<>])+", re.IGNORECASE
)
MAX_REFUSAL_LENGTH: Final = 300
"""Characters of a line about a refused request."""
REQUEST_FIELDS: Final = ("method", "path", "status", "ms")
"""Extra fields of a request's line (`config.front.request_lines`)."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Of the current request; empty outside of one."""


class LineFormatter(logging.Formatter):
    """Formats a record as text."""

    def format(self, record: logging.LogRecord) -> str:
        record = _shortened(record)
        record.request = f" [{request}]" if (request := request_id.get()) else ""
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """Formats a record as one JSON object a line: `time`, `level`, `logger`, `message`, and if there are any
    `request`, `traceback` and `REQUEST_FIELDS`.
    """

    def format(self, record: logging.LogRecord) -> str:
        record = _shortened(record)
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request := request_id.get():
            line["request"] = request
        line |= {name: getattr(record, name) for name in REQUEST_FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return without_secrets(json.dumps(line, ensure_ascii=False, default=str))


def without_secrets(text: str) -> str:
    """Replace the secret in each address of a secret page.

    >>> without_secrets("Not Found: /t/spring/registration/b1946ac9:Xk2/cancel")
    'Not Found: /t/spring/registration/…/cancel'
    """
    return IN_ADDRESS.sub(r"\1…", text)


def _shortened(record: logging.LogRecord) -> logging.LogRecord:
    """Return a copy of the record; of a refusal (4xx) only `MAX_REFUSAL_LENGTH` characters, without a traceback."""
    record = copy(record)
    if getattr(record, "status_code", 500) < 500:
        message = without_secrets(record.getMessage())
        record.msg = message if len(message) <= MAX_REFUSAL_LENGTH else f"{message[:MAX_REFUSAL_LENGTH]}…"
        record.args, record.exc_info, record.exc_text = (), None, None
    return record
