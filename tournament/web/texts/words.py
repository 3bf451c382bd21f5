"""Formats of days, numbers, winds, tiles and roles, and sorting of names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from operator import attrgetter
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from scoring.texts import BACK, folded, joined
from tournament.base.engine.money import ZERO, Money
from tournament.base.models.people import ApiToken
from tournament.base.models.tournament import Role, Tournament

# --- Days and times ---


def days_text(first: date, last: date) -> str:
    """Return 14 November 2026 · 14–15 November 2026 · 30 November 2026 – 1 December 2026."""
    if first == last:
        return date_format(first)
    if (first.year, first.month) == (last.year, last.month):
        return _("{first_day}–{last_day} {month} {year}").format(
            first_day=first.day,
            last_day=last.day,
            month=date_format(first, pgettext("format of a month's name", "F")),
            year=first.year,
        )
    return f"{date_format(first)} – {date_format(last)}"


def time_text(moment: datetime) -> str:
    """Return 15 November 2026, 18:42, in the active time zone."""
    return date_format(localtime(moment), "DATETIME_FORMAT")


def time_of_day(moment: datetime) -> str:
    """Return 20:29, in the active time zone."""
    return f"{localtime(moment):%H:%M}"


def weekday(day: date) -> str:
    """Return a day without its year: Saturday 14 November, 11月14日 星期六."""
    return date_format(day, pgettext("format of a day with its weekday", "l j F"))


def when(starts_at: datetime | None, tournament: Tournament) -> str:
    """Return when something begins: 14:00; in a longer tournament Saturday 14:00; outside its days with the date.

    "" for None.
    """
    if starts_at is None:
        return ""
    day = starts_at.date()
    if day == tournament.starts_on == tournament.ends_on:
        return f"{starts_at:%H:%M}"
    if tournament.starts_on <= day <= tournament.ends_on < tournament.starts_on + timedelta(days=7):
        return f"{date_format(day, 'l')} {starts_at:%H:%M}"
    return f"{weekday(day)} {starts_at:%H:%M}"


# --- Figures ---


MINUS = "−"
Number = int | Decimal | Fraction


def minus(value: Number | None) -> str:
    """Format a running score: 43, 0, −27; "" for None."""
    return "" if value is None else str(value).replace("-", MINUS)


def signed(value: Number | None) -> str:
    """Format a change: +43, 0, −27; "" for None."""
    return f"+{value}" if value is not None and value > 0 else minus(value)


def percent_of(part: int, whole: int) -> str:
    """Return a rounded percentage, "40 %"; a dash if `whole` is 0."""
    return _("%(n)s %%") % {"n": round(100 * part / whole)} if whole else "–"


def one_decimal(value: float | None) -> str:
    """Return 22.4; a dash for None."""
    return "–" if value is None else f"{value:.1f}"


def table_points(value: Number | None) -> str:
    """Format table points: 4, 0.50, 2.33. Rounds half up."""
    if value is None:
        return ""
    exact = Fraction(value)
    places = 0 if exact.denominator == 1 else 2
    decimal = Decimal(exact.numerator) / Decimal(exact.denominator)
    return minus(decimal.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def money_text(money: Money) -> str:
    return f"{amount_text(money.amount)}\u00a0{money.currency}"


def amount_text(amount: Decimal) -> str:
    """Return 40.00; −5.00."""
    return minus(amount.quantize(ZERO))


# --- Names in order ---


def joined_by(items: Iterable[object], path: str = "") -> str:
    """Join items, or their attribute at a dotted path: `{{ seats|joined:"player.name" }}`."""
    return joined(map(attrgetter(path), items) if path else items)


PINYIN_CODEC, STROKES_CODEC = "gb2312", "big5"
"""Both encodings are in dictionary order: GB 2312 of simplified characters by pinyin, Big5 of traditional ones by
strokes."""


def by_name(name: str) -> tuple[str, bytes, str]:
    """Return a sort key: Latin names without accents first, then Chinese names in the reader's order."""
    codes = STROKES_CODEC if get_language() == "zh-hant" else PINYIN_CODEC
    plain = folded(name)
    if plain[:1] < "\u2e80":
        return plain, b"", name
    return "\uffff", plain.encode(codes, "replace"), name


# --- Roles ---


