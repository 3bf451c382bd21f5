"""Who wrote: accounts stay where they are, so the file has names, and what the chain of the log calls them."""

from __future__ import annotations

from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from django.contrib.auth.models import User
from django.db.models import Model

from tournament.base.models.arrivals import Arrival
from tournament.base.models.log_entry import LogEntry, name_of
from tournament.base.models.tournament import Membership, Tournament
from tournament.web import shapes

SECTION: Final = "staff"
SHAPE: Final = shapes.ListOf(
    shapes.Record(
        {
            "uuid": shapes.Uuid,
            "name": shapes.Text(150),
            "account": shapes.Whole(0, 2**53 - 1),
            "until": shapes.Whole(),
        }
    )
)
"""`account`: N, where the log's chain has "account:N", up to the entry `until`."""
NAMED_IN_DATA: Final = ("user", "committee")
"""Where the data of an entry has keys of accounts: one, or a list."""


class Staff:
    """Those whom the rows of one event name, each noted when it is come upon."""

    MODEL: Final = User

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._arrival = Arrival.objects.filter(tournament=tournament).first()
        self._former = {one.user_id: one for one in tournament.former_accounts.all()}
        self._found: set[int] = set(self._former)

    def uuid(self, key: int) -> str:
        self._found.add(key)
        return str(self._uuid(key))

    def leaves_out(self, row: Model) -> bool:
        """Who brought the file here is no part of the event, as long as nothing was written to it here."""
        arrival = self._arrival
        return (
            isinstance(row, Membership)
            and arrival is not None
            and arrival.version == self._tournament.version
            and row.user_id not in self._former
        )

    def rows(self) -> list[dict[str, Any]]:
        names = {user.pk: name_of(user) for user in User.objects.filter(pk__in=self._all())}
        found = [self._row(key, name) for key, name in names.items()]
        return sorted(found, key=lambda row: (row["until"], row["account"]))

    def _row(self, key: int, name: str) -> dict[str, Any]:
        former = self._former.get(key)
        account, until = (former.account, former.until) if former else (key, self._tournament.version)
        return {"uuid": str(self._uuid(key)), "name": name, "account": account, "until": until}

    def _all(self) -> set[int]:
        """Those that only the data of entries names are among them."""
        since = self._arrival.version if self._arrival else 0
        named: set[int] = set()
        for data in LogEntry.objects.filter(tournament=self._tournament, seq__gt=since).values_list(
            "data", flat=True
        ):
            for name in NAMED_IN_DATA:
                value = data.get(name)
                named.update(value if isinstance(value, list) else [value] if value else ())
        return self._found | named

    def _uuid(self, key: int) -> UUID:
        """Of an account here, the same in every file of this event."""
        if key in self._former:
            return self._former[key].uuid
        return uuid5(NAMESPACE_URL, f"hule:{self._begun}/account/{key}")

    @property
    def _begun(self) -> str:
        """What tells the accounts of this installation from those of one where the event was before."""
        if self._arrival:
            return self._arrival.head
        first = self._tournament.log.order_by("seq").values_list("hash", flat=True).first()
        return first or self._tournament.slug
