"""Who a program is, by the token that it shows."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed

from tournament.models import ApiToken
from tournament.models.prepared import Prepared
from tournament.services.signed_in import note_use

_TOKEN = Prepared(lambda digest: ApiToken.objects.select_related("user").filter(pk=digest).order_by(), str)


class ByToken(TokenAuthentication):  # type: ignore[misc]
    """`Authorization: Token …`. One that has run out says so: knox would forget it and call it unknown."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        digest = hash_token(token.decode("utf-8", "replace"))
        found = _TOKEN.first(digest)
        if found is None:
            raise AuthenticationFailed(_("This token is not known. Sign in for a new one."))
        if found.expiry is not None and found.expiry < timezone.now():
            raise AuthenticationFailed(_("This token has expired. Sign in for a new one."), "token_expired")
        whose: tuple[User, ApiToken] = self.validate_user(found)
        note_use(found)
        return whose
