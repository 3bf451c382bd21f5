"""Whole names parted into last and first name."""

from hypothesis import given
from hypothesis import strategies as st

from tournament.exchange.players_check import check
from tournament.exchange.players_csv import read_list
from tournament.exchange.whole_names import WAYS, are_whole, likely_way, split_name
from tournament.models import Tournament


def test_names_are_parted() -> None:
    parts = {
        ("last_first", "DUPONT Élodie"): ("DUPONT", "Élodie"),
        ("last_first", "van den Berg Ada Maria"): ("van den Berg", "Ada Maria"),
        ("last_first", "Nowak"): ("Nowak", ""),
        ("first_last", "Élodie Dupont"): ("Dupont", "Élodie"),
        ("first_last", "Ada Maria van den Berg"): ("van den Berg", "Ada Maria"),
        ("capitals", "Élodie DUPONT"): ("DUPONT", "Élodie"),
        ("capitals", "DE LA CRUZ Ana"): ("DE LA CRUZ", "Ana"),
        ("capitals", "Ana van den BERG"): ("van den BERG", "Ana"),
        ("capitals", "Élodie Dupont"): ("Élodie Dupont", ""),
        ("comma", "Dupont, Élodie"): ("Dupont", "Élodie"),
        ("comma", "Nowak"): ("Nowak", ""),
        **{(way, "王伟"): ("王", "伟") for way in WAYS},
        **{(way, "欧阳美玲"): ("欧阳", "美玲") for way in WAYS},
        **{(way, "王 小伟"): ("王", "小伟") for way in WAYS},
    }
    assert {(way, name): split_name(name, way) for way, name in parts} == parts


def test_the_way_they_seem_to_be_written() -> None:
    assert likely_way(["DUPONT Ada", "Bo LEE", "Nowak"]) == "capitals"
    assert likely_way(["Dupont, Ada", "Lee, Bo"]) == "comma"
    assert likely_way(["Dupont Ada", "Lee Bo"]) == likely_way(["王伟", "李芳"]) == ""
    # Family names alone are not parted.
    assert not are_whole(["Dupont", "Lee", "de la Cruz", "Nowak"])
    assert are_whole(["王伟", "欧阳美玲", "李芳"])


word = st.text(st.characters(categories=["Lu", "Ll", "Lo"]), min_size=1, max_size=8)


@given(st.lists(word, min_size=1, max_size=5).map(" ".join), st.sampled_from(sorted(WAYS)))
def test_no_letter_is_lost(name: str, way: str) -> None:
    last, first = split_name(name, way)
    assert last
    assert sorted("".join((last + first).split())) == sorted("".join(name.split()))


def test_a_list_of_whole_names(empty: Tournament) -> None:
    """Names in two columns are not parted again."""
    listed = read_list("Name;Country\nDUPONT Élodie;FRA\n王伟;CHN\n".encode())
    assert listed.whole_names == ["DUPONT Élodie", "王伟"]
    entrants = [row.entrant for row in check(listed.with_split("capitals"), empty)]
    names = [(entrant.last_name, entrant.first_name) for entrant in entrants]
    assert names == [("DUPONT", "Élodie"), ("王", "伟")]
    parted = read_list(b"Surname;First name\nde la Cruz;Ana\nvan Dam;Bo\n")
    assert parted.whole_names == []
    assert parted.with_split("last_first").split == ""
