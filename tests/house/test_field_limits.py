"""A field's limits are stated once, in its model: forms and API fields that store to it have the same."""

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.db import models
from django.urls import get_resolver
from rest_framework import serializers

from tournament.web.forms import ModelForm

LIMITS = ("max_length", "max_value", "min_value", "max_digits", "decimal_places", "choices")


CHECKED_BY_THE_SERVICE = {
    ("PlayerSerializer", "number"): "a number is refused with the player who has it",
    ("PlayerSerializer", "country"): "a country's name is understood, not only its code",
    ("PlayerSerializer", "ema_number"): "a number with spaces is understood",
}
"""Fields whose service reads more than it stores, and why."""


UNLIKE = (models.FileField, models.JSONField, models.ManyToManyField)
"""What is sent is of another kind than what is stored: a file and its path, a list."""


def subclasses(kind: Any) -> Iterator[Any]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def limits_of(field: Any) -> dict[str, object]:
    values = {name: getattr(field, name, None) for name in LIMITS}
    if values["choices"] is not None:
        choices: Any = forms.ChoiceField(choices=field.choices).choices
        values["choices"] = {value for value, _label in choices if value}
    return values


def model_field(model: type[models.Model], name: str) -> Any:
    return next((field for field in model._meta.get_fields() if field.name == name and field.concrete), None)


def differences(kind: type, name: str, own: Any, derived: Any) -> Iterator[str]:
    limits, own_limits = limits_of(derived), limits_of(own)
    for limit, value in own_limits.items():
        is_said_by_choices = limit == "max_length" and own_limits["choices"] is not None
        if limits[limit] is not None and value != limits[limit] and not is_said_by_choices:
            yield f"{kind.__qualname__}.{name}: {limit} is {value}, the model has {limits[limit]}"


def form_differences() -> Iterator[str]:
    for form in subclasses(ModelForm):
        for name, field in form.declared_fields.items():
            stored = model_field(form._meta.model, name)
            if stored is not None and not isinstance(stored, UNLIKE) and stored.formfield() is not None:
                yield from differences(form, name, field, stored.formfield())


def serializer_differences() -> Iterator[str]:
    for kind in subclasses(serializers.ModelSerializer):
        if not kind.__module__.startswith("tournament."):
            continue
        for name, field in kind._declared_fields.items():
            stored = model_field(kind.Meta.model, field.source or name)
            if stored is None or isinstance(stored, UNLIKE) or field.read_only:
                continue
            if isinstance(field, serializers.BaseSerializer) or any(
                (base.__name__, name) in CHECKED_BY_THE_SERVICE for base in kind.__mro__
            ):
                continue
            derived_class, options = kind().build_standard_field(stored.name, stored)
            yield from differences(kind, name, field, derived_class(**options))


@pytest.mark.parametrize("find", [form_differences, serializer_differences])
def test_forms_and_serializers_have_the_limits_of_their_models(find: Any) -> None:
    assert get_resolver().url_patterns, "every form and serializer is loaded"
    assert list(find()) == []
