"""A tournament's address says its name; its particulars have bounds, whoever says them."""

from dataclasses import replace
from datetime import date

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tournament.errors import Refused
from tournament.models import Tournament
from tournament.selectors.particulars import RANGES, Particulars
from tournament.services.tournaments import create_tournament

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


@pytest.mark.parametrize("particular", RANGES)
@pytest.mark.parametrize("too", ["little", "much"])
def test_particulars_have_bounds(particular: str, too: str) -> None:
    least, most = RANGES[particular]
    day = date(2026, 11, 14)
    value = least - 1 if too == "little" else most + 1
    said = replace(Particulars("Open", "", day, day), **{particular: value})  # type: ignore[arg-type]
    with pytest.raises(Refused) as refused:
        create_tournament(SYSTEM, said)
    assert [(one.code, one.where) for one in refused.value.problems] == [
        ("particular_out_of_range", particular)
    ]
    assert not Tournament.objects.exists()
