"""The reader of the book's data says what is wrong, and where."""

from pathlib import Path

import pytest

from scoring.book.data import BookFault, Row, read, rows
from scoring.engine.names import Names

THREE = {"en": "Meld", "hans": "副露", "hant": "副露"}


def test_a_row_gives_its_fields() -> None:
    fields = {"key": "meld", "n": 3, "text": THREE, "see": ["set"], "chinese": [{"a": "b"}]}
    with Row("m.toml", fields) as row:
        assert (row.word("key"), row.number("n"), row.words("see")) == ("meld", 3, ("set",))
        assert row.names("text") == Names("Meld", "副露", "副露")
        assert [inner.word("a") for inner in row.rows("chinese")] == ["b"]
        assert (row.word("fan", ""), row.words("aliases"), row.rows("more")) == ("", (), ())


FAULTS: list[tuple[dict[str, object], str]] = [
    ({}, "m.toml: key is missing"),
    ({"key": 3}, "m.toml: key is 3"),
    ({"key": ""}, "m.toml: key is ''"),
    ({"key": " meld"}, "m.toml: key is ' meld'"),
    ({"key": "the\ufffdlimit"}, "m.toml: key is damaged: 'the\ufffdlimit'"),
    ({"key": "搈elding"}, "m.toml: key is damaged: '搈elding'"),
    ({"key": "meld", "text": THREE, "kez": "meld"}, "m.toml: unknown kez"),
    ({"key": "meld", "text": THREE | {"hant": ""}}, "m.toml, text: hant is ''"),
    ({"key": "meld", "text": {"en": "Meld", "hans": "副露"}}, "m.toml, text: hant is missing"),
    ({"key": "meld", "text": THREE | {"zh": "副露"}}, "m.toml, text: unknown zh"),
    ({"key": "meld", "text": "Meld"}, "m.toml: text is 'Meld'"),
]


def test_a_fault_names_its_place() -> None:
    for fields, message in FAULTS:
        with pytest.raises(BookFault) as refused, Row("m.toml", fields) as row:
            assert (row.word("key"), row.names("text")) == ("meld", Names("Meld", "副露", "副露"))
        assert str(refused.value) == message


def test_a_file_is_read_row_by_row_and_holds_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('[[terms]]\nkey = "meld"\n[[terms]]\nname = "set"\n')
    assert [row.where for row in rows(path, "terms")] == ["m.toml, terms meld", "m.toml, terms 2"]
    path.write_text('[[terms]]\nkey = "meld"\n[[words]]\n')
    with pytest.raises(BookFault, match=r"m\.toml: unknown words"):
        list(rows(path, "terms"))
    path.write_text("key =")
    with pytest.raises(BookFault, match=r"m\.toml: "):
        read(path)
