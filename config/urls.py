"""Addresses: the public pages at the root, then the umpire's, the organiser's and the API."""

from django.contrib.auth import views as auth
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournament.accounts import views as accounts_views
from tournament.accounts.views import SignIn, show_code
from tournament.staff import views as staff_views
from tournament.web.api import base  # noqa: F401  (registers the converter of secrets)
from tournament.web.views import set_appearance

account_urls = [
    path("", accounts_views.account, name="account"),
    path("second-factor/", accounts_views.second_factor_confirm, name="second_factor"),
    path("second-factor/begin/", accounts_views.second_factor_begin, name="second_factor_begin"),
    path("second-factor/disable/", accounts_views.second_factor_disable, name="second_factor_disable"),
    path("recovery-codes/", accounts_views.recovery_codes_new, name="recovery_codes"),
    path("devices/end/", accounts_views.visit_end, name="visit_end"),
    path("devices/end-others/", accounts_views.visits_end_others, name="visits_end_others"),
    path("tokens/new/", accounts_views.token_new, name="token_new"),
    path("tokens/revoke/", accounts_views.token_revoke, name="token_revoke"),
]

urlpatterns = [
    path("umpire/", include("tournament.site.urls.umpire")),
    path("organiser/", include("tournament.site.urls.organiser")),
    path("documents/", include("tournament.documents.urls")),
    path("api/", include("tournament.site.api.urls")),
    path("fouls/", include("penalties.urls")),
    path("pass/<secret:token>/", staff_views.open_pass_page, name="pass"),
    path("invitation/<secret:token>/", staff_views.open_invitation_page, name="invitation"),
    path("login/", SignIn.as_view(), name="login"),
    path("login/code/", show_code, name="login_code"),
    path("login/forgotten/", accounts_views.ForgottenPassword.as_view(), name="password_forgotten"),
    path(
        "login/<uidb64>/password/<secret:token>/",
        accounts_views.NewForgottenPassword.as_view(),
        name="password_new",
    ),
    path("logout/", auth.LogoutView.as_view(template_name="accounts/logged_out.html"), name="logout"),
    path("password/", accounts_views.ChangePassword.as_view(), name="password_change"),
    path("account/", include(account_urls)),
    # Like the theme, it sets only a cookie of the reader.
    path("language/setlang/", csrf_exempt(set_language), name="set_language"),
    path("appearance/", set_appearance, name="appearance"),
    path("", include("tournament.site.urls.former")),
    # Last, because these prefixes match almost every address.
    path("", include("tournament.site.urls.public")),
    path("", include("tournament.book.urls")),
    path("", include("tournament.help.urls")),
    path("", include("scoring.book.urls")),
]
handler404 = "config.front.errors.not_found"
handler500 = "config.front.errors.server_error"
