"""Every model is in a tournament's file or it is said why not, and whoever adds a field to one says what it holds."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db.models import Field, JSONField, Model

from tests.house.test_kept import ours
from tournament.event_file.columns import EVENT, columns, model_of, reference
from tournament.event_file.schema import published, schema_text
from tournament.models.carried import CARRIED, LEFT_BEHIND, OF_LABEL, WRITTEN

OF_ACCOUNTS = ("auth.", "otp_")
EVERY = [EVENT, *CARRIED]


def test_every_model_is_carried_or_left_behind() -> None:
    wanted = {label for label in ours() if not label.startswith(OF_ACCOUNTS)}
    assert OF_LABEL.keys() | LEFT_BEHIND.keys() == wanted
    assert not OF_LABEL.keys() & LEFT_BEHIND.keys()


def test_what_is_left_out_is_there_and_has_a_reason() -> None:
    for one in EVERY:
        fields = {field.name for field in model_of(one)._meta.get_fields()}
        assert one.left.keys() | one.names.keys() | set(one.key) | one.keyed.keys() <= fields
        assert all(one.left.values())
    assert all(LEFT_BEHIND.values())


def test_every_json_field_has_a_shape() -> None:
    wanted = {
        f"{one.label}.{field.name}"
        for one in EVERY
        for field in model_of(one)._meta.concrete_fields
        if isinstance(field, JSONField) and field.name not in one.left
    }
    assert WRITTEN.keys() == wanted


def test_what_is_named_comes_before_what_names_it() -> None:
    known: set[type[Model]] = {User}
    for one in CARRIED:
        for column in columns(one.label):
            assert column.target is None or column.target in {*known, model_of(one)}, one.section
        known.add(model_of(one))


def test_sections_are_of_one_name_each() -> None:
    names = [one.section for one in EVERY]
    assert len(names) == len(set(names))


def test_a_key_is_one_in_an_event() -> None:
    """Whatever is named by its key has a constraint that keeps it from being two."""
    for one in CARRIED:
        if not one.key:
            continue
        meta = model_of(one)._meta
        field = meta.get_field(one.key[0])
        alone = len(one.key) == 1 and isinstance(field, Field) and field.unique
        together = ({*one.key, "tournament"}, set(one.key))
        assert alone or any(set(getattr(each, "fields", ())) in together for each in meta.constraints), one
        assert reference(model_of(one)).schema()


@pytest.mark.parametrize("label", [one.label for one in EVERY])
def test_no_secret_is_carried(label: str) -> None:
    names = {column.name for column in columns(label)}
    assert not names & {"token_hash", "password", "secret", "endpoint", "session_key", "digest"}


def test_the_published_schema_is_that_of_the_reader() -> None:
    """`manage.py tournament schema` writes it."""
    assert published().read_text("utf-8") == schema_text()
