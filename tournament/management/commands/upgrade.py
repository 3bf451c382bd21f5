"""`manage.py upgrade`: prepare data and static files for a new version, before its web processes start."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournament.accounts import setup_code
from tournament.base.requests import is_reached_by_others, site_address
from tournament.management import static
from tournament.management.upgrade import migrate_data


class Command(BaseCommand):
    help = (
        "Bring the data to this version's layout, with a copy of it as it was in backups/ first, and collect the "
        "static files. Does nothing where nothing is to be done."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--no-copy", dest="copy", action="store_false", help="keep no copy of the old data"
        )

    def handle(self, *, copy: bool, **options: Any) -> None:
        if not migrate_data(self.stdout.write, copy=copy):
            self.stdout.write("The data is up to date already.")
        if static.has_changed():
            self.stdout.write("Collecting style sheets, scripts and tiles …")
            static.collect()
        self.stdout.write(f"Links in letters, on invitations and on paper begin with {site_address()}")
        if not is_reached_by_others(site_address()):
            self.stdout.write("No other device reaches that: set SITE_ADDRESS.")
        if setup_code.is_open():
            self.stdout.write(
                f"Nobody has an account yet: the first visit asks for the code {setup_code.code()}"
            )
