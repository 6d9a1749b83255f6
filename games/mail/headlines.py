"""Subject, headline and first sentences of each kind of mail about a game.

Mails of one game share a thread. Some mail programs also require equal subjects for that, so turns and
answers to replies share one; rare notices have a subject of their own, so that they stand out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import rule_text
from games.clock import TimeoutOutcome
from games.engine import ending_text, text
from games.engine.solo_progress import measure_solo_progress
from games.engine.standing_orders import OrderEnd
from games.game_text import describe_order_end
from games.models import Game
from games.services.replies import ReplyResult

from .game_context import GameContext, format_local_time


@dataclass(frozen=True)
class MailHeadlines:
    """The opening of a mail before the board: subject, headline and lead sentences."""

    subject: str
    headline: str
    lead: list[str]
    context_line: str = ""  # what the mail is about, before the lead; the subject says it, so no preview does


def build_turn_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of a turn notice."""
    subject = _("Your turn %(who)s") % {"who": game_context.other_players_text}
    lead = [
        *say_blind_match_decides(game_context),
        *game_context.latest_sentences,
        *say_what_became_of_orders(game_context, data),
    ]
    return MailHeadlines(subject, _("Your turn"), lead)


def say_what_became_of_orders(game_context: GameContext, data: dict[str, Any]) -> list[str]:
    """Say the actions of the reader's standing orders in this turn, or the reason for their end, if any."""
    if data.get("order_end"):
        return [describe_order_end(OrderEnd(data["order_end"]))]
    if data.get("ordered_actions"):
        descriptions = [
            text.describe_action(action, game_context.words) for action in data["ordered_actions"]
        ]
        return [_("Your standing order played: %(actions)s.") % {"actions": ", ".join(descriptions)}]
    return []


def build_reminder_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of a reminder."""
    subject = _("Still your turn %(who)s") % {"who": game_context.other_players_text}
    return MailHeadlines(
        subject, _("Still your turn"), say_blind_match_decides(game_context) + game_context.latest_sentences
    )


def build_game_started_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of the notice that the game has begun."""
    subject = _("Your game %(who)s has begun") % {"who": game_context.other_players_text}
    return MailHeadlines(
        subject, _("The game has begun"), [*game_context.latest_sentences, say_who_is_to_act(game_context)]
    )


def build_blind_match_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of the notice that a blind match begins."""
    subject = _("A blind match decides your game %(who)s") % {"who": game_context.other_players_text}
    lead = [
        *say_blind_match_decides(game_context),
        capfirst(rule_text.describe_blind_allowance(game_context.view["clock"]["blind_allowance_seconds"]))
        + ".",
        say_who_is_to_act(game_context),
    ]
    return MailHeadlines(subject, _("A blind match decides"), lead)


def build_timeout_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of a timeout notice."""
    timeout_action, seat_no = data["outcome"], data["seat"]
    is_own_seat = seat_no == game_context.seat_no
    player_name = game_context.words.format_seat(seat_no)
    if timeout_action == TimeoutOutcome.RESIGNED:
        lead = [_("Your side has resigned.") if is_own_seat else _("Their side has resigned.")]
    elif is_own_seat:
        lead = [_("We played for you."), rule_text.describe_autoplay_to_player()]
    else:
        lead = [_("We played for %(who)s.") % {"who": player_name}]
    if game_context.view["phase"] == "over":
        lead.append(say_winner(game_context))
    headline = _("Your time ran out") if is_own_seat else _("Time ran out for %(who)s") % {"who": player_name}
    subject = add_own_game(headline, game_context)
    return MailHeadlines(subject, headline, [*lead, say_who_is_to_act(game_context)])


def build_pause_proposed_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of a proposed pause, or of its proposed end."""
    placeholders = {"who": data["by"], "when": format_local_time(datetime.fromisoformat(data["until"]))}
    if data["stops_clocks"]:
        headline = _("Pause proposed")
        proposal = _("%(who)s proposes to stop the clocks until %(when)s.") % placeholders
    else:
        headline = _("End of the pause proposed")
        proposal = _("%(who)s proposes to start the clocks again.") % placeholders
    lead = [proposal, _("Agree or decline on the game’s page.")]
    return MailHeadlines(add_own_game(headline, game_context), headline, lead)


def build_pause_agreed_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of an agreed pause, or of its end."""
    if not data["stops_clocks"]:
        headline = _("The clocks are running again")
        lead = [_("Everybody agreed to end the pause.")]
        return MailHeadlines(add_own_game(headline, game_context), headline, lead)
    headline = _("Everybody agreed to a pause")
    until = format_local_time(datetime.fromisoformat(data["until"]))
    lead = [_("The clocks are stopped until %(when)s.") % {"when": until}, _("You can still play.")]
    return MailHeadlines(add_own_game(headline, game_context), headline, lead)


