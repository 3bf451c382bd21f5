"""Which column of a list holds what: by its heading in the languages of those who send lists, else by its contents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from tournament.web.exports.whole_names import are_whole
from tournament.web.texts.countries import find_country

FIELDS = ("number", "last_name", "first_name", "country", "ema_number", "team", "club")

HEADINGS: dict[str, str] = {
    "number": """
        number no nr num n nummer numéro numero número startnummer startnumber playernumber nº
        编号 編號 号码 號碼 序号 序號 选手编号 選手編號""",
    "last_name": """
        lastname last surname familyname family name fullname player playername nom nomdefamille joueur nachname
        familienname spieler achternaam apellido apellidos cognome efternavn efternamn etternavn nazwisko příjmení
        vezetéknév 姓 姓氏 姓名 选手 選手 选手姓名 選手姓名
        nameandsurname surnameandname surnamename surnamefirstname lastnamefirstname firstnamelastname
        nomprénom nometprénom prénometnom prénomnom vornachname vorundnachname nachundvorname namevorname
        vornamename nachnamevorname nombreyapellido nombreyapellidos apellidosynombre nomeecognome cognomeenome
        imięinazwisko nazwiskoiimię jménoapříjmení""",
    "first_name": """
        firstname first givenname givennames given forename prénom prénoms vorname rufname voornaam nombre nome fornavn
        förnamn imię jméno keresztnév 名 名字""",
    "country": """
        country countrycode nation nationality pays nationalité land nationalität staat staatsangehörigkeit
        país paese nazione nazionalità kraj ország země 国家 國家 国籍 國籍 国家地区 國家地區""",
    "ema_number": """
        ema emanumber emanr emano emaid emacode emanummer numéroema numeroema nema noema nrema emanuméro
        emalicence emalicense emamember ema编号 ema編號 ema号码 ema號碼 ema号 ema號""",
    "team": """
        team teamname équipe mannschaft equipo squadra ploeg hold lag drużyna csapat tým
        队 隊 队伍 隊伍 团队 團隊 球队 球隊 队名 隊名""",
    "club": """
        club clubs clubname clubverein verein vereinsname association clubassociation vereniging klub klubb klubnavn
        kerho seura asociación associazione circolo egyesület spolek mahjongclub mahjongverein
        俱乐部 俱樂部 会所 會所 协会 協會 麻将俱乐部 麻將俱樂部 棋牌俱乐部 所属俱乐部 所屬俱樂部""",
}
"""Field → headings without spaces, points, accents and capitals."""


def folded(heading: str) -> str:
    """Letters and figures alone, without capitals and accents, as HEADINGS has them: "N° EMA" → "nema"."""
    plain = unicodedata.normalize("NFKD", heading.casefold())
    return "".join(char for char in plain if char.isalnum())


_PARTS = re.compile(
    r"[/()\[\]|,;*·]+|(?<=[\u4e00-\u9fff])\s*(?=[^\W\u4e00-\u9fff])|(?<=[a-z])\s+(?=[\u4e00-\u9fff])"
)
"""Where a heading is parted: at signs, and where Chinese meets another script."""
_FIELD_OF = {folded(word): field for field, words in HEADINGS.items() for word in words.split()}


def field_of(heading: str) -> str:
    """The field a heading names, also in two languages or with a remark: "Nom / Surname", "Club (if any)".

    "" when it names none. One that names both parts of a name is that of whole names.
    """
    if heading.strip() == "#":
        return "number"
    if field := _FIELD_OF.get(folded(heading)):
        return field
    named = {_FIELD_OF.get(folded(part), "") for part in _PARTS.split(heading)} - {""}
    if named == {"last_name", "first_name"}:
        return "last_name"
    return named.pop() if len(named) == 1 else ""


def known_headings(cells: Sequence[str]) -> int:
    """How many fields a line names."""
    return len({field_of(cell) for cell in cells} - {""})


def are_headings(cells: Sequence[str]) -> bool:
    """Whether a line is headings: two that are known, one that is of names, or nothing else.

    One alone may be somebody called Land, and with a number it is somebody called Name.
    """
    fields = [field_of(cell) for cell in cells]
    known = sum(map(bool, fields))
    of_names = "last_name" in fields and not any(map(str.isdecimal, cells))
    return known >= 2 or of_names or known == sum(map(bool, cells))


def columns_by_heading(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A field for each column, each field once; "" for a column nobody asked for."""
    width = max([len(headings), *map(len, rows)])
    columns: list[str] = []
    for heading in headings:
        field = field_of(heading)
        columns.append("" if field in columns else field)
    columns += [""] * (width - len(columns))
    if "last_name" not in columns and "first_name" in columns:
        # "Nome" alone is the whole name in Portuguese, and a first name beside "Cognome".
        columns[columns.index("first_name")] = "last_name"
    for index, heading in enumerate([*headings, *[""] * (width - len(headings))]):
        if not heading:
            columns[index] = _without_heading(index, columns, rows)
    return columns


def _without_heading(index: int, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The field of a column nobody named; beside "Name", merged over two columns, it is that of first names."""
    cells = _cells(rows, index)
    if (field := _field_by_contents(cells)) or not _mostly(rows, cells):
        return "" if field in columns else field
    is_beside = index > 0 and columns[index - 1] == "last_name" and "first_name" not in columns
    return "first_name" if is_beside else ""


def columns_by_contents(rows: Sequence[Sequence[str]]) -> list[str]:
    """A guess for a list without headings: eight digits, small numbers, countries; then the names, then a team."""
    width = max(map(len, rows))
    columns: list[str] = []
    for index in range(width):
        field = _field_by_contents(_cells(rows, index))
        columns.append("" if field in columns else field)
    if "" in columns:
        names = columns.index("")
        columns[names] = "last_name"
        for field in ("team",) if are_whole(_cells(rows, names)) else ("first_name", "team"):
            if "" in columns:
                columns[columns.index("")] = field
    return columns


def _cells(rows: Sequence[Sequence[str]], index: int) -> list[str]:
    """What a column says, where it says anything."""
    return [row[index] for row in rows if index < len(row) and row[index]]


def _field_by_contents(cells: Sequence[str]) -> str:
    if not cells:
        return ""
    if _mostly(cells, [cell for cell in cells if cell.isdecimal() and len(cell) in (7, 8)]):
        return "ema_number"
    if _mostly(cells, [cell for cell in cells if whole_number(cell) is not None and len(cell) < 6]):
        return "number"
    if _mostly(cells, [cell for cell in cells if find_country(cell) is not None]):
        return "country"
    return ""


def whole_number(text: str) -> int | None:
    """The number a cell says: 7, also as "7.", "7)", "#7" or "No. 7"; None when it says none."""
    found = re.fullmatch(r"(?:#|n[o°º]\.?)? ?([0-9]{1,9})[.)]?", text, re.IGNORECASE)
    return int(found[1]) if found else None


def _mostly(cells: Sequence[object], hits: Sequence[object]) -> bool:
    return len(hits) * 4 >= len(cells) * 3
