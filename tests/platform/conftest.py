"""What the tests of the wheel and of the guide share: both built once a run, an empty environment for the wheel."""

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.conftest import build_once_per_run
from tests.support.processes import OWN_VARIABLES, ROOT

# --- the wheel in an empty environment: what a club has that never saw the source -------------------------
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"


def link_requirements(folder: Path) -> None:
    """Link into `folder` the packages of requirements.txt as they are installed here, and no others."""
    names = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert names
    for name in names:
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # not for this Python; pip complains of one that is missing
        site = Path(str(distribution.locate_file("")))
        # Debian 12's pip leaves an egg-info folder, which does not list itself.
        information = site.glob(f"{re.sub('[-_.]', '?', name)}-{distribution.version}*.*-info")
        files = distribution.files or []
        for part in {file.parts[0] for file in files} | {path.name for path in information}:
            link = folder / part
            if part not in ("__pycache__", "..") and (site / part).exists() and not link.exists():
                link.symlink_to(site / part)


def use_packages(packages: Path, environment: Path) -> None:
    """Let an environment find the packages of a folder; it need not have been made yet."""
    site = environment / "lib" / PYTHON / "site-packages"
    site.mkdir(parents=True, exist_ok=True)
    (site / "packages.pth").write_text(f"{packages}\n")


def install(dist: Path, packages: Path, environment: Path) -> Path:
    """Make an environment with the wheel, its requirements and nothing else; return its `hule`."""
    use_packages(packages, environment)
    _run(sys.executable, "-m", "venv", "--without-pip", environment)
    options = ("install", "--quiet", "--disable-pip-version-check", "--no-index")
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin" / "python", *options)
    _run(*pip, "--require-hashes", "-r", dist / "requirements.txt")
    _run(*pip, "--no-deps", *dist.glob("hule-*.whl"))
    return environment / "bin" / "hule"


def clean_environment(home: Path) -> dict[str, str]:
    """Of somebody who has just signed in, with an empty home."""
    environment = {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}
    for name in ("PYTHONPATH", "DJANGO_SETTINGS_MODULE", "VIRTUAL_ENV", "XDG_DATA_HOME"):
        environment.pop(name, None)
    return environment | {"HOME": str(home)}


def _run(*words: str | Path) -> None:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What bin/wheel makes."""
    return build_once_per_run(tmp_path_factory, "dist", lambda folder: _run(ROOT / "bin" / "wheel", folder))


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of requirements.txt, and no others."""
    return build_once_per_run(tmp_path_factory, "packages", link_requirements)
