"""One address for all of a site: no plan and no webhook has its own any more."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournament", "0006_registration_changed_from")]

    operations = [
        migrations.RemoveField("registrationplan", "site"),
        migrations.RemoveField("webhook", "site"),
    ]
