"""The texts of letters, an organiser's own before those that come with Hule, and the messages made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.engine.problems import Problem
from scoring.texts import folded
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.texts import LETTERS, Letter, filled, lacking_in, unknown_in
from tournament.web.texts.words import days_text, time_text

MOST_TEXT = 5000
MOST_SUBJECT = 150


def subject_and_text(letter: Letter, language: str, tournament: Tournament | None) -> tuple[str, str]:
    """With their placeholders, in that language."""
    own = own_text(letter, language, tournament) if tournament else None
    if own is not None:
        return own.subject, own.text
    with translation.override(language):
        return str(letter.subject), letter.text


def own_text(letter: Letter, language: str, tournament: Tournament) -> LetterText | None:
    return tournament.letter_texts.filter(letter=letter.key, language=language).first()


def changed_texts(tournament: Tournament) -> Mapping[str, list[str]]:
    """Letter → the languages in which it has a text of the organiser's own."""
    languages_by_letter: dict[str, list[str]] = {}
    for own in tournament.letter_texts.order_by("letter", "language"):
        languages_by_letter.setdefault(own.letter, []).append(own.language)
    return languages_by_letter


def problems_of(letter: Letter, subject: str, text: str) -> list[Problem]:
    """All that keeps these from being the letter's text, each at its place."""
    problems = []
    for where, written, most in (("subject", subject, MOST_SUBJECT), ("text", text, MOST_TEXT)):
        if not written.strip():
            problems.append(Problem("letter_empty", where))
        if len(written) > most:
            problems.append(Problem("text_too_long", where, {"length": len(written), "most": most}))
        problems += [
            Problem("letter_placeholder_unknown", where, {"name": name})
            for name in unknown_in(written, letter)
        ]
    if "\n" in subject or "\r" in subject:
        problems.append(Problem("letter_subject_lines", "subject"))
    problems += [
        Problem("letter_placeholder_missing", "text", {"name": name}) for name in lacking_in((text,), letter)
    ]
    return problems


def change_problems(key: str, language: str, subject: str, text: str) -> list[Problem]:
    """All that keeps these from being a letter's text in a language."""
    problems = []
    if language not in dict(settings.LANGUAGES):
        problems.append(Problem("unknown_language", "language", {"language": language[:20]}))
    if (letter := LETTERS.get(key)) is None:
        return [*problems, Problem("no_such_letter", "letter", {"name": key[:40]})]
    return [*problems, *problems_of(letter, subject, text)]


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
