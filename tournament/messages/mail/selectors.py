"""The texts of letters, an organiser's own before those that come with Hule, and the messages made from them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.engine.problems import Problem, problem_code
from scoring.texts import folded
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.texts import LETTERS, Letter, filled, lacking_in, unknown_in
from tournament.web.texts.words import days_text, time_text

NO_SUCH_LETTER = problem_code("no_such_letter", "There is no letter “{name}”.")
LETTER_PLACEHOLDER_UNKNOWN = problem_code(
    "letter_placeholder_unknown", "“{name}” in braces is nothing this letter knows of."
)
LETTER_PLACEHOLDER_MISSING = problem_code(
    "letter_placeholder_missing", "Without “{name}” in braces this letter is of no use."
)


def text_of(letter: Letter, language: str, tournament: Tournament | None) -> LetterText:
    """Return the organiser's own text, with its placeholders; else that of Hule, which is not stored."""
    own = LetterText.objects.filter(tournament=tournament, letter=letter.key, language=language).first()
    if tournament and own is not None:
        return own
    with translation.override(language):
        subject, text = str(letter.subject), letter.text
    return LetterText(tournament=tournament, letter=letter.key, language=language, subject=subject, text=text)


def changed_texts(tournament: Tournament) -> Mapping[str, list[str]]:
    """Letter → the languages in which it has a text of the organiser's own."""
    languages_by_letter: dict[str, list[str]] = {}
    for own in tournament.letter_texts.order_by("letter", "language"):
        languages_by_letter.setdefault(own.letter, []).append(own.language)
    return languages_by_letter


def placeholder_problems(own: LetterText) -> list[Problem]:
    """All that is wrong with the placeholders of a text, each at its place."""
    if (letter := LETTERS.get(own.letter)) is None:
        return [NO_SUCH_LETTER("letter", name=own.letter[:40])]
    problems = [
        LETTER_PLACEHOLDER_UNKNOWN(where, name=name)
        for where in ("subject", "text")
        for name in unknown_in(getattr(own, where), letter)
    ]
    return problems + [
        LETTER_PLACEHOLDER_MISSING("text", name=name) for name in lacking_in((own.text,), letter)
    ]


def preview(subject: str, text: str, tournament: Tournament) -> tuple[str, str]:
    """As somebody made up would get it, in the language of the moment."""
    facts = example(tournament)
    return filled(subject, facts), filled(text, facts)


def example(tournament: Tournament) -> dict[str, str]:
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


def list_mails(tournament: Tournament, state: str = "", wanted: str = "") -> list[Mail]:
    """The newest first; `wanted`: every word of it in address, subject, name or text."""
    mails = mails_of(tournament).filter(Q(state=state) if state else Q())
    words = folded(wanted).split()
    return [mail for mail in mails if all(word in _searchable_text(mail) for word in words)]


def _searchable_text(mail: Mail) -> str:
    name = mail.registration.name if mail.registration else ""
    return folded(f"{mail.to} {mail.subject} {name} {mail.text}")


@dataclass(frozen=True)
class Counts:
    """How many messages are in each state; `troubled`: those a person has to look at."""

    by_state: Mapping[str, int]

    @property
    def troubled(self) -> int:
        return sum(self.by_state.get(state, 0) for state in (Mail.State.FAILED, Mail.State.UNCLEAR))

    @property
    def unsent(self) -> int:
        """Those that certainly reached nobody."""
        return sum(self.by_state.get(state, 0) for state in Mail.UNSENT)

    @property
    def total(self) -> int:
        return sum(self.by_state.values())


def counts(tournament: Tournament) -> Counts:
    states = list(tournament.mails.values_list("state", flat=True))
    return Counts({state: states.count(state) for state in dict.fromkeys(states)})


def languages() -> list[tuple[str, str]]:
    """Code and name, as its readers call it."""
    return [(code, translation.get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]