def build_pause_declined_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of a declined pause."""
    headline = _("Pause proposal declined")
    lead = [_("%(who)s declined the proposal. The clocks stay as they are.") % {"who": data["by"]}]
    return MailHeadlines(add_own_game(headline, game_context), headline, lead)


def build_game_over_headlines(game_context: GameContext, data: dict[str, Any]) -> MailHeadlines:
    """Headlines of a result."""
    subject = _("Your game %(who)s is over") % {"who": game_context.other_players_text}
    lead = [*say_reasons(game_context), *game_context.latest_sentences]
    return MailHeadlines(subject, say_result(game_context), lead)


def build_answer_headlines(
    outcome: ReplyResult, game_context: GameContext, answer_text: str
) -> MailHeadlines:
    """Headlines of the answer to a reply."""
    subject = _("Your turn %(who)s") % {"who": game_context.other_players_text}
    lead = [line for line in map(str.strip, answer_text.splitlines()) if line]
    match outcome:
        case ReplyResult.PLAYED:
            headline = _("Played")
            if game_context.view["phase"] == "over":
                headline = say_result(game_context)
            elif game_context.turn is not None:
                lead.append(_("Your turn continues."))
        case ReplyResult.REFUSED:
            headline = _("Not played")
        case ReplyResult.CONFIRM:
            headline = _("Do you resign?")
            lead.append(_("To resign, reply to this mail with one word: yes. You cannot undo this."))
        case ReplyResult.TURN_PASSED:
            headline = _("This turn is over")
        case _:
            assert_never(outcome)
    return MailHeadlines(f"Re: {subject}", headline, [*lead, say_who_is_to_act(game_context)])


# ------------------------------------------------------------------------------------------------- sentences


def add_own_game(headline: str, game_context: GameContext) -> str:
    """A subject of a headline that does not say in which game."""
    return _("%(headline)s: your game %(who)s") % {
        "headline": headline,
        "who": game_context.other_players_text,
    }


def say_blind_match_decides(game_context: GameContext) -> list[str]:
    """The sentence that a blind match decides the game; empty list in other matches."""
    if game_context.view["kind"] != "blind":
        return []
    return [_("The score is level: this blind match decides the game.")]


def say_who_is_to_act(game_context: GameContext) -> str:
    """Name the players to act; empty if it is the reader, or if the game is over."""
    if game_context.view["phase"] == "over" or game_context.seat_no in game_context.view["to_act"]:
        return ""
    return text.describe_duty(game_context.view, game_context.words)


def say_result(game_context: GameContext) -> str:
    """Name winner and score, as the page does."""
    if game_context.game_end is None:
        return _("The game is over")
    headline = ending_text.format_result_headline(
        game_context.game_end.result, game_context.side, game_context.words
    )
    return game_context.words.capitalize_sentence(headline)


def say_winner(game_context: GameContext) -> str:
    """Name the winner, for a reader who has not won."""
    game_end, words = game_context.game_end, game_context.words
    if game_end is None or game_end.result.winner in (None, game_context.side):
        return say_result(game_context)
    return words.capitalize_sentence(ending_text.format_result_headline(game_end.result, None, words))


def say_reasons(game_context: GameContext) -> list[str]:
    """Describe the decision of the game, as the page does, and the winner unless the last action says so."""
    if game_context.game_end is None:
        return []
    result, words = game_context.game_end.result, game_context.words
    reasons = ending_text.describe_result(result, words, game_context.game_end.timed_out_side)
    if result.winner not in (None, game_context.side) and not game_context.latest_sentences:
        reasons.append(f"{say_winner(game_context)}.")
    if game_context.view["mode"] == Game.Mode.SOLO:
        progress = measure_solo_progress(game_context.view)
        reasons += ending_text.describe_solo_result(progress, game_context.words)
    return reasons
