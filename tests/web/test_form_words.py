"""Whatever a form has to say of what was entered, it says in our words: none of Django's sentences is left anywhere."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from django import forms
from django.contrib.auth import forms as accounts
from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core import validators
from django.forms import fields
from django.http import QueryDict
from django.test import RequestFactory
from django.utils import translation

import tournament
from scoring.classical.evening import Evening
from scoring.quiz.discards import discards
from scoring.quiz.questions import Kind, Level, question
from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tests.support.pages import every_language
from tournament.base.access import Audience
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Due, Fee, TournamentAccount
from tournament.dues.selectors import Owes
from tournament.ema.engine import DEFAULT
from tournament.events.selectors import TimetableLine
from tournament.screens.selectors import unarranged
from tournament.staff.selectors import proposed
from tournament.web.forms import DayInput, Form, Spoken

Make = Callable[[Any, Tournament, Any], Any]
"""A form of a class, at an event, of what was sent."""


def lines(kind: Any, event: Tournament, data: Any) -> Any:
    line = TimetableLine(session=1, day=event.starts_on)
    return kind(event, [line, TimetableLine(day=event.starts_on)], data=data)


def of_request(kind: Any, event: Tournament, data: Any) -> Any:
    request = RequestFactory().post("/")
    request.POST = data
    return kind(event, request)


def of_account(kind: Any, event: Tournament, data: Any) -> Any:
    user, _ = User.objects.get_or_create(username="nina")
    return kind(RequestFactory().post("/"), user, data)


def of_rota(kind: Any, event: Tournament, data: Any) -> Any:
    make_umpire(event, f"umpire-{User.objects.count()}")
    return kind(event, proposed(event), data)


def of_due(kind: Any, event: Tournament, data: Any) -> Any:
    player = event.players.get(number=1)
    due = Due.objects.filter(tournament=event).first()
    due = due or Due(tournament=event, player=player, amount=Decimal(40))
    return kind(Owes(due, TournamentAccount(tournament=event), ()), data)


def of_penalty(kind: Any, event: Tournament, data: Any) -> Any:
    table = Table.objects.filter(session__tournament=event).first()
    return kind(event.rules.fouls.find("late"), table, 1, data)


def of_totals(kind: Any, event: Tournament, data: Any) -> Any:
    """Its fields are named after the table."""
    own = data if data is None else {f"t1-{name}": value for name, value in data.items()}
    return kind(list(event.players.all()[:4]), 1, own, version=0, more=True)


def with_first(*first: Any) -> Make:
    return lambda kind, event, data: kind(*first, data)


def of_event(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(event, data)


def of_staff(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(event, SYSTEM, data)


MADE_WITH: dict[str, Make] = {
    **dict.fromkeys(("TotalsForm", "CorrectionForm"), of_totals),
    **dict.fromkeys(("RegistrationForm", "DeskRegistrationForm", "SignInForm"), with_first(None)),
    **dict.fromkeys(("PlanForm", "QuestionsForm"), with_first(2)),
    **dict.fromkeys(("PlayerForm", "CeremonyForm", "CheckInForm", "StreamForm", "DrawForm"), of_event),
    **dict.fromkeys(("SwapForm", "WhoAndWhat", "PlaysForm", "WantedForm"), of_event),
    **dict.fromkeys(("InviteForm", "MemberForm", "NewMemberForm", "RoleForm"), of_staff),
    **dict.fromkeys(("CodeForm", "PasswordAndCodeForm", "FirstCodeForm", "TokenForm"), of_account),
    "CommitteeForm": with_first([]),
    "ColumnsForm": with_first(DEFAULT),
    "HandForm": with_first(Evening(("", "", "", ""))),
    "HandSeatsForm": with_first([{"E": 1, "S": 2, "W": 3, "N": 4}]),
    "NewPasswordForm": with_first(User(username="nina")),
    "DiscardForm": with_first(discards()[0]),
    "FansForm": with_first(question(Kind.FANS, Level.EASY, "1")),
    "WaitsForm": with_first(question(Kind.WAITS, Level.EASY, "1")),
    "WorthForm": with_first(question(Kind.WORTH, Level.EASY, "1")),
    "RotaForm": of_rota,
    "PenaltyForm": of_penalty,
    "DueForm": of_due,
    "PassForm": of_request,
    "TimetableForm": lines,
    "WrongSeatsForm": lambda kind, event, data: kind(event.sessions.first(), data),
    "FinalsForm": lambda kind, event, data: kind(event.players.all(), data),
    "FilterForm": lambda kind, event, data: kind(event, Audience.STAFF, data),
    "FoulForm": lambda kind, event, data: kind(event.rules.fouls.find("late"), data),
    "FeesForm": lambda kind, event, data: kind([Fee(tournament=event, name="Members")], data),
    "RulingForm": lambda kind, event, data: kind(data, own=True),
    "ArrangeForm": lambda kind, event, data: kind(unarranged(event, "main"), data),
}
"""How the forms are made that take more than what was sent."""


def forms_there_are() -> list[type[forms.BaseForm]]:
    """Every form that is written here, by name."""
    names = [info.name for info in pkgutil.walk_packages(tournament.__path__, "tournament.")]
    kinds = {
        kind
        for name in names
        if re.search(r"\.(forms|views)\b", name)
        for kind in vars(importlib.import_module(name)).values()
        if isinstance(kind, type) and issubclass(kind, forms.BaseForm) and kind.__module__ == name
    }
    written = {kind for kind in kinds if hasattr(kind, "declared_fields")} - {Form, Spoken}
    return sorted(written, key=lambda kind: kind.__name__)


def djangos_texts() -> set[str]:
    """What Django says of a field, of a value, of a password and of who signs in, in the language of the moment."""
    texts: list[Any] = [UnicodeUsernameValidator.message, forms.FileField().error_messages["empty"]]
    for kind in (*vars(fields).values(), *vars(forms.models).values()):
        texts += getattr(kind, "default_error_messages", {}).values()
    texts += [getattr(kind, "message", "") for kind in vars(validators).values()]
    for form in (accounts.AuthenticationForm, accounts.PasswordChangeForm):
        texts += form.error_messages.values()
    for name in ("MinimumLength", "UserAttributeSimilarity", "CommonPassword"):
        validator = getattr(password_validation, f"{name}Validator")()
        texts += [validator.get_error_message(), validator.get_help_text()]
    return {str(text) for text in texts if str(text)}


@cache
def djangos_sentence(language: str) -> re.Pattern[str]:
    """What Django says in `language`, which is the language of the moment."""
    texts = [re.sub(r"%\\?\(\w+\\?\)[sd]", ".*", re.escape(text)) for text in djangos_texts()]
    plurals = ("Ensure this (value|filename) has at .*", "确保.*", "確認.*", "請確認.*")
    return re.compile("|".join([*texts, *plurals]))


def in_every_field(form: forms.BaseForm, value: str) -> QueryDict:
    data = QueryDict(mutable=True)
    for name in form.fields:
        data.setlist(form.add_prefix(name), [value] if value else [])
    return data


WRONG = ("", "x\0y", "9" * 5000, "-1", "a b")
"""Nothing, signs that cannot be, too much, too little, and words."""


def make_form(kind: type[forms.BaseForm], event: Tournament, data: Any) -> forms.BaseForm:
    make = MADE_WITH.get(kind.__name__, lambda kind, _event, data: kind(data))
    form: forms.BaseForm = make(kind, event, data)
    return form


def djangos_in(kind: type[forms.BaseForm], event: Tournament, language: str) -> Iterator[str]:
    """What a form says in Django's words, whatever is entered."""
    blank = make_form(kind, event, QueryDict())
    for value in WRONG:
        form = make_form(kind, event, in_every_field(blank, value))
        texts = [str(error) for errors in form.errors.values() for error in errors]
        texts += [str(field.help_text) for field in form.fields.values()]
        yield from (text for text in texts if djangos_sentence(language).fullmatch(text))


