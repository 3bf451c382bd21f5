"""Columns of imported lists by heading or content, and splitting of names."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from tournament.base.countries import find_country
from tournament.base.engine.text import is_chinese

PARTICLES = {
    *("da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "la", "le"),
    *("ten", "ter", "van", "von", "y", "zu", "zur"),
}
"""Lower-case words in family names; kept in lower case unless they come first."""


# --- Columns ---


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
        队 隊 队伍 隊伍 团体 團體 团队 團隊 球队 球隊 队名 隊名""",
    "club": """
        club clubs clubname clubverein verein vereinsname association clubassociation vereniging klub klubb klubnavn
        kerho seura asociación associazione circolo egyesület spolek mahjongclub mahjongverein
        俱乐部 俱樂部 会所 會所 协会 協會 麻将俱乐部 麻將俱樂部 棋牌俱乐部 所属俱乐部 所屬俱樂部""",
}
"""Headings by field, in many languages, as `folded` returns them but with accents."""


def folded(heading: str) -> str:
    """Return letters and digits without case and accents, as in HEADINGS: "N° EMA" → "nema"."""
    plain = unicodedata.normalize("NFKD", heading.casefold())
    return "".join(char for char in plain if char.isalnum())


_SEPARATORS = re.compile(
    r"[/()\[\]|,;*·]+|(?<=[\u4e00-\u9fff])\s*(?=[^\W\u4e00-\u9fff])|(?<=[a-z])\s+(?=[\u4e00-\u9fff])"
)
"""Where to split a heading: at signs, and between Chinese and another script."""
_FIELD_OF = {folded(word): field for field, words in HEADINGS.items() for word in words.split()}


def field_of(heading: str) -> str:
    """Return the field that a heading names; "" for none.

    The heading may be in two languages or have a remark: "Nom / Surname", "Club (if any)". A heading for both parts of
    a name is `last_name`, as for whole names.
    """
    if heading.strip() == "#":
        return "number"
    if field := _FIELD_OF.get(folded(heading)):
        return field
    named = {_FIELD_OF.get(folded(part), "") for part in _SEPARATORS.split(heading)} - {""}
    if named == {"last_name", "first_name"}:
        return "last_name"
    return named.pop() if len(named) == 1 else ""


def known_headings(cells: Sequence[str]) -> int:
    """Return how many different fields the cells name."""
    return len({field_of(cell) for cell in cells} - {""})


def are_headings(cells: Sequence[str]) -> bool:
    """Return whether these cells are headings: if two are known, one is of names, or there are no other cells.

    A single known word among others may be a player called Land; with a number, a player called Name.
    """
    fields = [field_of(cell) for cell in cells]
    known = sum(map(bool, fields))
    of_names = "last_name" in fields and not any(map(str.isdecimal, cells))
    return known >= 2 or of_names or known == sum(map(bool, cells))


