"""The parts every page is made of; and whatever a form has to say, it says in our words, none of Django's."""

import hashlib
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.contrib.auth import forms as accounts
from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core import validators
from django.forms import fields
from django.http import HttpResponse, QueryDict
from django.template import Context, Template, engines
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import translation
from fontTools.ttLib import TTFont

import tournament
from config.bundles import THEME_SHEETS
from scoring.classical.evening import Evening
from scoring.quiz.discards import discards
from scoring.quiz.questions import Kind, Level, question
from scoring.texts import TILE_CODES, tile_name
from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tests.support.pages import every_language, missing
from tournament.base.countries import alpha_2, choices
from tournament.base.engine.notices import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import VALUE_MISSING
from tournament.base.requests import media_query
from tournament.dues.models import Due, Payment, TournamentAccount
from tournament.dues.selectors import Ledger
from tournament.players.models import CheckIn
from tournament.roster.engine import Addressees, Group
from tournament.staff.selectors import proposed_rota
from tournament.web.display import MAX_CHARACTERS
from tournament.web.forms import CheckedByService, DayInput, Form, LocalizedErrors, ModelForm, add_problems
from tournament.web.sections import every_section
from tournament.web.texts.words import (
    Placed,
    days_text,
    lay_hand,
    lay_meld,
    minus,
    signed,
    table_points,
    time_text,
)
from tournament.web.views import set_appearance

STATIC = Path(settings.BASE_DIR, "static")
DARK_DEVICE, HIGH_DEVICE = "(prefers-color-scheme: dark)", "(prefers-contrast: more)"
CLAIMED_CHOW = {"type": "chow", "tiles": ["1m", "2m", "3m"], "concealed": False}
CONCEALED_KONG = {"type": "kong", "tiles": ["P", "P", "P", "P"], "concealed": True}

Make = Callable[[Any, Tournament, Any], Any]
"""A form of a class, at an event, of what was sent."""


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def render(source: str, **context: Any) -> str:
    return Template("{% load hule %}" + source).render(Context(context))


def test_scores_have_a_real_minus_and_parts_of_table_points_two_places() -> None:
    assert [minus(value) for value in (96, 0, -27, None)] == ["96", "0", "−27", ""]
    assert [signed(value) for value in (43, 0, -27, None)] == ["+43", "0", "−27", ""]
    values = (Fraction(4), Fraction(1, 2), Fraction(7, 3), Fraction(8, 3), -1, Fraction(25, 1000))
    assert [table_points(value) for value in values] == ["4", "0.50", "2.33", "2.67", "−1", "0.03"]


class TestTiles:
    def test_every_tile_has_a_name_and_a_drawing_on_screen_and_on_paper(self) -> None:
        sprite = (STATIC / "tiles/tiles.svg").read_text(encoding="utf-8")
        assert len({tile_name(code) for code in TILE_CODES}) == len(TILE_CODES) == 43
        assert [code for code in TILE_CODES if f'id="t-{code}"' not in sprite] == []
        assert [code for code in TILE_CODES if not (STATIC / f"tiles/{code}.svg").exists()] == []

    @pytest.mark.parametrize("code", ["", "0m", "10m", "1x", "Z", "f9"])
    def test_what_is_no_tile_is_refused(self, code: str) -> None:
        with pytest.raises(ValueError, match="no tile"):
            tile_name(code)

    def test_a_hand_lies_as_it_is_laid_out_on_a_table(self) -> None:
        assert lay_meld(CLAIMED_CHOW) == (Placed("1m", side=True), Placed("2m"), Placed("3m"))
        assert [tile.code for tile in lay_meld(CONCEALED_KONG)] == ["back", "P", "P", "back"]
        record = {"concealed": ["9s", "9s", "9s", "N", "N"], "melds": [CLAIMED_CHOW], "winning_tile": "9s"}
        in_hand = (*map(Placed, ("9s", "9s", "N", "N")), Placed("9s", win=True))
        assert lay_hand(record)[1:] == (in_hand,)
        record = {"concealed": ["E", "E"], "melds": [CLAIMED_CHOW] * 4, "winning_tile": "E"}
        assert lay_hand(record)[4:] == ((Placed("E"), Placed("E", win=True)),), "with its pair"
        record = {"concealed": ["E", "E"], "melds": [CLAIMED_CHOW], "winning_tile": "E"}
        html = render("{% hand record size='s' %}", record=record)
        assert html.count("<use") == 5
        assert missing(html, 'class="hand tiles-s"', 'class="tile win"') == []


