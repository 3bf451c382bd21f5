"""Examples for the schema, taken from what the program really answers: a plugin of pytest that listens while tests ask.

    EXAMPLES=tournament/site/api/examples.json .venv/bin/python -m pytest -q -p tests.support.recording tests …

Of each step it keeps the shortest request that was answered well, and its answer. `tests/web/test_schema.py` holds
them to the schema and says which steps have none.
"""

import json
import os
import re
from pathlib import Path
from typing import Any, Final

from tournament.base.engine.text import PATTERN
from tournament.site.api.examples import nameless

TO: Final = Path(os.environ.get("EXAMPLES", "examples.json"))
LONGEST: Final = 9000
"""Letters: what is longer teaches nobody."""
EXAMPLES: Final[dict[str, dict[str, Any]]] = {}


def pytest_configure(config: Any) -> None:
    from rest_framework.views import APIView  # once the settings are known

    finalize = APIView.finalize_response

    def listening(self: Any, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        final = finalize(self, request, response, *args, **kwargs)
        if 200 <= final.status_code < 300 and request.path.startswith("/api/v1/"):
            keep(request, final)
        return final

    APIView.finalize_response = listening  # type: ignore[method-assign]


def keep(request: Any, response: Any) -> None:
    step = f"{request.method.lower()} {nameless(request.resolver_match.route)}"
    body = plain(request.data) if request.method != "GET" else None
    example = {"status": response.status_code, "request": body or None, "response": content(response)}
    length = len(json.dumps(example, ensure_ascii=False))
    # An answer with something in it rather than an empty list, then the shortest.
    example["worth"] = (bool(example["response"]), -length)
    if length <= LONGEST and (step not in EXAMPLES or example["worth"] > EXAMPLES[step]["worth"]):
        EXAMPLES[step] = example


def content(response: Any) -> Any:
    if not hasattr(response, "data") and response.headers.get("Content-Type") == "application/json":
        return json.loads(response.content)
    return plain(getattr(response, "data", None))


def plain(value: Any) -> Any:
    from rest_framework.utils.encoders import JSONEncoder

    return json.loads(json.dumps(value, cls=JSONEncoder))


def pytest_sessionfinish(session: Any) -> None:
    kept = json.loads(TO.read_text("utf-8")) if TO.exists() else {}
    for step, example in EXAMPLES.items():
        kept[step] = {name: example[name] for name in ("status", "request", "response")}
    text = json.dumps(dict(sorted(kept.items())), ensure_ascii=False, indent=1)
    text = re.sub(PATTERN, "hule_…", text).replace("http://testserver/", "https://hule.example.org/")
    # Her name is to hurt a spreadsheet, and nobody who reads here.
    TO.write_text(text.replace("=Ana <i>Lima", "Ana Lima") + "\n", "utf-8")
