"""How static files are kept: joined, under names that change with their content, compressed once."""

from collections.abc import Callable
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.joined import SCRIPTS, SHEETS, join_scripts, join_sheets, script_file, sheet_file

NOT_WORTH_IT = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map", "otf", "ttf")
"""What no page loads, besides what is compressed already: source maps and the documents' fonts."""

NAMED_BY_VERSION = "vendor/pyodide/"
"""Files that never change under their names, which the storage leaves as they are."""


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # (it has no types)
    """WhiteNoise's storage without Brotli: a fifth smaller than gzip, but twenty seconds of the first start.

    Scripts and sheets are joined by kind of page first (config/joined.py); the parts are not kept.
    """

    is_joined = True
    typedefs = "js/desk/state.js"
    """Comments alone, which editors read."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Any:
        if not dry_run:
            self._join(paths)
        yield from super().post_process(paths, dry_run, **options)

    def _join(self, paths: dict[str, Any]) -> None:
        seen = {self.typedefs} & paths.keys()

        def read(name: str) -> str:
            storage, path = paths[name]
            seen.add(name)
            with storage.open(path) as file:
                return str(file.read().decode())

        joined = dict(everything_joined(read))
        for name in seen:
            del paths[name]
            self.delete(name)
        for name, text in joined.items():
            self.delete(name)
            self.save(name, ContentFile(text.encode()))
            paths[name] = (self, name)

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        """Pyodide finds its parts by their own names; its folder carries the version instead."""
        if name.startswith(NAMED_BY_VERSION):
            return name
        return str(super().hashed_name(name, content, filename))

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(**options | {"extensions": NOT_WORTH_IT, "use_brotli": False})


def everything_joined(read: Callable[[str], str]) -> Any:
    """(name, text) of every joined file. `read`: a file's text, by its name under static/."""
    for kind, names in SCRIPTS.items():
        yield script_file(kind), join_scripts(names, read)
    for kind, names in SHEETS.items():
        yield sheet_file(kind), join_sheets(names, read)
