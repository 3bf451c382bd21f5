from functools import partial

from django.db import migrations, models

NEW_NAMES = {
    "announcement.made": "announcement.created",
    "penalty.given": "penalty.created",
    "registration.came": "registration.created",
}
OLD_NAMES = {new: old for old, new in NEW_NAMES.items()}
KINDS = [
    *("umpire.called", "seats.drawn", "session.started", "session.ended", "table.finished", "standings.changed"),
    *("results.published", "announcement.created", "penalty.created", "appeal.opened", "registration.created", "test"),
]


def rename_kinds(apps, schema_editor, names):
    """Rename event kinds in subscriptions, and in deliveries with their messages."""
    for webhook in apps.get_model("tournament", "Webhook").objects.all():
        webhook.kinds = [names.get(kind, kind) for kind in webhook.kinds]
        webhook.save(update_fields=["kinds"])
    for delivery in apps.get_model("tournament", "Delivery").objects.filter(kind__in=names):
        delivery.kind = names[delivery.kind]
        delivery.message["type"] = delivery.kind
        delivery.save(update_fields=["kind", "message"])


class Migration(migrations.Migration):
    dependencies = [("tournament", "0019_document_limits")]

    operations = [
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=30),
        ),
        migrations.RunPython(partial(rename_kinds, names=NEW_NAMES), partial(rename_kinds, names=OLD_NAMES)),
    ]
