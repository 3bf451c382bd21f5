"""Find elements of a page by tag and attribute, and their text."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.test.html import Element, parse_html


def read(response: Any) -> Element:
    """Return a page with status 200 as a tree."""
    assert isinstance(response, HttpResponse)
    assert response.status_code == 200, response.status_code
    return parse_html(response.content.decode())


def elements(tree: Element, tag: str, **attributes: str) -> Iterator[Element]:
    """Yield every element with this tag and these attributes; `class_`: one of its classes."""
    class_name = attributes.pop("class_", "")
    for child in tree.children:
        if not isinstance(child, Element):
            continue
        own = dict(child.attributes)
        classes = (own.get("class") or "").split()
        if (
            child.name == tag
            and all(own.get(name) == value for name, value in attributes.items())
            and (not class_name or class_name in classes)
        ):
            yield child
        yield from elements(child, tag, **attributes, **({"class_": class_name} if class_name else {}))


def element(tree: Element, tag: str, **attributes: str) -> Element:
    """Return the first such element. Raises StopIteration if there is none."""
    return next(elements(tree, tag, **attributes))


def words(tree: Element | str) -> str:
    """Return the text, with single spaces; text for screen readers is included."""
    if isinstance(tree, str):
        return " ".join(tree.split())
    return " ".join(text for text in (words(child) for child in tree.children) if text)


def attribute(tree: Element, name: str) -> str:
    value = dict(tree.attributes).get(name)
    return "" if value is None else str(value)
