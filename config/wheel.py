"""How the wheel is built (hatchling's hooks): what it needs, and the translations compiled into it."""

import io
import tempfile
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Needs(MetadataHookInterface):
    """What requirements.in pins; requirements.txt beside the wheel has the hashes."""

    def update(self, metadata: dict[str, Any]) -> None:
        lines = (Path(self.root) / "requirements.in").read_text("utf-8").splitlines()
        metadata["dependencies"] = [line for line in lines if line and not line.startswith("#")]


class Translations(BuildHookInterface[Any]):
    """A catalogue is compiled when the wheel is made, whatever `bin/setup` has left beside it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hule-translations-")
        for source in sorted((Path(self.root) / "locale").glob("*/LC_MESSAGES/django.po")):
            language = source.parts[-3]
            compiled = Path(self._folder.name, f"{language}.mo")
            compiled.write_bytes(_compiled(source))
            build_data["force_include"][str(compiled)] = f"hule/site/locale/{language}/LC_MESSAGES/django.mo"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self._folder.cleanup()


def _compiled(source: Path) -> bytes:
    with source.open("rb") as file:
        catalogue = read_po(file)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()


def get_metadata_hook() -> type[MetadataHookInterface]:
    return Needs


def get_build_hook() -> type[BuildHookInterface[Any]]:
    return Translations
