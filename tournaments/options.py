"""The options of tournaments and leagues, each declared once, as in `games.options`."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import NOT_PROVIDED
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from games import clock
from games import option_text as game_option_text
from games.options import GAME_OPTIONS, FixedFrom, Option, build_options, group_by_section
from tournaments import option_text
from tournaments.models import GameSettings, League, Tournament
from tournaments.models.limits import TABLE_SIZE

HOURS, DAYS = clock.SECONDS_PER_HOUR, clock.SECONDS_PER_DAY  # what a form counts a duration in at first
ALL_TABLES = tuple(range(TABLE_SIZE.minimum, TABLE_SIZE.maximum + 1))
SMALL_TABLES, LARGE_TABLES = ALL_TABLES[:1], ALL_TABLES[1:]
KNOCKOUT, ROUND_ROBIN, SWISS = (
    Tournament.Format.KNOCKOUT,
    Tournament.Format.ROUND_ROBIN,
    Tournament.Format.SWISS,
)


# What all games of a tournament or league have in common.
GAME_SETTINGS_OPTIONS = build_options(
    GameSettings,
    Option("mode", api_help="Whether players enter alone or in pairs."),
    Option(
        "table_size",
        api_help="How many entrants sit at a table, 2 to 4; in pairs always 2.",
        response_help="entrants at a table, at most",
    ),
    GAME_OPTIONS["edition"],
    replace(GAME_OPTIONS["cards"], help_text="", section="games"),
    GAME_OPTIONS["cards_from"],
    Option(
        "obligation",
        values=("strict",),
        api_help="Always `strict`: a placement must make an 8 or close a figure where it can.",
        api_error=lazy("Tournaments and leagues are played with the duty to close figures."),
    ),
    GAME_OPTIONS["target"],
    GAME_OPTIONS["seniority_rule"],
    GAME_OPTIONS["hints"],
    replace(GAME_OPTIONS["time_control"], choices=game_option_text.list_time_control_choices),
    Option(
        "allowance",
        lazy("Time for each turn"),
        duration_unit=HOURS,
        api_name="allowance_seconds",
        api_help=GAME_OPTIONS["allowance"].api_help,
    ),
    Option(
        "bank",
        lazy("Reserve for the whole game"),
        duration_unit=DAYS,
        api_name="bank_seconds",
        api_help=GAME_OPTIONS["bank"].api_help,
    ),
    Option(
        "blind_allowance",
        lazy("Time per turn in a blind match"),
        game_option_text.lazy_blind_default(),
        duration_unit=HOURS,
        api_name="blind_allowance_seconds",
        api_help=GAME_OPTIONS["blind_allowance"].api_help,
        section="games",
    ),
    Option(
        "rematch_allowance",
        lazy("Time per turn in a rematch"),
        option_text.lazy_rematch_allowance_default(),
        duration_unit=HOURS,
        api_name="rematch_allowance_seconds",
        api_help="The time for a turn of a rematch, in seconds. Null means a quarter of the usual time.",
        response_help="The time for a turn of a rematch, in seconds.",
        section="games",
    ),
    Option(
        "rematch_bank",
        lazy("Reserve for a rematch"),
        option_text.lazy_rematch_bank_default(),
        duration_unit=HOURS,
        api_name="rematch_bank_seconds",
        api_help="The reserve for a rematch, in seconds. Null means a quarter of the usual reserve.",
        response_help="The reserve for a rematch, in seconds.",
        section="games",
    ),
    replace(GAME_OPTIONS["timeout_policy"], has_api_labels=False),
    GAME_OPTIONS["weekends"],
    GAME_OPTIONS["nights"],
    Option(
        "vacation",
        default=NOT_PROVIDED,
        api_help="Whether clocks stop while a player is on vacation. The default is true, except"
        " for quick games.",
        describe=lambda is_on: "" if is_on else _("Clocks run during vacations"),
        section="games",
    ),
    replace(
        GAME_OPTIONS["chat"],
        api_help="Whether the players at a table can chat.",
        describe=lambda _is_on: _("No chat at the tables"),
        fixed_from=FixedFrom.END,
    ),
    Option(
        "rated",
        lazy("Rated"),
        lazy("The games count for ratings."),
        api_help="Whether its games count for ratings.",
        section="games",
    ),
    Option(
        "private",
        lazy("Private games"),
        lazy("Only the players see a game. Results are public."),
        api_help="Whether only the players of a game can see it.",
        describe=lambda _is_on: _("Only the players can see a game"),
        section="games",
    ),
    Option(
        "round_length",
        lazy("A round lasts at most"),
        option_text.lazy_round_length_help(),
        duration_unit=DAYS,
        api_name="round_length_seconds",
        api_help="How long a round lasts, in seconds. Points then decide the games that still run."
        " Null for no limit.",
        response_help="How long a round lasts, in seconds; null for no limit.",
        describe=option_text.describe_round_length,
        section="running",
        fixed_from=FixedFrom.END,
    ),
    fixed_from=FixedFrom.FIRST_ENTRY,
)

NAME = Option(
    "name", lazy("Name"), api_help="The name, as players read it.", is_required=True, fixed_from=FixedFrom.END
)
TEXT = Option(
    "text",
    lazy("Information for players"),
    lazy("Plain text for the public page: prizes, house rules and so on."),
    default=NOT_PROVIDED,
    api_help="A text for the players, without formatting.",
    fixed_from=FixedFrom.END,
)
CYCLES = Option(
    "cycles",
    lazy("Games against each opponent"),
    lazy("For a round robin at tables of two."),
    api_help="Round robin: how many times two entrants meet.",
    describe=lambda n: _("You meet every opponent %(n)s times.") % {"n": n},
    section="shape",
    formats={ROUND_ROBIN: SMALL_TABLES},
)
ALL_ROUNDS_AT_ONCE = Option(
    "all_rounds_at_once",
    lazy("Start all rounds at once"),
    lazy("For a round robin: you play all your games at the same time."),
    api_help="Round robin: whether all rounds begin together.",
    describe=lambda _is_on: _("All games start at once."),
    section="shape",
    formats={ROUND_ROBIN: ALL_TABLES},
)

TOURNAMENT_OPTIONS = build_options(
    Tournament,
    NAME,
    TEXT,
    Option(
        "format",
        is_required=True,
        api_help="How we pair entrants: knock-out, double knock-out, round robin or Swiss.",
        fixed_from=FixedFrom.FIRST_ENTRY,
    ),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy(
            "For Swiss rounds, and for a round robin at tables of three or four. "
            "Leave empty for as many as needed."
        ),
        api_help="The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null:"
        " as many as it takes.",
        describe=lambda n: ngettext("One round.", "%(n)s rounds.", n) % {"n": n},
        section="shape",
        formats={SWISS: ALL_TABLES, ROUND_ROBIN: LARGE_TABLES},
    ),
    CYCLES,
    ALL_ROUNDS_AT_ONCE,
    Option(
        "advancing_count",
        lazy("Advancing from each table"),
        lazy("For a knock-out at tables of three or four."),
        api_help="Knock-out: how many entrants go on from a table of 3 or 4.",
        section="shape",
        formats={KNOCKOUT: LARGE_TABLES},
    ),
    Option(
        "third_place",
        lazy("Game for third place"),
        lazy("For a knock-out at tables of two."),
        api_help="Knock-out at tables of 2: whether the third place is played for.",
        describe=lambda _is_on: _("The losers of the semi-finals play for third place."),
        section="shape",
        formats={KNOCKOUT: SMALL_TABLES},
    ),
    Option(
        "opens_at",
        lazy("Entries open"),
        lazy("Leave empty to open entries when you publish."),
        api_help="When entries open; null for at once.",
        section="entry",
    ),
    Option(
        "closes_at",
        lazy("Entries close"),
        lazy("Leave empty to close entries at the start."),
        api_help="When entries close; null for at the start.",
        section="entry",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "starts_at",
        lazy("Starts"),
        lazy("Leave empty to start it yourself. You can always start it sooner."),
        api_help="When it starts; null if it starts when it is full, or when you start it.",
    ),
    Option(
        "when_full",
        lazy("Start when full"),
        lazy("Set the number of places above."),
        api_help="Whether it starts as soon as all places are taken.",
        describe=lambda _is_on: _("It starts when all places are taken."),
        section="entry",
    ),
    Option(
        "capacity",
        lazy("Places"),
        lazy("Later entrants join a waiting list. Leave empty for no limit."),
        api_help="How many entrants can have a place; later ones join the waiting list. Null for no limit.",
    ),
    Option(
        "confirmation",
        lazy("Require confirmation"),
        lazy("Entrants who have not confirmed by the start do not play."),
        api_help="Whether only those play who confirm shortly before the start.",
        describe=lambda _is_on: _("Confirm before the start, or you will not play."),
        section="entry",
    ),
    Option(
        "by_invitation",
        lazy("By invitation only"),
        lazy("You invite players by name after you create it."),
        api_help="Whether only invited players can enter.",
        describe=lambda _is_on: _("By invitation only."),
        section="entry",
    ),
    Option(
        "late_entry",
        lazy("Allow late entry"),
        lazy("For Swiss rounds: late entrants play from the next round on."),
        api_help="Swiss: whether players can enter after the start.",
        describe=lambda _is_on: _("You can enter after the start and play from the next round on."),
        section="entry",
        fixed_from=FixedFrom.END,
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "bots_allowed",
        lazy("Allow bots"),
        option_text.lazy_bots_help(),
        api_help="Whether bot accounts may enter; a game between a bot and a person is not rated.",
        describe=lambda _is_on: option_text.describe_bots_allowed(),
        section="entry",
        fixed_from=FixedFrom.FIRST_ENTRY,
    ),
    Option(
        "min_rating",
        lazy("Lowest rating"),
        api_help="The lowest rating with which a player can enter; null for any.",
        section="entry",
    ),
    Option(
        "max_rating",
        lazy("Highest rating"),
        option_text.lazy_rating_limit_help(),
        api_help="The highest rating with which a player can enter; null for any.",
        section="entry",
    ),
    Option(
        "seeding",
        lazy("Seeds"),
        lazy("Strong players meet late. You can also set seeds by hand."),
        api_help="How entrants get their seeds, where no organiser sets them by hand.",
        section="entry",
    ),
    Option(
        "hold_on_warnings",
        lazy("Hold rounds with warnings"),
        lazy("A round with a bye, a player who sits out or a repeat pairing needs your OK."),
        api_help="Whether a round with warnings waits for an organiser.",
        section="running",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "manual_approval",
        lazy("Approve every round"),
        lazy("No round starts without your OK."),
        api_help="Whether every round waits for the approval of an organiser.",
        section="running",
        fixed_from=FixedFrom.END,
    ),
    fixed_from=FixedFrom.START,
)
# Those that pairing follows, besides the format.
SHAPE_OPTIONS = {name: TOURNAMENT_OPTIONS[name] for name in group_by_section(TOURNAMENT_OPTIONS)["shape"]}

LEAGUE_OPTIONS = build_options(
    League,
    NAME,
    TEXT,
    Option(
        "format",
        lazy("Season format"),
        lazy("In a round robin, all members of a division meet."),
        api_help="How a season is played: everybody against everybody else in the division, or Swiss rounds.",
        choices=((ROUND_ROBIN, lazy("Round robin")), (SWISS, lazy("Swiss rounds"))),
    ),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy("For Swiss rounds. Leave empty for as many as needed."),
        api_help="Swiss: the number of rounds.",
        section="shape",
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "division_size",
        lazy("Places in a division"),
        option_text.lazy_division_size_help(),
        is_required=True,
        form_default=option_text.DEFAULT_DIVISION_SIZE,
        api_help="How many players or pairs a division has.",
    ),
    Option(
        "promotion_count",
        lazy("Promoted and relegated"),
        lazy("After each season, between neighbouring divisions."),
        api_help="How many are promoted, and relegated, after a season.",
    ),
    Option(
        "groups_per_division",
        lazy("Groups in a division"),
        lazy("Groups play separately and share their standings."),
        api_help="How many groups a division has.",
        section="shape",
    ),
    replace(CYCLES, api_help="How many times two members meet in a season."),
    replace(ALL_ROUNDS_AT_ONCE, api_help="Whether all rounds of a season begin together."),
    Option(
        "newcomer_policy",
        lazy("New players start"),
        api_help="Where new members begin: in the lowest division, or by their rating.",
    ),
    Option(
        "season_pause",
        lazy("Break between seasons"),
        lazy("Time to rest, leave or join. Leave empty to start the next season at once."),
        duration_unit=HOURS,
        form_default=3 * DAYS,
        api_name="season_pause_seconds",
        api_help="The time between two seasons, in seconds.",
        section="shape",
    ),
    Option(
        "season_limit",
        lazy("Number of seasons"),
        lazy("Leave empty to play until you close the league."),
        api_help="How many seasons are played; null for no limit.",
        section="shape",
    ),
)
