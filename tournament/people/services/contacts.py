"""Contact data: how long it is kept, and its end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import refuse
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.models import Mail
from tournament.people.models import USUAL_DAYS, PrivacyPlan
from tournament.people.selectors.contacts import (
    LONGEST,
    contact_goes_at,
    holding_contacts,
    letters,
    privacy_of,
    reachable,
)

NO_CONTACT: dict[str, Any] = {"email": "", "message": "", "answers": {}}
OF_NO_EVENT = Q(tournament=None, registration=None)
NO_LETTER = {"to": "", "subject": "", "text": "", "error": ""}


def keep_contacts(tournament: Tournament, actor: Actor, days: int) -> PrivacyPlan:
    """Contact data is kept until so many days after the last one that is played. Said twice is said once."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "privacy_set") as entry:
        if not 0 <= days <= LONGEST:
            raise refuse("contact_days_out_of_range", "contact_days", most=LONGEST)
        plan = privacy_of(entry.tournament)
        if plan.contact_days == days:
            entry.unchanged()
            return plan
        plan.contact_days = days
        plan.save()
        entry.data = {"days": days}
    return plan


def delete_contacts(tournament: Tournament, actor: Actor) -> PrivacyPlan:
    """E-mail addresses, messages, answers and letters go for good, whenever it is; numbers and results stay.

    With nothing left this is no write.
    """
    access.require(actor, tournament, Right.OWN)
    with log.write(tournament, actor, "contacts_deleted") as entry:
        plan = privacy_of(entry.tournament)
        people = reachable(entry.tournament).update(**NO_CONTACT)
        gone = letters(entry.tournament)
        gone.filter(state=Mail.State.WAITING).update(state=Mail.State.NOT_SENT)
        mails = gone.update(**NO_LETTER)
        entry.tournament.invitations.update(email="")
        if not people + mails:
            entry.unchanged()
            return plan
        plan.deleted_at = timezone.now()
        plan.save()
        said = {
            "deleted_people": F("deleted_people") + people,
            "deleted_letters": F("deleted_letters") + mails,
        }
        PrivacyPlan.objects.filter(pk=plan.pk).update(**said)
        plan.refresh_from_db()
        entry.data = {"people": people, "letters": mails}
    return plan


def delete_old_contacts(actor: Actor, now: datetime) -> list[Tournament]:
    """Where the time is over: what a worker that was away has missed, too. Those that lost some."""
    access.require_keeper(actor)
    Mail.objects.filter(OF_NO_EVENT, posted_at__lt=now - timedelta(days=USUAL_DAYS)).delete()
    due = [each for each in holding_contacts() if contact_goes_at(each) <= now]
    for tournament in due:
        delete_contacts(tournament, actor)
    return due
