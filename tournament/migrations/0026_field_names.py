import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0025_labels_of_forms")]

    operations = [
        migrations.RenameField("registrationplan", "accepts_itself", "accepts_automatically"),
        migrations.RenameField("registrationplan", "moves_up_itself", "moves_up_automatically"),
        migrations.RenameField("checkin", "by_themselves", "self_check_in"),
        migrations.RenameField("payment", "noted_by", "recorded_by"),
        migrations.RenameField("tournamentaccount", "tells", "confirms_by_mail"),
        migrations.RenameModel("NotThem", "RejectedPerson"),
        migrations.AlterField(
            model_name="rejectedperson",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rejected_people",
                to="tournament.player",
            ),
        ),
    ]
