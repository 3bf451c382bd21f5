"""URLs of the rules, the history and the quiz."""

from django.urls import path

from tournament.book.views import pages, quiz

urlpatterns = [
    path("rules/", pages.contents, name="rules"),
    path("rules/all/", pages.all_rules, name="rules_all"),
    path("rules/decisions/", pages.decisions_page, name="rules_decisions"),
    path("rules/<slug:key>/", pages.chapter, name="rules_chapter"),
    path("history/", pages.history, name="history"),
    path("quiz/", quiz.quiz_contents, name="quiz"),
    path("quiz/discard/<int:number>/", quiz.quiz_discard, name="quiz_discard"),
    path("quiz/daily/", quiz.daily_today, name="quiz_today"),
    path("quiz/daily/<str:day>/", quiz.daily_set, name="quiz_daily"),
    path("quiz/daily/<str:day>/<int:number>/", quiz.daily_puzzle, name="quiz_daily_puzzle"),
    path("quiz/<slug:kind>/<slug:level>/", quiz.quiz_another, name="quiz_another"),
    path("quiz/<slug:kind>/<slug:level>/<slug:seed>/", quiz.quiz_puzzle, name="quiz_puzzle"),
]
