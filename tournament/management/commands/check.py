"""Django's own checks, then the data's: the chain of every log, and every number that was derived."""

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
        findings = [finding for key in keys for finding in _audited(key)]
        if findings:
            raise CommandError("\n".join(map(str, findings)))
        self.stdout.write(f"Tournaments: {len(keys)}; every log is whole, every figure follows.")


def _audited(key: int) -> list[Finding]:
    """The findings in one tournament; who writes there meanwhile waits."""
    with transaction.atomic():
        return list(audit(Tournament.objects.select_for_update().get(pk=key)))
