"""The parts every page is made of."""

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from scoring.texts.tiles import CODES, tile_name
from tournament.display.appearance import SHEETS, media_of
from tournament.views.appearance import set_appearance
from tournament.words.figures import minus, signed, table_points
from tournament.words.tiles import Placed, lay_hand, lay_meld

DARK_DEVICE, HIGH_DEVICE = "(prefers-color-scheme: dark)", "(prefers-contrast: more)"
CLAIMED_CHOW = {"type": "chow", "tiles": ["1m", "2m", "3m"], "concealed": False}
CONCEALED_KONG = {"type": "kong", "tiles": ["P", "P", "P", "P"], "concealed": True}


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def render(source: str, **context: Any) -> str:
    return Template("{% load hule %}" + source).render(Context(context))


class TestFigures:
    def test_a_running_score_has_a_real_minus_and_no_plus(self) -> None:
        assert [minus(value) for value in (96, 0, -27, None)] == ["96", "0", "−27", ""]

    def test_a_change_has_a_sign_either_way(self) -> None:
        assert [signed(value) for value in (43, 0, -27, None)] == ["+43", "0", "−27", ""]

    @pytest.mark.parametrize(
        ("points", "reads"),
        [
            (Fraction(4), "4"),
            (Fraction(1, 2), "0.50"),
            (Fraction(7, 3), "2.33"),
            (Fraction(8, 3), "2.67"),
            (-1, "−1"),
        ],
    )
    def test_shared_table_points_show_two_places(self, points: Fraction, reads: str) -> None:
        assert table_points(points) == reads

    def test_halves_round_up_as_on_paper(self) -> None:
        assert table_points(Fraction(25, 1000)) == "0.03"

    def test_a_column_of_totals_always_has_its_places(self) -> None:
        assert render("{{ total|tp:2 }}", total=Fraction(16)) == "16.00"


class TestTiles:
    def test_every_tile_has_a_name_and_a_drawing_on_screen_and_on_paper(self) -> None:
        folder = Path(settings.BASE_DIR, "static", "tiles")
        sprite = (folder / "tiles.svg").read_text(encoding="utf-8")
        assert len({tile_name(code) for code in CODES}) == len(CODES) == 43
        assert [code for code in CODES if f'id="t-{code}"' not in sprite] == []
        assert [code for code in CODES if not (folder / f"{code}.svg").exists()] == []

    @pytest.mark.parametrize("code", ["", "0m", "10m", "1x", "Z", "f9"])
    def test_what_is_no_tile_is_refused(self, code: str) -> None:
        with pytest.raises(ValueError, match="no tile"):
            tile_name(code)

    def test_a_tile_says_its_name_once(self) -> None:
        assert 'aria-label="1 of Characters"' in render('{% tile "1m" %}')
        assert "aria-label" not in render('{% tile "1m" named=False %}')

    def test_a_claimed_tile_lies_sideways_in_front(self) -> None:
        assert lay_meld(CLAIMED_CHOW) == (Placed("1m", side=True), Placed("2m"), Placed("3m"))

    def test_a_concealed_kong_shows_back_face_face_back(self) -> None:
        assert [tile.code for tile in lay_meld(CONCEALED_KONG)] == ["back", "P", "P", "back"]

    def test_the_winning_tile_stands_last_among_those_in_hand_and_only_once(self) -> None:
        record = {"concealed": ["9s", "9s", "9s", "N", "N"], "melds": [CLAIMED_CHOW], "winning_tile": "9s"}
        assert lay_hand(record)[1:] == (
            (Placed("9s"), Placed("9s"), Placed("N"), Placed("N"), Placed("9s", win=True)),
        )

    def test_beside_four_melds_the_winning_tile_is_with_its_pair(self) -> None:
        record = {"concealed": ["E", "E"], "melds": [CLAIMED_CHOW] * 4, "winning_tile": "E"}
        assert lay_hand(record)[4:] == ((Placed("E"), Placed("E", win=True)),)

    def test_a_hand_of_nothing_but_melds_and_the_winning_tile(self) -> None:
        record = {"concealed": ["E", "E"], "melds": [CLAIMED_CHOW], "winning_tile": "E"}
        html = render("{% hand record size='s' %}", record=record)
        assert html.count("<use") == 5
        assert 'class="hand tiles-s"' in html
        assert 'class="tile win"' in html


class TestWinds:
    def test_east_is_the_dealer_unless_told_otherwise(self) -> None:
        assert 'class="wind east"' in render('{% wind_badge "E" %}')
        assert "East, dealer" in render('{% wind_badge "E" %}')
        assert 'class="wind"' in render('{% wind_badge "E" dealer=False %}')

    @pytest.mark.parametrize(
        ("language", "shown"), [("en", ("6771", "E")), ("zh-hans", ("4e1c", "")), ("zh-hant", ("6771", ""))]
    )
    def test_each_language_sees_its_own_characters(self, language: str, shown: tuple[str, str]) -> None:
        character, letter = shown
        with translation.override(language):
            badge = render('{% wind_badge "E" %}')
        assert f"marks.svg#u{character}" in badge
        assert badge.endswith(f"</b>{letter}</span>")