def columns_by_heading(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the field of each column, each field once; "" for an unknown column."""
    width = max([len(headings), *map(len, rows)])
    columns: list[str] = []
    for heading in headings:
        field = field_of(heading)
        columns.append("" if field in columns else field)
    columns += [""] * (width - len(columns))
    if "last_name" not in columns and "first_name" in columns:
        # "Nome" is the whole name in Portuguese, and the first name beside "Cognome" in Italian.
        columns[columns.index("first_name")] = "last_name"
    for index, heading in enumerate([*headings, *[""] * (width - len(headings))]):
        if not heading:
            columns[index] = _without_heading(index, columns, rows)
    return columns


def _without_heading(index: int, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the field of a column without a heading: by its cells, or the first name if it follows the last name."""
    cells = _cells(rows, index)
    if (field := _field_by_contents(cells)) or not _mostly(rows, cells):
        return "" if field in columns else field
    is_beside = index > 0 and columns[index - 1] == "last_name" and "first_name" not in columns
    return "first_name" if is_beside else ""


def columns_by_contents(rows: Sequence[Sequence[str]]) -> list[str]:
    """Guess the columns of a list without headings: EMA numbers, numbers, countries, names, then a team."""
    width = max(map(len, rows))
    columns: list[str] = []
    for index in range(width):
        field = _field_by_contents(_cells(rows, index))
        columns.append("" if field in columns else field)
    if "" in columns:
        names = columns.index("")
        columns[names] = "last_name"
        for field in ("team",) if are_full_names(_cells(rows, names)) else ("first_name", "team"):
            if "" in columns:
                columns[columns.index("")] = field
    return columns


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
    """Return the number in a cell: 7, also as "7.", "7)", "#7" or "No. 7"; None if there is none."""
    match = re.fullmatch(r"(?:#|n[o°º]\.?)? ?([0-9]{1,9})[.)]?", text, re.IGNORECASE)
    return int(match[1]) if match else None


def _mostly(cells: Sequence[object], hits: Sequence[object]) -> bool:
    return len(hits) * 4 >= len(cells) * 3


def _cells(rows: Sequence[Sequence[str]], index: int) -> list[str]:
    """Return a column's cells that are not empty."""
    return [row[index] for row in rows if index < len(row) and row[index]]


# --- Whole names ---


TWO_CHARACTERS = {
    *("欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "司徒", "东方", "東方", "皇甫", "尉迟", "尉遲"),
    *("公孙", "公孫", "慕容", "令狐", "夏侯", "司空", "端木", "南宫", "南宮", "独孤", "獨孤", "轩辕", "軒轅"),
    *("长孙", "長孫", "宇文", "呼延", "东郭", "東郭", "西门", "西門", "百里", "澹台", "澹臺", "钟离", "鍾離"),
    *("太史", "申屠"),
}
"""Chinese family names of two characters; all others have one."""


def split_name(name: str, order: str) -> tuple[str, str]:
    """Split a name into last and first name, in one of the NAME_ORDERS; a Chinese name always by Chinese rules.

    >>> split_name("van den Berg Ada", "last_first"), split_name("Ada van den Berg", "first_last")
    (('van den Berg', 'Ada'), ('van den Berg', 'Ada'))
    >>> split_name("欧阳美玲", "capitals"), split_name("Élodie DE LA CRUZ", "capitals")
    (('欧阳', '美玲'), ('DE LA CRUZ', 'Élodie'))
    """
    if is_chinese(name.replace(" ", "")):
        return _chinese(name)
    last, first = NAME_ORDERS[order](name)
    return (last, first) if last else (name, "")


def _chinese(name: str) -> tuple[str, str]:
    last, _space, first = name.partition(" ")
    if first:
        return last, first.replace(" ", "")
    length = 2 if name[:2] in TWO_CHARACTERS and len(name) > 2 else 1
    return name[:length], name[length:]


def _last_first(name: str) -> tuple[str, str]:
    words = name.replace(",", " ").split()
    end = 1
    while end < len(words) - 1 and words[end - 1].casefold() in PARTICLES:
        end += 1
    return " ".join(words[:end]), " ".join(words[end:])


def _first_last(name: str) -> tuple[str, str]:
    words = name.split()
    start = max(len(words) - 1, 0)
    while start > 1 and words[start - 1].casefold() in PARTICLES:
        start -= 1
    return " ".join(words[start:]), " ".join(words[:start])


def _by_capitals(name: str) -> tuple[str, str]:
    """Take the words in capitals, with particles before and between them, as last name: "van den BERG Ada"."""
    words = name.replace(",", " ").split()
    in_capitals = [index for index, word in enumerate(words) if len(word) > 1 and word.isupper()]
    if not in_capitals:
        return "", ""
    start, end = in_capitals[0], in_capitals[-1] + 1
    while start and words[start - 1] in PARTICLES:
        start -= 1
    return " ".join(words[start:end]), " ".join([*words[:start], *words[end:]])


def _by_comma(name: str) -> tuple[str, str]:
    last, _comma, first = name.partition(",")
    return last.strip(), first.strip()


NAME_ORDERS: dict[str, Callable[[str], tuple[str, str]]] = {
    "last_first": _last_first,
    "first_last": _first_last,
    "capitals": _by_capitals,
    "comma": _by_comma,
}


def likely_name_order(names: Sequence[str]) -> str:
    """Return the likely order of these names; "" if it cannot be told."""
    splittable = [name for name in names if " " in name or "," in name]
    for order, has_order in (("comma", _has_comma), ("capitals", _has_capitals)):
        if splittable and sum(map(has_order, splittable)) * 4 >= len(splittable) * 3:
            return order
    return ""


def _has_comma(name: str) -> bool:
    return "," in name.strip(",")


def _has_capitals(name: str) -> bool:
    """Return whether some words, but not all, are in capitals."""
    words = [word for word in name.split() if len(word) > 1]
    return 0 < sum(map(str.isupper, words)) < len(words)


def are_full_names(names: Sequence[str]) -> bool:
    """Return whether these are full names, not family names: most have two parts, or two Chinese characters."""
    return bool(names) and sum(map(_is_whole, names)) * 4 >= len(names) * 3


def _is_whole(name: str) -> bool:
    return len(name) > 1 if is_chinese(name) else " " in name or "," in name


# --- Capitals ---


def soften_capitals(name: str) -> str:
    """Return a name in capitals as people write it.

    >>> soften_capitals("DE LA CRUZ"), soften_capitals("O'NEILL-ĐẶNG"), soften_capitals("van den Berg")
    ('De la Cruz', "O'Neill-Đặng", 'van den Berg')
    """
    words = name.split(" ")
    return " ".join(
        word.lower() if index and word.lower() in PARTICLES else _softened(word)
        for index, word in enumerate(words)
    )


def _softened(word: str) -> str:
    return (
        re.sub(r"\w+", lambda part: part[0].capitalize(), word) if len(word) > 1 and word.isupper() else word
    )


def is_in_capitals(name: str) -> bool:
    """Return whether `soften_capitals` changes the name."""
    return soften_capitals(name) != name
