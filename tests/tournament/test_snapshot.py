"""Rules are read out of their stored text once, and are those that are stored now."""

import pytest

from tests.support.factories import make_tournament
from tournament.engine.rules import rules_named
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


def test_the_same_text_is_read_once() -> None:
    made = make_tournament(players=0, drawn=False)
    first, second = (Tournament.objects.get(pk=made.pk) for _ in range(2))
    assert first.rules is second.rules
    assert first.rules == rules_named("mcr")


def test_other_rules_are_read_anew() -> None:
    made = make_tournament(players=0, drawn=False)
    before = Tournament.objects.get(pk=made.pk)
    Tournament.objects.filter(pk=made.pk).update(rules_snapshot=rules_named("mwt").to_json())
    assert Tournament.objects.get(pk=made.pk).rules.name == "mwt"
    assert before.rules.name == "mcr"
    before.refresh_from_db()
    assert before.rules.name == "mwt"


def test_what_many_have_nobody_changes() -> None:
    stored = Tournament.objects.get(pk=make_tournament(players=0, drawn=False).pk).rules_snapshot
    with pytest.raises(TypeError):
        stored["name"] = "mwt"
    with pytest.raises(TypeError):
        stored |= {"name": "mwt"}
