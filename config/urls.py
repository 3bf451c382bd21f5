"""Addresses: the public pages at the root, then the umpire's, the organiser's, the API."""

from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournament.views.appearance import set_appearance
from tournament.views.passes import OpenPass
from tournament.views.signing_in import SignIn, show_code

urlpatterns = [
    path("", include("tournament.urls.public")),
    path("umpire/", include("tournament.urls.umpire")),
    path("organiser/", include("tournament.urls.organiser")),
    path("documents/", include("tournament.urls.documents")),
    path("api/", include("tournament.api.urls")),
    path("fouls/", include("penalties.urls")),
    path("pass/<str:token>/", OpenPass.as_view(), name="pass"),
    path("login/", SignIn.as_view(), name="login"),
    path("login/code/", show_code, name="login_code"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("password/", auth.PasswordChangeView.as_view(success_url="/"), name="password_change"),
    # As with the look: nothing but the reader's own cookie is set.
    path("language/setlang/", csrf_exempt(set_language), name="set_language"),
    path("appearance/", set_appearance, name="appearance"),
]
if settings.DEBUG:
    urlpatterns.append(path("design/", include("tournament.urls.gallery")))
