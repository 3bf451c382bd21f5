"""Storage of static files: joined by kind of page, named by content hash, compressed once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.bundles import JOINED, SCRIPTS, SHEETS, join_scripts, join_sheets, script_file, sheet_file

SKIP_COMPRESSION = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map", "otf", "ttf")
"""Extensions that need no compression: already compressed, or loaded by no page (source maps, the documents' fonts)."""

NAMED_BY_VERSION = "vendor/pyodide/"
"""Folder of files whose names are not hashed."""


class FileCompressor(Compressor):  # type: ignore[misc]  # (it has no types)
    """Compresses joined scripts with Brotli too: a seventh smaller. With all files the first start takes 30 s more."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"use_brotli": False})
        self._with_brotli = Compressor(**options)

    def compress(self, path: str) -> Any:
        if Path(path).parent.name == JOINED and path.endswith(".js"):
            return self._with_brotli.compress(path)
        return super().compress(path)


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage.

    Scripts and sheets are joined by kind of page first (config/bundles.py); the parts are deleted.
    """

    is_joined = True
    typedefs = "js/desk/state.js"
    """Comments alone, which editors read."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Any:
        if not dry_run:
            self._join(paths)
        yield from super().post_process(paths, dry_run, **options)

    def _join(self, paths: dict[str, Any]) -> None:
        read_names = {self.typedefs} & paths.keys()

        def read_file(name: str) -> str:
            storage, path = paths[name]
            read_names.add(name)
            with storage.open(path) as file:
                return str(file.read().decode())

        joined = dict(all_bundles(read_file))
        for name in read_names:
            del paths[name]
            self.delete(name)
        for name, text in joined.items():
            self.delete(name)
            self.save(name, ContentFile(text.encode()))
            paths[name] = (self, name)

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        """Keep the names of Pyodide's files, which it loads by name; their folder carries the version."""
        if name.startswith(NAMED_BY_VERSION):
            return name
        return str(super().hashed_name(name, content, filename))

    def create_compressor(self, **options: Any) -> Compressor:
        return FileCompressor(**options | {"extensions": SKIP_COMPRESSION})


def all_bundles(read_file: Callable[[str], str]) -> Any:
    """Yield (name, text) of every joined file."""
    for kind, names in SCRIPTS.items():
        yield script_file(kind), join_scripts(names, read_file)
    for kind, names in SHEETS.items():
        yield sheet_file(kind), join_sheets(names, read_file)
