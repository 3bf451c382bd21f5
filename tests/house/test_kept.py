"""What is kept of people is declared for every field there is, and nobody's data is forgotten when they ask for it."""

from django.apps import apps

from tests.house.source import ours
from tournament.privacy.kept import KEPT, Whose


def test_every_field_says_what_it_is_kept_for() -> None:
    wanted = {
        (label, field.name)
        for label, model in ours().items()
        for field in model._meta.get_fields()
        if field.concrete and not (field.many_to_many and label == "auth.User")
    }
    declared = [(label, name) for label, rows in KEPT.items() for row in rows for name in row.fields]
    assert set(declared) ^ wanted == set()
    assert len(declared) == len(set(declared))
    assert all(apps.get_model(label) for label in KEPT)


def test_what_is_somebody_s_says_what_why_and_until_when() -> None:
    for rows in KEPT.values():
        for row in rows:
            said = all((row.what, row.why, row.until))
            assert said == (row.whose is not Whose.NOBODY)
