"""TypedDicts and dataclasses as JSON shapes: in the API's schema, and as JSDoc typedefs.

Endpoints that build a response by hand return a TypedDict, so that mypy compares it with the schema.
"""

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from inspect import cleandoc
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import (
    append_meta,
    build_array_type,
    build_object_type,
    is_serializer,
    resolve_type_hint,
)
from rest_framework import serializers

from tournament.base.hooks import Hook

Schema = dict[str, Any]
EXTENDED_BY: Final[dict[Any, Hook[..., Any]]] = {}
"""TypedDict → hook whose receivers add keys to it; each returns a TypedDict."""


def hints_of(shape: Any) -> dict[str, Any]:
    """Return the type of each key, including those that a hook's receivers add."""
    hints = get_type_hints(shape, include_extras=True)
    if is_dataclass(shape):
        return {field.name: hints[field.name] for field in fields(shape)}
    for receiver in EXTENDED_BY[shape].receivers if shape in EXTENDED_BY else ():
        hints |= hints_of(get_type_hints(receiver)["return"])
    return hints


def _required(shape: Any, hints: dict[str, Any]) -> list[str]:
    if is_dataclass(shape):
        return [field.name for field in fields(shape) if field.default is field.default_factory is MISSING]
    optional = shape.__optional_keys__
    return [
        name for name, hint in hints.items() if name not in optional and get_origin(hint) is not NotRequired
    ]


def _doc(shape: Any) -> str:
    """Return a shape's own docstring; vars() avoids that of `dict`."""
    return cleandoc(vars(shape).get("__doc__") or "")


# --- The published schema ---


class _AnyTyped(type):
    def __subclasscheck__(cls, kind: type) -> bool:
        return is_typeddict(kind) or is_dataclass(kind)


class Typed(metaclass=_AnyTyped):
    """A virtual base class of all TypedDicts and dataclasses."""


class TypedExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A shape as a component of its own name: `@extend_schema(responses=TableState)`."""

    target_class = Typed
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        name: str = self.target.__name__
        return name

    def map_serializer(self, auto_schema: Any, direction: Any) -> Schema:
        hints = hints_of(self.target)
        return build_object_type(
            properties={name: schema_of(hint, auto_schema, direction) for name, hint in hints.items()},
            required=_required(self.target, hints),
            description=_doc(self.target),
        )


class TypedField(serializers.Field):  # type: ignore[type-arg]
    """A field whose JSON has the type hint `shape`."""

    shape: ClassVar[Any]


class TypedFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = TypedField
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> Schema:
        return schema_of(self.target.shape, auto_schema, direction)


def schema_of(hint: Any, auto_schema: Any, direction: Any) -> Schema:
    """Return the schema of a type hint; `Annotated[dict[str, Any], X]` has that of X."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return schema_of(args[1], auto_schema, direction)
    if origin is NotRequired:
        return schema_of(args[0], auto_schema, direction)
    if origin is list:
        return build_array_type(schema_of(args[0], auto_schema, direction))
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(args[1], auto_schema, direction)}
    if origin in (Union, UnionType):
        kinds = [schema_of(kind, auto_schema, direction) for kind in args if kind is not NoneType]
        either = kinds[0] if len(kinds) == 1 else {"oneOf": kinds}
        return append_meta(either, {"nullable": True}) if NoneType in args else either
    if hint is Any:
        return {}
    if is_serializer(hint):
        ref: Schema = auto_schema.resolve_serializer(hint, direction).ref
        return ref
    plain: Schema = resolve_type_hint(hint)  # type: ignore[no-untyped-call]
    return plain


# --- Typedefs ---


_JSDOC_TYPES: Final = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "any",
}


def typedefs(shape: Any) -> str:
    """Return JSDoc typedefs of a TypedDict and those it contains, the outermost first."""
    typedefs_by_shape: dict[Any, str] = {}
    pending = [shape]
    while pending:
        if (shape := pending.pop(0)) not in typedefs_by_shape:
            hints = hints_of(shape)
            required = _required(shape, hints)
            typedefs_by_shape[shape] = "\n".join(_typedef(shape, hints, required))
            pending += [part for hint in hints.values() for part in _parts(hint)]
    return "\n\n".join(typedefs_by_shape.values()) + "\n"


def _typedef(shape: Any, hints: dict[str, Any], required: list[str]) -> Iterator[str]:
    yield "/**"
    yield from (f" * {line}".rstrip() for line in _doc(shape).splitlines())
    yield f" * @typedef {{object}} {shape.__name__}"
    for name, hint in hints.items():
        yield f" * @property {{{_script_type(hint)}}} {name if name in required else f'[{name}]'}"
    yield " */"


def _parts(hint: Any) -> Iterator[Any]:
    if is_typeddict(hint):
        yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _script_type(hint: Any) -> str:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Annotated, NotRequired):
        return _script_type(args[0])
    if origin is list:
        item = _script_type(args[0])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is dict:
        return f"Record<{', '.join(map(_script_type, args))}>"
    if origin in (Union, UnionType):
        return " | ".join(map(_script_type, args))
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in args)
    return hint.__name__ if is_typeddict(hint) else _JSDOC_TYPES[hint]