def test_a_wind_is_shown_in_each_language_and_east_deals() -> None:
    assert 'class="wind east"' in render('{% wind_badge "E" %}')
    assert "East, dealer" in render('{% wind_badge "E" %}')
    assert 'class="wind"' in render('{% wind_badge "E" dealer=False %}')
    languages = (("en", "6771", "E"), ("zh-hans", "4e1c", ""), ("zh-hant", "6771", ""))
    for language, character, letter in languages:
        with translation.override(language):
            badge = render('{% wind_badge "E" %}')
        assert f"marks.svg#u{character}" in badge
        assert badge.endswith(f"</b>{letter}</span>")


def test_a_flag_has_the_country_s_code() -> None:
    html = render('{% flag "FRA" %}')
    assert missing(html, "vendor/flags/fr.svg", ">FRA</abbr>") == []
    assert render("{% flag code %}", code="<b>") == "&lt;b&gt;"


def test_every_country_has_a_vendored_flag() -> None:
    flags = STATIC / "vendor/flags"
    joined = b"".join(path.read_bytes() for path in sorted(flags.glob("*.svg")))
    assert hashlib.sha256(joined).hexdigest() in (STATIC / "vendor/VENDOR.md").read_text(encoding="utf-8")
    assert [code for code, _name in choices() if not (flags / f"{alpha_2(code)}.svg").exists()] == []


class TestTablePicture:
    SEATS = [
        {"position": "south-side", "wind": "E", "name": "Mātīss 陈", "score": 12, "value": 1},
        {"position": "right", "wind": "S", "name": "<i>敏</i>", "score": -37, "value": 2}
        | {"change": 43, "state": "winner"},
        {"position": "north", "wind": "W", "name": "Håkan", "score": 96, "value": 3},
        {"position": "left", "wind": "N", "name": "张伟", "score": -71, "value": 4},
    ]

    def test_seats_are_buttons_where_one_is_chosen_and_east_deals(self) -> None:
        html = render("{% table_picture seats 'S' 7 name='winner' %}", seats=self.SEATS)
        assert (html.count("<button"), html.count('aria-pressed="true"')) == (4, 1)
        assert missing(html, "South round", "Hand 7 of 16") == []
        html = render("{% table_picture seats 'S' 7 %}", seats=self.SEATS)
        assert "<button" not in html
        assert missing(html, "+43", "−37") == []
        assert "<i>" not in html, "a name is text"
        places = ["north", "left", "right", "south-side"]
        assert sorted(places, key=lambda place: html.index(f"seat {place}")) == places
        assert render("{% table_picture seats 'S' 7 %}", seats=self.SEATS).count('class="wind east"') == 1
        nobody = [seat | {"dealer": False} for seat in self.SEATS]
        assert 'class="wind east"' not in render("{% table_picture seats 'S' 7 %}", seats=nobody)


class TestForms:
    class Form(forms.Form):
        name = forms.CharField(help_text="As on the invitation.")
        note = forms.CharField(required=False)
        winds = forms.MultipleChoiceField(choices=[("E", "East")], widget=forms.CheckboxSelectMultiple)

    def test_errors_stand_at_their_fields_and_in_a_summary(self) -> None:
        html = str(self.Form({"note": "the hall is upstairs"}))
        described = 'aria-describedby="id_name_helptext id_name_error"'
        assert missing(html, described, 'id="id_name_error"', 'aria-invalid="true"') == []
        assert 'value="the hall is upstairs"' in html
        html = render_to_string("components/form_errors.html", {"form": self.Form({})})
        assert "2 problems to fix" in html
        assert 'href="#id_name"' in html
        form = self.Form({"name": "Spring Open", "winds": ["E"]})
        assert render_to_string("components/form_errors.html", {"form": form}).strip() == ""


