"""A tournament's address says its name; its particulars have bounds, whoever says them."""

from dataclasses import replace
from datetime import date

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tournament.errors import Refused
from tournament.models import Tournament
from tournament.selectors.particulars import RANGES, Particulars
from tournament.services.tournaments import create_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.stored]


def test_the_address_is_the_name_in_latin_letters_and_numbered_when_taken() -> None:
    names = ("Spring Open", "西湖杯 2026", "西湖杯", "New", "Open", "Open", "Open")
    slugs = [make_tournament(players=0, drawn=False, name=name).slug for name in names]
    expected = ["spring-open", "tournament-2026", "tournament", "new-2", "open", "open-2", "open-3"]
    assert slugs == expected


def test_particulars_have_bounds() -> None:
    usual = Particulars("Open", "", date(2026, 11, 14), date(2026, 11, 14))
    for particular, (least, most) in RANGES.items():
        for value in (least - 1, most + 1):
            with pytest.raises(Refused) as refused:
                create_tournament(SYSTEM, replace(usual, **{particular: value}))  # type: ignore[arg-type]
            problems = [(problem.code, problem.where) for problem in refused.value.problems]
            assert problems == [("particular_out_of_range", particular)], value
    assert not Tournament.objects.exists()
