"""What all games of an event or a league are played by, in the words that games themselves are told in."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import rule_words
from games.selectors.clocks import blind_allowance
from games.web import terms as of_games
from tournaments.models import Terms
from tournaments.words import rules


def game(terms: Terms) -> dict[str, Any]:
    """A game of these terms, as the words for games take it."""
    return {
        "mode": terms.mode,
        "seats_wanted": 4 if terms.mode == Terms.Mode.PAIRS else terms.table,
        "edition": terms.edition,
        "options": {"cards": terms.cards, "obligation": terms.obligation, "target": terms.target},
        "clock": {
            "allowance": terms.allowance,
            "bank": terms.bank,
            "weekends": terms.weekends,
            "nights": terms.nights,
        },
        "rated": terms.rated,
    }


def in_short(terms: Terms) -> str:
    """In a line: who plays against whom, with what, how fast."""
    told = game(terms)
    return " · ".join(
        [of_games.players(told["mode"], told["seats_wanted"]), of_games.cards(told), of_games.clock(told)]
    )


def in_full(terms: Terms) -> list[str]:
    """Everything that is agreed, a sentence each."""
    told = of_games.in_full(game(terms))
    if terms.round_length:
        told.append(rules.say_round_length(terms.round_length))
    told.append(rule_words.say_blind_allowance(blind_allowance(terms.allowance, terms.blind_allowance)))
    told.append(_("out of time: %(what)s") % {"what": rule_words.say_timeouts(terms.timeouts)})
    if not terms.vacation:
        told.append(_("Clocks run through vacations"))
    if not terms.chat:
        told.append(_("No talk at the tables"))
    if terms.private:
        told.append(_("Only those who play a game can see it"))
    return [capfirst(one) for one in told]
