"""Addresses of the book."""

from django.urls import path

from scoring.book import views

urlpatterns = [
    path("glossary/", views.glossary_page, name="book-glossary"),
    path("fans/", views.fans_page, name="book-fans"),
    path("fans/sheet/", views.fans_sheet, name="book-fans-sheet"),
    path("fans/<slug:key>/", views.fan_page, name="book-fan"),
]
