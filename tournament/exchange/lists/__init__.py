"""What pages list, to take away: each list once, as XLSX, CSV and JSON (docs/lists.md)."""

from tournament.exchange.lists.registry import DESK, LISTS, OPEN, STAFF, list_named
from tournament.exchange.lists.table import FORMATS, Asked, Listed
from tournament.exchange.lists.writing import written

__all__ = ["DESK", "FORMATS", "LISTS", "OPEN", "STAFF", "Asked", "Listed", "list_named", "written"]
