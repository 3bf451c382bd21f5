"""Hule's settings with two bare views in the place of its pages: what a request costs before Hule does anything."""

from config.settings import *  # noqa: F403  (Django reads every setting from one module)

ROOT_URLCONF = "tests.bench._bare_views"
