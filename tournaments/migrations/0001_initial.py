"""The tables of the first release, and the trigger that makes decisions final."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models.games
from common.migration_operations import RunPostgresSQL

# A decision is never changed, only undone by another one. Who decided may be forgotten, with the account.
TRIGGERS = """
CREATE FUNCTION tournaments_decision_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a decision is never changed; it is taken back by another one';
END $$;
CREATE TRIGGER tournaments_decision_final BEFORE UPDATE ON tournaments_decision
    FOR EACH ROW WHEN (
        (OLD.id, OLD.tournament_id, OLD.created_at, OLD.action, OLD.reason, OLD.public_note, OLD.before, OLD.after,
         OLD.last_pairing_id, OLD.undoes_id)
        IS DISTINCT FROM
        (NEW.id, NEW.tournament_id, NEW.created_at, NEW.action, NEW.reason, NEW.public_note, NEW.before, NEW.after,
         NEW.last_pairing_id, NEW.undoes_id)
    ) EXECUTE FUNCTION tournaments_decision_is_final();
"""
DROP_TRIGGERS = """
DROP TRIGGER tournaments_decision_final ON tournaments_decision;
DROP FUNCTION tournaments_decision_is_final();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Division",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Entrant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "on the waiting list"),
                            ("entered", "entered"),
                            ("withdrawn", "withdrawn"),
                            ("disqualified", "disqualified"),
                        ],
                        default="entered",
                        max_length=12,
                    ),
                ),
                ("seed", models.PositiveIntegerField(null=True)),
                (
                    "first_round",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="the first round that the entrant plays"
                    ),
                ),
                (
                    "left_after_round",
                    models.PositiveSmallIntegerField(
                        help_text="the last round that had started when the entrant left", null=True
                    ),
                ),
                (
                    "absent_rounds",
                    models.JSONField(default=list, help_text="rounds that the entrant sits out"),
                ),
                ("entered_at", models.DateTimeField()),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("rank", models.PositiveIntegerField(help_text="the place at the end", null=True)),
                (
                    "was_replaced",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="others played for it before: see replacements",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="League",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[("singles", "single players"), ("pairs", "pairs")],
                        default="singles",
                        max_length=10,
                    ),
                ),
                (
                    "table_size",
                    models.PositiveSmallIntegerField(
                        default=2,
                        help_text="most entrants at a table; pairs: 2",
                        validators=[
                            django.core.validators.MinValueValidator(2),
                            django.core.validators.MaxValueValidator(4),
                        ],
                    ),
                ),
                ("edition", models.CharField(max_length=40)),
                ("cards", models.BooleanField(default=True)),
                ("obligation", models.CharField(default="strict", max_length=10)),
                (
                    "target",
                    models.PositiveSmallIntegerField(
                        default=24,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                    ),
                ),
                ("time_control", models.CharField(max_length=20)),
                (
                    "allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for each turn",
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "bank",
                    models.PositiveIntegerField(
                        help_text="seconds for the whole game",
                        verbose_name="reserve",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(10368000),
                        ],
                    ),
                ),
                (
                    "blind_allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for a turn of a blind match",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "rematch_allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for each turn of a rematch",
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "rematch_bank",
                    models.PositiveIntegerField(
                        help_text="seconds for a whole rematch",
                        verbose_name="rematch reserve",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(10368000),
                        ],
                    ),
                ),
                (
                    "timeout_policy",
                    models.CharField(
                        choices=[("autoplay", "the server plays the turn"), ("forfeit", "the side resigns")],
                        default="autoplay",
                        max_length=10,
                    ),
                ),
                ("weekends", models.BooleanField(default=False, help_text="clocks stop at weekends")),
                (
                    "nights",
                    models.BooleanField(default=False, help_text="clocks stop during the player’s night"),
                ),
                (
                    "vacation",
                    models.BooleanField(default=True, help_text="a player’s clock stops during vacation"),
                ),
                ("chat", models.BooleanField(default=True)),
                ("rated", models.BooleanField(default=True)),
                (
                    "private",
                    models.BooleanField(default=False, help_text="only the players can see the games"),
                ),
                (
                    "round_length",
                    models.PositiveIntegerField(
                        help_text="seconds from a round’s start to its deadline",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(600),
                            django.core.validators.MaxValueValidator(34560000),
                        ],
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=games.models.games.generate_public_code, max_length=12, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("text", models.TextField(blank=True, default="", max_length=5000)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "before the first season"),
                            ("running", "running"),
                            ("closed", "closed"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "format",
                    models.CharField(
                        choices=[("round-robin", "round robin"), ("swiss", "Swiss rounds")],
                        default="round-robin",
                        max_length=12,
                    ),
                ),
                (
                    "round_count",
                    models.PositiveSmallIntegerField(
                        help_text="empty: as many as needed",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "division_size",
                    models.PositiveSmallIntegerField(
                        help_text="members of a division",
                        validators=[
                            django.core.validators.MinValueValidator(3),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "promotion_count",
                    models.PositiveSmallIntegerField(
                        default=2,
                        help_text="members promoted from each division, and as many relegated",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(50),
                        ],
                    ),
                ),
                (
                    "groups_per_division",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="groups in each division",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(20),
                        ],
                    ),
                ),
                (
                    "cycles",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10),
                        ],
                    ),
                ),
                ("all_rounds_at_once", models.BooleanField(default=False)),
                (
                    "newcomer_policy",
                    models.CharField(
                        choices=[("bottom", "in the lowest division"), ("rating", "where their rating fits")],
                        default="bottom",
                        max_length=10,
                    ),
                ),
                (
                    "season_pause",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="seconds between two seasons",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(31536000),
                        ],
                    ),
                ),
                (
                    "season_limit",
                    models.PositiveSmallIntegerField(
                        help_text="number of seasons; empty: no limit",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                    ),
                ),
                ("commitment", models.CharField(max_length=64)),
                (
                    "seed",
                    models.CharField(blank=True, default="", help_text="published at the end", max_length=64),
                ),
                (
                    "next_sweep_at",
                    models.DateTimeField(help_text="a sweep looks at it next then", null=True),
                ),
                ("last_error", models.CharField(blank=True, default="", max_length=200)),
                (
                    "co_organisers",
                    models.ManyToManyField(
                        blank=True, related_name="co_organised_leagues", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "organiser",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="organised_leagues",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RatedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="rated_game",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                (
                    "sequence_no",
                    models.PositiveIntegerField(
                        help_text="the order in which games were counted", null=True, unique=True
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RatingCursor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "last_sequence_no",
                    models.PositiveIntegerField(default=0, help_text="games counted so far"),
                ),
                (
                    "processed_until",
                    models.DateTimeField(
                        help_text="the end of the newest game that was looked at", null=True
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("published_at", models.DateTimeField()),
                (
                    "ends_at",
                    models.DateTimeField(help_text="when what is still played is adjudicated", null=True),
                ),
                ("warnings", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[("singles", "single players"), ("pairs", "pairs")],
                        default="singles",
                        max_length=10,
                    ),
                ),
                (
                    "table_size",
                    models.PositiveSmallIntegerField(
                        default=2,
                        help_text="most entrants at a table; pairs: 2",
                        validators=[
                            django.core.validators.MinValueValidator(2),
                            django.core.validators.MaxValueValidator(4),
                        ],
                    ),
                ),
                ("edition", models.CharField(max_length=40)),
                ("cards", models.BooleanField(default=True)),
                ("obligation", models.CharField(default="strict", max_length=10)),
                (
                    "target",
                    models.PositiveSmallIntegerField(
                        default=24,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                    ),
                ),
                ("time_control", models.CharField(max_length=20)),
                (
                    "allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for each turn",
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "bank",
                    models.PositiveIntegerField(
                        help_text="seconds for the whole game",
                        verbose_name="reserve",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(10368000),
                        ],
                    ),
                ),
                (
                    "blind_allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for a turn of a blind match",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "rematch_allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for each turn of a rematch",
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "rematch_bank",
                    models.PositiveIntegerField(
                        help_text="seconds for a whole rematch",
                        verbose_name="rematch reserve",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(10368000),
                        ],
                    ),
                ),
                (
                    "timeout_policy",
                    models.CharField(
                        choices=[("autoplay", "the server plays the turn"), ("forfeit", "the side resigns")],
                        default="autoplay",
                        max_length=10,
                    ),
                ),
                ("weekends", models.BooleanField(default=False, help_text="clocks stop at weekends")),
                (
                    "nights",
                    models.BooleanField(default=False, help_text="clocks stop during the player’s night"),
                ),
                (
                    "vacation",
                    models.BooleanField(default=True, help_text="a player’s clock stops during vacation"),
                ),
                ("chat", models.BooleanField(default=True)),
                ("rated", models.BooleanField(default=True)),
                (
                    "private",
                    models.BooleanField(default=False, help_text="only the players can see the games"),
                ),
                (
                    "round_length",
                    models.PositiveIntegerField(
                        help_text="seconds from a round’s start to its deadline",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(600),
                            django.core.validators.MaxValueValidator(34560000),
                        ],
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=games.models.games.generate_public_code, max_length=12, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("text", models.TextField(blank=True, default="", max_length=5000)),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("knockout", "knock-out"),
                            ("double", "double knock-out"),
                            ("round-robin", "round robin"),
                            ("swiss", "Swiss rounds"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "in preparation"),
                            ("published", "open for entries"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "opens_at",
                    models.DateTimeField(help_text="entries open then; empty: at once", null=True),
                ),
                (
                    "closes_at",
                    models.DateTimeField(help_text="entries close then; empty: at the start", null=True),
                ),
                (
                    "starts_at",
                    models.DateTimeField(
                        help_text="the start; empty: when full, or when the organiser starts it", null=True
                    ),
                ),
                (
                    "when_full",
                    models.BooleanField(
                        default=False, help_text="the tournament starts as soon as all places are taken"
                    ),
                ),
                (
                    "capacity",
                    models.PositiveIntegerField(
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(2),
                            django.core.validators.MaxValueValidator(4096),
                        ],
                    ),
                ),
                (
                    "confirmation",
                    models.BooleanField(
                        default=False, help_text="entrants must confirm before the start, or they do not play"
                    ),
                ),
                ("by_invitation", models.BooleanField(default=False)),
                (
                    "late_entry",
                    models.BooleanField(default=False, help_text="Swiss: players may enter after the start"),
                ),
                (
                    "min_rating",
                    models.PositiveIntegerField(
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(9999),
                        ],
                    ),
                ),
                (
                    "max_rating",
                    models.PositiveIntegerField(
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(9999),
                        ],
                    ),
                ),
                (
                    "seeding",
                    models.CharField(
                        choices=[("lot", "by lot"), ("rating", "by rating")], default="lot", max_length=10
                    ),
                ),
                (
                    "seeding_logged",
                    models.BooleanField(
                        db_default=False,
                        default=True,
                        help_text="seeds set by hand and looks at the draw are all in its log",
                    ),
                ),
                (
                    "round_count",
                    models.PositiveSmallIntegerField(
                        help_text="empty: as many as needed",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "cycles",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10),
                        ],
                    ),
                ),
                (
                    "all_rounds_at_once",
                    models.BooleanField(default=False, help_text="round robin: all rounds start together"),
                ),
                (
                    "advancing_count",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(2),
                        ],
                    ),
                ),
                ("third_place", models.BooleanField(default=False)),
                ("commitment", models.CharField(max_length=64)),
                (
                    "seed",
                    models.CharField(blank=True, default="", help_text="published at the end", max_length=64),
                ),
                (
                    "next_sweep_at",
                    models.DateTimeField(help_text="a sweep looks at it next then", null=True),
                ),
                (
                    "hold_on_warnings",
                    models.BooleanField(
                        default=True, help_text="a round with warnings waits for the organiser’s approval"
                    ),
                ),
                (
                    "manual_approval",
                    models.BooleanField(
                        default=False, help_text="every round waits for the organiser’s approval"
                    ),
                ),
                (
                    "hold_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("review", "Review"),
                            ("too-few", "Too Few"),
                            ("too-many-games", "Too Many Games"),
                            ("stale-at-end", "Stale At End"),
                            ("undecided-table", "Undecided Table"),
                            ("absent", "Absent"),
                            ("odd-number", "Odd Number"),
                            ("rematch-unavoidable", "Rematch Unavoidable"),
                            ("stale-result", "Stale Result"),
                            ("late-entry", "Late Entry"),
                        ],
                        default="",
                        help_text="why it needs the organiser",
                        max_length=30,
                    ),
                ),
                (
                    "warnings",
                    models.JSONField(
                        default=list, help_text="points for the organiser to check before the next round"
                    ),
                ),
                (
                    "approved_round",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="the round that the organiser approved despite its warnings"
                    ),
                ),
                (
                    "last_error",
                    models.CharField(
                        blank=True, default="", help_text="why a sweep will retry", max_length=200
                    ),
                ),
                ("group", models.PositiveSmallIntegerField(default=1, help_text="the group of the division")),
                (
                    "co_organisers",
                    models.ManyToManyField(
                        blank=True, related_name="co_organised_tournaments", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("proceed", "Proceed"),
                            ("extend", "Extend"),
                            ("correct", "Correct"),
                            ("disqualify", "Disqualify"),
                            ("replace", "Replace"),
                            ("remove", "Remove"),
                            ("cancel", "Cancel"),
                            ("co-organiser", "Co Organiser"),
                            ("edit", "Edit"),
                            ("preview", "Preview"),
                            ("seeds", "Seeds"),
                            ("undo-correct", "Undo Correct"),
                            ("undo-disqualify", "Undo Disqualify"),
                            ("undo-replace", "Undo Replace"),
                            ("undo-extend", "Undo Extend"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="the reason, for the organisers only",
                        max_length=500,
                    ),
                ),
                (
                    "public_note",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="for everybody, until the decision is undone",
                        max_length=500,
                    ),
                ),
                ("before", models.JSONField(default=dict)),
                ("after", models.JSONField(default=dict)),
                (
                    "last_pairing_id",
                    models.BigIntegerField(
                        default=0, help_text="the newest table then: what is newer followed"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "undoes",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="undone_by",
                        to="tournaments.decision",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EntrantPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(default=1, help_text="1, or 2 in a pair")),
                (
                    "client_seed",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="empty: the number of the entry",
                        max_length=64,
                    ),
                ),
                (
                    "entry_number",
                    models.IntegerField(help_text="over all players, in order of entry, from 1", null=True),
                ),
                (
                    "client_seed_fixed",
                    models.BooleanField(
                        db_default=False, default=False, help_text="has started, or was paired since"
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entrant_players",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="entrant_players",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LeagueSecret",
            fields=[
                (
                    "league",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="secret",
                        serialize=False,
                        to="tournaments.league",
                    ),
                ),
                ("seed", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name="JoinRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254)),
                ("name", models.CharField(blank=True, help_text="for a new account", max_length=30)),
                ("language", models.CharField(max_length=5)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "guest",
                    models.ForeignKey(
                        help_text="whose games a new account keeps",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="join_requests",
                        to="tournaments.league",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LeagueMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("member", "plays"),
                            ("substitute", "substitute for players who withdraw"),
                            ("out", "does not play the next season"),
                        ],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("status_changed_at", models.DateTimeField()),
                (
                    "client_seed",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="for seasons to come; empty: the entry's number",
                        max_length=64,
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="league_members",
                        to="tournaments.league",
                    ),
                ),
                (
                    "partner",
                    models.ForeignKey(
                        help_text="in pairs; their own membership names this player",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="league_memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Pairing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("match", models.CharField(help_text="the name in the pairing", max_length=20)),
                (
                    "bracket_round",
                    models.PositiveSmallIntegerField(help_text="the round number in the pairing"),
                ),
                (
                    "game_number",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="2: the second game after a level one"
                    ),
                ),
                (
                    "attempt",
                    models.PositiveSmallIntegerField(default=1, help_text="2: played by other entrants"),
                ),
                ("reasons", models.JSONField(default=list)),
                ("result", models.JSONField(null=True)),
                ("settled_at", models.DateTimeField(null=True)),
                (
                    "is_void",
                    models.BooleanField(default=False, help_text="a corrected result made it void"),
                ),
                (
                    "game",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pairing",
                        to="games.game",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pairings",
                        to="tournaments.round",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("text", models.CharField(max_length=1000)),
                ("answer", models.CharField(blank=True, default="", max_length=1000)),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="appeals",
                        to="tournaments.pairing",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PairingSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat_no", models.PositiveSmallIntegerField()),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pairing_seats",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pairing_seats",
                        to="tournaments.pairing",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mode", models.CharField(max_length=10)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("game_count", models.PositiveIntegerField(default=0)),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat_no", models.PositiveSmallIntegerField()),
                ("mu_before", models.FloatField()),
                ("sigma_before", models.FloatField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_changes",
                        to="games.game",
                    ),
                ),
                (
                    "rating",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="tournaments.rating",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Replacement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(help_text="1, or 2 in a pair")),
                (
                    "since_round",
                    models.PositiveSmallIntegerField(help_text="the first round that the successor plays in"),
                ),
                (
                    "last_pairing_id",
                    models.BigIntegerField(
                        help_text="the newest table by then: what is newer is the successor's"
                    ),
                ),
                (
                    "open_pairing_ids",
                    models.JSONField(
                        default=list, help_text="not over by then: the successor played on there"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replacement",
                        to="tournaments.decision",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replacements",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "predecessor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seasons",
                        to="tournaments.league",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DivisionPlacement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("start_position", models.PositiveSmallIntegerField(help_text="from the top, at the start")),
                ("reason", models.JSONField(default=dict)),
                ("rank", models.PositiveSmallIntegerField(help_text="at the end", null=True)),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="placements",
                        to="tournaments.division",
                    ),
                ),
                (
                    "partner",
                    models.ForeignKey(
                        help_text="the second of a pair",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="division_placements",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entrant",
                    models.OneToOneField(
                        help_text="in the group's event",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="placement",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="placements",
                        to="tournaments.season",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="division",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="divisions", to="tournaments.season"
            ),
        ),
        migrations.CreateModel(
            name="TournamentSecret",
            fields=[
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="secret",
                        serialize=False,
                        to="tournaments.tournament",
                    ),
                ),
                ("seed", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.AddField(
            model_name="tournament",
            name="division",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tournaments",
                to="tournaments.division",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="organiser",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="organised_tournaments",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rounds",
                to="tournaments.tournament",
            ),
        ),
        migrations.CreateModel(
            name="Removal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", max_length=500)),
                ("created_at", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(help_text="since when they may come back", null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="removals",
                        to="tournaments.league",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="removals",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("partner", "partner"),
                            ("league-partner", "partner in a league"),
                            ("replacement", "replacement"),
                            ("co-organiser", "organiser"),
                        ],
                        max_length=14,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "waiting for an answer"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                            ("lapsed", "no longer valid"),
                        ],
                        default="open",
                        max_length=9,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="the reason, for the organisers only",
                        max_length=500,
                    ),
                ),
                (
                    "public_note",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="for whoever is asked, and for everybody once it is done",
                        max_length=500,
                    ),
                ),
                (
                    "client_seed",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="what whoever asks brings for the shuffles of their games",
                        max_length=64,
                    ),
                ),
                (
                    "commitment",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="what the site had sealed when whoever was asked agreed and brought a seed of their own",
                        max_length=64,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "entrant_player",
                    models.ForeignKey(
                        help_text="who is to be replaced",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="tournaments.entrantplayer",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="tournaments.league",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "predecessor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="pairing",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="pairings",
                to="tournaments.tournament",
            ),
        ),
        migrations.CreateModel(
            name="Invite",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invites",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="entrantplayer",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entrant_players",
                to="tournaments.tournament",
            ),
        ),
        migrations.AddField(
            model_name="entrant",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entrants",
                to="tournaments.tournament",
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="decisions",
                to="tournaments.tournament",
            ),
        ),
        migrations.AddIndex(
            model_name="league",
            index=models.Index(
                condition=models.Q(("next_sweep_at__isnull", False)),
                fields=["next_sweep_at"],
                name="league_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="leaguemember",
            constraint=models.UniqueConstraint(fields=("league", "player"), name="league_member_once"),
        ),
        migrations.AddConstraint(
            model_name="leaguemember",
            constraint=models.UniqueConstraint(
                fields=("league", "partner"), name="league_member_partner_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.UniqueConstraint(fields=("pairing", "created_by"), name="appeal_once"),
        ),
        migrations.AddConstraint(
            model_name="pairingseat",
            constraint=models.UniqueConstraint(fields=("pairing", "seat_no"), name="pairing_seat_no_once"),
        ),
        migrations.AddConstraint(
            model_name="pairingseat",
            constraint=models.UniqueConstraint(fields=("pairing", "entrant"), name="pairing_entrant_once"),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(fields=["mode", "-mu"], name="rating_best"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(fields=("player", "mode"), name="rating_once"),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(fields=("rating", "game"), name="rating_change_once"),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(fields=("game", "seat_no"), name="rating_change_seat_once"),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(fields=("league", "number"), name="season_once"),
        ),
        migrations.AddConstraint(
            model_name="divisionplacement",
            constraint=models.UniqueConstraint(fields=("season", "player"), name="placement_player_once"),
        ),
        migrations.AddConstraint(
            model_name="divisionplacement",
            constraint=models.UniqueConstraint(fields=("season", "partner"), name="placement_partner_once"),
        ),
        migrations.AddConstraint(
            model_name="divisionplacement",
            constraint=models.UniqueConstraint(
                fields=("division", "start_position"), name="placement_position_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.UniqueConstraint(fields=("season", "number"), name="division_once"),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                condition=models.Q(("next_sweep_at__isnull", False)),
                fields=["next_sweep_at"],
                name="tournament_due",
            ),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(fields=["status", "-created_at"], name="tournament_list"),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.UniqueConstraint(
                fields=("division", "group"), name="tournament_of_division_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="round_once"),
        ),
        migrations.AddConstraint(
            model_name="removal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("lifted_at", None)),
                fields=("tournament", "player"),
                name="removal_tournament_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="removal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("lifted_at", None)),
                fields=("league", "player"),
                name="removal_league_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "open")),
                fields=("entrant_player",),
                name="proposal_open_player_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "partner"), ("status", "open")),
                fields=("tournament", "proposer"),
                name="proposal_open_partner_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "league-partner"), ("status", "open")),
                fields=("league", "proposer"),
                name="proposal_open_league_partner_once",
            ),
        ),
        migrations.AddIndex(
            model_name="pairing",
            index=models.Index(
                condition=models.Q(("settled_at__isnull", True)),
                fields=["tournament", "game"],
                name="pairing_unsettled",
            ),
        ),
        migrations.AddConstraint(
            model_name="pairing",
            constraint=models.UniqueConstraint(
                fields=("tournament", "match", "game_number", "attempt"), name="pairing_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.UniqueConstraint(fields=("tournament", "player"), name="invite_once"),
        ),
        migrations.AddConstraint(
            model_name="entrantplayer",
            constraint=models.UniqueConstraint(fields=("tournament", "player"), name="entrant_player_once"),
        ),
        migrations.AddConstraint(
            model_name="entrantplayer",
            constraint=models.UniqueConstraint(
                fields=("entrant", "position"), name="entrant_player_position_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seed__isnull", False)),
                fields=("tournament", "seed"),
                name="entrant_seed_once",
            ),
        ),
        RunPostgresSQL(TRIGGERS, DROP_TRIGGERS),
    ]
