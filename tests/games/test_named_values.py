"""Named values: stored and published names agree, and every table keyed by such a value is complete."""

from __future__ import annotations

from django.utils import translation

from games import engine
from games.clock import StopReason, TimeoutOutcome
from games.mail.game_context import CLOCK_STOP_LABELS
from games.models import Game
from games.services.replies import ReplyResult
from games.services.sweep import SweepOutcome
from games.web.turn_link import pause_reason_texts
from notifications.channels.webhook.webhook_http import CallFailure
from notifications.channels.webhook.webhook_sender import FAILURE_TEXTS
from notifications.models import InboundMail


def test_a_game_has_the_modes_and_seat_orders_of_the_engine() -> None:
    assert Game.Mode.values == [mode.value for mode in engine.Mode] == list(engine.MODES)
    assert Game.SeatOrder.values == [order.value for order in engine.SeatOrder]


def test_what_becomes_of_a_reply_is_no_outcome_of_mail_that_nobody_processed() -> None:
    assert not set(ReplyResult) & set(InboundMail.Outcome)
    longest = InboundMail._meta.get_field("outcome").max_length
    assert longest
    assert all(len(result) <= longest for result in ReplyResult)


def test_every_reason_of_a_stopped_clock_has_its_words_in_mails_and_on_pages() -> None:
    assert set(CLOCK_STOP_LABELS) == set(StopReason)
    assert set(pause_reason_texts()) == set(StopReason)


def test_every_failure_of_a_call_has_its_words_in_every_language() -> None:
    assert set(FAILURE_TEXTS) == set(CallFailure)
    for language in ("it", "nl"):
        with translation.override(language):
            assert all(translation.gettext(text) != text for text in FAILURE_TEXTS.values())


def test_a_metric_of_the_sweep_says_whether_time_was_up() -> None:
    assert not set(SweepOutcome) & set(TimeoutOutcome)
