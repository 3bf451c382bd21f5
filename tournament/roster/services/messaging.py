"""Write one message to a group of people."""

from collections.abc import Collection, Sequence
from uuid import UUID, uuid5

from scoring.engine.problems import problem_code
from tournament.base import log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.fields import normalize_newlines
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.models import LetterText
from tournament.messages.mail.outbox import queue_mail
from tournament.roster import texts as actions
from tournament.roster.engine import Addressees
from tournament.roster.selectors.messaging import (
    Reach,
    letter_for,
    recipients_of,
    right_for,
    text_for,
    text_problems,
)

NOBODY_TO_WRITE_TO = problem_code("nobody_to_write_to", "An e-mail reaches none of these people.")
MESSAGE_EMPTY = problem_code("message_empty", "Write the message in one language at least.")


def send_message(
    tournament: Tournament,
    actor: Actor,
    addressees: Addressees,
    texts: Sequence[LetterText],
    *,
    uuid: UUID,
    numbers: Collection[int] | None = None,
) -> int:
    """Queue the message to everybody of the group whom an e-mail reaches; return how many.

    `texts`: one for each language, the first for those whose language has none. `numbers`: only these registrations.
    Idempotent for the same `uuid`. Raises Refused with problems at "text_en".
    """
    with log.write(tournament, actor, actions.MESSAGE_SENT, right_for(addressees)) as entry:
        if not texts:
            raise Refused(MESSAGE_EMPTY())
        for own in texts:
            own.letter, own.text = letter_for(addressees).key, normalize_newlines(own.text).strip()
        if problems := [problem for own in texts for problem in text_problems(own)]:
            raise Refused(problems)
        by_language = {own.language: own for own in texts}
        keys = {
            uuid5(uuid, str(person.registration.number)): person
            for person in recipients_of(entry.tournament, addressees)
            if person.registration is not None
            and person.reach is Reach.MAIL
            and (numbers is None or person.registration.number in numbers)
        }
        if not keys:
            raise Refused(NOBODY_TO_WRITE_TO())
        stored = set(entry.tournament.mails.filter(key__in=keys).values_list("key", flat=True))
        if len(stored) == len(keys):
            return entry.unchanged(len(keys))
        for key, person in keys.items():
            own = text_for(person, by_language)
            queue_mail(
                own.letter,
                person.email,
                own.language,
                person.facts(),
                tournament=entry.tournament,
                registration=person.registration,
                key=key,
                own=own,
            )
        entry.data = {"letters": len(keys) - len(stored)}
    return len(keys)
