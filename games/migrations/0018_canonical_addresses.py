"""Addresses that were stored before as they were typed: one mailbox, one address.

Where somebody else has it already, a row stays as it is.
"""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, migrations, transaction

from games.batches import batches
from games.email_addresses import canonical_address

NOT_CANONICAL = r"[^ -~]|[A-Z]"


def address_written_to(email):
    """The address to which mails have gone until now: Django writes domains by IDNA 2003.

    By the newer rules a few letters, as ß, name another domain, which may be another's: nobody there has shown
    anything. Raises UnicodeError or ValidationError.
    """
    local, _at, domain = email.rpartition("@")
    return canonical_address(f"{local}@{domain.encode('idna').decode()}")


def rewrite(apps, editor):
    for app, name in (("account", "EmailAddress"), ("games", "Player"), ("games", "Invitation")):
        rows = apps.get_model(app, name).objects
        for some in batches(rows.filter(email__regex=NOT_CANONICAL)):
            for pk, email in rows.filter(pk__in=some).order_by("pk").values_list("pk", "email"):
                try:
                    with transaction.atomic():
                        rows.filter(pk=pk, email=email).update(email=address_written_to(email))
                except (UnicodeError, ValidationError, IntegrityError):
                    continue  # no mail can go there, or somebody else has it


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("account", "0009_emailaddress_unique_primary_email"),
        ("games", "0017_fair_seeds"),
    ]

    operations = [
        migrations.RunPython(rewrite, migrations.RunPython.noop),
    ]
