"""Who a program is, by the token that it shows."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tournament.accounts.services.signed_in import note_use
from tournament.base.engine.token_text import is_mistyped
from tournament.base.models.prepared import Prepared
from tournament.base.models.signed_in import ApiToken
from tournament.web.api.rates import count_stranger

SCHEMES: Final = ("bearer", "token")
"""RFC 6750's, and the one that was there before it."""
_TOKEN = Prepared(lambda digest: ApiToken.objects.select_related("user").filter(pk=digest).order_by(), str)


class ByToken(BaseAuthentication):
    """`Authorization: Bearer …`, or `Token …`. One that has run out says so, and one that is not known."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, *rest = get_authorization_header(request).split() or [b""]
        if kind.lower().decode("latin-1") not in SCHEMES:
            return None
        try:
            return self.authenticate_credentials(b" ".join(rest))
        except AuthenticationFailed:
            count_stranger(request)
            raise

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        shown = token.decode("utf-8", "replace")
        if is_mistyped(shown):
            raise AuthenticationFailed(_("This is not all of a token. Copy it once more."), "token_mistyped")
        found = _TOKEN.first(hash_token(shown))
        if found is None or not found.user.is_active:
            said = _("This token is not known: it was ended, or never made. Sign in for a new one.")
            raise AuthenticationFailed(said, "token_unknown")
        if found.expiry is not None and found.expiry < timezone.now():
            raise AuthenticationFailed(_("This token has expired. Sign in for a new one."), "token_expired")
        note_use(found)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Hule"'