class TestAppearance:
    def html_element(self, **cookies: str) -> str:
        request = RequestFactory().get("/")
        request.COOKIES.update(cookies)
        return render("<html {% html_attributes %}>", request=request)

    def choose(self, **data: str) -> HttpResponse:
        return set_appearance(RequestFactory().post("/appearance/", data))

    def test_the_device_decides_unless_there_is_a_choice(self) -> None:
        assert self.html_element() == '<html lang="en">'
        assert self.html_element(theme='"><script>') == '<html lang="en">'
        chosen = self.html_element(theme="dark", contrast="more")
        assert chosen == '<html lang="en" data-theme="dark" data-contrast="more">'
        with translation.override("zh-hant"):
            assert self.html_element() == '<html lang="zh-Hant">'

    def test_each_style_sheet_has_the_media_query_of_its_choices(self) -> None:
        """The dark one, that of more contrast, and that of both."""
        chosen: list[tuple[dict[str, str], list[str]]] = [
            ({}, [DARK_DEVICE, HIGH_DEVICE, f"{DARK_DEVICE} and {HIGH_DEVICE}"]),
            ({"theme": "light"}, ["not all", HIGH_DEVICE, "not all"]),
            ({"theme": "dark"}, ["all", HIGH_DEVICE, HIGH_DEVICE]),
            ({"contrast": "more"}, [DARK_DEVICE, "all", DARK_DEVICE]),
            ({"contrast": "normal"}, [DARK_DEVICE, "not all", "not all"]),
            ({"theme": "dark", "contrast": "more"}, ["all", "all", "all"]),
        ]
        for choice, media in chosen:
            assert [media_query(sheet, choice) for sheet in THEME_SHEETS] == media, choice

    def test_a_choice_is_kept_in_a_cookie_and_leads_back_to_this_site_alone(self) -> None:
        response = self.choose(theme="dark", next="/t/spring-open/")
        assert response.cookies["theme"].value == "dark"
        assert response["Location"] == "/t/spring-open/"
        assert self.choose(contrast="").cookies["contrast"]["max-age"] == 0, "the device again"
        assert self.choose(theme="dark", next="https://example.org/")["Location"] == "/"
        assert self.choose(theme="plaid").status_code == 400


def test_error_pages_need_neither_a_request_nor_a_database() -> None:
    for page in ("400", "403", "403_csrf", "404", "429", "500"):
        html = render_to_string(f"{page}.html")
        assert "<h1>" in html, page
        assert 'href="/"' in html, page


def inline_parts(source: str) -> list[str]:
    inline = [part for part in (" style=", "<style", " onclick=", "hx-on") if part in source]
    linked = source.count("<script src=") + source.count('<script type="module" src=')
    return inline + ["<script"] * (source.count("<script") - linked)


def test_templates_have_nothing_inline() -> None:
    """The content security policy would drop it in silence, but for the sheet of a first visit, which it names.

    No browser and so no policy reads documents.
    """
    templates = Path(settings.BASE_DIR, "templates")
    papers = {templates / "base_paper.html", *templates.glob("documents/*.html")}
    paths = sorted({*templates.rglob("*.html")} - papers)
    assert len(paths) > 300
    inline = {
        str(path.relative_to(templates)): inline_parts(path.read_text(encoding="utf-8")) for path in paths
    }
    assert {path: parts for path, parts in inline.items() if parts} == {"components/styles.html": ["<style"]}


