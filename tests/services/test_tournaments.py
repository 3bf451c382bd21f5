"""A tournament's address says its name, its particulars have bounds, and its rules are read once."""

from dataclasses import replace
from datetime import date

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tournament.engine.rules import rules_named
from tournament.errors import Refused
from tournament.models import Tournament
from tournament.selectors.particulars import RANGES, Particulars
from tournament.services.tournaments import create_tournament

pytestmark = pytest.mark.stored


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


def test_rules_are_read_once_and_anew_when_they_are_others() -> None:
    made = make_tournament(players=0, drawn=False)
    first, second = (Tournament.objects.get(pk=made.pk) for _ in range(2))
    assert first.rules is second.rules
    assert first.rules == rules_named("mcr")
    made = make_tournament(players=0, drawn=False)
    before = Tournament.objects.get(pk=made.pk)
    Tournament.objects.filter(pk=made.pk).update(rules_snapshot=rules_named("mwt").to_json())
    assert Tournament.objects.get(pk=made.pk).rules.name == "mwt"
    assert before.rules.name == "mcr"
    before.refresh_from_db()
    assert before.rules.name == "mwt"
    stored = Tournament.objects.get(pk=make_tournament(players=0, drawn=False).pk).rules_snapshot
    with pytest.raises(TypeError):
        stored["name"] = "mwt"
    with pytest.raises(TypeError):
        stored |= {"name": "mwt"}
