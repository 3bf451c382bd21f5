"""Messages that are sent again, and letters in an organiser's own words."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.messages.mail import delivery
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.post import send_later
from tournament.messages.mail.selectors import change_problems
from tournament.play.services.tables import fresh


def send_again(mail: Mail, actor: Actor, *, key: UUID) -> Mail:
    """One that reached nobody is tried anew; of one that was sent, or perhaps was, a copy goes out.

    The same `key` is the same request: pressed twice, nothing goes out twice.
    """
    if (tournament := mail.tournament) is None:
        raise refuse("mail_of_no_tournament")
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, "mail_sent_again") as entry:
        if (known := Mail.objects.filter(key=key).first()) is not None:
            entry.unchanged()
            return known
        mail = fresh(Mail.objects.select_related("registration"), mail)
        if mail.state in (Mail.State.WAITING, Mail.State.SENDING):
            raise refuse("mail_under_way")
        if not delivery.is_set():
            raise refuse("mail_server_missing")
        again = _made_ready(mail, key)
        entry.data = _log_data(again)
        send_later(again)
    return again


def _made_ready(mail: Mail, key: UUID) -> Mail:
    """Make it ready to be sent: the same message where nobody has it, else a copy."""
    now = timezone.now()
    if mail.is_unsent:
        mail.key, mail.state, mail.tries, mail.error, mail.try_at = key, Mail.State.WAITING, 0, "", now
        mail.save(update_fields=["key", "state", "tries", "error", "try_at"])
        return mail
    mail.pk, mail._state.adding, mail.key = None, True, key
    mail.state, mail.tries, mail.error, mail.sent_at = Mail.State.WAITING, 0, "", None
    mail.posted_at = mail.try_at = now
    mail.save()
    return mail


def _log_data(mail: Mail) -> dict[str, Any]:
    number = mail.registration.number if mail.registration else None
    return {"letter": mail.letter} | ({} if number is None else {"registration": number})


def send_unsent(tournament: Tournament, actor: Actor) -> int:
    """Send all again that certainly reached nobody, each as it was written; how many. Idempotent."""
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, "mail_all_sent_again") as entry:
        unsent = list(entry.tournament.mails.filter(state__in=Mail.UNSENT))
        if not unsent:
            entry.unchanged()
            return 0
        if not delivery.is_set():
            raise refuse("mail_server_missing")
        for mail in unsent:
            send_later(_made_ready(mail, uuid4()))
        entry.data = {"n": len(unsent)}
    return len(unsent)


def change_letter(
    tournament: Tournament, actor: Actor, letter: str, language: str, *, subject: str, text: str
) -> LetterText:
    """Set the text of a letter in a language, from now on. What was written before stays as it was."""
    access.require(actor, tournament, Right.ORGANISE)
    subject, text = subject.strip(), text.replace("\r\n", "\n").strip()
    if problems := change_problems(letter, language, subject, text):
        raise Refused(problems)
    with log.write(tournament, actor, "mail_letter_changed") as entry:
        written, is_new = LetterText.objects.get_or_create(
            tournament=entry.tournament,
            letter=letter,
            language=language,
            defaults={"subject": subject, "text": text},
        )
        if not is_new and (written.subject, written.text) == (subject, text):
            entry.unchanged()
            return written
        written.subject, written.text = subject, text
        written.save(update_fields=["subject", "text"])
        entry.data = {"letter": letter, "language": language}
    return written


def restore_letter(tournament: Tournament, actor: Actor, letter: str, language: str) -> None:
    """Go back to the text that comes with Hule. Idempotent."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "mail_letter_restored") as entry:
        own = entry.tournament.letter_texts.filter(letter=letter, language=language)
        if not own.delete()[0]:
            entry.unchanged()
        entry.data = {"letter": letter, "language": language}
