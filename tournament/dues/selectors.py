"""Who owes what and who has paid how, and what it is to cost, looked at before it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from scoring.texts import folded
from tournament.base.engine.money import ZERO, Balance, Standing, Sums
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Due, Fee, Payment, TournamentAccount

# --- What is owed ---


Whose = Registration | Player
OVER = (Registration.State.CANCELLED, Registration.State.DECLINED)
"""Who does not come owes nothing any more; what they paid is to go back."""


@dataclass(frozen=True)
class Owes:
    """One person's due with all that was paid. `account`: in which currency and where to."""

    due: Due
    account: TournamentAccount
    payments: Sequence[Payment]
    """Those cancelled too, oldest first."""

    @property
    def whose(self) -> Whose:
        owner = self.due.registration or self.due.player
        assert owner is not None, "a due is somebody's"
        return owner

    @property
    def player(self) -> Player | None:
        """Who they play as: a registration's due follows it when it becomes a player."""
        return self.due.player or (self.due.registration.player if self.due.registration else None)

    @property
    def name(self) -> str:
        return (self.player or self.whose).name

    @property
    def email(self) -> str:
        return self.due.registration.email if self.due.registration else ""

    @property
    def is_over(self) -> bool:
        return self.due.registration is not None and self.due.registration.state in OVER

    @property
    def owed(self) -> Decimal:
        return ZERO if self.is_over else self.due.amount

    @property
    def counting(self) -> list[Payment]:
        return [payment for payment in self.payments if payment.cancelled_at is None]

    @cached_property
    def balance(self) -> Balance:
        return Balance.of(self.owed, (payment.amount for payment in self.counting))

    @property
    def standing(self) -> Standing:
        return self.balance.standing

    @property
    def back(self) -> Decimal:
        """What is to go back to somebody who paid too much."""
        return -self.balance.open

    @property
    def is_transferable(self) -> bool:
        """Whether there is something to transfer, and somewhere to transfer it to."""
        return self.balance.open > 0 and bool(self.account.iban and self.due.reference)


@dataclass(frozen=True)
class DuesFilter:
    """Which dues to list."""

    standing: Standing | None = None
    fee: Fee | None = None
    words: str = ""

    def matches(self, owes: Owes) -> bool:
        text = folded(f"{owes.name} {owes.due.reference or ''} {owes.email}")
        player = owes.player
        return (
            (self.standing is None or owes.standing is self.standing)
            and (self.fee is None or owes.due.fee_id == self.fee.pk)
            and all(
                word in text or (player is not None and word == str(player.number))
                for word in folded(self.words).split()
            )
        )


@dataclass
class Accounts:
    """Everything together: `by_method` what came in and went back, `by_fee` what each category came to."""

    sums: Sums = field(default_factory=Sums)
    by_method: dict[str, Balance] = field(default_factory=dict)
    by_fee: dict[str, Balance] = field(default_factory=dict)


def account_of(tournament: Tournament) -> TournamentAccount:
    """As it is set, or euros in cash."""
    account = TournamentAccount.objects.filter(tournament=tournament).first()
    return account or TournamentAccount(tournament=tournament)


def owes(registration: Registration) -> Owes | None:
    """What somebody owes who registered; None for nothing that was ever asked of them."""
    return _owed_by(Q(registration=registration), registration.tournament)


def owes_of(player: Player) -> Owes | None:
    """What a player owes, whether they registered or were entered."""
    return _owed_by(Q(player=player) | Q(registration__player=player), player.tournament)


def _owed_by(of_whom: Q, tournament: Tournament) -> Owes | None:
    due = dues_of(tournament).filter(of_whom).first()
    return None if due is None else _owes(due, account_of(tournament))


def dues_of(tournament: Tournament) -> QuerySet[Due]:
    return tournament.dues.select_related("registration__player", "player", "fee").prefetch_related(
        Prefetch("payments", Payment.objects.select_related("noted_by"))
    )


def _owes(due: Due, account: TournamentAccount) -> Owes:
    return Owes(due, account, list(due.payments.all()))


def one_due(tournament: Tournament, pk: int) -> Owes | None:
    due = dues_of(tournament).filter(pk=pk).first()
    return None if due is None else _owes(due, account_of(tournament))


def all_owed(tournament: Tournament) -> list[Owes]:
    """Everybody's, by name. Who no longer comes and never paid is not in it."""
    account = account_of(tournament)
    everybody = [_owes(due, account) for due in dues_of(tournament)]
    return sorted(
        (owes for owes in everybody if not owes.is_over or owes.counting),
        key=lambda owes: (folded(owes.name), owes.due.pk),
    )


def owed_by_player(tournament: Tournament) -> dict[int, Owes]:
    """Player's pk → what they owe: for lists of players that say who still does."""
    return {owes.player.pk: owes for owes in all_owed(tournament) if owes.player is not None}


def accounts_of(everybody: Iterable[Owes]) -> Accounts:
    accounts = Accounts()
    for owes in everybody:
        accounts.sums.add(owes.balance)
        category = owes.due.fee.name if owes.due.fee else ""
        accounts.by_fee[category] = accounts.by_fee.get(category, Balance()) + owes.balance
        for payment in owes.counting:
            so_far = accounts.by_method.get(payment.method, Balance())
            accounts.by_method[payment.method] = so_far + Balance.of(ZERO, [payment.amount])
    return accounts


def fee_for(fees: Iterable[Fee], day: date) -> Fee | None:
    """What somebody pays who registers on that day: the newest of the late fees that hold by then, else the first."""
    late = [fee for fee in fees if fee.from_day is not None and fee.from_day <= day]
    if late:
        return max(late, key=lambda fee: (fee.from_day, -fee.position))
    return next((fee for fee in fees if fee.from_day is None), None)


def day_of(whose: Whose) -> date:
    """When somebody registered, by the tournament's clock; who was entered by hand, today."""
    at = whose.made_at if isinstance(whose, Registration) else timezone.now()
    return at.astimezone(whose.tournament.zone).date()


def without_due(tournament: Tournament) -> list[Whose]:
    """Who has a place, and was never asked for anything: registrations first, then players without one."""
    registered = tournament.registrations.filter(state=Registration.State.ACCEPTED, due=None)
    entered = tournament.players.filter(
        registration=None, own_due=None, is_substitute=False, withdrawn_at=None
    )
    people: list[Whose] = [*registered.select_related("tournament"), *entered.select_related("tournament")]
    return people


def to_remind(tournament: Tournament) -> tuple[list[Owes], list[Owes]]:
    """Who still owes and can be written to, and who cannot."""
    owing = [owes for owes in all_owed(tournament) if owes.standing is Standing.OWES]
    return [owes for owes in owing if owes.email], [owes for owes in owing if not owes.email]


def number_of(due: Due) -> dict[str, int]:
    """Whose it is, as the log names them."""
    if due.registration is not None:
        return {"registration": due.registration.number}
    return {"player": due.player.number if due.player else 0}
