"""Lists of names as they are written in a document."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def in_a_row(*parts: str) -> str:
    """The parts that are not empty, with commas between them."""
    return _comma().join(part for part in parts if part)


def listed(items: Sequence[str]) -> str:
    """A · A and B · A, B and C."""
    if len(items) < 2:
        return "".join(items)
    return _("%(items)s and %(last)s") % {"items": _comma().join(items[:-1]), "last": items[-1]}


def _comma() -> str:
    return pgettext("between the items of a list", ", ")
