"""The modules of `tournament` by package and layer."""

from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.support.processes import ROOT

TOURNAMENT = ROOT / "tournament"


@cache
def modules_of_layer(layer: str) -> dict[str, list[Path]]:
    """Return the modules of a layer by package: `services.py`, or every module of `services/`."""
    modules = defaultdict(list)
    for path in sorted(TOURNAMENT.rglob("*.py")):
        parts = path.relative_to(TOURNAMENT).with_suffix("").parts
        if layer in parts[1:]:
            modules[parts[parts.index(layer, 1) - 1]].append(path)
    return dict(modules)
