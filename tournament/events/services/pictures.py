"""A picture that somebody sends: what it is by its content, and drawn anew."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.events.models.event_page import EventDocument
from tournament.events.selectors.event_page import kind_of

MOST_BYTES: Final = 5 * 1024 * 1024
MOST_PIXELS: Final = 40_000_000
"""A file of a few bytes may say that it has any number of them, and drawing it would fill the memory."""
LARGEST: Final = (2480, 3508)
"""A4 at 300 dots an inch: more is not seen on paper."""


def drawn_anew(picture: bytes) -> bytes:
    """The picture as a JPEG that fits a page, upright and without what a camera wrote into it; refused for what is no
    picture, or too large a one."""
    if len(picture) > MOST_BYTES:
        raise Refused([Problem("file_too_large", "picture", {"most": MOST_BYTES // 1024 // 1024})])
    if kind_of(picture) in (None, EventDocument.Kind.PDF):
        raise Refused([Problem("picture_of_no_kind", "picture")])
    # Imported here: only who sends a picture needs it.
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(BytesIO(picture), formats=("PNG", "JPEG", "WEBP")) as sent:
            if sent.width * sent.height > MOST_PIXELS:
                most = {"most": MOST_PIXELS // 1_000_000}
                raise Refused([Problem("picture_too_many_pixels", "picture", most)])
            upright = ImageOps.exif_transpose(sent).convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Refused([Problem("file_unreadable", "picture")]) from None
    upright.thumbnail(LARGEST)
    page = Image.new("RGB", upright.size, "white")
    page.paste(upright, mask=upright.getchannel("A"))
    content = BytesIO()
    page.save(content, "JPEG", quality=85)
    return content.getvalue()
