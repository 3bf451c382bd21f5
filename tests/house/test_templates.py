"""Every template: signs translated, lines short, forms say our mistakes, lists to take away; scripts and sheets fit."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, TokenType

from config import bundles
from config.bundles import THEME_SHEETS
from tournament.exchange.lists import LISTS
from tournament.play.texts.desk import DESK_TEXTS

FOLDER = Path(__file__).parents[2] / "templates"
TEMPLATES = {str(path.relative_to(FOLDER)): path.read_text() for path in sorted(FOLDER.rglob("*.html"))}
BETWEEN = re.compile(r"(?:^|(?<=>))(?:[,:;.] ?(?=$|[<\w])| ?\((?=$))")
UNTRANSLATED = ("blocktranslate", "comment")
MAX_LINE_LENGTH = 140
"""Characters of a line: one element, with its attributes and its text, indented where it stands."""
BOX = re.compile(
    r"<(?:div|section|article|header|footer|main|nav|form|fieldset|details|table|thead|tbody|tr|ul|ol|dl)\b"
)
FORM = re.compile(r"<form\b(?P<tag>(?:[^>{]|\{%.*?%\}|\{\{.*?\}\})*)>(?P<inside>.*?)</form>", re.DOTALL)
SHOWS_PROBLEMS = re.compile(r"components/field\.html|\.errors \}\}")

ELSEWHERE = ("documents/", "book/", "django/")
"""Folders of papers and of the rule book with its calculator: nothing of an event is listed there."""
EXCUSES = {
    "ranking/_fans_plot.html": "its page offers the fans",
    "people/head_to_head.html": "two people beside each other",
    "site/home.html": "the events of an account; each has its own file",
    "events/timetable.html": "it goes out as a calendar, and is filled in there",
    "seating/_figures.html": "figures of a step",
    "staff/_passes.html": "cards with keys: they are printed, not listed",
    "backup/backups.html": "files of the installation, of no event",
    "staff/_invitations.html": "links that let somebody in",
    "messages/mail.html": "letters: contact data stays here",
    "seating/_tables.html": "seats of a step; the draw offers them",
    "staff/_rota.html": "it is printed for each umpire",
    "messages/webhook.html": "messages to a program, which has them",
    "messages/connections.html": "addresses of webhooks, some of them with a key in them",
    "events/rules.html": "the foul book, which has a page for everybody",
    "play/paper_table.html": "figures of a sheet as they are typed",
}
PREVIEWS = {
    "seating/draw_preview.html",
    "roster/import_preview.html",
    "ema/preview.html",
    "seating/_moved_players.html",
}
"""Of what is not stored yet."""
WITH_OWN_FILES = {
    "ema/ema.html",
}
"""Files stand beside each other there: they are what the page is for."""
STEPS = {
    "seating/seat_correction.html",
    "seating/finals.html",
    "seating/seats.html",
}
"""Taken there; not a list."""
WITHOUT_LIST = {*EXCUSES, *PREVIEWS, *WITH_OWN_FILES, *STEPS}

STATIC = Path(__file__).parents[2] / "static" / "js"
SCRIPTS = {path: path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))}
IMPORT = re.compile(r"^import \{([^}]*)\} from \"(\.[^\"]+)\";", re.MULTILINE)
WHOLE = re.compile(r"^import \* as \w+ from \"(\.[^\"]+)\";", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|function|class|let) (\w+)", re.MULTILINE)


def signs_between_pieces(template: str) -> Iterator[str]:
    """Signs that stand as they are between a value or a tag and what follows, outside HTML tags."""
    inside, before = False, ""
    for token in Lexer(template).tokenize():
        if token.token_type is TokenType.BLOCK:
            inside = token.contents.startswith(UNTRANSLATED) or (
                inside and not token.contents.startswith(tuple(f"end{name}" for name in UNTRANSLATED))
            )
        elif token.token_type is TokenType.TEXT and not inside:
            in_tag = before.rfind("<") > before.rfind(">")
            if not in_tag and (sign := BETWEEN.search(token.contents)):
                yield before[-40:] + token.contents[: sign.end()]
        before += token.contents


def silent_forms(template: str) -> Iterator[str]:
    """Forms whose fields have a place for our sentence, and whose browser would say something of its own first."""
    for form in FORM.finditer(template):
        is_sent = 'method="post"' in form["tag"]
        if is_sent and SHOWS_PROBLEMS.search(form["inside"]) and "novalidate" not in form["tag"]:
            yield form[0].partition("\n")[0]


def test_signs_between_pieces_are_translated() -> None:
    """A comma of English between two Chinese words is as wrong as an English word."""
    untranslated = {name: list(signs_between_pieces(text)) for name, text in TEMPLATES.items()}
    assert {name for name, signs in untranslated.items() if signs} == set()


def test_a_line_holds_one_element() -> None:
    """A change of one word shows that word, and what a page is made of can be seen from its indentation."""
    lines = [(name, line) for name, text in TEMPLATES.items() for line in text.splitlines()]
    assert [(name, line) for name, line in lines if len(line) > MAX_LINE_LENGTH] == []
    assert [(name, line) for name, line in lines if len(BOX.findall(line)) > 1] == []
    assert len(TEMPLATES) > 400


def test_forms_disable_the_validation_of_browsers() -> None:
    """A browser stops at the first empty field, in its own language."""
    assert {name for name, text in TEMPLATES.items() if list(silent_forms(text))} == set()


def test_forms_validated_by_browsers_are_detected() -> None:
    form = '<form method="post"{} action="{{% url "x" %}}">\n{{% include "components/field.html" %}}</form>'
    assert list(silent_forms(form.format(""))) == ['<form method="post" action="{% url "x" %}">']
    assert list(silent_forms(form.format(" novalidate"))) == []


def test_every_table_has_a_download_or_a_reason() -> None:
    with_table = {
        name for name, text in TEMPLATES.items() if "<table" in text and not name.startswith(ELSEWHERE)
    }
    assert len(with_table) > 30
    without = {
        name
        for name in with_table
        if "{% downloads " not in TEMPLATES[name] and "{% list_table " not in TEMPLATES[name]
    }
    assert without == WITHOUT_LIST


def test_every_list_is_offered_by_a_page() -> None:
    offered = re.findall(r'{% downloads tournament "([^"]+)" %}', "".join(TEMPLATES.values()))
    drawn = {"log", "penalties", "people"}
    assert sum("{% list_table " in text for text in TEMPLATES.values()) == len(drawn)
    assert {*offered, *drawn, "teams", "nations", "player-list", "ema"} == set(LISTS)


def missing(path: Path) -> Iterator[str]:
    """What a script imports that is not there."""
    text = SCRIPTS[path]
    yield from (address for address in WHOLE.findall(text) if not (path.parent / address).exists())
    for imported, address in IMPORT.findall(text):
        exported = EXPORT.findall(SCRIPTS.get((path.parent / address).resolve(), ""))
        names = [name.split(" as ")[0].strip() for name in imported.split(",")]
        yield from (f"{name} of {address}" for name in names if name and name not in exported)


def test_imports_of_scripts_exist() -> None:
    assert len(SCRIPTS) > 40
    assert {str(path): names for path in SCRIPTS if (names := list(missing(path)))} == {}


def test_scripts_of_pages_can_be_bundled() -> None:
    """Collecting would fail: a cycle of imports, or an import that is not understood."""
    for kind, scripts in bundles.SCRIPTS.items():
        ours = [name for name in scripts if name.startswith(bundles.OURS)]
        assert list(bundles.sorted_modules(ours, lambda name: (STATIC.parent / name).read_text("utf-8"))), (
            kind
        )


STYLES = Path(__file__).parents[2] / "static" / "css"


def test_style_tokens_are_set_once_and_sheets_have_no_theme_queries() -> None:
    """But for what moves less for those who ask for that."""
    for sheet in ("tokens", *THEME_SHEETS):
        text = (STYLES / f"{sheet}.css").read_text().split("@media (prefers-reduced-motion")[0]
        names = re.findall(r"(--[\w-]+):", text)
        assert sorted(names) == sorted(set(names)), sheet
        assert "@media" not in text, sheet
    dark = re.compile("prefers-color-scheme|prefers-contrast|data-theme=.?dark|data-contrast")
    assert [path.name for path in STYLES.glob("*.css") if dark.search(path.read_text())] == []


SENTENCE = re.compile(r'\bt\("(\w+)", \{(.*?)\}\)')


def test_scripts_of_the_desk_fill_every_placeholder() -> None:
    """An unknown placeholder would become nothing."""
    used = [use for path, text in SCRIPTS.items() if "desk" in path.parts for use in SENTENCE.findall(text)]
    assert len(used) > 30
    empty = [
        (key, name)
        for key, params in used
        for name in re.findall(r"\{(\w+)", str(DESK_TEXTS.get(key, "")))
        if not re.search(rf"\b{name}\b\s*(?:[:,]|$)", params.strip())
    ]
    assert empty == []
