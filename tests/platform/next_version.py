"""A version of Hule that is still to come: the settings of this one, with migrations of a test's own."""

import shutil
from pathlib import Path

from tests.support.processes import ROOT

SETTINGS = """
from config.settings import *
MIGRATION_MODULES = {"penalties": "later_migrations"}
"""
MIGRATIONS = """
from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("penalties", "%s")]
    operations = [
        migrations.RunSQL("CREATE TABLE penalties_later (id integer)", "DROP TABLE penalties_later"),
    ]
"""
FAILS = """
from django.db import migrations

def fail(apps, schema_editor):
    raise RuntimeError("the disk broke")

class Migration(migrations.Migration):
    dependencies = [("penalties", "0100_later")]
    operations = [migrations.RunPython(fail)]
"""


def later_version(folder: Path, *, fails: bool = False) -> dict[str, str]:
    """Make it in `folder`; what its processes need in their environment. `fails`: its last migration does."""
    migrations = folder / "later_migrations"
    shutil.copytree(
        ROOT / "penalties" / "migrations", migrations, ignore=shutil.ignore_patterns("__pycache__")
    )
    newest = max(path.stem for path in migrations.glob("0*.py"))
    (migrations / "0100_later.py").write_text(MIGRATIONS % newest)
    if fails:
        (migrations / "0101_fails.py").write_text(FAILS)
    (folder / "later_settings.py").write_text(SETTINGS)
    return {"DJANGO_SETTINGS_MODULE": "later_settings", "PYTHONPATH": f"{ROOT}:{folder}"}
