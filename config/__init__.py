"""Settings, addresses and process entry points. Imports Celery so that tasks register with it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
