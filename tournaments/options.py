"""The options of tournaments and leagues, each declared once, as in `games.options`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.db.models import NOT_PROVIDED
from django.utils.functional import lazy as lazily
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from common.duration_format import format_duration
from games import clock, option_text
from games.options import GAME_OPTIONS, FixedFrom, Option, build_options, group_by_section
from tournaments.models import GameSettings, League, Tournament
from tournaments.models.limits import TABLE_SIZE
from tournaments.models.ratings import INITIAL_MU, display_rating

USUAL_DIVISION_SIZE = 8  # of a new league
REMATCH_TIME_DIVISOR = 4  # by default a rematch has a quarter of the time
HOURS, DAYS = clock.SECONDS_PER_HOUR, clock.SECONDS_PER_DAY  # what a form counts a duration in at first
ALL_TABLES = tuple(range(TABLE_SIZE.minimum, TABLE_SIZE.maximum + 1))
SMALL_TABLES, LARGE_TABLES = ALL_TABLES[:1], ALL_TABLES[1:]
KNOCKOUT, ROUND_ROBIN, SWISS = (
    Tournament.Format.KNOCKOUT,
    Tournament.Format.ROUND_ROBIN,
    Tournament.Format.SWISS,
)


def describe_rematch_allowance_default() -> str:
    """Describe the default time for a turn of a rematch."""
    return _("Replays of drawn knock-out games. Empty: %(share)s of the usual time.") % {
        "share": option_text.format_fraction(REMATCH_TIME_DIVISOR)
    }


def describe_rematch_bank_default() -> str:
    """Describe the default time bank of a rematch."""
    return _("Empty: %(share)s of the usual reserve.") % {
        "share": option_text.format_fraction(REMATCH_TIME_DIVISOR)
    }


def describe_rating_limits() -> str:
    """Describe the rating of a new player, and what an empty limit means."""
    return _("New players have %(rating)s. Empty: no limit.") % {"rating": display_rating(INITIAL_MU)}


def describe_division_size() -> str:
    """Describe how many games a season has in a division of the usual size."""
    return _("With %(size)s, everybody plays %(games)s games per season.") % {
        "size": USUAL_DIVISION_SIZE,
        "games": USUAL_DIVISION_SIZE - 1,
    }


def describe_round_length(seconds: int) -> str:
    """Describe how long a round lasts, and what happens at its end."""
    span = format_duration(timedelta(seconds=seconds))
    return _("A round lasts %(span)s; then points decide unfinished games") % {"span": span}


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
        api_help="`strict`: whoever can close a figure must do so. `lenient`: nobody has to.",
        api_error=lazy("Tournaments and leagues always use the duty to close figures."),
    ),
    GAME_OPTIONS["target"],
    GAME_OPTIONS["seniority_rule"],
    GAME_OPTIONS["hints"],
    replace(GAME_OPTIONS["time_control"], choices=option_text.list_time_control_choices),
    Option(
        "allowance",
        lazy("Time per turn"),
        duration_unit=HOURS,
        api_help="The time for a turn in seconds; only with the clock `custom`.",
    ),
    Option(
        "bank",
        lazy("Reserve for the whole game"),
        duration_unit=DAYS,
        api_help="The reserve for the whole game in seconds; only with the clock `custom`.",
    ),
    Option(
        "blind_allowance",
        lazy("Time per turn in blind matches"),
        option_text.lazy_blind_default(),
        duration_unit=HOURS,
        api_help=GAME_OPTIONS["blind_allowance"].api_help,
        section="games",
    ),
    Option(
        "rematch_allowance",
        lazy("Time per turn in replays"),
        lazily(describe_rematch_allowance_default, str)(),
        duration_unit=HOURS,
        api_help="The time for a turn of a rematch, in seconds. Null: a quarter of the allowance.",
        response_help="The time for a turn of a rematch, in seconds.",
        section="games",
    ),
    Option(
        "rematch_bank",
        lazy("Reserve in replays"),
        lazily(describe_rematch_bank_default, str)(),
        duration_unit=HOURS,
        api_help="The reserve for a rematch, in seconds. Null: a quarter of the bank.",
        section="games",
    ),
    replace(GAME_OPTIONS["timeout_policy"], has_api_labels=False),
    GAME_OPTIONS["weekends"],
    GAME_OPTIONS["nights"],
    Option(
        "vacation",
        default=NOT_PROVIDED,
        api_help="Whether clocks rest while a player is on vacation. The default is true, except"
        " for quick games.",
        describe=lambda is_on: "" if is_on else _("Clocks keep running during vacations"),
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
        lazy("Games count for the ratings."),
        api_help="Whether its games count for ratings.",
        section="games",
    ),
    Option(
        "private",
        lazy("Private games"),
        lazy("Only its players see a game. Results stay public."),
        api_help="Whether only the players of a game can see it.",
        describe=lambda _is_on: _("Only its players can see a game"),
        section="games",
    ),
    Option(
        "round_length",
        lazy("Round length"),
        lazy("Then points decide unfinished games. Empty: no limit."),
        duration_unit=DAYS,
        api_help="How long a round lasts, in seconds; then points decide the games that are not"
        " over. Null: no limit.",
        response_help="How long a round lasts, in seconds; null for no limit.",
        describe=describe_round_length,
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
    lazy("Description"),
    lazy("Prizes or house rules, for example. Plain text, shown on the public page."),
    default=NOT_PROVIDED,
    api_help="A text for the players, without formatting.",
    fixed_from=FixedFrom.END,
)
CYCLES = Option(
    "cycles",
    lazy("Games between two players"),
    lazy("Round robin at tables of two."),
    api_help="Round robin: how many times each two entrants meet.",
    describe=lambda n: _("Everybody meets everybody %(n)s times.") % {"n": n},
    section="shape",
    formats={ROUND_ROBIN: SMALL_TABLES},
)
ALL_ROUNDS_AT_ONCE = Option(
    "all_rounds_at_once",
    lazy("Start all rounds at once"),
    lazy("Round robin: players play all their games in parallel."),
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
        api_help="How entrants are paired: knock-out, double elimination, round robin or Swiss.",
        fixed_from=FixedFrom.FIRST_ENTRY,
    ),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy("Swiss, or round robin at tables of three or four. Empty: as many as needed."),
        api_help="The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null:"
        " as many as it takes.",
        describe=lambda n: ngettext("There is one round.", "There are %(n)s rounds.", n) % {"n": n},
        section="shape",
        formats={SWISS: ALL_TABLES, ROUND_ROBIN: LARGE_TABLES},
    ),
    CYCLES,
    ALL_ROUNDS_AT_ONCE,
    Option(
        "advancing_count",
        lazy("Qualifiers per table"),
        lazy("Knock-out at tables of three or four."),
        api_help="Knock-out: how many entrants go on from a table of 3 or 4.",
        section="shape",
        formats={KNOCKOUT: LARGE_TABLES},
    ),
    Option(
        "third_place",
        lazy("Third-place game"),
        lazy("Knock-out at tables of two."),
        api_help="Knock-out at tables of 2: whether the third place is played for.",
        describe=lambda _is_on: _("The losing semi-finalists play for third place."),
        section="shape",
        formats={KNOCKOUT: SMALL_TABLES},
    ),
    Option(
        "opens_at",
        lazy("Entries open"),
        lazy("Empty: on publication."),
        api_help="From when on players can enter; null for at once.",
        section="entry",
    ),
    Option(
        "closes_at",
        lazy("Entries close"),
        lazy("Empty: at the start."),
        api_help="Until when players can enter; null for until the start.",
        section="entry",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "starts_at",
        lazy("Start"),
        lazy("Empty: when you start it. You can always start earlier."),
        api_help="When it starts; null if it starts when it is full, or when you start it.",
    ),
    Option(
        "when_full",
        lazy("Start when full"),
        lazy("Requires a number of places above."),
        api_help="Whether it starts as soon as all places are taken.",
        describe=lambda _is_on: _("The tournament starts as soon as all places are taken."),
        section="entry",
    ),
    Option(
        "capacity",
        lazy("Places"),
        lazy("Later entrants join a waiting list. Empty: no limit."),
        api_help="How many entrants have a place; later ones join the waitlist. Null for no limit.",
    ),
    Option(
        "confirmation",
        lazy("Require confirmation"),
        lazy("Entrants who do not confirm before the start cannot play."),
        api_help="Whether only those play who confirm shortly before the start.",
        describe=lambda _is_on: _("Only those who confirm before the start will play."),
        section="entry",
    ),
    Option(
        "by_invitation",
        lazy("By invitation only"),
        lazy("You can invite players once it is created."),
        api_help="Whether only invited players can enter.",
        describe=lambda _is_on: _("By invitation only."),
        section="entry",
    ),
    Option(
        "late_entry",
        lazy("Allow late entry"),
        lazy("Swiss: late entrants play from the next round."),
        api_help="Swiss: whether players can enter after the start.",
        describe=lambda _is_on: _("You can enter after the start and play from the next round."),
        section="entry",
        fixed_from=FixedFrom.END,
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "bots_allowed",
        lazy("Allow bots"),
        lazy("Programs run by players. Games between bots and people are not rated."),
        api_help="Whether bot accounts may enter; a game between a bot and a person is not rated.",
        describe=lambda _is_on: _("Bots can enter. Games between bots and people are not rated."),
        section="entry",
        fixed_from=FixedFrom.FIRST_ENTRY,
    ),
    Option(
        "min_rating",
        lazy("Minimum rating"),
        api_help="The lowest rating with which a player can enter; null for any.",
        section="entry",
    ),
    Option(
        "max_rating",
        lazy("Maximum rating"),
        lazily(describe_rating_limits, str)(),
        api_help="The highest rating with which a player can enter; null for any.",
        section="entry",
    ),
    Option(
        "seeding",
        lazy("Seeds"),
        lazy("Top seeds meet late. You can also set the order yourself."),
        api_help="How entrants get their seeds, where no organiser sets them by hand.",
        section="entry",
    ),
    Option(
        "hold_on_warnings",
        lazy("Hold rounds with warnings"),
        lazy("A bye, an absent player or a repeated pairing needs your OK."),
        api_help="Whether a round with warnings waits for an organiser.",
        section="running",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "manual_approval",
        lazy("Approve every round"),
        lazy("Rounds start only after you approve their pairings."),
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
        lazy("Round robin: everybody plays everybody in their division."),
        api_help="How a season is played: everybody against everybody else of the division, or Swiss rounds.",
        choices=((ROUND_ROBIN, lazy("Round robin")), (SWISS, lazy("Swiss rounds"))),
    ),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy("Swiss only. Empty: as many as needed."),
        api_help="Swiss: the number of rounds.",
        section="shape",
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "division_size",
        lazy("Places per division"),
        lazily(describe_division_size, str)(),
        is_required=True,
        form_default=USUAL_DIVISION_SIZE,
        api_help="How many players or pairs a division has.",
    ),
    Option(
        "promotion_count",
        lazy("Promotions and relegations"),
        lazy("Per division after each season. At most half a division."),
        api_help="How many are promoted, and relegated, after a season.",
    ),
    Option(
        "groups_per_division",
        lazy("Groups per division"),
        lazy("Groups play separately but share one ranking."),
        api_help="How many groups a division has.",
        section="shape",
    ),
    replace(CYCLES, api_help="How many times each two members meet in a season."),
    replace(ALL_ROUNDS_AT_ONCE, api_help="Whether all rounds of a season begin together."),
    Option(
        "newcomer_policy",
        lazy("Newcomers start"),
        api_help="Where new members begin: in the lowest division, or by their rating.",
    ),
    Option(
        "season_pause",
        lazy("Break between seasons"),
        lazy("Time to join or leave. Empty: no break."),
        duration_unit=HOURS,
        form_default=3 * DAYS,
        api_help="The time between two seasons, in seconds.",
        section="shape",
    ),
    Option(
        "season_limit",
        lazy("Number of seasons"),
        lazy("Empty: until you close the league."),
        api_help="How many seasons are played; null for no limit.",
        section="shape",
    ),
)
