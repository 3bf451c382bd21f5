"""Files that people upload: what they are, pictures encoded anew, and how they are deleted."""

from __future__ import annotations

import logging
from base64 import b64decode
from collections.abc import Callable
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.http import Http404, HttpResponse

from scoring.engine.problems import problem_code
from tournament.base.errors import Refused
from tournament.base.models.events import EventDocument
from tournament.web.shapes import FILE_TOO_LARGE

if TYPE_CHECKING:
    from PIL import Image

PICTURE_OF_NO_KIND = problem_code("picture_of_no_kind", "A picture is a PNG, JPEG or WebP file.")
PICTURE_TOO_MANY_PIXELS = problem_code(
    "picture_too_many_pixels", "The picture has more than {maximum} million pixels. Make it smaller first."
)
PICTURE_SIDE_TOO_LONG = problem_code(
    "picture_side_too_long", "A side of the picture has more than {maximum} pixels. Make it smaller first."
)
FILE_UNREADABLE = problem_code("file_unreadable", "The file arrived incomplete. Upload it again.")

logger = logging.getLogger(__name__)

# --- Files ---


SIGNATURES: Final = {
    EventDocument.Kind.PDF: b"%PDF-",
    EventDocument.Kind.PNG: b"\x89PNG\r\n\x1a\n",
    EventDocument.Kind.JPEG: b"\xff\xd8\xff",
}
"""The first bytes of a file of each kind."""


def detect_kind(content: bytes) -> str | None:
    """Return a file's kind by its first bytes; None for others, such as SVG and HTML, which may contain scripts."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return EventDocument.Kind.WEBP
    return next((kind for kind, signature in SIGNATURES.items() if content.startswith(signature)), None)


def file_from(text: str, where: str) -> bytes:
    """Decode a Base64 file. Raises Refused at `where`."""
    try:
        return b64decode(text, validate=True)
    except ValueError:  # includes binascii.Error
        raise Refused(FILE_UNREADABLE(where)) from None


class Stored(Protocol):
    """A row with a file."""

    @property
    def file(self) -> Any: ...


def uploaded_file_response(row: Stored, content_type: str) -> HttpResponse:
    """Return the file of a row so that uploaded content never runs as a page of ours. Raises Http404 if it is gone."""
    try:
        with row.file.open("rb") as file:
            content = file.read()
    except FileNotFoundError:
        raise Http404("the file is gone") from None
    headers = {
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, content_type, headers=headers)


def remove_file(row: Stored) -> None:
    """Delete the file of a row; log it if that fails."""
    try:
        row.file.delete(save=False)
    except OSError:
        logger.exception("The file %s could not be deleted", row.file.name)


# --- Pictures ---


MAX_PICTURE_BYTES: Final = 5 * 1024 * 1024
MAX_PIXELS: Final = 16_000_000
"""A small file can declare any number of pixels, and each one takes four bytes of memory or more."""
MAX_SIDE: Final = 10_000
"""Pixels; no page is printed from more."""
PNG_END: Final = b"IEND"
"""Pillow accepts a PNG without it."""
LARGEST_PICTURE: Final = (2480, 3508)
"""A4 at 300 dots per inch."""
LARGEST_LOGO: Final = (800, 800)
"""Messengers show no large file beside a link; as a PNG it is never larger than a file of the page may be."""
_decoding: Final = Lock()
"""Decoding several pictures at once could exhaust the memory."""


def reencode_picture(picture: bytes) -> bytes:
    """Return a picture as a JPEG that fits a page, upright and without metadata. Takes up to a second.

    Raises Refused for files that are no PNG, JPEG or WebP, or too large.
    """
    return _reencode(picture, _encode_jpeg)


def encode_logo(picture: bytes) -> bytes:
    """Return a picture as a small PNG or JPEG; where it is transparent it stays so. Takes up to a second.

    Raises Refused as `reencode_picture` does.
    """
    return _reencode(picture, _encode_logo)


def _reencode(picture: bytes, encode: Callable[[Image.Image], bytes]) -> bytes:
    if len(picture) > MAX_PICTURE_BYTES:
        raise Refused([FILE_TOO_LARGE("picture", maximum=MAX_PICTURE_BYTES // 1024 // 1024)])
    if detect_kind(picture) in (None, EventDocument.Kind.PDF):
        raise Refused([PICTURE_OF_NO_KIND("picture")])
    # Imported here: few requests need it.
    from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

    try:
        with Image.open(BytesIO(picture), formats=("PNG", "JPEG", "WEBP")) as image:
            if image.width * image.height > MAX_PIXELS:
                raise Refused([PICTURE_TOO_MANY_PIXELS("picture", maximum=MAX_PIXELS // 1_000_000)])
            if max(image.size) > MAX_SIDE:
                raise Refused([PICTURE_SIDE_TOO_LONG("picture", maximum=MAX_SIDE)])
            if image.format == "PNG" and PNG_END not in picture:
                raise Refused([FILE_UNREADABLE("picture")])
            with _decoding:
                # WeasyPrint sets it in processes that have made a document.
                ImageFile.LOAD_TRUNCATED_IMAGES = False
                ImageOps.exif_transpose(image, in_place=True)
                return encode(image.convert("RGBA"))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Refused([FILE_UNREADABLE("picture")]) from None


def _encode_jpeg(picture: Image.Image) -> bytes:
    from PIL import Image

    picture.thumbnail(LARGEST_PICTURE)
    page = Image.new("RGB", picture.size, "white")
    page.paste(picture, mask=picture.getchannel("A"))
    content = BytesIO()
    page.save(content, "JPEG", quality=85)
    return content.getvalue()


def _encode_logo(picture: Image.Image) -> bytes:
    picture.thumbnail(LARGEST_LOGO)
    if picture.getchannel("A").getextrema() == (255, 255):
        return _encode_jpeg(picture)
    content = BytesIO()
    picture.save(content, "PNG")
    return content.getvalue()
