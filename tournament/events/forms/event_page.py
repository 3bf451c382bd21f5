"""What an organiser tells about an event, and a file for its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.events.models.event_page import EventPage
from tournament.events.selectors.event_page import LANGUAGES, LINES, TEXTS, EventWords
from tournament.web.forms.spoken import Form
from tournament.web.texts.countries import choices
from tournament.web.texts.problems import sentence

_LABELS = {"description": _("Description"), "fee": _("Fee"), "rules_note": _("Rules, besides the rulebook")}
_HELP = {
    "description": _(
        "What awaits who comes. Markdown: a line with # is a heading, one with - an item, [text](https://…) a link."
    ),
    "fee": _("For example: 60 €, students 40 €, with lunch on both days."),
    "rules_note": _("For example: no photographs during play. Markdown, as above."),
}
_ROWS = {"description": 12, "fee": 2, "rules_note": 4}


class EventPageForm(Form):
    """The service is the one who judges, so that all faults are said at once; lengths are only told to the browser."""

    address = forms.CharField(
        label=_("Address of the venue"), required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    country = forms.ChoiceField(label=_("Country"), required=False)
    map_url = forms.CharField(
        label=_("Link to a map"),
        help_text=_("For example from OpenStreetMap: the page links to it, and shows no map itself."),
        required=False,
        widget=forms.URLInput,
    )
    website = forms.CharField(label=_("Website"), required=False, widget=forms.URLInput)
    referees = forms.CharField(
        label=_("Umpires"), help_text=_("As they are to be named on the page."), required=False
    )
    contact = forms.CharField(
        label=_("Contact"),
        help_text=_(
            "Everybody sees it, programs that collect addresses too: one of the event, not your own."
        ),
        required=False,
    )
    mers = forms.ChoiceField(
        label=_("Counts for the European ranking (MERS)"), choices=EventPage.Mers.choices, required=False
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        country = self.fields["country"]
        assert isinstance(country, forms.ChoiceField)
        country.choices = [("", "–"), *choices()]
        for name, most in LINES.items():
            self.fields[name].widget.attrs["maxlength"] = most
        for language in LANGUAGES:
            for name in TEXTS:
                self.fields[f"{name}_{language}"] = _text_field(name, language)

    @classmethod
    def of(cls, words: EventWords) -> EventPageForm:
        known: dict[str, Any] = {"seen": words.fingerprint()}
        for name, value in asdict(words).items():
            if name in TEXTS:
                known |= {f"{name}_{language}": text for language, text in value.items()}
            else:
                known[name] = value
        return cls(initial=known)

    def words(self) -> EventWords:
        """What was typed, readable or not; call when the form has been looked at."""
        data = self.cleaned_data
        said: dict[str, Any] = {
            name: {lang: data[f"{name}_{lang}"] for lang in LANGUAGES if data.get(f"{name}_{lang}")}
            for name in TEXTS
        }
        return EventWords(**said | {name: data.get(name, "") for name in (*LINES, "country", "mers")})

    def say(self, refused: Refused) -> None:
        """Each problem at its place."""
        for problem in refused.problems:
            self.add_error(self._place_of(problem), sentence(problem))

    def _place_of(self, problem: Problem) -> str | None:
        name = problem.where.replace(".", "_")
        return name if name in self.fields else None

    def show_again(self, seen: str) -> None:
        """With this the next press puts these words in the place of what somebody else wrote."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        data["seen"] = seen
        self.data = data

    def languages(self) -> Iterator[dict[str, Any]]:
        """A tab a language: its fields, whether something stands in it, whether something is wrong there."""
        for code, name in settings.LANGUAGES:
            fields = [self[f"{text}_{code}"] for text in TEXTS]
            yield {
                "code": code,
                "name": name,
                "fields": fields,
                "is_filled": any(field.value() for field in fields),
                "is_wrong": any(field.errors for field in fields),
            }

    def lines(self) -> Iterator[forms.BoundField]:
        yield from (self[name] for name in (*LINES, "country", "mers") if name in self.fields)


def _text_field(name: str, language: str) -> forms.CharField:
    attrs = {"rows": _ROWS[name], "lang": language, "maxlength": TEXTS[name]}
    return forms.CharField(
        label=_LABELS[name], help_text=_HELP[name], required=False, widget=forms.Textarea(attrs=attrs)
    )


class EventDocumentForm(Form):
    """A file with its title. The same `uuid` again is the same file."""

    title = forms.CharField(
        label=_("What it is"), help_text=_("For example: Travel and hotels."), required=False
    )
    file = forms.FileField(
        label=_("File"),
        help_text=_("PDF, PNG, JPEG or WebP, 3 MB at most."),
        widget=forms.FileInput(attrs={"accept": ".pdf,.png,.jpg,.jpeg,.webp"}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput)

    @classmethod
    def blank(cls) -> EventDocumentForm:
        return cls(initial={"uuid": uuid4()})

    @property
    def content(self) -> bytes:
        read: bytes = self.cleaned_data["file"].read()
        return read

    @property
    def key(self) -> UUID:
        key: UUID = self.cleaned_data["uuid"]
        return key
