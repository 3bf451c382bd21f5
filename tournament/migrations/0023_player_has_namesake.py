from collections import Counter

from django.db import migrations, models


def mark_namesakes(apps, schema_editor):
    """Mark the players entered so far who share their name with another player of the tournament."""
    Player = apps.get_model("tournament", "Player")
    names = {
        pk: (tournament, f"{first} {last}".strip().casefold())
        for pk, tournament, first, last in Player.objects.values_list(
            "pk", "tournament_id", "first_name", "last_name"
        )
    }
    counts = Counter(names.values())
    repeated = [pk for pk, name in names.items() if counts[name] > 1]
    for start in range(0, len(repeated), 500):
        Player.objects.filter(pk__in=repeated[start : start + 500]).update(has_namesake=True)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0022_labels")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="has_namesake",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunPython(mark_namesakes, migrations.RunPython.noop),
    ]
