"""Forms that speak our language: where Django has a sentence for what is wrong with a field, ours is said.

    class SeatsForm(Form): …                           # instead of django.forms.Form
    class SignInForm(Spoken, AuthenticationForm): …    # a form of Django's own

What a form says itself, by `error_messages` of a field, stays.
"""

from __future__ import annotations

from django import forms

from tournament.web.texts.fields import EVERY, OF_KIND, Sentences


class Spoken(forms.BaseForm):
    """What each field says is settled when the form is looked at, so for fields that were added late too."""

    def full_clean(self) -> None:
        for field in self.fields.values():
            speak(field)
        super().full_clean()


class Form(Spoken, forms.Form):
    """What every form here is made from."""


def speak(field: forms.Field) -> None:
    """Put our sentences in the place of Django's. A validator's sentence gives way to one of its code, too."""
    djangos = _djangos(field)
    ours = {code: sentence for code, sentence in _ours(field).items() if _is_free(field, code, djangos)}
    field.error_messages.update(ours)  # type: ignore[arg-type]  # lazy sentences are sentences


def _is_free(field: forms.Field, code: str, djangos: Sentences) -> bool:
    return field.error_messages.get(code) is djangos.get(code)


def _djangos(field: forms.Field) -> Sentences:
    """What a field of this kind says of itself."""
    found: dict[str, str] = {}
    for kind in reversed(type(field).__mro__):
        found.update(getattr(kind, "default_error_messages", {}))
    return found


def _ours(field: forms.Field) -> Sentences:
    """Of every kind that the field is made from, the nearest last."""
    found = dict(EVERY)
    for kind in reversed(type(field).__mro__):
        found.update(OF_KIND.get(kind.__name__, {}))
    return found
