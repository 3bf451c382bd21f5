"""Addresses of the book's own pages: the rules step by step, and where the game comes from."""

from django.urls import path

from tournament.views.book import pages

urlpatterns = [
    path("rules/", pages.contents, name="rules"),
    path("rules/whole/", pages.whole, name="rules_whole"),
    path("rules/decisions/", pages.disputed, name="rules_decisions"),
    path("rules/<slug:key>/", pages.chapter, name="rules_chapter"),
    path("history/", pages.story, name="history"),
]
