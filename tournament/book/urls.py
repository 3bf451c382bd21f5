"""Addresses of the book's own pages: the rules step by step, where the game comes from, and the quiz."""

from django.urls import path

from tournament.book.views import pages, quiz, quiz_daily

urlpatterns = [
    path("rules/", pages.contents, name="rules"),
    path("rules/whole/", pages.whole, name="rules_whole"),
    path("rules/decisions/", pages.disputed, name="rules_decisions"),
    path("rules/<slug:key>/", pages.chapter, name="rules_chapter"),
    path("history/", pages.story, name="history"),
    path("quiz/", quiz.contents, name="quiz"),
    path("quiz/discard/<int:number>/", quiz.discard, name="quiz_discard"),
    path("quiz/daily/", quiz_daily.today, name="quiz_today"),
    path("quiz/daily/<str:day>/", quiz_daily.day_set, name="quiz_daily"),
    path("quiz/daily/<str:day>/<int:number>/", quiz_daily.puzzle, name="quiz_daily_puzzle"),
    path("quiz/<slug:kind>/<slug:level>/", quiz.another, name="quiz_another"),
    path("quiz/<slug:kind>/<slug:level>/<slug:seed>/", quiz.puzzle, name="quiz_puzzle"),
]
