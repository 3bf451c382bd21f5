"""Reading a page in a test: elements by tag and attribute, and their text as a person sees it."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.test.html import Element, parse_html


def read(response: Any) -> Element:
    """The page as a tree."""
    assert isinstance(response, HttpResponse)
    assert response.status_code == 200, response.status_code
    return parse_html(response.content.decode())


def elements(tree: Element, tag: str, **attributes: str) -> Iterator[Element]:
    """Every element of this tag whose attributes are, or for `class_` contain, these."""
    wanted_class = attributes.pop("class_", "")
    for child in tree.children:
        if not isinstance(child, Element):
            continue
        own = dict(child.attributes)
        classes = (own.get("class") or "").split()
        if (
            child.name == tag
            and all(own.get(name) == value for name, value in attributes.items())
            and (not wanted_class or wanted_class in classes)
        ):
            yield child
        yield from elements(child, tag, **attributes, **({"class_": wanted_class} if wanted_class else {}))


def element(tree: Element, tag: str, **attributes: str) -> Element:
    """The first of them; StopIteration when there is none."""
    return next(elements(tree, tag, **attributes))


def words(tree: Element | str) -> str:
    """The text, with single spaces; what only screen readers get is in it."""
    if isinstance(tree, str):
        return " ".join(tree.split())
    return " ".join(text for text in (words(child) for child in tree.children) if text)


def attribute(tree: Element, name: str) -> str:
    value = dict(tree.attributes).get(name)
    return "" if value is None else str(value)
