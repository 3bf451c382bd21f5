"""Countries (ISO 3166): their names in every language, and what people write for them."""

import gettext
import unicodedata
from functools import lru_cache
from pathlib import Path

import pycountry
from django.utils.translation import get_language, to_locale

_OWN = {"zh_Hans": "zh_CN", "zh_Hant": "zh_TW"}
"""Our languages under the names pycountry's catalogues have."""

_ALSO = {
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
"""What people write that ISO 3166 does not say: everyday names, and the Olympic Committee's own codes."""


def is_country(code: str) -> bool:
    """True for an ISO 3166 alpha-3 code in upper case."""
    return code.isupper() and pycountry.countries.get(alpha_3=code) is not None


@lru_cache(maxsize=1024)
def alpha_2(code: str) -> str:
    """The lower-case two-letter code of an alpha-3 code, as flag files are named; '' when there is none."""
    country = pycountry.countries.get(alpha_3=code)
    return country.alpha_2.lower() if country else ""


def country_name(code: str) -> str:
    """The country's name in the language of the moment; the code itself when it is unknown."""
    return _name(code, to_locale(get_language() or "en"))


@lru_cache(maxsize=2048)
def _name(code: str, locale: str) -> str:
    country = pycountry.countries.get(alpha_3=code)
    if country is None:
        return code
    english = getattr(country, "common_name", country.name)
    return _catalogue(_OWN.get(locale, locale)).gettext(english)


@lru_cache(maxsize=512)
def _catalogue(locale: str) -> gettext.NullTranslations:
    return gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[locale], fallback=True)


def choices() -> list[tuple[str, str]]:
    """(alpha-3, name) of every country, by name, in the language of the moment."""
    return sorted(
        ((c.alpha_3, country_name(c.alpha_3)) for c in pycountry.countries), key=lambda pair: pair[1]
    )


def country_names() -> list[str]:
    """Every country by name, in the language of the moment: what a form's list `countries` proposes."""
    return [name for _code, name in choices()]


def find_country(text: str) -> str | None:
    """The alpha-3 code for a code of two or three letters or a name in any language; None when nothing fits.

    >>> find_country("fra"), find_country("DE"), find_country("Danmark"), find_country("中国"), find_country("XX")
    ('FRA', 'DEU', 'DNK', 'CHN', None)
    """
    folded = _folded(text)
    if len(folded) in (2, 3) and folded.isascii():
        code, known = folded.upper(), pycountry.countries
        country = known.get(alpha_2=code) if len(code) == 2 else known.get(alpha_3=code)
        return country.alpha_3 if country else _ALSO.get(folded)
    return _ALSO.get(folded) or _names().get(folded)


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Every name of every country in every language pycountry has, folded → alpha-3. Built when first asked for."""
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
