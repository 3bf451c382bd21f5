"""What is over is over: calls of sessions no longer played, and appeals granted when nothing said what became of them."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F
from django.utils import timezone


def end(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    calls, appeals = apps.get_model("tournament", "Call"), apps.get_model("tournament", "Appeal")
    over = calls.objects.filter(done_at=None).exclude(table__session__state="running")
    over.update(done_at=timezone.now())
    granted = appeals.objects.filter(granted=True, settled_at=None)
    granted.update(settled_as="carried_out", settled_at=F("ruled_at"))


class Migration(migrations.Migration):
    dependencies = [("tournament", "0020_appeals_carried_out")]

    operations = [migrations.RunPython(end, migrations.RunPython.noop)]
