"""Remove the second factor from an account whose phone is lost."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.accounts.services import end_second_factor


class Command(BaseCommand):
    help = "Take the second factor off an account whose phone is lost: the password is enough again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["off"])
        parser.add_argument("name", help="what the account signs in as")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Remove it without a check: whoever runs this has to make sure of the person who asks."""
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no account “{options['name']}”.")
        if not end_second_factor(user):
            raise CommandError(f"“{user.username}” has no second factor.")
        self.stdout.write(f"“{user.username}” signs in with the password alone.")
