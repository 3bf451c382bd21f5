"""Texts of letters, an organiser's own before Hule's, and the mails of an event."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.names import search_text, search_words
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.texts import (
    LETTERS,
    Letter,
    fill_placeholders,
    missing_placeholders,
    unknown_placeholders,
)
from tournament.web.texts.words import days_text, time_text

NO_SUCH_LETTER = problem_code("no_such_letter", "There is no template “{name}”.")
LETTER_PLACEHOLDER_UNKNOWN = problem_code(
    "letter_placeholder_unknown", "This template has no placeholder “{name}”."
)
LETTER_PLACEHOLDER_MISSING = problem_code(
    "letter_placeholder_missing", "This template needs the placeholder “{name}”."
)


def text_of(letter: Letter, language: str, tournament: Tournament | None) -> LetterText:
    """Return the organiser's own text, else Hule's as an unsaved instance."""
    own = LetterText.objects.filter(tournament=tournament, letter=letter.key, language=language).first()
    if tournament and own is not None:
        return own
    with translation.override(language):
        subject, text = str(letter.subject), letter.text
    return LetterText(tournament=tournament, letter=letter.key, language=language, subject=subject, text=text)


def list_letters(tournament: Tournament) -> list[tuple[Letter, list[str]]]:
    """Return every letter with the names of the languages in which it has an own text."""
    names, changed = dict(language_choices()), dict[str, list[str]]()
    for own in tournament.letter_texts.order_by("letter", "language"):
        if own.language in names:
            changed.setdefault(own.letter, []).append(names[own.language])
    return [(letter, changed.get(letter.key, [])) for letter in LETTERS.values()]


def placeholder_problems(own: LetterText) -> list[Problem]:
    """Return every unknown and every missing placeholder of a text, at its field."""
    if (letter := LETTERS.get(own.letter)) is None:
        return [NO_SUCH_LETTER("letter", name=own.letter[:40])]
    problems = [
        LETTER_PLACEHOLDER_UNKNOWN(where, name=name)
        for where in ("subject", "text")
        for name in unknown_placeholders(getattr(own, where), letter)
    ]
    return problems + [
        LETTER_PLACEHOLDER_MISSING("text", name=name) for name in missing_placeholders(own.text, letter)
    ]


def preview(subject: str, text: str, tournament: Tournament) -> tuple[str, str]:
    """Return subject and text filled with example values, in the active language."""
    facts = example_values(tournament)
    return fill_placeholders(subject, facts), fill_placeholders(text, facts)


def example_values(tournament: Tournament) -> dict[str, str]:
    return {
        "name": "Ana Lima",
        "tournament": tournament.name,
        "days": days_text(tournament.starts_on, tournament.ends_on),
        "venue": tournament.venue,
        "link": "https://example.org/…",
        "position": "3",
        "closes": time_text(timezone.now()),
        "paid": "40.00 EUR",
        "open": "40.00 EUR",
        "holder": tournament.name,
        "iban": "DE89 3704 0044 0532 0130 00",
        "reference": "RF18 5390 0754 7034",
        "pay_link": "https://example.org/",
        "role": _("umpire"),
        "target": "Discord",
    }


def mails_of(tournament: Tournament) -> QuerySet[Mail]:
    return tournament.mails.select_related("registration")


def list_mails(tournament: Tournament, state: str = "", query: str = "") -> list[Mail]:
    """Return mails, newest first, that have every word of `query` in address, subject, name or text."""
    mails = mails_of(tournament).filter(Q(state=state) if state else Q())
    words = search_words(query)
    return [mail for mail in mails if all(word in _searchable_text(mail) for word in words)]


def _searchable_text(mail: Mail) -> str:
    name = mail.registration.name if mail.registration else ""
    return search_text(mail.to, mail.subject, name, mail.text)


@dataclass(frozen=True)
class MailCounts:
    """How many mails are in each state."""

    by_state: Mapping[str, int]

    @property
    def needs_attention(self) -> int:
        """How many a person has to look at."""
        return self.by_state.get(Mail.State.FAILED, 0)

    @property
    def unsent(self) -> int:
        """How many did not arrive."""
        return sum(self.by_state.get(state, 0) for state in Mail.UNSENT)

    @property
    def total(self) -> int:
        return sum(self.by_state.values())


def count_mails(tournament: Tournament) -> MailCounts:
    return MailCounts(Counter(tournament.mails.values_list("state", flat=True)))


def language_choices() -> list[tuple[str, str]]:
    """Return code and native name of each language."""
    return [(code, translation.get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]
