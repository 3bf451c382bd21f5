"""Who may listen to what: asked of the database each time somebody comes."""

from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.utils import timezone

from tests.support.factories import SYSTEM, make_card, make_organiser, make_tournament, make_umpire, make_user
from tournament.base.models.tournament import Membership, Pass, Tournament
from tournament.live.app import Admission, admission_of
from tournament.live.hub import PUBLIC, STAFF, Hearer
from tournament.staff.passes import Reach
from tournament.staff.services import make_passes, revoke_passes

pytestmark = [pytest.mark.django_db, pytest.mark.stored]


def signed_in(user: User, backend: str = "django.contrib.auth.backends.ModelBackend") -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), backend
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def admit(tournament: Tournament, cookies: str = "", *, as_staff: bool = True) -> Admission | None:
    return admission_of(tournament.slug, cookies, as_staff=as_staff)


def admitted(tournament: Tournament, hearer: Hearer, **how: Any) -> Admission:
    return Admission(tournament.pk, hearer, **how)


def test_only_a_role_opens_what_staff_hears_and_a_card_its_own_table_alone() -> None:
    """Everybody hears of a public tournament what the public hears."""
    spring, other = (make_tournament(name=name, players=8, sessions=1) for name in ("Spring Open", "Other"))
    assert admit(spring) is None
    assert admit(spring, signed_in(make_user("pia"))) is None
    assert admit(spring, signed_in(make_organiser(other, "otto"))) is None
    umpire, organiser = signed_in(make_umpire(spring)), signed_in(make_organiser(spring))
    assert admit(spring, umpire) == admit(spring, organiser) == admitted(spring, STAFF, by_role=True)
    for cookies in ("", organiser):
        assert admit(spring, cookies, as_staff=False) == admitted(spring, PUBLIC, by_role=False)
    card = signed_in(make_card(spring, 2))
    assert admit(spring, card) == admitted(spring, Hearer(table=2), by_role=True)


def test_a_private_tournament_is_heard_by_those_with_a_role() -> None:
    """Not by who is deactivated or loses it."""
    spring = make_tournament(players=8, sessions=1, public=False)
    assert admit(spring, as_staff=False) is None
    assert admit(spring, signed_in(make_user("pia")), as_staff=False) is None
    gone, removed = make_umpire(spring), make_umpire(spring, "ulf")
    cookies = [signed_in(gone), signed_in(removed)]
    assert admit(spring, cookies[0], as_staff=False) == admitted(spring, PUBLIC, by_role=True)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    Membership.objects.filter(user=removed).delete()
    assert [admit(spring, cookie) for cookie in cookies] == [None, None]


def test_a_pass_opens_nothing_once_it_is_revoked_or_has_expired() -> None:
    spring = make_tournament(players=8, sessions=1)
    reaches = [Reach(f"Table {number}", table_number=number) for number in (1, 2)]
    passes = [
        made.desk_pass for made in make_passes(spring, SYSTEM, reaches, timezone.now() + timedelta(days=1))
    ]
    cards = [
        signed_in(desk_pass.membership.user, "tournament.staff.passes.PassBackend") for desk_pass in passes
    ]
    hearers = [admitted(spring, Hearer(table=number), by_role=True) for number in (1, 2)]
    assert [admit(spring, card) for card in cards] == hearers
    revoke_passes(spring, SYSTEM, passes[:1])
    assert [admit(spring, card) for card in cards] == [None, hearers[1]]
    Pass.objects.update(expires_at=timezone.now())
    assert admit(spring, cards[1]) is None
