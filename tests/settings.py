"""The settings of the tests: the real ones over a throw-away data folder, quick where nothing is lost by it."""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="hule-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["HULE_DATA_DIR"] = _data

from config.settings import *  # noqa: E402, F403
from config.settings import CACHES, DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

STATIC_ROOT.mkdir(exist_ok=True)  # nothing is collected, and WhiteNoise would complain

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Without a manifest no test needs collectstatic; the served pages are tested with one in tests/platform.
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Tasks run where they are called; tests/platform starts a real worker with the real settings.
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
# Counting failed logins would let one test lock out the next.
AXES_ENABLED = False
if DATABASES["default"]["ENGINE"] == "config.sqlite":
    # In memory there is nothing to keep, and pytest-django knows Django's own backend by its name.
    DATABASES["default"]["ENGINE"] = "django.db.backends.sqlite3"
# Each process of the tests counts for itself, and forgets before each test.
CACHES = CACHES | {
    "limits": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "limits"},
}
TIME_ZONE = "UTC"
SITE_ADDRESS = "http://testserver"
