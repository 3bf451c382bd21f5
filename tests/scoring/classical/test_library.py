"""The engine as a library: its examples run."""

import doctest
from pathlib import Path

import scoring.classical
from scoring.classical import score

README = Path(scoring.classical.__file__).parent / "README.md"


def test_the_examples_run() -> None:
    for module in (scoring.classical, score):
        tried = doctest.testmod(module)
        assert (tried.failed, tried.attempted > 0) == (0, True), module.__name__
    assert doctest.testfile(str(README), module_relative=False).failed == 0
