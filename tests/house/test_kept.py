"""What is kept of people is declared for every field there is, and nobody's data is forgotten when they ask for it."""

from django.apps import apps
from django.db.models import Model

from tournament.backup.tables import models
from tournament.models import ApiToken, Visit
from tournament.models.kept import KEPT, Whose


def ours() -> dict[str, type[Model]]:
    """What a backup holds, without what only ties two rows together, and sign-ins."""
    found = [model for model in models() if not model._meta.auto_created]
    every: list[type[Model]] = [*found, Visit, ApiToken]
    return {model._meta.label: model for model in every}


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


def test_what_is_somebody_s_says_what_why_and_until_when() -> None:
    for rows in KEPT.values():
        for row in rows:
            said = all((row.what, row.why, row.until))
            assert said == (row.whose is not Whose.NOBODY)


def test_every_model_is_one_that_there_is() -> None:
    assert all(apps.get_model(label) for label in KEPT)
