"""How a tournament file is written: canonical JSON, digests, and upgrades of older versions."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from scoring.engine.problems import problem_code
from tournament.base.errors import Refused

NOT_A_TOURNAMENT_FILE = problem_code(
    "not_a_tournament_file", "This is not a tournament’s file (hule-tournament)."
)
TOURNAMENT_FILE_NEWER = problem_code(
    "tournament_file_newer",
    "This file has version {version}, but this server reads files up to version {known}. Update Hule first.",
)

FORMAT: Final = "hule-tournament"
VERSION: Final = 1
SCHEMA: Final = "formats/hule-tournament-1.schema.json"
"""Path of the published JSON Schema, below the site's root and in docs/api/."""

# --- Canonical JSON ---


HEADER: Final = ("$schema", "format", "version", "contact_data", "digests")
"""Names at the beginning of the file."""
NOT_DIGESTED: Final = frozenset({"$schema", "format", "version", "digests", "extensions"})
"""Names without a digest. Other programs may add extensions without computing one."""


def file_text(data: Mapping[str, Any]) -> str:
    """Return the text of a file, one row a line, so that two files can be compared line by line."""
    names = [*(name for name in HEADER if name in data), *sorted(data.keys() - set(HEADER))]
    sections = (f"{canonical_json(name)}:{_section_text(data[name])}" for name in names)
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _section_text(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return canonical_json(value)
    return "[\n" + ",\n".join(map(canonical_json, value)) + "\n]"


def digests_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return section → digest."""
    return {name: digest(value) for name, value in data.items() if name not in NOT_DIGESTED}


def digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def canonical_json(value: Any) -> str:
    """Return JSON with sorted names, no spaces and unescaped characters, so that equal events give equal bytes."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


# --- Versions ---


Data = dict[str, Any]
Upgrade = Callable[[Data], Data]

UPGRADES: Final[dict[int, Upgrade]] = {}
"""Version → function that turns data of that version into data of the next. Digests are checked before."""


def check_version(
    data: Mapping[str, Any], newest: int = VERSION, upgrades: Mapping[int, Upgrade] = UPGRADES
) -> None:
    """Raise Refused if the data is not a tournament file, or of a version that cannot be read."""
    version = data.get("version")
    if data.get("format") != FORMAT or type(version) is not int:
        raise Refused(NOT_A_TOURNAMENT_FILE("/format"))
    if version > newest:
        raise Refused(TOURNAMENT_FILE_NEWER("/version", version=min(version, 10**6), known=newest))
    if version < min((*upgrades, newest)):
        raise Refused(NOT_A_TOURNAMENT_FILE("/version"))


def upgrade(data: Data, newest: int = VERSION, upgrades: Mapping[int, Upgrade] = UPGRADES) -> Data:
    """Return data of an older version as data of the newest, by one upgrade per version."""
    for version in range(data["version"], newest):
        data = upgrades[version](data) | {"version": version + 1}
    return data
