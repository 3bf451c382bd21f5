"""URLs of the foul book."""

from django.urls import path

from penalties import views

urlpatterns = [path("", views.foul_book, name="foul_book")]
