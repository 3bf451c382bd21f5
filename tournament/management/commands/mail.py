"""`manage.py mail`: send a test message through the mail server in the settings."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from tournament.messages.mail import delivery
from tournament.messages.mail.delivery import Outcome, ServerUnreachable


class Command(BaseCommand):
    help = "Sends a test message, at once and without the worker, and says what the mail server answered."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="whom to write to")

    def handle(self, *, address: str, **options: Any) -> None:
        if not delivery.is_configured():
            raise CommandError(
                "There is no mail server: set EMAIL_URL, as docs/administrators/messages.md has it."
            )
        try:
            validate_email(address)
        except ValidationError:
            raise CommandError("That is no address.") from None
        try:
            reply = delivery.send_now(
                address, _("A test message from Hule"), _("E-mail works: this is a test message.\n")
            )
        except ServerUnreachable as error:
            raise CommandError(f"The mail server cannot be reached: {error}") from None
        if reply.outcome is not Outcome.ACCEPTED:
            raise CommandError(f"The mail server did not take it: {reply.text}")
        self.stdout.write("The mail server took it.")
