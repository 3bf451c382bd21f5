"""Send mails again, and store organisers' own letter texts."""

from uuid import UUID, uuid4

from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.fields import normalize_newlines
from tournament.base.models.tournament import Tournament
from tournament.base.validation import changed_fields, problems_of
from tournament.messages.mail import delivery
from tournament.messages.mail import texts as actions
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.outbox import send_on_commit
from tournament.messages.mail.selectors import placeholder_problems
from tournament.play.services.tables import fresh

MAIL_UNDER_WAY = problem_code("mail_under_way", "This message is already being sent.")
MAIL_SERVER_MISSING = problem_code(
    "mail_server_missing", "This site has no mail server. Copy the message and send it yourself."
)
MAIL_OF_NO_TOURNAMENT = problem_code("mail_of_no_tournament", "This message belongs to no tournament.")


def send_again(mail: Mail, actor: Actor, *, key: UUID) -> Mail:
    """Retry a mail that did not arrive; of any other one queue a copy. Idempotent for the same `key`."""
    if (tournament := mail.tournament) is None:
        raise Refused(MAIL_OF_NO_TOURNAMENT())
    with log.write(tournament, actor, actions.MAIL_RETRIED, Right.ADMIT) as entry:
        if (known := Mail.objects.filter(key=key).first()) is not None:
            return entry.unchanged(known)
        mail = fresh(Mail.objects.select_related("registration"), mail)
        if mail.state in (Mail.State.WAITING, Mail.State.SENDING):
            raise Refused(MAIL_UNDER_WAY())
        if not delivery.is_configured():
            raise Refused(MAIL_SERVER_MISSING())
        again = _requeue(mail, key)
        entry.data = {"letter": again.letter}
        if again.registration:
            entry.data["registration"] = again.registration.number
        send_on_commit(again)
    return again


def _requeue(mail: Mail, key: UUID) -> Mail:
    """Set the mail to waiting if it did not arrive, else store a waiting copy; return that mail."""
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


def send_unsent(tournament: Tournament, actor: Actor) -> int:
    """Retry every mail that certainly did not arrive; return how many. Idempotent."""
    with log.write(tournament, actor, actions.MAILS_RETRIED, Right.ADMIT) as entry:
        unsent = list(entry.tournament.mails.filter(state__in=Mail.UNSENT))
        if not unsent:
            return entry.unchanged(0)
        if not delivery.is_configured():
            raise Refused(MAIL_SERVER_MISSING())
        for mail in unsent:
            send_on_commit(_requeue(mail, uuid4()))
        entry.data = {"n": len(unsent)}
    return len(unsent)


def change_letter(changed: LetterText, actor: Actor) -> LetterText:
    """Store an own text of a letter in one language. Mails that are queued already keep their text."""
    with log.write(changed.tournament, actor, actions.MAIL_LETTER_CHANGED, Right.ORGANISE) as entry:
        key = {"tournament": entry.tournament, "letter": changed.letter, "language": changed.language}
        own = LetterText.objects.filter(**key).first() or LetterText(**key)
        own.subject, own.text = changed.subject, normalize_newlines(changed.text).strip()
        if problems := [*problems_of(own), *placeholder_problems(own)]:
            raise Refused(problems)
        if own.pk and not changed_fields(own):
            return entry.unchanged(own)
        own.save()
        entry.data = {"letter": own.letter, "language": own.language}
    return own


def restore_letter(tournament: Tournament, actor: Actor, letter: str, language: str) -> None:
    """Delete an own text, so that Hule's is used again. Idempotent."""
    with log.write(tournament, actor, actions.MAIL_LETTER_RESTORED, Right.ORGANISE) as entry:
        own = entry.tournament.letter_texts.filter(letter=letter, language=language)
        if not own.delete()[0]:
            entry.mark_unchanged()
        entry.data = {"letter": letter, "language": language}
