"""Versions of the file: what an older one lacks is put there by one small function a version, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tournament.base.errors import refuse

FORMAT: Final = "hule-tournament"
VERSION: Final = 1
SCHEMA: Final = "formats/hule-tournament-1.schema.json"
"""Where it is published: below the site's root, and in docs/."""

Data = dict[str, Any]
Step = Callable[[Data], Data]

STEPS: Final[dict[int, Step]] = {}
"""Version → what makes of a file of that version one of the next. Digests are looked at before, as they were."""


def brought_up(data: Data, version: int = VERSION, steps: Mapping[int, Step] = STEPS) -> Data:
    """The data of a file of any version up to this one as this one has it."""
    for step in range(data["version"], version):
        data = steps[step](data) | {"version": step + 1}
    return data


def check_version(data: Mapping[str, Any], newest: int = VERSION, steps: Mapping[int, Step] = STEPS) -> None:
    """Raises Refused for what is no file of a tournament, or of a version that cannot be read."""
    version = data.get("version")
    if data.get("format") != FORMAT or type(version) is not int:
        raise refuse("not_a_tournament_file", "/format")
    if version > newest:
        raise refuse("tournament_file_newer", "/version", version=min(version, 10**6), known=newest)
    if version < min((*steps, newest)):
        raise refuse("not_a_tournament_file", "/version")
