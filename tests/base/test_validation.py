"""What Django's validation finds becomes problems, all at once, each at its place."""

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import MaxLengthValidator, MaxValueValidator

from tournament.base.errors import Invalid
from tournament.base.problems import LIST_EMPTY
from tournament.base.validation import problems_in


def error_of(validator: MaxLengthValidator | MaxValueValidator, value: object) -> ValidationError:
    try:
        validator(value)
    except ValidationError as error:
        return error
    raise AssertionError("it is valid")


def test_problems_keep_the_path_and_limits_of_validation_errors() -> None:
    errors = {
        "name": error_of(MaxLengthValidator(5), "too long"),
        "places": error_of(MaxValueValidator(8), 9),
        "on": ValidationError("This field cannot be null.", code="null"),
        "kind": ValidationError("Not a valid choice.", code="invalid_choice"),
        NON_FIELD_ERRORS: Invalid(LIST_EMPTY()),
    }
    problems = [(p.code, p.where, dict(p.params)) for p in problems_in(ValidationError(errors), "rows.1")]
    assert problems == [
        ("text_too_long", "rows.1.name", {"length": 8, "maximum": 5}),
        ("value_too_high", "rows.1.places", {"maximum": "8"}),
        ("value_missing", "rows.1.on", {}),
        ("not_understood", "rows.1.kind", {"field": "kind"}),
        ("list_empty", "rows.1", {}),
    ]
