"""Django's own checks, then those of the data: the chain of every log, and every derived number."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands.check import Command as SystemCheck
from django.db import connection, transaction

from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import Finding, audit


class Command(SystemCheck):
    help = (
        f"{SystemCheck.help} Then reads every tournament: whether its log is whole, and whether every point stored "
        "still follows from what was entered. Says each difference, and changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--no-data", action="store_true", help="only Django's own checks")

    def handle(self, *app_labels: Any, **options: Any) -> None:
        super().handle(*app_labels, **options)
        if (
            options["no_data"]
            or app_labels
            or Tournament._meta.db_table not in connection.introspection.table_names()
        ):
            return
        keys = list(Tournament.objects.order_by("pk").values_list("pk", flat=True))
        findings = [finding for key in keys for finding in _audit_locked(key)]
        if findings:
            raise CommandError("\n".join(map(str, findings)))
        self.stdout.write(f"Tournaments: {len(keys)}; every log is whole, every figure follows.")


def _audit_locked(key: int) -> list[Finding]:
    """Return the findings in one tournament, which is locked against writes meanwhile."""
    with transaction.atomic():
        return list(audit(Tournament.objects.select_for_update().get(pk=key)))