class TestPeople:
    def test_chinese_names_have_the_family_name_first(self) -> None:
        assert render("{{ p|player_name }}", p={"first_name": "伟", "last_name": "张"}) == "张伟"
        assert render("{{ p|player_name }}", p={"first_name": "伟", "last_name": "Nowak"}) == "伟 Nowak"

    def test_a_flag_stands_beside_its_code(self) -> None:
        html = render('{% flag "FRA" %}')
        assert "vendor/flags/fr.svg" in html
        assert ">FRA</abbr>" in html

    def test_an_unknown_country_stays_a_code_and_is_escaped(self) -> None:
        assert render("{% flag code %}", code="<b>") == "&lt;b&gt;"

    def test_the_flags_are_those_we_took_over(self) -> None:
        folder = Path(settings.BASE_DIR, "static", "vendor")
        joined = b"".join(path.read_bytes() for path in sorted(folder.glob("flags/*.svg")))
        assert hashlib.sha256(joined).hexdigest() in (folder / "VENDOR.md").read_text(encoding="utf-8")

    def test_every_country_has_a_flag(self) -> None:
        from tournament.words.countries import alpha_2, choices

        folder = Path(settings.BASE_DIR, "static", "vendor", "flags")
        assert [code for code, _name in choices() if not (folder / f"{alpha_2(code)}.svg").exists()] == []


class TestTablePicture:
    SEATS = [
        {"position": "south-side", "wind": "E", "name": "Mātīss 陈", "score": 12, "value": 1},
        {
            "position": "right",
            "wind": "S",
            "name": "<i>敏</i>",
            "score": -37,
            "change": 43,
            "state": "winner",
            "value": 2,
        },
        {"position": "north", "wind": "W", "name": "Håkan", "score": 96, "value": 3},
        {"position": "left", "wind": "N", "name": "张伟", "score": -71, "value": 4},
    ]

    def test_seats_are_buttons_that_say_who_is_chosen(self) -> None:
        html = render("{% table_picture seats 'S' 7 name='winner' %}", seats=self.SEATS)
        assert html.count("<button") == 4
        assert html.count('aria-pressed="true"') == 1
        assert "South round" in html
        assert "Hand 7 of 16" in html

    def test_seats_only_show_without_a_name(self) -> None:
        html = render("{% table_picture seats 'S' 7 %}", seats=self.SEATS)
        assert "<button" not in html
        assert "+43" in html
        assert "−37" in html

    def test_seats_are_read_from_the_far_side_to_the_near(self) -> None:
        html = render("{% table_picture seats 'S' 7 %}", seats=self.SEATS)
        assert sorted(("north", "left", "right", "south-side"), key=lambda p: html.index(f"seat {p}")) == [
            *("north", "left", "right", "south-side")
        ]

    def test_east_deals_unless_a_seat_says_otherwise(self) -> None:
        assert render("{% table_picture seats 'S' 7 %}", seats=self.SEATS).count('class="wind east"') == 1
        nobody = [seat | {"dealer": False} for seat in self.SEATS]
        assert 'class="wind east"' not in render("{% table_picture seats 'S' 7 %}", seats=nobody)

    def test_a_name_is_text(self) -> None:
        assert "<i>" not in render("{% table_picture seats 'S' 7 %}", seats=self.SEATS)


class TestForms:
    class Form(forms.Form):
        name = forms.CharField(help_text="As on the invitation.")
        note = forms.CharField(required=False)
        winds = forms.MultipleChoiceField(choices=[("E", "East")], widget=forms.CheckboxSelectMultiple)

    def test_an_error_stands_at_its_field_and_is_tied_to_it(self) -> None:
        html = str(self.Form({}))
        assert 'aria-describedby="id_name_helptext id_name_error"' in html
        assert 'id="id_name_error"' in html
        assert 'aria-invalid="true"' in html

    def test_what_was_typed_is_kept(self) -> None:
        assert 'value="the hall is upstairs"' in str(self.Form({"note": "the hall is upstairs"}))

    def test_the_summary_names_every_fault_with_a_link_to_it(self) -> None:
        html = render_to_string("components/form_errors.html", {"form": self.Form({})})
        assert "2 things to mend" in html
        assert 'href="#id_name"' in html

    def test_a_form_without_faults_has_no_summary(self) -> None:
        form = self.Form({"name": "Spring Open", "winds": ["E"]})
        assert render_to_string("components/form_errors.html", {"form": form}).strip() == ""


