from django.db import migrations, models

KINDS = ("disqualification", "may_not_continue")


def exclude_disqualified(apps, schema_editor):
    """Mark who was disqualified before the mark existed."""
    Penalty = apps.get_model("penalties", "Penalty")
    for penalty in Penalty.objects.filter(cancelled_at=None).order_by("-given_at").select_related("player"):
        kind = next((kind for kind in KINDS if penalty.sanction.get(kind)), "")
        if kind:
            penalty.player.excluded_as, penalty.player.excluded_at = kind, penalty.given_at
            penalty.player.save(update_fields=["excluded_as", "excluded_at"])


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0002_phone_is_reached"),
        ("penalties", "0002_where_and_whose"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="excluded_as",
            field=models.CharField(
                blank=True,
                choices=[("disqualification", "disqualified"), ("may_not_continue", "may not continue")],
                default="",
                editable=False,
                max_length=16,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="player",
            name="excluded_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(exclude_disqualified, migrations.RunPython.noop),
    ]
