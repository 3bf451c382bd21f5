"""Contact data: what there is of it, and when it goes."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Max, Q, QuerySet

from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.models import Mail
from tournament.people.models import PrivacyPlan

LONGEST: Final = 366
"""Days after the last one that is played; what is further away is a slip."""
HAS_CONTACT = ~Q(email="") | ~Q(message="") | ~Q(answers={})
HAS_TEXT = ~Q(to="") | ~Q(subject="") | ~Q(text="") | ~Q(error="")


def privacy_of(tournament: Tournament) -> PrivacyPlan:
    """What the organiser said, or what is usual."""
    return PrivacyPlan.objects.filter(tournament=tournament).first() or PrivacyPlan(tournament=tournament)


def last_day(ends_on: date, closed: datetime | None, zone: ZoneInfo) -> date:
    """The last day that is played: an event that went on longer than planned ended when it did."""
    return ends_on if closed is None else max(ends_on, closed.astimezone(zone).date())


def goes_at(day: date, days: int, zone: ZoneInfo) -> datetime:
    """When contact data goes, `days` after the last `day`: at the midnight that ends them, by the hall's clock."""
    return datetime.combine(day + timedelta(days=days + 1), time.min, zone)


def contact_goes_at(tournament: Tournament) -> datetime:
    """From when on no contact data is kept."""
    closed = tournament.sessions.aggregate(last=Max("closed_at"))["last"]
    day = last_day(tournament.ends_on, closed, tournament.zone)
    return goes_at(day, privacy_of(tournament).contact_days, tournament.zone)


def reachable(tournament: Tournament) -> QuerySet[Registration]:
    """Registrations that hold contact data."""
    return tournament.registrations.filter(HAS_CONTACT)


def letters(tournament: Tournament) -> QuerySet[Mail]:
    """Mails that still say something, or to whom."""
    return Mail.objects.filter(Q(tournament=tournament) | Q(registration__tournament=tournament)).filter(
        HAS_TEXT
    )


def holding_contacts() -> QuerySet[Tournament]:
    """Tournaments that hold contact data."""
    by_registration = Registration.objects.filter(HAS_CONTACT).values("tournament")
    by_mail = Mail.objects.filter(HAS_TEXT).values("tournament")
    return Tournament.objects.filter(Q(pk__in=by_registration) | Q(pk__in=by_mail)).order_by("pk")
