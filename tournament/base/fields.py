"""Model fields for money, links, names and texts, with the form fields that read them."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, URLValidator, validate_email
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import problem_code
from tournament.base.countries import country_name, find_country, is_country
from tournament.base.engine.text import is_on_the_internet, tidy
from tournament.base.errors import Invalid
from tournament.base.problems import NAME_MISSING, TEXT_TOO_LONG, UNKNOWN_COUNTRY, UNKNOWN_LANGUAGE

EMA_NUMBER_NOT_DIGITS = problem_code(
    "ema_number_not_digits",
    "“{ema_number}” is not an EMA number: it has eight digits and nothing else.",
    also=("name",),
)
EMA_NUMBER_LENGTH = problem_code(
    "ema_number_length",
    "An EMA number has eight digits; this one has {digits}.",
    also=("name",),
)
EMAIL_WRONG = problem_code("email_wrong", "This is not an e-mail address.")
EMA_DIGITS: Final = 8

if TYPE_CHECKING:
    CharField = models.CharField[str, str]
    EmailField = models.EmailField[str, str]
else:  # Django's fields cannot be subscripted
    CharField, EmailField = models.CharField, models.EmailField

_AMOUNT_MESSAGES: Final = dict.fromkeys(
    ("max_digits", "max_decimal_places", "max_whole_digits"),
    _("An amount has at most two decimals and is at most 999,999.99."),
)


class AmountField(forms.DecimalField):
    """A form field for money: reads 40, 40.00 and 40,00."""

    def __init__(self, **options: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "class": "num"}
        super().__init__(**options | {"widget": forms.TextInput(attrs=attrs)})
        self.error_messages.update(_AMOUNT_MESSAGES)

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]  # as DecimalField itself does
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class MoneyField(models.DecimalField):  # type: ignore[type-arg]  # Django's fields cannot be subscripted
    """An amount in the event's currency with two decimals."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"max_digits": 8, "decimal_places": 2} | options)
        self.error_messages.update(_AMOUNT_MESSAGES)

    def to_python(self, value: Any) -> Any:
        """Pad to two decimals. What does not fit is left to the validators."""
        amount = super().to_python(value)
        if amount is None or not amount.is_finite() or not -2 < amount.as_tuple().exponent < 8:
            return amount
        return amount.quantize(Decimal("0.01"))

    def formfield(self, **options: Any) -> Any:
        # The browser does not see the model's validators.
        minimums = [v.limit_value for v in self.validators if isinstance(v, MinValueValidator)]
        extra = {"min_value": minimums[0]} if minimums else {}
        return super().formfield(**{"form_class": AmountField, **extra, **options})


class CompactFormField(forms.CharField):
    """A form field for a code typed in groups or small letters."""

    def to_python(self, value: Any) -> Any:
        return compact(super().to_python(value) or "")


class CompactField(CharField):
    """A code in capitals without spaces: account numbers, marks."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text if text is None else compact(text)

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": CompactFormField, **options})


def compact(text: str) -> str:
    """Return a text in capitals, without any white space."""
    return "".join(text.split()).upper()


class TextsField(models.JSONField):
    """A text by language: {"en": "Tea"}. Trimmed when it is validated."""

    def __init__(self, *args: Any, **options: Any) -> None:
        defaults: dict[str, Any] = {"default": dict, "blank": True}
        super().__init__(*args, **defaults | options)

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        if isinstance(value, dict) and all(isinstance(text, str) for text in value.values()):
            texts = {language: normalize_newlines(value[language]).strip() for language in sorted(value)}
            value = {language: text for language, text in texts.items() if text}
        return super().clean(value, model_instance)

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise ValidationError(_("This cannot be read. Type it again."), code="invalid")
        problems = [
            *(
                UNKNOWN_LANGUAGE(language=language)
                for language in value
                if language not in dict(settings.LANGUAGES)
            ),
            *(
                TEXT_TOO_LONG(language, length=len(text), maximum=self.max_length)
                for language, text in value.items()
                if self.max_length is not None and len(text) > self.max_length
            ),
        ]
        if problems:
            raise ValidationError([Invalid(problem) for problem in problems])


def normalize_newlines(text: str) -> str:
    """Return a text with \\n for \\r\\n."""
    return text.replace("\r\n", "\n")


class OneLineField(CharField):
    """A text in one line, with single spaces."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text if text is None else " ".join(text.split())


class LinkField(models.URLField):  # type: ignore[type-arg]
    """An http or https URL."""

    default_validators = [URLValidator(schemes=["http", "https"])]

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"assume_scheme": "https", **options})


class NameField(CharField):
    """A line of text: a name, a club. Tidied when it is validated."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"max_length": 80} | options)

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        return super().clean(tidy(value) if isinstance(value, str) else value, model_instance)

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        if not value and not self.blank:
            raise Invalid(NAME_MISSING())
        super().validate(value, model_instance)


def check_country(code: str) -> None:
    """Validate a country's three letters (ISO 3166)."""
    if not is_country(code):
        raise Invalid(UNKNOWN_COUNTRY(country=code))


class CountryFormField(forms.CharField):
    """A form field that reads a country's name in any language, or a code."""

    def prepare_value(self, value: Any) -> Any:
        return country_name(value) if isinstance(value, str) and is_country(value) else value

    def to_python(self, value: Any) -> Any:
        text = tidy(super().to_python(value) or "")
        return find_country(text) or text


class CountryField(CharField):
    """An ISO 3166 alpha-3 code."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"max_length": 3} | options)

    @property
    def validators(self) -> Any:  # implies the length
        return [check_country]

    def formfield(self, **options: Any) -> Any:
        widget = forms.TextInput(attrs={"list": "countries", "autocomplete": "off"})
        defaults = {"form_class": CountryFormField, "max_length": None, "widget": widget}
        return super().formfield(**defaults | options)


def check_ema_number(text: str) -> None:
    """Validate a number of the European Mahjong Association."""
    if not (text.isascii() and text.isdigit()):
        raise Invalid(EMA_NUMBER_NOT_DIGITS(ema_number=text))
    if len(text) != EMA_DIGITS:
        raise Invalid(EMA_NUMBER_LENGTH(digits=len(text)))


class EmaNumberFormField(forms.CharField):
    """A form field for an EMA number, which may have spaces."""

    def to_python(self, value: Any) -> Any:
        return tidy(super().to_python(value) or "").replace(" ", "")


class EmaNumberField(CharField):
    """A number of the European Mahjong Association: eight digits as text, as the leading zero counts."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"max_length": EMA_DIGITS} | options)

    @property
    def validators(self) -> Any:  # implies the length
        return [check_ema_number]

    def formfield(self, **options: Any) -> Any:
        widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
        defaults = {"form_class": EmaNumberFormField, "max_length": None, "widget": widget}
        return super().formfield(**defaults | options)


def check_address(email: str) -> None:
    """Validate that an e-mail address is on the internet."""
    try:
        validate_email(email)
    except ValidationError:
        raise Invalid(EMAIL_WRONG()) from None
    if not is_on_the_internet(email):
        raise Invalid(EMAIL_WRONG())


class AddressField(EmailField):
    """An e-mail address that mail can be sent to."""

    default_validators = [check_address]

    def formfield(self, **options: Any) -> Any:
        widget = forms.TextInput(attrs={"inputmode": "email", "autocomplete": "email"})
        return super().formfield(**{"form_class": forms.CharField, "widget": widget, **options})
