import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0023_player_has_namesake")]

    operations = [
        migrations.RenameField("ceremony", "told", "announced_steps"),
        migrations.RenameField("phone", "told", "last_situation"),
        migrations.RemoveConstraint("keptplaces", "kept_once"),
        migrations.RenameModel("KeptPlaces", "PlaceReservation"),
        migrations.AlterField(
            model_name="placereservation",
            name="plan",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reservations",
                to="tournament.registrationplan",
            ),
        ),
        migrations.AddConstraint(
            "placereservation",
            models.UniqueConstraint(fields=("plan", "by", "value"), name="reserved_once"),
        ),
    ]
