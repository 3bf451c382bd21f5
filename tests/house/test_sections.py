"""Every model is in tournament files or excluded with a reason, and every field declares its purpose and retention."""

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Field, JSONField, Model

from tests.house.source import ours
from tournament.exchange.event_file.columns import columns, reference_shape
from tournament.exchange.event_file.reading import published_schema, schema_text
from tournament.exchange.event_file.sections import (
    EXCLUDED_MODELS,
    JSON_SHAPES,
    SECTION_OF,
    SECTIONS,
    TOURNAMENT_SECTION,
)
from tournament.privacy.retention import RETENTION_RULES, DataSubject

OF_ACCOUNTS = ("auth.", "otp_")
SECRETS = {"token_hash", "password", "secret", "endpoint", "session_key", "digest"}
EVERY = [TOURNAMENT_SECTION, *SECTIONS]


def test_every_model_has_a_section_or_is_excluded_with_a_reason() -> None:
    models = {label for label in ours() if not label.startswith(OF_ACCOUNTS)}
    assert SECTION_OF.keys() | EXCLUDED_MODELS.keys() == models
    assert not SECTION_OF.keys() & EXCLUDED_MODELS.keys()
    names = [section.name for section in EVERY]
    assert len(names) == len(set(names))
    for section in EVERY:
        fields = {field.name for field in section.model._meta.get_fields()}
        named = section.omitted.keys() | section.renamed.keys() | set(section.key) | section.json_keys.keys()
        assert named <= fields, section
        assert all(section.omitted.values()), section
    assert all(EXCLUDED_MODELS.values())


def test_every_json_field_has_a_shape() -> None:
    fields = {
        f"{section.label}.{field.name}"
        for section in EVERY
        for field in section.model._meta.concrete_fields
        if isinstance(field, JSONField) and field.name not in section.omitted
    }
    assert JSON_SHAPES.keys() == fields


def test_sections_follow_their_references_and_contain_no_secrets() -> None:
    known: set[type[Model]] = {User}
    for section in SECTIONS:
        known.add(section.model)
        for column in columns(section.label):
            assert column.target is None or column.target in known, section
    exported = [(section.label, column.name) for section in EVERY for column in columns(section.label)]
    assert [(label, name) for label, name in exported if name in SECRETS] == []


def test_keys_are_unique_within_an_event() -> None:
    """Every section with a key has a unique constraint for it."""
    for section in (section for section in SECTIONS if section.key):
        meta = section.model._meta
        field = meta.get_field(section.key[0])
        is_unique = len(section.key) == 1 and isinstance(field, Field) and field.unique
        keys = ({*section.key, "tournament"}, set(section.key))
        constrained = any(set(getattr(constraint, "fields", ())) in keys for constraint in meta.constraints)
        assert is_unique or constrained, section
        assert reference_shape(section.model).schema()


def test_the_published_schema_is_that_of_the_reader() -> None:
    """`manage.py tournament schema` writes it."""
    assert published_schema().read_text("utf-8") == schema_text()


def test_every_field_declares_its_purpose() -> None:
    expected = {
        (label, field.name)
        for label, model in ours().items()
        for field in model._meta.get_fields()
        if not field.auto_created or field.concrete
        if not (field.many_to_many and label == "auth.User")
    }
    declared = [
        (label, name) for label, rows in RETENTION_RULES.items() for row in rows for name in row.fields
    ]
    assert set(declared) ^ expected == set()
    assert len(declared) == len(set(declared))
    assert all(apps.get_model(label) for label in RETENTION_RULES)


def test_personal_data_declares_its_purpose_and_retention() -> None:
    for rows in RETENTION_RULES.values():
        for row in rows:
            is_declared = all((row.description, row.reason, row.until))
            assert is_declared == (row.subject is not DataSubject.NOBODY)