class TestPaper:
    def test_the_fonts_are_those_that_were_made(self) -> None:
        fonts = STATIC / "fonts"
        files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in fonts.glob("*.ttf")}
        sums = [f"{digest}  {name}" for name, digest in files.items()]
        assert sorted(sums) == sorted((fonts / "SHA256SUMS").read_text().splitlines())

    def test_documents_name_files_that_there_are_and_nothing_on_the_network(self) -> None:
        source = "{% load hule hule_paper %}{% tile '1m' %}{% flag 'FRA' %}{% paper_styles %}"
        html = Template(source).render(Context())
        assert html.count("file:///") == 4
        assert re.findall(r'(?:href|src)="(?!file:)[^"]*', html) == []
        with pytest.raises(FileNotFoundError):
            Template("{% load hule_paper %}{% paper_file 'tiles/nothing.svg' %}").render(Context())

    def test_names_of_all_scripts_have_glyphs(self) -> None:
        for weight in ("regular", "bold"):
            latin = set(TTFont(STATIC / f"fonts/noto-sans-{weight}.ttf").getBestCmap())
            chinese = set(TTFont(STATIC / f"fonts/noto-sans-chinese-{weight}.ttf").getBestCmap())
            assert {c for c in "Đặng Mātīss Ørsted Ελλάς Жук Łukasz Tünde −½" if ord(c) not in latin} == set()
            assert {c for c in "张伟陳大文東东南西北萬和了鷄" if ord(c) not in chinese} == set()


def test_a_page_gets_a_font_of_its_chinese_characters(client: Client) -> None:
    response = client.get("/chinese.woff2", {"text": "西湖杯西"})
    assert set(TTFont(BytesIO(response.content)).getBestCmap()) == {ord(character) for character in "西湖杯"}
    assert len(response.content) < 2000
    assert "immutable" in response["Cache-Control"]
    too_many = "".join(chr(0x4E00 + n) for n in range(MAX_CHARACTERS + 1))
    assert [client.get("/chinese.woff2", {"text": text}).status_code for text in ("", too_many)] == [400, 400]


TEMPLATES = Path(__file__).parents[2] / "templates"
FORMAT = re.compile(r"""\|(?:date|time):(?:_\()?["']([^"']*)["']""")
ALLOWED = {"c", "H:i", "H:i:s"}
"""For machines, and the time alone; days have names of formats (config/formats)."""


def test_no_page_names_a_format_of_its_own() -> None:
    formats = {path: FORMAT.findall(path.read_text()) for path in TEMPLATES.rglob("*.html")}
    own = {
        str(path): [name for name in names if not name.endswith("_FORMAT") and name not in ALLOWED]
        for path, names in formats.items()
    }
    assert {path: names for path, names in own.items() if names} == {}
    assert sum(map(bool, formats.values())) > 20


@pytest.mark.parametrize(
    ("language", "first", "last", "text"),
    [
        ("en", date(2026, 11, 14), date(2026, 11, 14), "14 November 2026"),
        ("en", date(2026, 11, 14), date(2026, 11, 15), "14–15 November 2026"),
        ("zh-hans", date(2026, 11, 14), date(2026, 11, 15), "2026年11月14–15日"),
        ("zh-hant", date(2026, 11, 30), date(2026, 12, 1), "2026年11月30日 – 2026年12月1日"),
    ],
)
def test_the_days_of_a_tournament(language: str, first: date, last: date, text: str) -> None:
    with translation.override(language):
        assert days_text(first, last) == text


@pytest.mark.parametrize(
    ("language", "text"), [("en", "14 November 2026, 18:42"), ("zh-hant", "2026年11月14日 18:42")]
)
def test_a_moment(language: str, text: str) -> None:
    moment = datetime(2026, 11, 14, 18, 42, tzinfo=UTC)
    with translation.override(language):
        assert time_text(moment) == text
        page = engines["django"].from_string('{{ at|date:"DATETIME_FORMAT" }}')
        assert page.render({"at": moment}) == text


def of_account(kind: Any, event: Tournament, data: Any) -> Any:
    request = RequestFactory().post("/")
    request.user = nina()
    return kind(request, request.user, data)


def nina() -> User:
    return User.objects.get_or_create(username="nina")[0]


def of_rota(kind: Any, event: Tournament, data: Any) -> Any:
    make_umpire(event, f"umpire-{User.objects.count()}")
    return kind(proposed_rota(event), data)


