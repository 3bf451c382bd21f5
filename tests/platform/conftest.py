"""What the tests of the wheel and of the guide share: both are built once a run."""

from pathlib import Path

import pytest

from tests.conftest import build_once_per_run
from tests.platform import wheels


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What bin/wheel makes."""
    return build_once_per_run(tmp_path_factory, "dist", wheels.build)


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of requirements.txt, and no others."""
    return build_once_per_run(tmp_path_factory, "packages", wheels.link_requirements)
