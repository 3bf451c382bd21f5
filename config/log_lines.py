"""How a line of the log is written: without what opens something."""

import logging
import re

IN_ADDRESS = re.compile(r"(/pass/)[^/\s?\"'<>]+")
"""The link of a pass is its whole secret, and the framework logs the addresses that it turned down."""


class Line(logging.Formatter):
    """Whatever is written, tracebacks too."""

    def format(self, record: logging.LogRecord) -> str:
        return IN_ADDRESS.sub(r"\1…", super().format(record))
