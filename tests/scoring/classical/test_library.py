"""The engine as a library: its examples run."""

import doctest
import importlib
from pathlib import Path

import pytest

import scoring.classical

README = Path(scoring.classical.__file__).parent / "README.md"


@pytest.mark.parametrize("name", ["scoring.classical", "scoring.classical.settlement"])
def test_examples_in_docstrings(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(name))
    assert (tried.failed, tried.attempted > 0) == (0, True)


def test_examples_in_the_readme() -> None:
    assert doctest.testfile(str(README), module_relative=False).failed == 0
