"""Hule's settings with two bare views, to measure what a request costs before Hule's own code runs."""

from config.settings import *  # noqa: F403  (Django reads every setting from one module)

ROOT_URLCONF = "tests.bench._bare_views"
