"""Numbers in sentences about the rules come from the constants, or are compared with them here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.account import app_settings
from django.test import Client
from django.utils import translation

from accounts import quiet_hours
from common.duration_format import format_duration
from games import clock, option_text, rule_text
from games.models import Game
from games.selectors import lists
from games.selectors.clocks import blind_turn_allowance, turn_allowance_of
from games.services import clocks, sweep
from games.web.create_game_form import NewGameForm
from notifications.channels.email import mail_sender
from notifications.channels.webhook import webhook_http
from notifications.models import Delivery
from notifications.selectors import deliveries
from notifications.services import notices, outbox, requested_deliveries, webhooks
from notifications.services.outbox import WEBHOOK_RETRY_DELAYS
from tests.factories.cast import NOW
from tests.factories.events import DAY as A_DAY
from tests.factories.events import published
from tests.helpers.notice_helpers import start_table
from tournaments.leagues.services import join_requests
from tournaments.models import limits
from tournaments.services import sweep_steps
from tournaments.text import rules
from tournaments.web import settings_text
from tournaments.web.game_settings_form import GameSettingsForm

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db


# ----------------------------------------------------------------------------- sentences built from constants

MADE: list[tuple[str, Any, Any, Callable[[], str], str, str]] = [
    # constant, its module, another value; the function that builds the sentence; its words before and after
    ("MAX_AUTOPLAYED_TURNS", clock, 3, option_text.describe_autoplay, "2 turns in a row", "3 turns in a row"),
    ("MAX_AUTOPLAYED_TURNS", clock, 1, option_text.describe_autoplay, "2 turns in a row", "one turn"),
    (
        "MAX_AUTOPLAYED_TURNS",
        clock,
        3,
        rule_text.describe_autoplay_to_player,
        "2 turns in a row",
        "3 turns in a row",
    ),
    (
        "BLIND_ALLOWANCE_DIVISOR",
        clock,
        3,
        option_text.describe_blind_default,
        "Leave empty for half",
        "Leave empty for a third",
    ),
    (
        "BLIND_ALLOWANCE_DIVISOR",
        clock,
        5,
        option_text.describe_blind_default,
        "Leave empty for half",
        "Leave empty for 1/5",
    ),
    (
        "LIVE_ALLOWANCE_SECONDS",
        clock,
        7200,
        option_text.describe_vacation_default,
        "under 6 hours",
        "under 2 hours",
    ),
    ("DAYS_PER_VACATION_DAY", clock, 10, rule_text.describe_vacation_rule, "Every 12 days", "Every 10 days"),
    (
        "MAX_VACATION_BALANCE",
        clock,
        timedelta(days=9),
        rule_text.describe_vacation_rule,
        "up to 30",
        "up to 9",
    ),
    (
        "FLOATING_VACATION_STEP",
        clock,
        timedelta(hours=2),
        rule_text.describe_vacation_rule,
        "1 hour",
        "2 hours",
    ),
    (
        "MIN_VACATION_LENGTH",
        clock,
        timedelta(days=2),
        rule_text.describe_shortest_vacation,
        "1 day",
        "2 days",
    ),
    (
        "MAX_QUIET_HOURS",
        quiet_hours,
        timedelta(hours=9),
        quiet_hours.describe_longest_quiet_hours,
        "12 hours",
        "9 hours",
    ),
    ("MAX_NIGHT_LENGTH", clock, timedelta(hours=10), option_text.describe_nights, "12 of 24", "10 of 22"),
    (
        "MAX_FAILURES_IN_A_ROW",
        webhooks,
        4,
        rule_text.describe_webhook_retries,
        "up on 3 deliveries",
        "up on 4 deliveries",
    ),
    (
        "WEBHOOK_RETRY_DELAYS",
        outbox,
        WEBHOOK_RETRY_DELAYS[:2],
        rule_text.describe_webhook_retries,
        "15 minutes",
        "1 minute and 5 minutes",
    ),
    (
        "JOIN_LINK_LIFETIME",
        join_requests,
        timedelta(days=2),
        rules.describe_join_link,
        "for 1 day",
        "for 2 days",
    ),
    ("RETRY_AFTER", sweep_steps, timedelta(minutes=3), rules.describe_retry, "in 10 minutes", "in 3 minutes"),
]


@pytest.mark.parametrize(("name", "where", "other", "say", "before", "after"), MADE)
def test_a_sentence_follows_its_number(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    where: Any,
    other: Any,
    say: Callable[[], str],
    before: str,
    after: str,
) -> None:
    with translation.override("en"):
        assert before in say()
        monkeypatch.setattr(where, name, other)
        assert after in say()
        assert before not in say()


def test_a_blind_match_has_the_time_that_the_form_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(allowance=86_400, blind_allowance=None)
    assert turn_allowance_of(game, "blind") == 43_200
    assert "half" in str(GameSettingsForm.base_fields["blind_allowance"].help_text)
    monkeypatch.setattr(clock, "BLIND_ALLOWANCE_DIVISOR", 4)
    assert turn_allowance_of(game, "blind") == 21_600
    assert "a quarter" in str(GameSettingsForm.base_fields["blind_allowance"].help_text)
    assert blind_turn_allowance(86_400, 600) == 600, "what was chosen"
    assert blind_turn_allowance(61, None) == clock.MIN_TIME_CONTROL.allowance


def test_forms_pages_and_mails_say_the_same_of_timeouts() -> None:
    sentence = option_text.describe_autoplay()
    for form in (NewGameForm, GameSettingsForm):
        assert dict(form.base_fields["timeout_policy"].choices)["autoplay"] == sentence  # type: ignore[attr-defined]
    event = published("knockout", 2)
    assert f"Timeout: {sentence}" in settings_text.list_all_settings(event)
    assert sentence in Client().get(f"/tournaments/{event.code}/").text
    event.timeout_policy = Game.TimeoutPolicy.FORFEIT
    assert "Timeout: your side resigns" in settings_text.list_all_settings(event)


def test_a_tournament_says_how_long_a_turn_of_a_blind_match_takes() -> None:
    event = published("knockout", 2, time_control="2d")
    assert "1 day for each turn of a blind match" in settings_text.list_all_settings(event)
    event.blind_allowance = 7200
    assert "2 hours for each turn of a blind match" in settings_text.list_all_settings(event)


def test_the_mail_about_a_timeout_counts_as_the_clock_does() -> None:
    """The mail announces the end for exactly the timeout that ends the game."""
    game, mover, _other = start_table(time_control="custom", allowance=86_400, bank=0, vacation=False)
    now = NOW
    for missed in range(1, clock.MAX_AUTOPLAYED_TURNS + 2):
        while True:
            game.refresh_from_db()
            if game.status != "running":
                break
            now = (game.deadline or now) + timedelta(minutes=1)
            late = next(seat for seat in (1, 2) if game.to_act_mask >> seat & 1)
            sweep.sweep_games(now=now)
            if game.seats.get(seat_no=late).player == mover:
                break
        game.refresh_from_db()
        assert (game.status == "over") == (missed == clock.MAX_AUTOPLAYED_TURNS + 1), missed
        if missed == 1:
            while notices.fan_out_notices(now=now + A_DAY):
                pass
            delivery = Delivery.objects.filter(player=mover, kind="timeout").order_by("pk")[0]
            body = " ".join(str(mail_sender.compose_mail(delivery, now=now).body).split())
            assert rule_text.describe_autoplay_to_player() in body
        if game.status == "over":
            break


def test_the_page_of_a_table_says_within_what_time_an_answer_comes() -> None:
    game, mover, _other = start_table(time_control="custom", allowance=7200, bank=0, cards=True)
    client = Client()
    client.force_login(mover)
    assert clocks.compute_max_answer_delay(7200) == timedelta(minutes=12)
    assert "We answer for you within 12 minutes" in client.get(f"/games/{game.code}/").text


def test_the_page_after_a_sign_up_names_how_long_its_link_lasts(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 5
    assert "within 5 days" in rule_text.describe_confirmation_link()


def test_the_page_for_programs_names_how_long_a_call_may_take(client: Client) -> None:
    text = client.get("/api/").text
    assert f"any 2xx within {webhook_http.REQUEST_TIMEOUT_SECONDS:.0f} seconds" in text
    assert rule_text.describe_webhook_retries() in text


# ------------------------------------------------------------------------- sentences compared with constants

STORED_AND_DOCUMENTED: list[tuple[str, str, object, object]] = [
    ("templates/games/rules/en.html", "at the third timeout in a row", clock.MAX_AUTOPLAYED_TURNS + 1, 3),
    ("templates/games/rules/it.html", "alla terza volta di fila", clock.MAX_AUTOPLAYED_TURNS + 1, 3),
    ("templates/games/rules/nl.html", "de derde keer op rij", clock.MAX_AUTOPLAYED_TURNS + 1, 3),
    (
        "templates/games/rules/en.html",
        "an hour of your vacation",
        clock.FLOATING_VACATION_STEP,
        timedelta(hours=1),
    ),
    (
        "templates/notifications/mailbox.html",
        "about a minute after the turn began",
        clock.MAX_NOTICE_DELAY,
        timedelta(minutes=1),
    ),
    ("games/web/game_lists.py", "under a day per turn", clock.SECONDS_PER_DAY, 86_400),
    ("games/options.py", "Null means half the usual time", clock.BLIND_ALLOWANCE_DIVISOR, 2),
    (
        "games/options.py",
        "night hours, at most 12 of 24",
        clock.MAX_NIGHT_LENGTH,
        timedelta(hours=12),
    ),
    ("games/api/game_extras.py", "the last hundred chat messages", lists.MAX_CHAT_MESSAGES, 100),
    ("notifications/api/notices.py", "your last 50 mails", deliveries.MAX_LISTED_DELIVERIES, 50),
    (
        "notifications/api/notices.py",
        "at most one a minute",
        requested_deliveries.TEST_INTERVAL,
        timedelta(minutes=1),
    ),
    ("notifications/api/notices.py", "You can have five.", webhooks.MAX_WEBHOOKS_PER_PLAYER, 5),
    ("tournaments/options.py", "Null means a quarter of the usual time", limits.REMATCH_TIME_DIVISOR, 4),
]


@pytest.mark.parametrize(("file", "sentence", "number", "meant"), STORED_AND_DOCUMENTED)
def test_a_sentence_that_stands_as_it_is_names_the_number_of_the_code(
    file: str, sentence: str, number: object, meant: object
) -> None:
    assert sentence in (ROOT / file).read_text(), "it has gone: take its line away here, too"
    assert number == meant


def test_lengths_are_said_as_people_say_them() -> None:
    assert format_duration(quiet_hours.MAX_QUIET_HOURS) == "12 hours"
    assert app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS == 3
