"""A tournament's address says its name."""

import pytest

from tests.factories import make_tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Spring Open", "spring-open"),
        ("西湖杯 2026", "tournament-2026"),
        ("西湖杯", "tournament"),
        ("New", "new-2"),
    ],
)
def test_the_address_is_the_name_in_latin_letters(name: str, slug: str) -> None:
    assert make_tournament(players=0, drawn=False, name=name).slug == slug


def test_the_same_name_twice_is_numbered() -> None:
    slugs = [make_tournament(players=0, drawn=False, name="Open").slug for _ in range(3)]
    assert slugs == ["open", "open-2", "open-3"]
