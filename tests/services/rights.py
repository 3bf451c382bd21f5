"""Who may do what: how a right is written down in `rights_of_services`."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from tests.services.scene import Scene
from tournament.access import Actor

EVERYBODY: Final = frozenset({"everybody"})

Service = Callable[..., object]
Deed = Callable[[Actor], object]
Scenario = Callable[[Scene], Deed]
"""Prepares what has to be there, and gives what is then done by somebody."""
Call = Callable[[Service, Actor], object]
RIGHTS: dict[str, tuple[frozenset[str], Scenario]] = {}


def on(subject: object, /, *details: Any, **named: Any) -> Call:
    """Call a service with this subject, the actor, and these details."""
    return lambda service, actor: service(subject, actor, *details, **named)


def new(*details: Any, **named: Any) -> Call:
    """Call a service that has no subject yet."""
    return lambda service, actor: service(actor, *details, **named)


def after(_preparation: object, call: Call) -> Call:
    """Return the call. Both are evaluated in this order."""
    return call


def may(who: frozenset[str], services: Mapping[str, Callable[[Scene], Call]]) -> None:
    """Write down who may use these services. Each is called with what its function prepares in the scene."""
    for name, prepare in services.items():
        assert name not in RIGHTS
        module, service = name.split(".")
        RIGHTS[name] = (
            who,
            _scenario(getattr(import_module(f"tournament.services.{module}"), service), prepare),
        )


def _scenario(service: Service, prepare: Callable[[Scene], Call]) -> Scenario:
    def scenario(scene: Scene) -> Deed:
        call = prepare(scene)
        return lambda actor: call(service, actor)

    return scenario
