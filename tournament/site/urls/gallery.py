"""Address of the gallery of components; mounted in development only."""

from django.urls import path

from tournament.site.views.gallery import gallery

urlpatterns = [path("", gallery, name="gallery")]
