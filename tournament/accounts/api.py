"""The API endpoint in which a program signs in with a password and gets a token."""

from typing import Any

from django.http import HttpRequest
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import FormParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.refusals import FlatJSONParser
from tournament.accounts.selectors import has_second_factor
from tournament.accounts.services import make_token
from tournament.accounts.sign_in import authenticate_within_limits, check_code
from tournament.web.api.base import Endpoint, no_store


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The description of `TokenAuthentication` in the schema of the API."""

    target_class = "tournament.accounts.sign_in.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "hule_…"}


class SignInRequest(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=4096, trim_whitespace=False)
    otp = serializers.CharField(
        max_length=24,
        required=False,
        allow_blank=True,
        default="",
        help_text="The code of the authenticator app, or a recovery code, when the account has a second factor.",
    )


class TokenMade(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Returned only here.")
    expires_at = serializers.DateTimeField()


@no_store
@method_decorator(sensitive_post_parameters(), name="dispatch")
class Tokens(Endpoint):
    """POST makes a token that is valid for 90 days. Too many attempts get 429 with Retry-After."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (FlatJSONParser, FormParser)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        self.http_request = request  # which axes marks
        return super().initialize_request(request, *args, **kwargs)

    @method_decorator(sensitive_variables())
    @extend_schema(request=SignInRequest, responses={201: TokenMade}, auth=[])
    def post(self, request: Request) -> Response:
        data = self.body(SignInRequest).validated_data
        user = authenticate_within_limits(self.http_request, data["username"], data["password"])
        if user is None:
            raise ValidationError(_("Wrong name or password."), "sign_in_wrong")
        if has_second_factor(user):
            if not data["otp"]:
                text = _("This account uses two-step sign-in: send its code as otp.")
                raise ValidationError({"otp": text}, "otp_missing")
            if not check_code(self.http_request, user, data["otp"]):
                text = _("This code is wrong or has already been used.")
                raise ValidationError({"otp": text}, "otp_wrong")
        stored, token = make_token(user)
        body = TokenMade({"token": token, "expires_at": stored.expiry}).data
        return Response(body, status=status.HTTP_201_CREATED)
