"""What only the database can promise: a log that is never rewritten, a feed that is never out of order."""

from django.db import migrations

GUARD = """
CREATE FUNCTION games_log_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a game is never changed';
END $$;
CREATE TRIGGER games_action_final BEFORE UPDATE OR DELETE ON games_action
    FOR EACH ROW EXECUTE FUNCTION games_log_is_final();
CREATE TRIGGER games_action_kept BEFORE TRUNCATE ON games_action
    FOR EACH STATEMENT EXECUTE FUNCTION games_log_is_final();
ALTER TABLE games_event ALTER COLUMN written SET DEFAULT pg_current_xact_id()::text::bigint;
"""
UNGUARD = """
DROP TRIGGER games_action_kept ON games_action;
DROP TRIGGER games_action_final ON games_action;
DROP FUNCTION games_log_is_final();
ALTER TABLE games_event ALTER COLUMN written SET DEFAULT 0;
"""


def on_postgres(sql):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(sql)

    return run


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(on_postgres(GUARD), on_postgres(UNGUARD))]
