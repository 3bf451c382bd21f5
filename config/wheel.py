"""Hatchling hooks that give the wheel its requirements and compiled translations."""

import io
import tempfile
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Requirements(MetadataHookInterface):
    """Takes the dependencies from requirements.in; requirements.txt beside the wheel has the hashes."""

    def update(self, metadata: dict[str, Any]) -> None:
        lines = (Path(self.root) / "requirements.in").read_text("utf-8").splitlines()
        metadata["dependencies"] = [line for line in lines if line and not line.startswith("#")]


class Translations(BuildHookInterface[Any]):
    """Compiles the catalogues into the wheel, whatever `bin/setup` has left in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hule-translations-")
        for source in sorted((Path(self.root) / "locale").glob("*/LC_MESSAGES/django.po")):
            language = source.parts[-3]
            compiled = Path(self._folder.name, f"{language}.mo")
            compiled.write_bytes(_compile(source))
            build_data["force_include"][str(compiled)] = f"hule/site/locale/{language}/LC_MESSAGES/django.mo"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self._folder.cleanup()


def _compile(source: Path) -> bytes:
    with source.open("rb") as file:
        catalogue = read_po(file)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()


def get_metadata_hook() -> type[MetadataHookInterface]:
    return Requirements


def get_build_hook() -> type[BuildHookInterface[Any]]:
    return Translations
