"""Who rules on an appeal: the chief umpire, or a committee of three; never who took the decision."""

import pytest
from django.contrib.auth.models import User

from tests.support.checks import refused_codes
from tests.support.closing import appeal_at, table_of
from tests.support.factories import (
    SYSTEM,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    record,
    wash_out,
)
from tournament.access import Actor
from tournament.errors import Forbidden, Refused
from tournament.models import Appeal, Role, Tournament
from tournament.selectors.log_words import log_words
from tournament.services.committees import name_committee
from tournament.services.rulings import rule_appeal
from tournament.services.staff import link_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def appeal(event: Tournament) -> Appeal:
    """Against hand 1 of table 1, which uma recorded."""
    table = table_of(event.sessions.get(number=1))
    record(table, wash_out(), Actor.of(make_umpire(event)))
    return appeal_at(table)


def rule(appeal: Appeal, user: User) -> Appeal:
    return rule_appeal(appeal, Actor.of(user), granted=False, ruling="The hand stands.")


def codes(appeal: Appeal, members: list[User]) -> list[str]:
    return refused_codes(name_committee, appeal, SYSTEM, members)


def test_whoever_umpires_there_rules_and_with_a_chief_umpire_the_chief_alone(
    event: Tournament, appeal: Appeal
) -> None:
    udo = make_umpire(event, "udo")
    other = appeal_at(appeal.table)
    assert rule(other, udo).ruled_by == udo
    chiara = make_member(event, Role.CHIEF, "chiara")
    with pytest.raises(Forbidden):
        rule(appeal, udo)
    assert rule(appeal, chiara).ruled_by == chiara


def test_who_took_the_decision_or_plays_at_the_table_does_not_rule(event: Tournament, appeal: Appeal) -> None:
    udo, uma = make_umpire(event, "udo"), User.objects.get(username="uma")
    link_player(event.memberships.get(user=udo), SYSTEM, appeal.player)
    with pytest.raises(Refused):
        rule(appeal, udo)
    event.memberships.filter(user=uma).update(role=Role.CHIEF)
    with pytest.raises(Refused):
        rule(appeal, uma)


def three(event: Tournament) -> list[User]:
    return [
        make_member(event, Role.CHIEF, "chiara"),
        make_umpire(event, "udo"),
        make_umpire(event, "ute"),
    ]


def test_a_committee_rules_by_any_of_its_members_and_by_nobody_else(
    event: Tournament, appeal: Appeal
) -> None:
    members = three(event)
    name_committee(appeal, SYSTEM, members)
    with pytest.raises(Forbidden):
        rule(appeal, make_organiser(event))
    rule(appeal, members[1])
    entry = event.log.get(action="appeal_ruled")
    assert entry.data["committee"] == sorted(user.pk for user in members)
    assert "Ruled by a committee: chiara" in log_words(event).sentence(entry)


def test_a_committee_is_the_chief_umpire_and_two_whom_it_does_not_concern(
    event: Tournament, appeal: Appeal
) -> None:
    chiara, udo, ute = three(event)
    assert codes(appeal, [chiara, udo]) == ["committee_of_three"]
    assert codes(appeal, [udo, ute, make_umpire(event, "ugo")]) == ["committee_without_chief"]
    uma = User.objects.get(username="uma")
    assert codes(appeal, [chiara, udo, uma]) == ["committee_concerned"]
    assert refused_codes(
        name_committee, appeal, SYSTEM, [chiara, udo, make_member(event, Role.DESK, "dora")]
    ) == ["committee_stranger"]
    name_committee(appeal, SYSTEM, [chiara, udo, ute])
    name_committee(appeal, SYSTEM, [])
    assert not appeal.committee.exists()
