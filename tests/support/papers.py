"""Render every document to pictures, to be checked before a release (bin/papers).

A contact sheet of each document: of a small event that is hard to print and of a large one, in each language and
bilingual, on both paper sizes. Needs pdftoppm (poppler-utils).
"""

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
    for language, second, paper in {variants}:
        file = "-".join(filter(None, (kind, "{players}", language, second, paper))) + ".pdf"
        options = dict(language=language, second=second, paper=paper, session=1, site="https://hall.example/")
        try:
            call_command("document", slug, kind, "{folder}/" + file, **options)
        except CommandError as error:
            print(file, error)
"""
SIDE: Final = 620
"""Pixels of a page's longer side, at which figures of six points can be read."""
MAX_PAGES: Final = 8
"""Pages on a contact sheet: the first ones and the last two."""
VARIANTS: Final = (
    ("en", "", "a4"),
    ("zh-hans", "", "letter"),
    ("zh-hant", "", "a4"),
    ("en", "zh-hans", "a4"),
)
"""(language, second language, paper)"""


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
            variants = VARIANTS if players < 100 else VARIANTS[-1:]
            make = MAKE.format(players=players, kinds=options.kinds, variants=variants, folder=folder)
            print(place.python(make, patience=3600), end="")
            for pdf in sorted(Path(folder).glob("*.pdf")):
                _picture(pdf, options.folder / f"{pdf.stem}.png")


def _picture(pdf: Path, picture: Path) -> None:
    with TemporaryDirectory() as folder:
        subprocess.run(["pdftoppm", "-scale-to", str(SIDE), "-png", pdf, Path(folder) / "page"], check=True)
        pages = sorted(Path(folder).glob("page*.png"))
        shown = pages if len(pages) <= MAX_PAGES else [*pages[: MAX_PAGES - 2], *pages[-2:]]
        _contact_sheet(shown).save(picture)
        print(f"{picture.name}: {len(pages)} pages")


def _contact_sheet(pages: list[Path]) -> Image.Image:
    """Return a picture of the pages, four in a row."""
    images = [Image.open(page) for page in pages]
    width, height = max(image.width for image in images) + 8, max(image.height for image in images) + 8
    sheet = Image.new("RGB", (width * min(len(images), 4), height * -(-len(images) // 4)), "#888")
    for index, image in enumerate(images):
        sheet.paste(image, (index % 4 * width + 4, index // 4 * height + 4))
    return sheet


if __name__ == "__main__":
    main()
