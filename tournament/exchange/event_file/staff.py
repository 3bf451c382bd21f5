"""The section `staff` of a tournament file: the accounts that rows and log entries refer to."""

from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from django.contrib.auth.models import User
from django.db.models import Model

from tournament.base.models.log import LogEntry, name_of
from tournament.base.models.tournament import Arrival, Membership, Tournament
from tournament.web import shapes

STAFF_SECTION: Final = "staff"
STAFF_SHAPE: Final = shapes.ListOf(
    shapes.Record(
        {
            "uuid": shapes.Uuid,
            "name": shapes.Text(150),
            "account": shapes.Whole(0, 2**53 - 1),
            "until": shapes.Whole(),
        }
    )
)
"""`account`: the number N in the log's "account:N", in entries up to number `until`."""
ACCOUNT_FIELDS: Final = ("user", "committee")
"""Names in the data of log entries whose value is the key of an account, or a list of keys."""


class Staff:
    """The accounts of one event, collected while its rows are written.

    Accounts are not exported: the file has only their names and their codes in the log's hash chain.
    """

    MODEL: Final = User

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._arrival = Arrival.objects.filter(tournament=tournament).first()
        self._former = {former.user_id: former for former in tournament.former_accounts.all()}
        self._user_ids: set[int] = set(self._former)

    def leaves_out(self, row: Model) -> bool:
        """Return whether a row is only the membership of whoever imported the event, before anything was written.

        An event that is imported and exported again is the same file.
        """
        arrival = self._arrival
        return (
            isinstance(row, Membership)
            and arrival is not None
            and arrival.version == self._tournament.version
            and row.user_id not in self._former
        )

    def uuid(self, user_id: int) -> str:
        """Return the UUID of an account in the file, and include the account in the section."""
        self._user_ids.add(user_id)
        return str(self._uuid(user_id))

    def _uuid(self, user_id: int) -> UUID:
        """Return the UUID of an account, the same in every file of this event."""
        if user_id in self._former:
            return self._former[user_id].uuid
        return uuid5(NAMESPACE_URL, f"hule:{self._namespace}/account/{user_id}")

    @property
    def _namespace(self) -> str:
        """A text that distinguishes the accounts of this installation from those of earlier installations."""
        if self._arrival:
            return self._arrival.head
        first_hash = self._tournament.log.order_by("seq").values_list("hash", flat=True).first()
        return first_hash or self._tournament.slug

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the section. Call it when all other sections are written."""
        users = User.objects.filter(pk__in=self._user_ids | self._user_ids_in_log())
        rows = [self._row(user.pk, name_of(user)) for user in users]
        return sorted(rows, key=lambda row: (row["until"], row["account"]))

    def _user_ids_in_log(self) -> set[int]:
        """Return the accounts in the data of entries that were written in this installation."""
        since = self._arrival.version if self._arrival else 0
        entries = LogEntry.objects.filter(tournament=self._tournament, seq__gt=since)
        user_ids: set[int] = set()
        for data in entries.values_list("data", flat=True):
            for name in ACCOUNT_FIELDS:
                value = data.get(name)
                user_ids.update(value if isinstance(value, list) else [value] if value else ())
        return user_ids

    def _row(self, user_id: int, name: str) -> dict[str, Any]:
        former = self._former.get(user_id)
        account, until = (former.account, former.until) if former else (user_id, self._tournament.version)
        return {"uuid": str(self._uuid(user_id)), "name": name, "account": account, "until": until}
