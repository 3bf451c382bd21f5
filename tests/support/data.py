"""Read the files of tests/data."""

import csv
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"


def read_json(name: str) -> Any:
    return json.loads((DATA / name).read_text("utf-8"))


def read_csv(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
