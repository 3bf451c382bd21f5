"""The JSON Schema of the file, made of what it is read by. Every site has it at `/formats/…`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from tournament.exchange.event_file.reading import SHAPE
from tournament.exchange.event_file.versions import FORMAT, SCHEMA, VERSION

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    return {
        "$schema": DIALECT,
        "title": f"{FORMAT}, version {VERSION}",
        "description": "A whole tournament. The sections, keys and digests: docs/tournament-file.md.",
        **SHAPE().schema(),
    }


def schema_text() -> str:
    return json.dumps(schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def published() -> Path:
    """Where the schema lies in the sources."""
    return Path(settings.BASE_DIR) / "docs" / SCHEMA
