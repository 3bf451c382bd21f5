"""What Celery's worker does.

Every process knows the tasks by name (`apps.py`), so what draws and encrypts is loaded
only where it is done.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.utils import timezone

from tournament.base.errors import Refused
from tournament.messages.push import services as push_services

logger = logging.getLogger(__name__)

AT_ONCE = 50
"""Notes in one task: between two a document is made, and another worker takes its share."""
TRIES = 3
PAUSE = 20
"""Seconds before what could not be sent is tried again; twice as many before the last time."""


@shared_task
def render_document(job_id: int) -> None:
    """Make the document of a DocumentJob and store it there, or store why it could not be made."""
    from tournament.documents.exports.jobs import run

    run(job_id)


@shared_task
def take_up_documents() -> None:
    """When a worker starts: the documents that one left behind which was killed half-way."""
    from tournament.documents.exports.jobs import take_up_again

    take_up_again()


@shared_task
def make_trial(job_id: int) -> None:
    """Go on with the tournament of a TrialJob for a while, and queue the rest behind what waits."""
    from tournament.demo.trials import run

    if run(job_id):
        make_trial.delay(job_id)


@shared_task
def send_mail(mail_id: int) -> None:
    """Send a letter that was just posted, and whatever else is due: the first of many posted together sends all."""
    from tournament.messages.mail import delivery

    delivery.deliver()


@shared_task
def send_mail_due() -> None:
    """Every minute (`config.celery`): what is to be tried again, and what was posted while the queue was away."""
    from tournament.messages.mail import delivery

    delivery.let_go()
    delivery.deliver()


@shared_task
def send_webhooks() -> None:
    """Tell programs and chats what has just happened, and whatever else is due."""
    from tournament.messages.webhooks import delivery

    delivery.deliver()


@shared_task
def send_webhooks_due() -> None:
    """Every minute: what is to be tried again, and what was written while the queue was away."""
    from tournament.messages.webhooks import delivery

    delivery.take_up_again()
    delivery.deliver()


@shared_task
def forget_deliveries() -> None:
    """Every day: messages to programs and chats that were written a month ago."""
    from tournament.messages.webhooks import delivery

    delivery.forget_old(timezone.now())


@shared_task
def tell_phones(tournament_id: int, seq: int) -> None:
    """Tell the phones whom a write concerns."""
    from tournament.messages.push import telling

    _send(telling.notes_after(tournament_id, seq))


@shared_task
def welcome_phone(phone_id: int) -> None:
    """A phone's first message."""
    from tournament.messages.push import telling

    _send(telling.notes_for_new(phone_id))


@shared_task
def send_notes(notes: list[dict[str, Any]], attempt: int = 1) -> None:
    """Send notes to their phones. What is not taken is tried again, all of it together, and given up after TRIES."""
    from tournament.messages.push import telling

    left = telling.send(notes)
    if left and attempt < TRIES:
        send_notes.apply_async((left, attempt + 1), countdown=PAUSE * attempt)


@shared_task
def forget_phones() -> None:
    """Every day (`config.celery`): no tournament's phones are kept for longer than a week after it."""
    push_services.forget_phones()


@shared_task
def forget_sign_ins() -> None:
    """Every day: sessions and tokens that ran out a month ago. Until then a token can say that it did."""
    from tournament.accounts import services as accounts_services

    accounts_services.forget_what_is_over(timezone.now() - timedelta(days=30))


@shared_task
def forget_unconfirmed() -> None:
    """Every day: registrations whose link to confirm has run out."""
    from tournament.registration.services import registrations

    registrations.forget_unconfirmed(timezone.now())


@shared_task
def forget_contacts() -> None:
    """Every day: no tournament's contact data is kept longer than its organiser said."""
    from tournament.base.access import Actor
    from tournament.privacy import services as privacy_services

    privacy_services.delete_old_contacts(Actor.system("worker"), timezone.now())


@shared_task
def make_backup(by: str) -> None:
    """The backup that somebody asked for on the page."""
    _backed_up(by, alone=False)


@shared_task
def restore_backup(name: str, user_id: int | None, by: str) -> None:
    """Put the backup of that name back: for an account, or where there is none yet."""
    from django.contrib.auth.models import User

    from tournament.backup import services as backup_services
    from tournament.base.access import Actor

    actor = Actor.system(by) if user_id is None else Actor.of(User.objects.filter(pk=user_id).first())
    backup_services.carry_out(name, actor)


@shared_task
def keep_backups() -> None:
    """Every few minutes (`config.celery`): a backup, if anything was written since the last one."""
    _backed_up("", alone=True)


def _backed_up(by: str, *, alone: bool) -> None:
    """A disk that is full is said on the page of backups and in the server's log, and disturbs nobody."""
    from tournament.backup import services as backup_services
    from tournament.base.access import Actor

    try:
        backup_services.keep_backups(Actor.system(by)) if alone else backup_services.make_backup(
            Actor.system(by)
        )
    except Refused:
        logger.warning("No backup was made: another one is under way")
    except Exception:
        logger.exception("The backup could not be made")


def _send(notes: list[dict[str, Any]]) -> None:
    for start in range(0, len(notes), AT_ONCE):
        send_notes.delay(notes[start : start + AT_ONCE])
