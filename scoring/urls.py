"""Addresses of scoring in the API."""

from django.urls import path

from scoring.api import ScoreEvening, ScoreHand

urlpatterns = [
    path("", ScoreHand.as_view(), name="api_score"),
    path("evening/", ScoreEvening.as_view(), name="api_evening"),
]
