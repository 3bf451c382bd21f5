"""The reader of the book's data says what is wrong, and where."""

from pathlib import Path

import pytest

from scoring.book.data import BookFault, Row, read, rows
from scoring.engine.names import Names

THREE = {"en": "Meld", "hans": "副露", "hant": "副露"}


def test_a_row_gives_its_fields() -> None:
    with Row(
        "m.toml", {"key": "meld", "n": 3, "text": THREE, "see": ["set"], "chinese": [{"a": "b"}]}
    ) as row:
        assert (row.word("key"), row.number("n"), row.words("see")) == ("meld", 3, ("set",))
        assert row.names("text") == Names("Meld", "副露", "副露")
        assert [one.word("a") for one in row.rows("chinese")] == ["b"]
        assert (row.word("fan", ""), row.words("aliases"), row.rows("more")) == ("", (), ())


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "m.toml: key is missing"),
        ({"key": 3}, "m.toml: key is 3"),
        ({"key": ""}, "m.toml: key is ''"),
        ({"key": " meld"}, "m.toml: key is ' meld'"),
        ({"key": "the\ufffdlimit"}, "m.toml: key is damaged: 'the\ufffdlimit'"),
        ({"key": "搈elding"}, "m.toml: key is damaged: '搈elding'"),
        ({"key": "meld", "kez": "meld"}, "m.toml: unknown kez"),
    ],
)
def test_a_fault_is_said_with_its_place(fields: dict[str, object], said: str) -> None:
    with pytest.raises(BookFault) as refused, Row("m.toml", fields) as row:
        row.word("key")
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (THREE | {"hant": ""}, "m.toml, text: hant is ''"),
        ({"en": "Meld", "hans": "副露"}, "m.toml, text: hant is missing"),
        (THREE | {"zh": "副露"}, "m.toml, text: unknown zh"),
        ("Meld", "m.toml: text is 'Meld'"),
    ],
)
def test_a_text_is_in_three_languages(text: object, said: str) -> None:
    with pytest.raises(BookFault) as refused:
        Row("m.toml", {"text": text}).names("text")
    assert str(refused.value) == said


def test_a_file_is_read_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('[[terms]]\nkey = "meld"\n[[terms]]\nname = "set"\n')
    assert [row.where for row in rows(path, "terms")] == ["m.toml, terms meld", "m.toml, terms 2"]


def test_a_file_holds_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('[[terms]]\nkey = "meld"\n[[words]]\n')
    with pytest.raises(BookFault, match=r"m\.toml: unknown words"):
        list(rows(path, "terms"))


def test_what_is_no_toml_is_said_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text("key =")
    with pytest.raises(BookFault, match=r"m\.toml: "):
        read(path)
