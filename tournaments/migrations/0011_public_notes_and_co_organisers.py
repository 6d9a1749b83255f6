"""Notes for everybody beside reasons for organisers; co-organisers are asked first."""

from django.db import migrations, models
from django.db.migrations.operations.base import Operation

# A note is as final as the rest of a decision: taken back by another one, never rewritten.
GUARD = """
CREATE TRIGGER tournaments_decision_note_final BEFORE UPDATE ON tournaments_decision
    FOR EACH ROW WHEN (OLD.public_note IS DISTINCT FROM NEW.public_note)
    EXECUTE FUNCTION tournaments_decision_is_final();
"""
UNGUARD = "DROP TRIGGER tournaments_decision_note_final ON tournaments_decision;"


class GuardNotes(Operation):
    """A trigger, for PostgreSQL alone."""

    reversible = True

    def state_forwards(self, app_label, state):
        pass

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(GUARD)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(UNGUARD)

    def describe(self):
        return "Let nobody rewrite the public note of a decision"


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_lenient_terms_unrated"),
    ]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="public_note",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="for everybody, until it is undone",
                max_length=500,
            ),
        ),
        migrations.AddField(
            model_name="proposal",
            name="public_note",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="for whoever is asked, and for everybody once it is done",
                max_length=500,
            ),
        ),
        migrations.AddField(
            model_name="proposal",
            name="commitment",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="what the site had sealed when whoever was asked agreed and brought a seed of their own",
                max_length=64,
            ),
        ),
        # What is there already, and what the release before makes, may have been seeded without a trace.
        migrations.AddField(
            model_name="event",
            name="seeding_logged",
            field=models.BooleanField(
                db_default=False,
                default=True,
                help_text="seeds set by hand and looks at the draw are all in its log",
            ),
        ),
        migrations.AlterField(
            model_name="decision",
            name="why",
            field=models.CharField(
                blank=True, default="", help_text="the reason, for those who organise it", max_length=500
            ),
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("partner", "to play as a pair"),
                    ("league-partner", "to play as a pair in a league"),
                    ("replacement", "to play on for somebody"),
                    ("co-organiser", "to organise it, too"),
                ],
                max_length=14,
            ),
        ),
        migrations.AlterField(
            model_name="proposal",
            name="why",
            field=models.CharField(
                blank=True, default="", help_text="the reason, for those who organise it", max_length=500
            ),
        ),
        GuardNotes(),
    ]
