"""A text in the three languages of the rule data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

_FIELDS: Final[Mapping[str, str]] = {"en": "en", "zh-hans": "zh_hans", "zh-hant": "zh_hant"}


@dataclass(frozen=True, slots=True)
class Names:
    """A text in English, 简体中文 and 繁體中文."""

    en: str
    zh_hans: str
    zh_hant: str

    @classmethod
    def filled(cls, en: str, zh_hans: str = "", zh_hant: str = "") -> Self:
        """Return names whose empty Chinese texts fall back to the other script, then to English."""
        return cls(en, zh_hans or zh_hant or en, zh_hant or zh_hans or en)

    def in_language(self, code: str) -> str:
        """Return the text for a language code such as ``zh-hans``, in English for any other language."""
        name: str = getattr(self, _FIELDS.get(code.lower().replace("_", "-"), "en"))
        return name

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(str(data["en"]), str(data["zh_hans"]), str(data["zh_hant"]))
