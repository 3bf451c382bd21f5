"""Addresses of the book."""

from django.urls import path

from scoring.book import fan_views, views

urlpatterns = [
    path("glossary/", views.glossary_page, name="book-glossary"),
    path("fans/", fan_views.fans_page, name="book-fans"),
    path("fans/sheet/", fan_views.fans_sheet, name="book-fans-sheet"),
    path("fans/<slug:key>/", fan_views.fan_page, name="book-fan"),
]
