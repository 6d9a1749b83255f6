"""What only the database can promise: a log of decisions that is never rewritten."""

from django.db import migrations

# Who decided may be forgotten, with the account.
GUARD = """
CREATE FUNCTION tournaments_decision_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a decision is never changed; it is taken back by another one';
END $$;
CREATE TRIGGER tournaments_decision_final BEFORE UPDATE ON tournaments_decision
    FOR EACH ROW WHEN (
        (OLD.id, OLD.event_id, OLD.at, OLD.what, OLD.why, OLD.before, OLD.after, OLD.last_table, OLD.undoes_id)
        IS DISTINCT FROM
        (NEW.id, NEW.event_id, NEW.at, NEW.what, NEW.why, NEW.before, NEW.after, NEW.last_table, NEW.undoes_id)
    ) EXECUTE FUNCTION tournaments_decision_is_final();
"""
UNGUARD = """
DROP TRIGGER tournaments_decision_final ON tournaments_decision;
DROP FUNCTION tournaments_decision_is_final();
"""


def on_postgres(sql):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(sql)

    return run


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.RunPython(on_postgres(GUARD), on_postgres(UNGUARD))]
