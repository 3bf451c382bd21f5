"""What people say of themselves when they register, by themselves or at the desk."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.registration.selectors.applicants import Answer, Applicant


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]})
class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """A text, the index of a choice, or yes and no."""

    def to_internal_value(self, data: Any) -> Answer:
        if not isinstance(data, str | bool | int):
            raise serializers.ValidationError("A text, the index of a choice, true or false.")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class ApplicantRequest(serializers.Serializer[Any]):
    """Who wants to play. `answers`: a question's key → the answer."""

    last_name = serializers.CharField(allow_blank=True, max_length=300)
    first_name = serializers.CharField(allow_blank=True, default="", max_length=300)
    country = serializers.CharField(
        allow_blank=True, default="", max_length=300, help_text="Three letters, ISO 3166."
    )
    email = serializers.CharField(allow_blank=True, default="", max_length=400)
    ema_number = serializers.CharField(allow_blank=True, default="", max_length=80)
    club = serializers.CharField(allow_blank=True, default="", max_length=300)
    team = serializers.CharField(allow_blank=True, default="", max_length=300)
    message = serializers.CharField(allow_blank=True, default="", max_length=5000)
    answers = serializers.DictField(child=AnswerField(), default=dict)
    language = serializers.CharField(allow_blank=True, default="", max_length=10)
    photos_agreed = serializers.BooleanField(default=False)
    name_shown = serializers.BooleanField(default=False)

    def applicant(self) -> Applicant:
        return Applicant(**{name: self.validated_data[name] for name in Applicant.__dataclass_fields__})


class RegisterRequest(ApplicantRequest):
    """`privacy_read`: the privacy notice has been read; without that nothing is kept."""

    privacy_read = serializers.BooleanField(default=False)