class TestAppearance:
    def html_element(self, **cookies: str) -> str:
        request = RequestFactory().get("/")
        request.COOKIES.update(cookies)
        return render("<html {% html_attributes %}>", request=request)

    def test_without_a_choice_the_device_decides(self) -> None:
        assert self.html_element() == '<html lang="en">'

    def test_a_choice_is_kept(self) -> None:
        assert (
            self.html_element(theme="dark", contrast="more")
            == '<html lang="en" data-theme="dark" data-contrast="more">'
        )

    @pytest.mark.parametrize(
        ("chosen", "dark", "contrast", "both"),
        [
            ({}, DARK_DEVICE, HIGH_DEVICE, f"{DARK_DEVICE} and {HIGH_DEVICE}"),
            ({"theme": "light"}, "not all", HIGH_DEVICE, "not all"),
            ({"theme": "dark"}, "all", HIGH_DEVICE, HIGH_DEVICE),
            ({"contrast": "more"}, DARK_DEVICE, "all", DARK_DEVICE),
            ({"contrast": "normal"}, DARK_DEVICE, "not all", "not all"),
            ({"theme": "dark", "contrast": "more"}, "all", "all", "all"),
        ],
    )
    def test_each_sheet_is_there_for_whom_it_is_meant(
        self, chosen: dict[str, str], dark: str, contrast: str, both: str
    ) -> None:
        assert [media_of(sheet, chosen) for sheet in SHEETS] == [dark, contrast, both]

    def test_a_made_up_choice_is_ignored(self) -> None:
        assert self.html_element(theme='"><script>') == '<html lang="en">'

    def choose(self, **data: str) -> HttpResponse:
        return set_appearance(RequestFactory().post("/appearance/", data))

    def test_choosing_keeps_it_in_a_cookie_and_goes_back(self) -> None:
        response = self.choose(theme="dark", next="/t/spring-open/")
        assert response.cookies["theme"].value == "dark"
        assert response["Location"] == "/t/spring-open/"

    def test_choosing_the_device_forgets_the_cookie(self) -> None:
        assert self.choose(contrast="").cookies["contrast"]["max-age"] == 0

    def test_it_never_leads_to_another_site(self) -> None:
        assert self.choose(theme="dark", next="https://example.org/")["Location"] == "/"

    def test_a_theme_there_is_not_is_refused(self) -> None:
        assert self.choose(theme="plaid").status_code == 400

    def test_chinese_is_named_with_its_script(self) -> None:
        with translation.override("zh-hant"):
            assert self.html_element() == '<html lang="zh-Hant">'


@pytest.mark.parametrize("page", ["400", "403", "403_csrf", "404", "429", "500"])
def test_error_pages_need_neither_a_request_nor_a_database(page: str) -> None:
    html = render_to_string(f"{page}.html")
    assert "<h1>" in html
    assert 'href="/"' in html


PAPER = "documents"
"""Templates of these are for the worker alone: no browser and so no policy reads them."""


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))
        if PAPER not in path.parts
    ],
    ids=lambda path: path.name,
)
def test_templates_have_nothing_inline(path: Path) -> None:
    """The content security policy would drop it in silence."""
    source = path.read_text(encoding="utf-8")
    assert " style=" not in source
    assert "<style" not in source
    assert " onclick=" not in source
    assert "hx-on" not in source
    assert source.count("<script") == source.count("<script src=") + source.count(
        '<script type="module" src='
    )


class TestPaper:
    def test_the_fonts_are_those_that_were_made(self) -> None:
        folder = Path(settings.BASE_DIR, "static", "fonts")
        found = [
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in folder.glob("*.ttf")
        ]
        assert sorted(found) == sorted((folder / "SHA256SUMS").read_text().splitlines())

    def test_documents_name_files_and_nothing_on_the_network(self) -> None:
        source = "{% load hule hule_paper %}{% tile '1m' %}{% flag 'FRA' %}{% paper_styles %}"
        html = Template(source).render(Context())
        assert html.count("file:///") == 4
        assert "/static/tiles/tiles.svg" not in html

    def test_a_missing_picture_is_loud(self) -> None:
        with pytest.raises(FileNotFoundError):
            Template("{% load hule_paper %}{% paper_file 'tiles/nothing.svg' %}").render(Context())

    def test_names_of_all_scripts_have_glyphs(self) -> None:
        from fontTools.ttLib import TTFont

        fonts = Path(settings.BASE_DIR, "static", "fonts")
        for weight in ("regular", "bold"):
            latin = set(TTFont(fonts / f"noto-sans-{weight}.ttf").getBestCmap())
            chinese = set(TTFont(fonts / f"noto-sans-chinese-{weight}.ttf").getBestCmap())
            assert {c for c in "Đặng Mātīss Ørsted Ελλάς Жук Łukasz Tünde −½" if ord(c) not in latin} == set()
            assert {c for c in "张伟陳大文東东南西北萬和了鷄" if ord(c) not in chinese} == set()
