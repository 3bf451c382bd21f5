"""Countries (ISO 3166): their names in every language, and aliases."""

import gettext
import unicodedata
from functools import lru_cache
from pathlib import Path

import pycountry
from django.utils.translation import get_language, to_locale

_LOCALES = {"zh_Hans": "zh_CN", "zh_Hant": "zh_TW"}
"""Our locales → pycountry's."""

_ALIASES = {
    "uk": "GBR",
    "england": "GBR",
    "scotland": "GBR",
    "wales": "GBR",
    "great britain": "GBR",
    "grande-bretagne": "GBR",
    "großbritannien": "GBR",
    "u.s.": "USA",
    "u.s.a.": "USA",
    "korea": "KOR",
    "chinese taipei": "TWN",
    "中华台北": "TWN",
    "中華台北": "TWN",
    "中国台湾": "TWN",
    "中國台灣": "TWN",
    "ger": "DEU",
    "ned": "NLD",
    "sui": "CHE",
    "den": "DNK",
    "por": "PRT",
    "gre": "GRC",
    "cro": "HRV",
    "slo": "SVN",
    "lat": "LVA",
    "bul": "BGR",
    "mon": "MCO",
    "tpe": "TWN",
    "phi": "PHL",
    "ina": "IDN",
    "mas": "MYS",
    "vie": "VNM",
    "rsa": "ZAF",
    "chi": "CHL",
    "uru": "URY",
    "uae": "ARE",
    "iri": "IRN",
}
"""Everyday names, and codes of the Olympic Committee, which ISO 3166 does not have."""


def is_country(code: str) -> bool:
    """Return whether a text is an ISO 3166 alpha-3 code in upper case."""
    return code.isupper() and pycountry.countries.get(alpha_3=code) is not None


@lru_cache(maxsize=1024)
def alpha_2(code: str) -> str:
    """Return the lower-case alpha-2 code of an alpha-3 code, as flag files are named; "" for an unknown one."""
    country = pycountry.countries.get(alpha_3=code)
    return country.alpha_2.lower() if country else ""


def country_name(code: str) -> str:
    """Return a country's name in the active language; the code itself if it is unknown."""
    return _name(code, to_locale(get_language() or "en"))


@lru_cache(maxsize=2048)
def _name(code: str, locale: str) -> str:
    country = pycountry.countries.get(alpha_3=code)
    if country is None:
        return code
    english = getattr(country, "common_name", country.name)
    return _catalogue(_LOCALES.get(locale, locale)).gettext(english)


@lru_cache(maxsize=512)
def _catalogue(locale: str) -> gettext.NullTranslations:
    return gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[locale], fallback=True)


def choices() -> list[tuple[str, str]]:
    """Return (alpha-3, name) of every country, sorted by name in the active language."""
    return sorted(
        ((c.alpha_3, country_name(c.alpha_3)) for c in pycountry.countries), key=lambda pair: pair[1]
    )


def country_names() -> list[str]:
    """Return the name of every country in the active language, for the datalist `countries`."""
    return [name for _code, name in choices()]


def find_country(text: str) -> str | None:
    """Return the alpha-3 code for a code of two or three letters or a name in any language; else None.

    >>> find_country("fra"), find_country("DE"), find_country("Danmark"), find_country("中国"), find_country("XX")
    ('FRA', 'DEU', 'DNK', 'CHN', None)
    """
    folded = _folded(text)
    if len(folded) in (2, 3) and folded.isascii():
        code, countries = folded.upper(), pycountry.countries
        country = countries.get(alpha_2=code) if len(code) == 2 else countries.get(alpha_3=code)
        return country.alpha_3 if country else _ALIASES.get(folded)
    return _ALIASES.get(folded) or _codes_by_name().get(folded)


@lru_cache(maxsize=1)
def _codes_by_name() -> dict[str, str]:
    """Map every name in every language of pycountry, case-folded, to its alpha-3 code. Built at first use."""
    locales = sorted(path.name for path in Path(pycountry.LOCALES_DIR).iterdir() if path.is_dir())
    codes: dict[str, str] = {}
    for locale in ["en", *locales]:
        for country in pycountry.countries:
            for name in (
                country.name,
                getattr(country, "common_name", None),
                getattr(country, "official_name", None),
            ):
                if name:
                    codes.setdefault(_folded(_catalogue(locale).gettext(name)), country.alpha_3)
    return codes


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()
