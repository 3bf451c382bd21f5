"""The published schema of the API."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.encoding import force_bytes
from django.utils.translation import get_language, override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


class PublishedSchema(SpectacularAPIView):
    """The schema as YAML or JSON, in the reader's language or `?lang=`."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        language, form = request.query_params.get("lang"), request.accepted_renderer
        if language not in dict(settings.LANGUAGES):
            language = get_language()
        return HttpResponse(
            render_schema(language or settings.LANGUAGE_CODE, form.format),
            content_type=form.media_type,
            headers={"Content-Disposition": f'inline; filename="hule.{form.format}"'},
        )


@lru_cache(maxsize=6)
def render_schema(language: str, form: str) -> bytes:
    """Render the schema as "yaml" or "json". Cached: it takes a second."""
    with override(language):
        schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
        renderer = next(known for known in PublishedSchema.renderer_classes if known.format == form)
        return force_bytes(renderer().render(schema, renderer_context={}))
