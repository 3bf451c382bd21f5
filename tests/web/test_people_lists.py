"""Lists as clubs send them: encodings, headings in many languages, whole names, totals, and files that are no list.

`data/lists/` has the sample lists of the project's brief with `expected.json`, the people that each contains, and
`names.tsv`, invented people in the code page of their language.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.sampling import SEED
from tournament.base.countries import find_country
from tournament.base.errors import Refused
from tournament.web.exports.encodings import decode, encoding_of, is_encoding_doubtful
from tournament.web.exports.headings import field_of
from tournament.web.exports.people_lists import PeopleList, read_people
from tournament.web.exports.whole_names import are_full_names, split_name

LISTS = Path(__file__).parents[1] / "data" / "lists"
SAMPLES = json.loads((LISTS / "expected.json").read_text())
PYTHON_NAMES = {"gbk": "gb18030", "utf-8-sig": "utf-8"}
NAMES = [line.split("\t") for line in (LISTS / "names.tsv").read_text().splitlines()]


def people_of(people: PeopleList) -> Iterator[dict[str, str]]:
    """Yield the fields of each person that the expectations name, names without capitals."""
    for line in people.lines:
        if line.number not in people.notes:
            cells = people.cells(line)
            country = find_country(cells["country"]) or ""
            names = {name: cells[name].casefold() for name in ("last_name", "first_name")}
            yield {
                **names,
                "country": country,
                "club": cells["club"] or cells["team"],
                "email": cells["email"],
                "ema_number": cells["ema_number"],
            }


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["file"])
def test_sample_lists_give_their_people_or_a_question(sample: dict[str, Any]) -> None:
    data = (LISTS / sample["file"]).read_bytes()
    if not sample["people"]:
        with pytest.raises(Refused) as refused:
            read_people(data)
        assert [problem.code for problem in refused.value.problems] == ["not_people"]
        return
    people = read_people(data)
    assert people.encoding == PYTHON_NAMES.get(sample["encoding"], sample["encoding"])
    rows = [line.number for line in people.lines if line.number not in people.notes]
    assert len(rows) == len(sample["people"])
    doubtful = {*people.doubtful_names}
    if not sample["may_ask"]:
        assert not doubtful
    empty = dict.fromkeys(("country", "club", "email", "ema_number"), "")
    for row, person, expected in zip(rows, people_of(people), sample["people"], strict=True):
        names = {name: expected[name].casefold() for name in ("last_name", "first_name")}
        if row in doubtful:
            assert {person["last_name"], person["first_name"]} == {*names.values()}
        else:
            assert person == {**empty, **expected, **names}


def test_three_names_are_enough_to_know_the_encoding(subtests: pytest.Subtests) -> None:
    """Without headings."""
    random = Random(SEED)
    for encoding, *names in NAMES:
        text = "\n".join(random.sample(names, min(3, len(names)))) + "\n"
        with subtests.test(f"{encoding} {names[0]}"):
            data = text.encode(encoding)
            assert decode(data, encoding_of(data)) == text


rows_of_one_encoding = st.sampled_from(NAMES).flatmap(
    lambda line: st.tuples(st.just(line[0]), st.lists(st.sampled_from(line[1:]), min_size=1, max_size=4))
)


@given(rows_of_one_encoding)
def test_a_list_is_decoded_or_its_encoding_is_asked_about(listed: tuple[str, list[str]]) -> None:
    encoding, rows = listed
    text = "\n".join(rows) + "\n"
    data = text.encode(encoding)
    assert decode(data, encoding_of(data)) == text or is_encoding_doubtful(data)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["Фамилия;Имя\nОрлова;Анна\n", "李小龙\n欧阳娜\n", "김민수;서울\n", "Name;Land\n"]
)
def test_utf_16_without_a_mark_is_known_in_every_script(encoding: str, text: str) -> None:
    data = text.encode(encoding)
    assert decode(data, encoding_of(data)) == text


def test_a_chosen_encoding_is_not_in_doubt() -> None:
    data = "Lõoke;Aivar\n".encode("cp1257")
    assert read_people(data).is_encoding_doubtful
    chosen = read_people(data, encoding="cp1257")
    assert (next(people_of(chosen))["last_name"], chosen.is_encoding_doubtful) == ("lõoke", False)


def test_the_first_row_of_polish_names_is_read() -> None:
    people = read_people("Nazwisko;Imię\nŻółtowska;Ścibor\n".encode("cp1250"))
    assert [(person["last_name"], person["first_name"]) for person in people_of(people)] == [
        ("żółtowska", "ścibor")
    ]


@pytest.mark.parametrize(
    ("headings", "fields"),
    [
        ("Nat;Name", ["country", "whole_name"]),
        ("NAT.;Surname;Name", ["country", "last_name", "first_name"]),
        ("Namn;Förening;Land;E-post", ["whole_name", "club", "country", "email"]),
        ("Apelido;Nome;País;Clube", ["last_name", "first_name", "country", "club"]),
        ("Фамилия;Имя;Страна", ["last_name", "first_name", "country"]),
        ("Név;Ország", ["whole_name", "country"]),
        ("序号;姓名;单位", ["number", "whole_name", "club"]),
        ("姓名;代表队;等级分", ["whole_name", "team", ""]),
        ("Cognome;Nome;Nazione", ["last_name", "first_name", "country"]),
        ("Name;Vorname;Verein", ["last_name", "first_name", "club"]),
        ("Прізвище;Ім'я;Країна", ["last_name", "first_name", "country"]),
        ("氏名;国;所属", ["whole_name", "country", "club"]),
        ("이름;국가;소속", ["whole_name", "country", "club"]),
        ("Sukunimi;Etunimi;Maa;Seura", ["last_name", "first_name", "country", "club"]),
        ("姓名;英文名;国家", ["whole_name", "second_name", "country"]),
        ("英文名;国家", ["whole_name", "country"]),
        ("First name;Second name;Country", ["first_name", "last_name", "country"]),
        ("Pl.;Navn;Køn;Klub;Bemærkning", ["", "whole_name", "", "club", "message"]),
    ],
)
def test_headings_of_many_languages_are_known(headings: str, fields: list[str]) -> None:
    width = len(fields)
    row = ["Anna Berg"] * width
    assert list(read_people(f"{headings}\n{';'.join(row)}\n".encode()).columns) == fields


@pytest.mark.parametrize(
    ("field", "headings"),
    [
        (
            "last_name",
            "Zuname,Primer apellido,Családnév,SOYADI,Último nome,氏,Příjmení,Επώνυμο,Nume de familie",
        ),
        ("first_name", "Nombre de pila,Nome próprio,Etunimet,Roepnaam,Krstné meno,Eesnimi,Имя,Ім’я,名"),
        (
            "whole_name",
            "Vor- und Zuname,Fullt namn,Koko nimi,Teljes név,Deelnemer,Participante,Uczestnik,Ф.И.О.,氏名",
        ),
        ("country", "Naz.,Државност,Гражданство,Țară,Riik,Χώρα,Ülke,국가"),
        ("club", "Klubbnamn,Organisation,Stowarzyszenie,所属団体,Oddíl"),
        ("team", "Tím,Echipa,Joukkue,代表队"),
        ("email", "E-postadress,Posta elettronica,E-mailcím,Електронна пошта,El. paštas"),
        ("ema_number", "Numer EMA,Номер EMA,EMA szám,EMA番号,Matricule EMA,N° EMA,EMA-nr."),
        ("number", "Startnr,№ п/п,A/A,Sr. No.,Poř.,Lp."),
        ("sex", "M/F,m/w/d,Płeć,Lytis,性别"),
        ("second_name", "Name on the badge,Badge name,Nom sur le badge,英文名,拼音,姓名(拼音),ローマ字"),
        ("prefix", "Tussenvoegsel,Tussenv.,Voorvoegsels"),
        ("message", "Anmerkungen,Commentaires,Uwagi,备注"),
    ],
)
def test_each_heading_names_its_field(field: str, headings: str) -> None:
    assert [heading for heading in headings.split(",") if field_of(heading) != field] == []


def test_a_name_column_with_one_whole_name_is_of_whole_names() -> None:
    people = read_people(b"Name;Country\nAda Berg;SWE\nBo;SWE\nCai;SWE\n")
    assert (people.columns[0], people.doubtful_names) == ("whole_name", [2])


def test_a_place_that_is_a_town_is_named() -> None:
    people = read_people(b"Name;Mesto\nAnna Berg;Ljubljana\nBo Holm;Maribor\n")
    assert people.unread == [(1, "Mesto")]


def test_columns_that_nobody_reads_are_named_and_places_are_not() -> None:
    people = read_people(b"Pos.;Surname;Diet;Name;;\n1;Berg;vegan;Anna;;x\n2;Lund;;Bo;;y\n")
    assert people.unread == [(2, "Diet"), (5, "")]
    assert people.columns[0] == ""


def test_different_numbers_are_no_team() -> None:
    people = read_people(b"1;Rossi;Davide;12\n2;Conti;Lorenzo;7\n3;Bianchi;Giulia;31\n")
    assert (list(people.columns), people.unread) == (["number", "last_name", "first_name", ""], [(3, "")])


def test_a_first_row_that_differs_in_kind_is_asked_about() -> None:
    rows = "Berg;Anna;08010001\nLund;Bo;08010002\nHolm;Ida;08010003\n"
    assert read_people(f"Wer;Wie;Karte\n{rows}".encode()).is_heading_likely
    assert not read_people(rows.encode()).is_heading_likely


def test_a_first_row_of_one_word_above_whole_names_is_asked_about() -> None:
    people = read_people(b"Wer;Wo\nAnna Berg;Roma\nBo Holm;Lund\n")
    assert (people.columns[0], people.is_heading_likely) == ("whole_name", True)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("1. BERG Anna\n2. HOLM Bo\n3) LUND Ida\n", ["berg anna ", "holm bo ", "lund ida "]),
        ("1、李小龙\n2、王伟\n", ["李 小龙 ", "王 伟 "]),
        ("Name\nBERG Anna (SWE)\nHOLM Bo [Danmark]\n", ["berg anna SWE", "holm bo DNK"]),
        (
            "Players:\n1. BERG Anna, SWE\n2. HOLM Bo, DNK\n3. LUND Ida, SWE\n",
            ["berg anna SWE", "holm bo DNK", "lund ida SWE"],
        ),
        ("Players\nBERG Anna, SWE\nHOLM Bo, DNK\n", ["players  ", "berg anna SWE", "holm bo DNK"]),
    ],
)
def test_lists_from_messages_are_taken_apart(text: str, people: list[str]) -> None:
    listed = read_people(text.encode())
    assert [
        f"{person['last_name']} {person['first_name']} {person['country']}" for person in people_of(listed)
    ] == people


@pytest.mark.parametrize(
    "remark",
    ["* = vegetarian", "12 players", "Nombre total : 12", "(updated 3 May)", "Reserve:", "Stand: 12.05.2026"],
)
def test_remarks_below_names_are_no_people(remark: str) -> None:
    assert read_people(f"Name\nAnna Berg\nBo Holm\n{remark}\n".encode()).notes == {4}


def test_people_with_numbers_for_names_are_people() -> None:
    assert read_people(b"Name\nPlayer 1\nPlayer 2\nPlayer 3\n").notes == frozenset()


def test_a_chess_report_with_other_records_is_no_list() -> None:
    report = (
        b"012 Open\nXXR 9\n001    1 m  g Carlsen, Hans   2100 NOR\n\n001    2 f    Olsen, Berit    1900 NOR\n"
    )
    with pytest.raises(Refused) as refused:
        read_people(report)
    assert [problem.code for problem in refused.value.problems] == ["not_people"]


@pytest.mark.parametrize(
    ("countries", "doubtful"),
    [(("HUN", "HUN", "HUN", "HUN"), []), (("HUN", "SWE", "SWE", "SWE"), [2, 3, 4, 5])],
)
def test_the_order_of_a_country_is_certain_in_its_own_lists(
    countries: tuple[str, ...], doubtful: list[int]
) -> None:
    rows = "".join(f"Nagy Gergő;{country}\n" for country in countries)
    people = read_people(f"Name;Country\n{rows}".encode())
    assert (next(people_of(people))["last_name"], people.doubtful_names) == ("nagy", doubtful)


@pytest.mark.parametrize(
    "total", ["Totalt 5", "合计;5", "Gesamt: 5", "Razem 5", "Итого;5", "Σύνολο 5", "合計 5 人"]
)
def test_totals_are_no_people(total: str) -> None:
    people = read_people(f"Name;Club\nAnna Berg;Lund\nBo Holm;Lund\n{total}\n".encode())
    assert people.notes == {4}


def test_results_are_no_list_of_people() -> None:
    rows = "".join(f"{n};Player {n};SWE;{n};4;2;1;0;{n * 3}\n" for n in range(1, 9))
    with pytest.raises(Refused) as refused:
        read_people(f"Place;Name;Country;R1;R2;R3;R4;R5;Total\n{rows}".encode())
    assert [problem.code for problem in refused.value.problems] == ["not_people"]


WHOLE_NAMES = (
    ("Lindqvist, Erik", ("Lindqvist", "Erik"), False),
    ("Anna-Karin SVENSSON", ("SVENSSON", "Anna-Karin"), False),
    ("NGUYEN Van An", ("NGUYEN", "Van An"), False),
    ("李 小龙", ("李", "小龙"), False),
    ("欧阳美玲", ("欧阳", "美玲"), False),
    ("鈴木 拓也", ("鈴木", "拓也"), False),
    ("田中さくら", ("田中", "さくら"), True),
    ("김민수", ("김", "민수"), False),
    ("남궁민수", ("남궁", "민수"), False),
    ("Joost van der Berg", ("van der Berg", "Joost"), False),
    ("van den BERG Ana", ("van den BERG", "Ana"), False),
    ("Élodie DE LA CRUZ", ("DE LA CRUZ", "Élodie"), False),
    ("GARCIA LOPEZ Maria", ("GARCIA LOPEZ", "Maria"), True),
    ("Mikko Virtanen", ("Virtanen", "Mikko"), True),
    ("Nowak", ("Nowak", ""), False),
    ("Nguyen Van An", ("Nguyen", "Van An"), False),
    ("An Nguyễn", ("Nguyễn", "An"), False),
    ("J. Smith", ("Smith", "J."), False),
    ("Smith J.R.", ("Smith", "J.R."), False),
    ("J. van der Berg", ("van der Berg", "J."), False),
    ("J. SMITH", ("SMITH", "J."), False),
    ("McDONALD Ronald", ("McDONALD", "Ronald"), False),
    ("Maria del Carmen Ruiz", ("Ruiz", "Maria del Carmen"), True),
    ("Ana Pérez de la Cruz", ("de la Cruz", "Ana Pérez"), True),
    ("Anna Maria van den Berg", ("van den Berg", "Anna Maria"), False),
    ("鈴木拓也", ("鈴木", "拓也"), True),
)
"""(name, (last, first), is_guess)"""


def test_whole_names_show_their_parts_or_are_guessed(subtests: pytest.Subtests) -> None:
    for name, parts, is_guess in WHOLE_NAMES:
        with subtests.test(name):
            whole = split_name(name)
            assert ((whole.last, whole.first), whole.is_guess) == (parts, is_guess)


@pytest.mark.parametrize(
    ("name", "country", "parts", "is_guess"),
    [
        ("Nagy Gergő", "HUN", ("Nagy", "Gergő"), True),
        ("田中健", "JPN", ("田中", "健"), True),
        ("田中健", "CHN", ("田", "中健"), False),
        ("Gergő NAGY", "HUN", ("NAGY", "Gergő"), False),
    ],
)
def test_the_country_decides_where_the_name_does_not(
    name: str, country: str, parts: tuple[str, str], is_guess: bool
) -> None:
    whole = split_name(name, country=country)
    assert ((whole.last, whole.first), whole.is_guess) == (parts, is_guess)


def test_an_order_decides_only_what_the_name_does_not_show() -> None:
    assert split_name("Nagy Gergő", "last_first").last == "Nagy"
    assert split_name("Lindqvist, Erik", "first_last").last == "Lindqvist"
    assert split_name("van der Berg Ada", "last_first").last == "van der Berg"


def test_names_of_a_list_follow_the_order_that_the_others_show() -> None:
    shown = "BERG Anna\nLUND Bo\nHOLM Ida\n"
    people = read_people(f"Name\n{shown}Virtanen Mikko\n".encode())
    assert [people.cells(line)["last_name"] for line in people.lines][-1] == "Virtanen"
    assert people.doubtful_names == []


def test_family_names_alone_are_not_split() -> None:
    assert not are_full_names(["Dupont", "Lee", "de la Cruz", "Nowak"])
    assert are_full_names(["王伟", "欧阳美玲", "李芳"])
    assert read_people(b"Surname;First name\nde la Cruz;Ana\nvan Dam;Bo\n").whole_names == {}


word = st.text(st.characters(categories=["Lu", "Ll", "Lo"]), min_size=1, max_size=8)


@given(
    st.lists(word, min_size=1, max_size=5).map(" ".join), st.sampled_from(["", "last_first", "first_last"])
)
def test_no_letter_of_a_name_is_lost(name: str, order: str) -> None:
    whole = split_name(name, order)
    assert whole.last
    assert sorted("".join((whole.last + whole.first).split())) == sorted("".join(name.split()))


COUNTRIES = (
    ("The Netherlands", "NLD"), ("Turkey", "TUR"), ("UK", "GBR"), ("Россия", "RUS"), ("中国台北", "TWN"),
    ("Holland", "NLD"), ("Czech Rep.", "CZE"), ("Republic of Korea", "KOR"), ("Côte d’Ivoire", "CIV"),
    ("Hong-Kong", "HKG"), ("Magyarország", "HUN"), ("Ελλάδα", "GRC"), ("대한민국", "KOR"), ("Den", "DNK"),
    ("NED", "NLD"), ("Danmark", "DNK"), ("Wales", "GBR"), ("", None), ("Anna", None), ("-", None),
    ("Белоруссия", "BLR"), ("한국", "KOR"), ("Hong Kong SAR", "HKG"), ("Fr.", "FRA"), ("🇪🇸", "ESP"),
)  # fmt: skip


def test_countries_are_known_in_short_former_and_own_forms(subtests: pytest.Subtests) -> None:
    for text, code in COUNTRIES:
        with subtests.test(text):
            assert find_country(text) == code
