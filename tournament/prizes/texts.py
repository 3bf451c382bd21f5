"""Sentences about prizes."""

from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.countries import country_name
from tournament.base.log_actions import Data, LogAction
from tournament.dues.models import TournamentAccount
from tournament.dues.texts import money
from tournament.prizes.engine import Award, Ladder
from tournament.prizes.models import Prize
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords


def _prizes_set(words: LogWords, data: Data) -> str:
    n = data["prizes"]
    return words.fill(ngettext("{n} prize set.", "{n} prizes set.", n), data, n=n)


PRIZES_SET = LogAction("prizes_set", _prizes_set)


def ladder_text(ladder: Ladder) -> str:
    """Return what places are counted in: "Overall", "Denmark"."""
    kind, value = ladder
    name = country_name(value) if kind == Prize.Kind.COUNTRY else value
    return name or str(Prize.Kind(kind).label)


def place_text(ladder: Ladder, place: int) -> str:
    """Return what a prize is for: "Overall, place 1"."""
    return _("{ladder}, place {place}").format(ladder=ladder_text(ladder), place=place)


def award_text(award: Award, account: TournamentAccount) -> str:
    """Return what a winner gets: "trophy, 100.00 EUR"."""
    text = _joined_text([prize.text for prize in award.prizes], award.amount, account)
    return _("{prize} (shared)").format(prize=text) if award.is_shared else text


def prize_text(prize: Prize, account: TournamentAccount) -> str:
    """Return what is given for what: "Overall, place 1: trophy"."""
    text = _joined_text([prize.text], prize.amount, account)
    return f"{place_text(prize.ladder, prize.rank)}: {text}"


def _joined_text(texts: list[str], amount: Decimal | None, account: TournamentAccount) -> str:
    amounts = [money(amount, account)] if amount else []
    return joined([*filter(None, texts), *amounts])


register_section(
    "prizes",
    "after",
    15,
    gettext_lazy("Prizes"),
    "organiser_prizes",
    Right.ORGANISE,
    help="organisers/screens-and-ceremony/#prizes",
)
