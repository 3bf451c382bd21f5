"""Which column of a list holds what: by its heading in the languages of those who send lists, else by its contents."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tournament.countries import find_country

FIELDS = ("number", "last_name", "first_name", "country", "ema_number", "team", "club")

HEADINGS: dict[str, str] = {
    "number": """
        number no nr num n nummer numéro numero número startnummer startnumber playernumber nº
        编号 編號 号码 號碼 序号 序號 选手编号 選手編號""",
    "last_name": """
        lastname surname familyname name fullname player playername nom nomdefamille joueur nachname familienname
        spieler achternaam apellido apellidos cognome efternavn efternamn etternavn nazwisko příjmení vezetéknév
        姓 姓氏 姓名 选手 選手 选手姓名 選手姓名""",
    "first_name": """
        firstname givenname givennames forename prénom prénoms vorname rufname voornaam nombre nome fornavn
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
    """A heading as HEADINGS writes it: "N° EMA" → "nema", "Prénom " → "prenom"."""
    plain = unicodedata.normalize("NFKD", heading.casefold())
    return "".join(char for char in plain if char.isalnum())


_FIELD_OF = {folded(word): field for field, words in HEADINGS.items() for word in words.split()}


def field_of(heading: str) -> str:
    """The field a heading names; "" when it names none."""
    return "number" if heading.strip() == "#" else _FIELD_OF.get(folded(heading), "")


def are_headings(cells: Sequence[str]) -> bool:
    """Whether a first line is headings: two that are known, or nothing else. One alone may be somebody called Land."""
    known = sum(bool(field_of(cell)) for cell in cells)
    return known >= 2 or known == sum(bool(cell) for cell in cells)


def columns_by_heading(headings: Sequence[str]) -> list[str]:
    """A field for each column, each field once; "" for a column nobody asked for."""
    columns: list[str] = []
    for heading in headings:
        field = field_of(heading)
        columns.append("" if field in columns else field)
    if "last_name" not in columns and "first_name" in columns:
        # "Nome" alone is the whole name in Portuguese, and a first name beside "Cognome".
        columns[columns.index("first_name")] = "last_name"
    return columns


def columns_by_contents(rows: Sequence[Sequence[str]]) -> list[str]:
    """A guess for a list without headings: eight digits, small numbers, countries; then last name, first name."""
    width = max(map(len, rows))
    columns: list[str] = []
    for index in range(width):
        cells = [row[index] for row in rows if index < len(row) and row[index]]
        field = _field_by_contents(cells)
        columns.append("" if field in columns else field)
    if "last_name" not in columns:
        for field in ("last_name", "first_name", "team"):
            if "" in columns:
                columns[columns.index("")] = field
    return columns


def _field_by_contents(cells: Sequence[str]) -> str:
    if not cells:
        return ""
    if _mostly(cells, [cell.isdecimal() and len(cell) in (7, 8) for cell in cells]):
        return "ema_number"
    if _mostly(cells, [cell.isdecimal() and len(cell) < 5 for cell in cells]):
        return "number"
    if _mostly(cells, [find_country(cell) is not None for cell in cells]):
        return "country"
    return ""


def _mostly(cells: Sequence[str], hits: Sequence[bool]) -> bool:
    return sum(hits) * 4 >= len(cells) * 3
