"""Links and forms of a page, and what a browser sends when nothing is typed in.

That is what HTML calls successful controls: neither what is disabled nor what is not ticked, the first option of a
list without a selection, and of the buttons only the one that is pressed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from django.test import Client

Attributes = dict[str, str]
TICKED = ("checkbox", "radio")
UNSENT = ("button", "submit", "reset", "image", "file")
"""Types of inputs that send nothing unless they are pressed or something is chosen."""


@dataclass(eq=False)
class Control:
    """An input, a list, an option, a text area or a button."""

    tag: str
    attributes: Attributes
    text: str = ""
    options: list["Control"] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.attributes.get("name", "")

    @property
    def type(self) -> str:
        return self.attributes.get("type", "submit" if self.tag == "button" else "text").lower()

    @property
    def is_submit(self) -> bool:
        return self.tag in ("button", "input") and self.type in ("submit", "image")

    @property
    def values(self) -> list[str]:
        """What it sends without being touched."""
        if self.tag == "select":
            enabled = [option for option in self.options if "disabled" not in option.attributes]
            selected = [option for option in enabled if "selected" in option.attributes]
            if "multiple" not in self.attributes:
                selected = selected[-1:] or enabled[:1]
            return [option.attributes.get("value", option.text.strip()) for option in selected]
        if self.tag == "textarea":
            return [self.text.removeprefix("\n")]
        if self.type in TICKED:
            return [self.attributes.get("value", "on")] if "checked" in self.attributes else []
        return [] if self.type in UNSENT else [self.attributes.get("value", "")]


@dataclass(eq=False)
class BlankForm:
    attributes: Attributes
    controls: list[Control] = field(default_factory=list)


@dataclass(frozen=True)
class Submission:
    """A form of a page, sent with one of its buttons, or with the Enter key if it has none."""

    page: str
    form: BlankForm
    button: Control | None

    @property
    def method(self) -> str:
        return self._attribute("method", "get").lower()

    @property
    def url(self) -> str:
        return urljoin(self.page, self._attribute("action", self.page))

    @property
    def data(self) -> dict[str, list[str]]:
        data: dict[str, list[str]] = {}
        for control in self.form.controls:
            values = [control.attributes.get("value", "")] if control is self.button else control.values
            if control.name and values:
                data.setdefault(control.name, []).extend(values)
        return data

    @property
    def left_empty(self) -> set[str]:
        """The names of what a person could still fill in, tick or choose."""
        visible = {c.name for c in self.form.controls if c.type != "hidden" and not c.is_submit}
        return {name for name in visible if not any(self.data.get(name, ()))}

    @property
    def url_with_data(self) -> str:
        """The address of what is sent by GET."""
        return urlsplit(self.url)._replace(query=urlencode(self.data, doseq=True), fragment="").geturl()

    @property
    def step(self) -> str:
        """What the button says it does, without the number of whom it does it to."""
        button = self.button.attributes if self.button is not None else {}
        return button.get("value", "").strip("0123456789")

    def __str__(self) -> str:
        return f"{self.page}: {self.method} {self.url} {self.step}".rstrip()

    def send(self, client: Client, forged: Mapping[str, list[str]]) -> Any:
        """Send what is sent by POST, and other values in some fields."""
        return client.post(urlsplit(self.url)._replace(fragment="").geturl(), {**self.data, **forged})

    def _attribute(self, name: str, otherwise: str) -> str:
        of_button = self.button.attributes.get(f"form{name}") if self.button is not None else None
        return of_button or self.form.attributes.get(name) or otherwise


class Page(HTMLParser):
    """The links and the forms of a page."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self.url = url
        self.links: list[str] = []
        self._forms: list[BlankForm] = []
        self._controls: list[tuple[Control, BlankForm | None]] = []
        self._form: BlankForm | None = None
        self._fieldsets: list[bool] = []
        self._templates = 0
        self._list: Control | None = None
        self._reading: Control | None = None
        self.feed(html)
        self.close()

    def submissions(self) -> Iterator[Submission]:
        """Yield each way of sending each form. One that is hidden is sent by a script."""
        by_id = {form.attributes["id"]: form for form in self._forms if "id" in form.attributes}
        for control, enclosing in self._controls:
            form = by_id.get(control.attributes["form"]) if "form" in control.attributes else enclosing
            if form is not None:
                form.controls.append(control)
        for form in self._forms:
            if "hidden" not in form.attributes:
                buttons: list[Control | None] = [c for c in form.controls if c.is_submit]
                yield from (Submission(self.url, form, button) for button in buttons or [None])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "template":
            self._templates += 1
        elif self._templates:
            return
        elif tag == "a" and "href" in attributes:
            self.links.append(urljoin(self.url, attributes["href"]).partition("#")[0])
        elif tag == "form":
            self._form = BlankForm(attributes)
            self._forms.append(self._form)
        elif tag == "fieldset":
            self._fieldsets.append("disabled" in attributes)
        elif tag == "option":
            self._reading = Control(tag, attributes)
            if self._list is not None:
                self._list.options.append(self._reading)
        elif tag in ("input", "select", "textarea", "button"):
            self._reading = control = Control(tag, attributes)
            self._list = control if tag == "select" else None
            if "disabled" not in attributes and not any(self._fieldsets):
                self._controls.append((control, self._form))

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._templates -= 1
        elif self._templates:
            return
        elif tag == "form":
            self._form = None
        elif tag == "fieldset":
            self._fieldsets.pop()
        elif tag in ("textarea", "option"):
            self._reading = None

    def handle_data(self, data: str) -> None:
        if self._reading is not None:
            self._reading.text += data
