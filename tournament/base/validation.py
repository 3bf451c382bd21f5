"""Model validation as problems, so that services can refuse with all of them."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import models

from scoring.engine.problems import Problem
from tournament.base.errors import Invalid, Refused
from tournament.base.problems import (
    NOT_UNDERSTOOD,
    TEXT_TOO_LONG,
    VALUE_MISSING,
    VALUE_TOO_HIGH,
    VALUE_TOO_LOW,
)

_MISSING: Final = {"blank", "null", "required"}


def check(
    instance: models.Model,
    where: str = "",
    *,
    exclude: Iterable[str] = (),
    only: Collection[str] | None = None,
) -> None:
    """Raise Refused with every problem of an instance; `where` is prefixed to field names."""
    if problems := problems_of(instance, where, exclude=exclude, only=only):
        raise Refused(problems)


def problems_of(
    instance: models.Model,
    where: str = "",
    *,
    exclude: Iterable[str] = (),
    only: Collection[str] | None = None,
) -> list[Problem]:
    """Return every problem of an instance, each at the name of its field."""
    if only is not None:
        exclude = (field.name for field in instance._meta.fields if field.name not in only)
    try:
        instance.full_clean(exclude=set(exclude))
    except ValidationError as error:
        return list(problems_in(error, where))
    return []


def problems_in(error: ValidationError, where: str = "") -> Iterator[Problem]:
    """Yield the errors of Django's validation as problems, each at the path of its field."""
    for name, errors in error.error_dict.items():
        path = where if name == NON_FIELD_ERRORS else f"{where}.{name}".removeprefix(".")
        for field_error in errors:
            yield _problem(field_error, path, name)


def _problem(error: ValidationError, path: str, name: str) -> Problem:
    if isinstance(error, Invalid):
        return error.problem.at(f"{path}.{error.problem.where}".strip("."))
    params = error.params or {}
    if error.code in _MISSING:
        return VALUE_MISSING(path)
    if error.code == "max_length":
        return TEXT_TOO_LONG(path, length=params["show_value"], maximum=params["limit_value"])
    if error.code == "min_value":
        return VALUE_TOO_LOW(path, minimum=str(params["limit_value"]))
    if error.code == "max_value":
        return VALUE_TOO_HIGH(path, maximum=str(params["limit_value"]))
    return NOT_UNDERSTOOD(path, field=name)


def changed_fields(instance: models.Model) -> list[str]:
    """Return the names of the fields that differ from the stored row; all of them for a new instance."""
    names = [field.attname for field in instance._meta.concrete_fields if not field.primary_key]
    if instance.pk is None:
        return names
    stored = type(instance)._base_manager.filter(pk=instance.pk).values(*names).first() or {}
    return [name for name in names if stored.get(name) != getattr(instance, name)]
