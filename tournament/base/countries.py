"""Countries (ISO 3166): their names in every language, and aliases."""

import gettext
import re
import unicodedata
from functools import lru_cache
from pathlib import Path

import pycountry
from babel import Locale
from django.utils.translation import get_language, to_locale

_LOCALES = {"zh_Hans": "zh_CN", "zh_Hant": "zh_TW"}
"""Our locales → pycountry's."""

_ALIASES = {
    "GBR": "UK, England, Scotland, Wales, Northern Ireland, Great Britain, Grande-Bretagne, Großbritannien, "
    "Schottland, Schotland, Ecosse, Angleterre, "
    "Gran Bretagna, Gran Bretaña, Storbritannien, Wielka Brytania, Великобритания, Англия, "
    "英格兰, 英格蘭, イギリス",
    "USA": "U.S.A., United States of America, America, Etats-Unis d'Amérique, США, Соединённые Штаты, 美國, 美国",
    "NLD": "ned, Holland, Hollande, Niederlande, Nederland, Paesi Bassi, Голландия, オランダ, 荷蘭, 荷兰",
    "TUR": "Turkey, Turquie, Türkei, Turcja, Turchia, Turquía",
    "RUS": "Россия, РФ, Russia, Rossija, Rossiya",
    "BLR": "Belorussia, Byelorussia, White Russia, Белоруссия, Weißrussland, Wit-Rusland",
    "KOR": "Korea, South Korea, Rep. of Korea, Südkorea, Corée, 韩国, 韓國, 韓国, 한국, 남한",
    "CHN": "PRC, PR China, P.R. China, Mainland China, 中国大陆, 中國大陸",
    "TWN": "tpe, Chinese Taipei, Taiwan, Taiwan (Chinese Taipei), "
    "中华台北, 中華台北, 中国台北, 中國台北, 中国台湾, 中國台灣, 台湾, 台灣",
    "HKG": "Hong Kong, Hong Kong China, Hong Kong (China), Hong Kong SAR, 中国香港, 中國香港, 香港",
    "MAC": "Macau, Macao China, 中国澳门, 中國澳門, 澳门, 澳門",
    "CZE": "Czech Rep., Czechoslovakia, Tschechien, Tchéquie, Česká republika, ČR",
    "IRL": "Eire, Republic of Ireland, Rep. of Ireland, Southern Ireland",
    "CIV": "Côte d’Ivoire, Ivory Coast",
    "BIH": "Bosnia, Bosnia and Herzegovina",
    "MKD": "Macedonia",
    "JPN": "日本国",
    "DEU": "ger, BRD, Deutschland",
    "CHE": "sui, Schweiz, Suisse, Svizzera",
    "DNK": "den",
    "PRT": "por",
    "GRC": "gre",
    "HRV": "cro",
    "SVN": "slo",
    "LVA": "lat",
    "BGR": "bul",
    "MCO": "mon",
    "PHL": "phi",
    "IDN": "ina",
    "MYS": "mas",
    "VNM": "vie",
    "ZAF": "rsa",
    "CHL": "chi",
    "URY": "uru",
    "ARE": "uae",
    "IRN": "iri, Persia",
}
"""Everyday and former names, and codes of the Olympic Committee, which neither ISO 3166 nor CLDR has."""

_LANGUAGES = (
    *("en", "fr", "de", "da", "sv", "nb", "fi", "es", "pt", "it", "nl", "is", "et"),
    *("pl", "cs", "sk", "hu", "sl", "hr", "ro", "ru", "uk", "bg", "sr", "el", "tr"),
    *("lt", "lv", "ca", "zh", "zh_Hant", "ja", "ko", "vi"),
)
"""Languages whose names CLDR adds to those of ISO 3166: of the EMA's members, and of East Asia."""
_ARTICLES = {
    *("the", "la", "le", "les", "l", "el", "los", "las", "os"),
    *("die", "der", "das", "de", "den", "det", "het"),
}


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
    code = _with_letters_of_flags(text).strip(" .").upper()
    if len(code) in (2, 3) and code.isascii():
        countries = pycountry.countries
        country = countries.get(alpha_2=code) if len(code) == 2 else countries.get(alpha_3=code)
        if country:
            return str(country.alpha_3)
    folded = _folded(text)
    return _aliases().get(folded) or (_codes_by_name().get(folded) if folded else None)


def _with_letters_of_flags(text: str) -> str:
    """Return the text with a flag, which is two regional indicators, as letters: 🇪🇸 → ES."""
    return "".join(
        chr(ord("A") + ord(char) - 0x1F1E6) if 0x1F1E6 <= ord(char) <= 0x1F1FF else char for char in text
    )


@lru_cache(maxsize=1)
def _aliases() -> dict[str, str]:
    return {_folded(name): code for code, names in _ALIASES.items() for name in names.split(", ")}


@lru_cache(maxsize=1)
def _codes_by_name() -> dict[str, str]:
    """Map every name in every language of pycountry and CLDR, folded, to its alpha-3 code. Built at first use."""
    codes: dict[str, str] = {}
    locales = sorted(path.name for path in Path(pycountry.LOCALES_DIR).iterdir() if path.is_dir())
    english = [
        (name, country.alpha_3)
        for country in pycountry.countries
        for field in ("name", "common_name", "official_name")
        if (name := getattr(country, field, None))
    ]
    for locale in ["en", *locales]:
        translated = _catalogue(locale).gettext
        for name, code in english:
            codes.setdefault(_folded(translated(name)), code)
    for language in _LANGUAGES:
        for key, name in Locale.parse(language).territories.items():
            if of_key := pycountry.countries.get(alpha_2=key.partition("-")[0]):
                codes.setdefault(_folded(name), of_key.alpha_3)
    return codes


@lru_cache(maxsize=50_000)
def _folded(text: str) -> str:
    """Return the words in order of the alphabet, without case, accents, articles and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    words = re.findall(r"\w+", re.sub(r"(?<=\w)\.(?=\w\.)", "", letters))
    return " ".join(sorted(set(words) - _ARTICLES or set(words)))
