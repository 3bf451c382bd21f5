"""URLs of the documentation."""

from django.urls import path
from django.views.generic import RedirectView

from tournament.help import views

urlpatterns = [
    path(
        "help/",
        RedirectView.as_view(url="/help/organisers/", http_method_names=["get", "head", "options"]),
        name="help",
    ),
    path("help/search/", views.search_page, name="help_search"),
    path("help/<slug:folder>/", views.page, name="help_folder"),
    path("help/<slug:folder>/<slug:name>/", views.page, name="help_page"),
]
