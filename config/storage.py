"""How static files are kept: under names that change with their content, compressed once."""

from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

NOT_WORTH_IT = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map", "otf", "ttf")
"""What no page loads, besides what is compressed already: source maps and the documents' fonts."""

NAMED_BY_VERSION = "vendor/pyodide/"
"""Files that never change under their names, which the storage leaves as they are."""


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # (it has no types)
    """WhiteNoise's storage without Brotli: a fifth smaller than gzip, but twenty seconds of the first start.

    Our modules import each other by relative address; these are rewritten to the kept names too. Only ours: what others
    ship speaks of imports in its comments.
    """

    max_post_process_passes = 12
    """A pass settles one level of who imports whom; the desk's modules are six levels deep."""
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),
    )

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        """Pyodide finds its parts by their own names; its folder carries the version instead."""
        if name.startswith(NAMED_BY_VERSION):
            return name
        return str(super().hashed_name(name, content, filename))

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(**options | {"extensions": NOT_WORTH_IT, "use_brotli": False})
