"""Addresses of scoring in the API."""

from django.urls import path

from scoring.api import ScoreHand
from scoring.api_evening import ScoreEvening

urlpatterns = [
    path("", ScoreHand.as_view(), name="api_score"),
    path("evening/", ScoreEvening.as_view(), name="api_evening"),
]
