"""Pictures to upload."""

from io import BytesIO
from typing import Any

from PIL import Image


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 60), mode: str = "RGB", **how: Any) -> bytes:
    content = BytesIO()
    Image.new(mode, size, "#f8f0d8").save(content, kind, **how)
    return content.getvalue()
