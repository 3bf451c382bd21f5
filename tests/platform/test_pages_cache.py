"""Pages are drawn while Redis is away: it only keeps them."""

from typing import Any

import pytest

from config.pages_cache import PagesCache
from tests.processes import free_port


@pytest.fixture
def away() -> PagesCache:
    """A cache whose Redis does not answer."""
    return PagesCache(f"redis://127.0.0.1:{free_port()}/0", {})


def test_a_page_that_cannot_be_asked_for_is_not_there(away: PagesCache) -> None:
    assert away.get("ranking", "not kept") == "not kept"


def test_a_page_that_cannot_be_kept_is_drawn_all_the_same(away: PagesCache) -> None:
    drawn: Any = away.get_or_set("ranking", lambda: "drawn")
    away.set("ranking", "drawn")
    assert drawn == "drawn"
