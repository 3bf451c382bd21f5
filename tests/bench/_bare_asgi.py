"""The bare views behind Django's own handler, as any Django project has them."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench._bare_settings")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