ROLES: Final[Mapping[Role, str | Promise]] = {
    Role.OWNER: gettext_lazy("Full access; can delete or transfer the tournament and appoint organisers."),
    Role.ORGANISER: gettext_lazy("Players, seats, rules, publishing, and who works here."),
    Role.CHIEF: gettext_lazy(
        "Rules on appeals, changes the sheets of closed sessions, reveals hidden results and assigns umpires to tables."
    ),
    Role.UMPIRE: gettext_lazy("Records hands and gives penalties, at all tables or some."),
    Role.SCORER: gettext_lazy("Records hands only, at all tables or some."),
    Role.DESK: gettext_lazy("Registrations and check-in."),
    Role.TREASURER: gettext_lazy("Who has paid and who has not."),
    Role.SCREENS: gettext_lazy("The hall screens and the announcements."),
    Role.OBSERVER: gettext_lazy("Sees what organisers see, but cannot change anything."),
}
"""Role → description."""


def role_name(role: str) -> str:
    return str(Role(role).label)


def role_choices(roles: Iterable[Role]) -> list[tuple[str, str]]:
    """Return roles to choose from, each with what it may do."""
    return [(role.value, f"{capfirst(role.label)}: {ROLES[role]}") for role in roles]


def scope_name(scope: str) -> str:
    """Return a token's scope: "everything" or a role's name."""
    return _("everything") if scope == ApiToken.ALL else role_name(scope)


# --- Tiles as they lie ---


@dataclass(frozen=True)
class Placed:
    """A tile of a picture, by its code in `scoring.texts`: sideways if claimed, marked if it won."""

    code: str
    side: bool = False
    win: bool = False


def lay_meld(meld: Mapping[str, Any]) -> tuple[Placed, ...]:
    """Return a meld as it lies: the claimed tile sideways in front; a concealed kong back, face, face, back."""
    tiles: Sequence[str] = meld["tiles"]
    if meld.get("concealed"):
        return Placed(BACK), Placed(tiles[1]), Placed(tiles[2]), Placed(BACK)
    return Placed(tiles[0], side=True), *(Placed(code) for code in tiles[1:])


def lay_hand(record: Mapping[str, Any]) -> tuple[tuple[Placed, ...], ...]:
    """Return a hand record as groups of tiles: the melds, then the concealed tiles with the winning tile last.

    "concealed" has every unmelded tile and the winning tile. The winning tile is in the group of the concealed
    tiles so that it never wraps to a line of its own.
    """
    concealed = list(record["concealed"])
    winning = record.get("winning_tile")
    groups = [lay_meld(meld) for meld in record.get("melds", ())]
    if winning:
        concealed.remove(winning)
    in_hand = [Placed(code) for code in concealed]
    if winning:
        in_hand.append(Placed(winning, win=True))
    return (*groups, tuple(in_hand)) if in_hand else tuple(groups)


# --- Winds ---


NAMES = {
    "E": gettext_lazy("East"),
    "S": gettext_lazy("South"),
    "W": gettext_lazy("West"),
    "N": gettext_lazy("North"),
}
ROUNDS = {
    "E": gettext_lazy("East round"),
    "S": gettext_lazy("South round"),
    "W": gettext_lazy("West round"),
    "N": gettext_lazy("North round"),
}
CHART_NAMES: Final[dict[str, str | Promise]] = {
    "appendix2": gettext_lazy("Appendix 2"),
    "exchanged": gettext_lazy("West and North round exchanged"),
}
"""Names of the seat rotations, by the keys of `base.engine.rules.CHARTS`."""
LETTERS = {
    "E": pgettext_lazy("letter of a wind", "E"),
    "S": pgettext_lazy("letter of a wind", "S"),
    "W": pgettext_lazy("letter of a wind", "W"),
    "N": pgettext_lazy("letter of a wind", "N"),
}
CHARACTERS = {"E": "東", "S": "南", "W": "西", "N": "北"}


def in_chinese() -> bool:
    return (get_language() or "").startswith("zh")


def wind_character(wind: str) -> str:
    """Return 東 南 西 北; 东 for readers of simplified characters."""
    if wind == "E" and get_language() == "zh-hans":
        return "东"
    return CHARACTERS[wind]


def wind_letter(wind: str) -> str:
    """Return E S W N; "" for readers of Chinese."""
    return "" if in_chinese() else str(LETTERS[wind])
