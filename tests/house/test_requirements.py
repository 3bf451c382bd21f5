"""What is installed is what was looked at: every package pinned, every file known by its SHA-256."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^]]*\])?==([^\s;]+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    packages = PINNED.findall((ROOT / name).read_text("utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in packages}


def test_what_is_wanted_is_locked_and_tests_run_on_it() -> None:
    for name in ("requirements", "requirements-dev"):
        wanted, locked = pins(f"{name}.in"), pins(f"{name}.txt")
        assert len(wanted) > 10
        assert {package: locked.get(package) for package in wanted} == wanted, "run bin/lock"
    runtime, development = pins("requirements.txt"), pins("requirements-dev.txt")
    assert {package: development.get(package) for package in runtime} == runtime


def test_every_package_says_its_hashes() -> None:
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-bench.txt"):
        lines = re.sub(r"\\\n\s*", " ", (ROOT / name).read_text("utf-8")).splitlines()
        packages = [line for line in lines if line and not line.startswith(("#", "-r "))]
        assert packages, name
        assert [line for line in packages if "--hash=sha256:" not in line] == [], name


def test_nothing_is_installed_without_its_hash() -> None:
    lines = (ROOT / "bin/setup").read_text("utf-8").splitlines()
    installing = [line for line in lines if "pip install" in line]
    assert installing
    assert all("--require-hashes" in line for line in installing)