@pytest.mark.thorough
@every_language
def test_no_form_speaks_as_django_does(language: str) -> None:
    """Make each from tournament.web.forms.Form."""
    event, kinds = make_tournament(running=1), forms_there_are()
    assert len(kinds) > 80
    assert [kind for kind in kinds if not issubclass(kind, Spoken)] == []
    with translation.override(language):
        texts = {kind.__name__: list(djangos_in(kind, event, language)) for kind in kinds}
    assert {name: sentences for name, sentences in texts.items() if sentences} == {}


@every_language
def test_passwords_are_weighed_in_our_words(language: str) -> None:
    with translation.override(language):
        texts = [*password_validation.password_validators_help_texts()]
        for password in ("short", "nina.nina", "password1"):
            with pytest.raises(forms.ValidationError) as refused:
                password_validation.validate_password(password, User(username="nina.nina"))
            texts += refused.value.messages
        assert [text for text in texts if djangos_sentence(language).fullmatch(text)] == []


def test_what_a_form_says_itself_stays_and_a_validator_gives_way() -> None:
    class Asking(Form):
        name = forms.CharField(error_messages={"required": "Who?"})
        places = forms.IntegerField(max_value=4)

    with translation.override("en"):
        assert Asking({"places": "5"}).errors == {"name": ["Who?"], "places": ["At most 4."]}


@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
def test_a_day_is_written_as_the_browser_reads_it(language: str) -> None:
    """A picker of days shows nothing for 2026/11/14."""
    with translation.override(language):
        assert 'value="2026-11-14"' in DayInput().render("day", date(2026, 11, 14))