def of_due(kind: Any, event: Tournament, data: Any) -> Any:
    player = event.players.get(number=1)
    due = Due.objects.filter(tournament=event).first()
    due = due or Due(tournament=event, player=player, amount=Decimal(40))
    return kind(Ledger(due, TournamentAccount(tournament=event), ()), data)


def of_penalty(kind: Any, event: Tournament, data: Any) -> Any:
    table = Table.objects.filter(session__tournament=event).first()
    return kind(event.rules.fouls.find("late"), table, 1, data)


def of_totals(kind: Any, event: Tournament, data: Any) -> Any:
    """Its fields are named after the table."""
    own = data if data is None else {f"t1-{name}": value for name, value in data.items()}
    return kind([Seat(player=player) for player in event.players.all()[:4]], 1, own, version=0, more=True)


def with_first(*first: Any) -> Make:
    return lambda kind, event, data: kind(*first, data)


def of_event(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(event, data)


def of_staff(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(event, SYSTEM, data)


MADE_WITH: dict[str, Make] = {
    "MessageForm": lambda kind, event, data: kind(event, Addressees(Group.SESSION, 1), data),
    **dict.fromkeys(("TotalsForm", "CorrectionForm"), of_totals),
    **dict.fromkeys(("RegistrationForm", "DeskRegistrationForm", "SignInForm"), with_first(None)),
    **dict.fromkeys(("CeremonyForm", "StreamForm", "DrawForm"), of_event),
    **dict.fromkeys(("SwapForm", "PenaltyTargetForm", "LinkedPlayerForm", "DuesFilterForm"), of_event),
    **dict.fromkeys(("ScopeForm", "ExpiringScopeForm", "PassForm"), of_event),
    **dict.fromkeys(("InviteForm", "NewMemberForm", "RoleForm"), of_staff),
    **dict.fromkeys(("CodeForm", "PasswordAndCodeForm", "FirstCodeForm"), of_account),
    "CommitteeForm": with_first([]),
    "OverlayForm": with_first([1], []),
    "HandForm": with_first(Evening(("", "", "", ""))),
    "HandSeatsForm": with_first([{"E": 1, "S": 2, "W": 3, "N": 4}]),
    "NewPasswordForm": with_first(User(username="nina")),
    "DiscardForm": with_first(discards()[0]),
    "FansForm": with_first(question(Kind.FANS, Level.EASY, "1")),
    "WaitsForm": with_first(question(Kind.WAITS, Level.EASY, "1")),
    "WorthForm": with_first(question(Kind.WORTH, Level.EASY, "1")),
    "RotaForm": of_rota,
    "PaymentForm": lambda kind, event, data: kind(data, instance=Payment(due=Due(pk=1, tournament=event))),
    "PenaltyForm": of_penalty,
    "DueForm": of_due,
    "PlayerForm": lambda kind, event, data: kind(data, instance=Player(tournament=event)),
    "CheckInForm": lambda kind, event, data: kind(data, instance=CheckIn(tournament=event)),
    "TokenForm": lambda kind, event, data: kind(nina(), data),
    "TimetableItemForm": lambda kind, event, data: kind(data, tournament=event),
    "WrongSeatsForm": lambda kind, event, data: kind(event.sessions.first(), data),
    "FinalsForm": lambda kind, event, data: kind(event.players.all(), data),
    "FilterForm": lambda kind, event, data: kind(event, Audience.STAFF, data),
    "FoulForm": lambda kind, event, data: kind(event.rules.fouls.find("late"), data),
    "RulesForm": lambda kind, event, data: kind(data, fixed={}),
    "RulingForm": lambda kind, event, data: kind(data, is_own=True),
}
"""How the forms are made that take more than what was sent."""


def all_forms() -> list[type[forms.BaseForm]]:
    """Every form that is written here, by name."""
    names = [info.name for info in pkgutil.walk_packages(tournament.__path__, "tournament.")]
    kinds = {
        kind
        for name in names
        if re.search(r"\.(forms|views)\b", name)
        for kind in vars(importlib.import_module(name)).values()
        if isinstance(kind, type) and issubclass(kind, forms.BaseForm) and kind.__module__ == name
    }
    written = {kind for kind in kinds if hasattr(kind, "declared_fields")} - {
        Form,
        ModelForm,
        LocalizedErrors,
    }
    return sorted(written, key=lambda kind: kind.__name__)


def django_texts() -> set[str]:
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
def django_sentence(language: str) -> re.Pattern[str]:
    """What Django says in `language`, which is the language of the moment."""
    texts = [re.sub(r"%\\?\(\w+\\?\)[sd]", ".*", re.escape(text)) for text in django_texts()]
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


def django_messages_in(kind: type[forms.BaseForm], event: Tournament, language: str) -> Iterator[str]:
    """What a form says in Django's words, whatever is entered."""
    blank = make_form(kind, event, QueryDict())
    for value in WRONG:
        form = make_form(kind, event, in_every_field(blank, value))
        texts = [str(error) for errors in form.errors.values() for error in errors]
        texts += [str(field.help_text) for field in form.fields.values()]
        yield from (text for text in texts if django_sentence(language).fullmatch(text))


@pytest.mark.thorough
@every_language
def test_no_form_has_error_messages_of_django(language: str) -> None:
    """Make each from tournament.web.forms.Form."""
    event, kinds = make_tournament(running=1), all_forms()
    assert len(kinds) > 80
    assert [kind for kind in kinds if not issubclass(kind, LocalizedErrors)] == []
    with translation.override(language):
        texts = {kind.__name__: list(django_messages_in(kind, event, language)) for kind in kinds}
    assert {name: sentences for name, sentences in texts.items() if sentences} == {}


@every_language
def test_password_validators_have_our_messages(language: str) -> None:
    with translation.override(language):
        texts = [*password_validation.password_validators_help_texts()]
        for password in ("short", "nina.nina", "password1"):
            with pytest.raises(forms.ValidationError) as refused:
                password_validation.validate_password(password, User(username="nina.nina"))
            texts += refused.value.messages
        assert [text for text in texts if django_sentence(language).fullmatch(text)] == []


def test_own_messages_of_a_field_are_kept_and_those_of_validators_replaced() -> None:
    class Asking(Form):
        name = forms.CharField(error_messages={"required": "Who?"})
        places = forms.IntegerField(max_value=4)

    with translation.override("en"):
        assert Asking({"places": "5"}).errors == {"name": ["Who?"], "places": ["At most 4."]}


def test_the_error_of_an_empty_field_names_it_whether_a_form_or_a_service_finds_it() -> None:
    class Asking(Form):
        name = forms.CharField(label="Last name")
        reason = CheckedByService(label="Why?")
        figure = forms.IntegerField(label="")

    with translation.override("en"):
        form = Asking({})
        form.full_clean()
        add_problems(form, [VALUE_MISSING("reason")])
        errors = {
            "name": ["Fill in “Last name”."],
            "reason": ["Fill in “Why?”."],
            "figure": ["Fill this in."],
        }
        assert form.errors == errors
        assert render_to_string("components/form_errors.html", {"form": form}).count("Last name") == 1


@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
def test_a_date_input_has_the_format_of_browsers(language: str) -> None:
    """A picker of days shows nothing for 2026/11/14."""
    with translation.override(language):
        assert 'value="2026-11-14"' in DayInput().render("day", date(2026, 11, 14))


def test_sections_of_the_navigation_are_in_the_order_of_work() -> None:
    shown = [(section.group, section.key) for section in every_section() if section.address]
    before = ["event", "registration", "people", "timetable", "certification", "draw", "staff", "documents"]
    play = ["check_in", "session", "penalties", "hall"]
    after, settings = ["results", "prizes", "ema", "archive"], ["rules", "connections", "data"]
    groups = {"before": before, "play": play, "after": after, "settings": settings}
    assert shown == [(group, key) for group, keys in groups.items() for key in keys]
