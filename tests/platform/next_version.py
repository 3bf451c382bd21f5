"""A version of Hule that is still to come: the settings of this one, with migrations of a test's own."""

import shutil
from pathlib import Path

from tests.support.processes import ROOT

LATER, FAILS = "later_migrations", "failing_migrations"
"""Packages for `MIGRATION_MODULES`: one more migration than now, and after it one that fails."""
SETTINGS = f"""
from config.settings import *
MIGRATION_MODULES = {{"penalties": "{LATER}"}}
"""
ONE_MORE = """
from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("penalties", "%s")]
    operations = [
        migrations.RunSQL("CREATE TABLE penalties_later (id integer)", "DROP TABLE penalties_later"),
    ]
"""
ONE_FAILS = """
from django.db import migrations

def fail(apps, schema_editor):
    raise RuntimeError("the disk broke")

class Migration(migrations.Migration):
    dependencies = [("penalties", "0100_later")]
    operations = [migrations.RunPython(fail)]
"""
NOW = max(path.stem for path in (ROOT / "penalties" / "migrations").glob("0*.py"))
"""The newest migration of this version."""


def later_version(folder: Path) -> dict[str, str]:
    """Make both packages in `folder`; return the environment of a process of the later version."""
    for name in (LATER, FAILS):
        without_cache = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "penalties" / "migrations", folder / name, ignore=without_cache)
        (folder / name / "0100_later.py").write_text(ONE_MORE % NOW)
    (folder / FAILS / "0101_fails.py").write_text(ONE_FAILS)
    (folder / "later_settings.py").write_text(SETTINGS)
    return {"DJANGO_SETTINGS_MODULE": "later_settings", "PYTHONPATH": f"{ROOT}:{folder}"}
