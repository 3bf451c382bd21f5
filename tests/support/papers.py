"""Every document as pictures, to be looked at before a release (bin/papers): a contact sheet each, of a small event
that is hard to print and a large one, in each language and in two, on both papers. Needs pdftoppm (poppler-utils)."""

import argparse
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image

from tests.support.processes import make_place

MAKE: Final = """
from django.core.management import CommandError, call_command
from tests.documents.hard_event import hard_event
from tournament.base.models.documents import DocumentJob
slug = hard_event({players}).slug
for kind in {kinds} or [kind for kind in DocumentJob.Kind.values if kind != DocumentJob.Kind.SITE]:
    for language, second, paper in {ways}:
        file = "-".join(filter(None, (kind, "{players}", language, second, paper))) + ".pdf"
        about = dict(language=language, second=second, paper=paper, session=1, site="https://hall.example/")
        try:
            call_command("document", slug, kind, "{folder}/" + file, **about)
        except CommandError as error:
            print(file, error)
"""
SIDE: Final = 620
"""Pixels of a page's longer side: figures of six points can be read."""
MOST: Final = 8
"""Pages on a contact sheet: the first ones, and the last two."""
WAYS: Final = (
    ("en", "", "a4"),
    ("zh-hans", "", "letter"),
    ("zh-hant", "", "a4"),
    ("en", "zh-hans", "a4"),
)
"""Language, the one beside it, paper."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--players", type=int, nargs="*", default=[8, 400])
    parser.add_argument("--kinds", nargs="*", default=[])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for players in options.players:
        with make_place() as place, TemporaryDirectory() as folder:
            assert place.manage("upgrade", patience=600).returncode == 0
            ways = WAYS if players < 100 else WAYS[-1:]
            make = MAKE.format(players=players, kinds=options.kinds, ways=ways, folder=folder)
            print(place.python(make, patience=3600), end="")
            for pdf in sorted(Path(folder).glob("*.pdf")):
                _picture(pdf, options.folder / f"{pdf.stem}.png")


def _picture(pdf: Path, picture: Path) -> None:
    with TemporaryDirectory() as folder:
        subprocess.run(["pdftoppm", "-scale-to", str(SIDE), "-png", pdf, Path(folder) / "page"], check=True)
        pages = sorted(Path(folder).glob("page*.png"))
        shown = pages if len(pages) <= MOST else [*pages[: MOST - 2], *pages[-2:]]
        _contact(shown).save(picture)
        print(f"{picture.name}: {len(pages)} pages")


def _contact(pages: list[Path]) -> Image.Image:
    """Four beside each other."""
    images = [Image.open(page) for page in pages]
    wide, high = max(image.width for image in images) + 8, max(image.height for image in images) + 8
    whole = Image.new("RGB", (wide * min(len(images), 4), high * -(-len(images) // 4)), "#888")
    for at, image in enumerate(images):
        whole.paste(image, (at % 4 * wide + 4, at // 4 * high + 4))
    return whole


if __name__ == "__main__":
    main()
