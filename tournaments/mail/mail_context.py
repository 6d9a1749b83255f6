"""The state of a tournament as mails describe it: the reader's entrant, standings, next matches."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from games.game_notice import find_game_code
from games.mail.game_context import format_local_time
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend
from tournaments import text
from tournaments.models import Entrant, Pairing, ResultSource, Tournament
from tournaments.pairing import Bracket, BracketMatch, PairingReason, Standing, swiss
from tournaments.pairing.datatypes import UNDECIDED_MATCH_STATES
from tournaments.pairing.note_codes import SEAT_REASONS
from tournaments.selectors import TournamentState, list_seated_entrant_ids, tournament_read_models

BRACKET_OF_LETTER = {"R": "main", "W": "winners", "L": "losers"}


class MailContext:
    """A tournament loaded once for all mails that are composed about the same state."""

    def __init__(self, tournament: Tournament) -> None:
        """Load the state of the tournament and the names of its entrants."""
        self.tournament = tournament
        self.state = TournamentState(tournament)
        self.entrant_names = tournament_read_models.get_entrant_names(self.state)

    @cached_property
    def standings(self) -> dict[Any, Standing]:
        """The standings, by entrant id."""
        return {standing.entrant: standing for standing in self.state.build_standings()}

    @cached_property
    def bracket(self) -> Bracket:
        """All matches of an elimination tournament."""
        return self.state.build_bracket()

    @property
    def is_elimination(self) -> bool:
        """True if losers are eliminated."""
        return self.tournament.format in (Tournament.Format.KNOCKOUT, Tournament.Format.DOUBLE)

    @cached_property
    def round_count(self) -> int | None:
        """The number of bracket rounds, by which the last ones are named; None outside elimination."""
        if not self.is_elimination:
            return None
        return max((match.round for match in self.bracket.matches if match.bracket == "main"), default=None)

    def get_entrant(self, player_id: int) -> Entrant:
        """Return the entrant of a player. Raises NothingToSend."""
        for entrant in self.state.entrants.values():
            if any(entrant_player.player_id == player_id for entrant_player in entrant.entrant_players.all()):
                return entrant
        raise NothingToSend

    def name_opponents(self, pairing: Pairing, entrant_id: int) -> str:
        """Return the names of an entrant's opponents at a pairing."""
        return text.join_names(
            self.entrant_names,
            [other_id for other_id in list_seated_entrant_ids(pairing) if other_id != entrant_id],
        )

    def format_round_name(self, match: str) -> str:
        """Return the name of the round of a match."""
        prefix, _dot, number = match.partition(".")
        if number and prefix[:1] in BRACKET_OF_LETTER and prefix[1:].isdecimal():
            return text.format_round_name(BRACKET_OF_LETTER[prefix[0]], int(prefix[1:]), self.round_count)
        return text.format_match_name(match)

    # ------------------------------------------------------------------------------------ sentences

    def explain_pairing(self, pairing: Pairing, entrant_id: int) -> str:
        """Explain a pairing in one or two sentences, without what the reader knows already."""
        notes = [note for note in pairing.reasons if note["code"] not in SEAT_REASONS]
        shown_notes = [note for note in notes if note.get("entrant") != entrant_id or len(notes) == 1]
        return " ".join(text.describe_reason(note, self.entrant_names) for note in shown_notes[:2])

    def say_round_end(self, pairing: Pairing) -> str:
        """Say when the round ends; "" if it has no end."""
        if pairing.round.ends_at is None:
            return ""
        return _("The round ends on %(when)s. Points then decide the games in progress.") % {
            "when": format_local_time(pairing.round.ends_at)
        }

    def format_score(self, pairing: Pairing) -> str:
        """List the points of all seats; "" if there are none."""
        seats = tournament_read_models.build_pairing(self.state, pairing).seats
        if any(seat.points is None for seat in seats):
            return ""
        return ", ".join(f"{seat.name} {seat.points}" for seat in seats) + "."

    def say_outcome(self, pairing: Pairing, entrant_id: int) -> str:
        """Say how a pairing ended for an entrant. Raises NothingToSend if they did not sit there."""
        ranks = dict(
            zip(list_seated_entrant_ids(pairing), (pairing.result or {}).get("ranks", ()), strict=False)
        )
        if entrant_id not in ranks:
            raise NothingToSend
        text_args = {
            "who": self.name_opponents(pairing, entrant_id),
            "n": ranks[entrant_id],
            "of": len(ranks),
        }
        if len(ranks) > 2:
            return _("Place %(n)d of %(of)d at your table (%(who)s)") % text_args
        if len(set(ranks.values())) == 1:
            return _("You drew with %(who)s") % text_args
        return (
            _("You beat %(who)s") % text_args
            if ranks[entrant_id] == 1
            else _("You lost to %(who)s") % text_args
        )

    def list_result_lines(self, pairing: Pairing, entrant_id: int) -> list[str]:
        """List the points, and how the result came about if not by the game."""
        stored_result = pairing.result or {}
        lines = [self.format_score(pairing)]
        if stored_result.get("by") != ResultSource.GAME:
            lines.append(text.describe_ending(stored_result.get("by")))
        if entrant_id in stored_result.get("forfeits", ()):
            lines.append(_("It counts as a forfeit by you. If that is wrong, appeal on the table’s page."))
        return [line for line in lines if line]

    def say_place(self, entrant_id: int) -> str:
        """Say the current rank of an entrant."""
        standing = self.standings.get(entrant_id)
        if standing is None:
            return ""
        text_args = {
            "n": standing.rank,
            "of": len(self.standings),
            "points": text.format_points(standing["points"] or 0),
        }
        return _("Your place: %(n)d of %(of)d, with %(points)s.") % text_args

    def say_next_step(self, pairing: Pairing, entrant_id: int) -> str:
        """Say what follows from a result for an entrant."""
        entrant = self.state.entrants[entrant_id]
        if not self.tournament.is_running or entrant.left_after_round is not None:
            return ""
        if self.is_elimination:
            return self.say_elimination_step(pairing, entrant_id)
        last_round = self.find_last_round(pairing)
        if self.tournament.all_rounds_at_once or last_round is None or pairing.bracket_round < last_round:
            return self.say_place(entrant_id)
        return " ".join([self.say_place(entrant_id), _("That was your last game.")])

    def find_last_round(self, pairing: Pairing) -> int | None:
        """Return the number of rounds of a Swiss or round robin tournament."""
        if self.tournament.format == Tournament.Format.SWISS:
            return swiss.count_rounds(self.state.spec)
        return next(
            (note["rounds"] for note in pairing.reasons if note["code"] == PairingReason.SCHEDULE), None
        )

    def say_elimination_step(self, pairing: Pairing, entrant_id: int) -> str:
        """Say whether an entrant goes on from an elimination match, replays it or is out."""
        own_open_matches = [
            match
            for match in self.bracket.matches
            if entrant_id in match.seats and match.state in UNDECIDED_MATCH_STATES
        ]
        if not own_open_matches:
            return self.say_eliminated(entrant_id)
        next_match = own_open_matches[0]
        if next_match.id == pairing.match:
            return _("You drew, so you play a rematch.")
        return self.say_next_match(next_match, entrant_id)

    def say_next_match(self, next_match: BracketMatch, entrant_id: int) -> str:
        """Say the next match, with the opponents if they are known."""
        text_args = {"round": self.format_round_name(next_match.id)}
        opponent_ids = [
            other_id for other_id in next_match.seats if other_id is not None and other_id != entrant_id
        ]
        if opponent_ids and None not in next_match.seats:
            text_args["who"] = text.join_names(self.entrant_names, opponent_ids)
            return _("You advance: %(round)s, against %(who)s.") % text_args
        return _("You advance: %(round)s. Your opponent is not known yet.") % text_args

    def say_eliminated(self, entrant_id: int) -> str:
        """Say that an entrant is out, with the rank once all earlier matches are decided."""
        standing = self.standings.get(entrant_id)
        last_stage = max(
            (match.stage for match in self.bracket.matches if entrant_id in match.seats), default=0
        )
        open_matches = [
            match
            for match in self.bracket.matches
            if match.state in UNDECIDED_MATCH_STATES and match.stage <= last_stage
        ]
        if standing is None or standing.rank == 1:
            return ""
        if open_matches:
            return _("You are out.")
        return _("You are out. Your place: %(n)d of %(of)d.") % {
            "n": standing.rank,
            "of": len(self.entrant_names),
        }


# --------------------------------------------------------------------------------------------------- loading


def get_tournament(delivery: Delivery) -> Tournament:
    """Return the tournament of a mail. Raises NothingToSend."""
    tournaments = Tournament.objects.filter(code=delivery.data.get("tournament", ""))
    tournament = tournaments.select_related("organiser", "division__season__league").first()
    if tournament is None:
        raise NothingToSend
    return tournament


def load_mail_context(tournament: Tournament) -> MailContext:
    """Return the mail context of a tournament, cached until the tournament changes."""
    pairing_counts = tournament.pairings.aggregate(
        all=Count("pk"), settled=Count("settled_at"), last=Max("settled_at")
    )
    entrant_counts = tournament.entrants.aggregate(all=Count("pk"), gone=Count("left_after_round"))
    fingerprint = (
        *pairing_counts.values(),
        *entrant_counts.values(),
        tournament.decisions.count(),
        tournament.entrant_players.filter(player__isnull=False).count(),
    )
    return load_cached_mail_context(tournament.pk, tournament.code, tournament.status, fingerprint)


@lru_cache(maxsize=4)
def load_cached_mail_context(
    tournament_id: int, code: str, status: str, fingerprint: tuple[Any, ...]
) -> MailContext:
    """Load the mail context; the arguments are the cache key."""
    return MailContext(
        Tournament.objects.select_related("organiser", "division__season__league").get(pk=tournament_id)
    )


def get_pairing(delivery: Delivery, tournament: Tournament) -> Pairing:
    """Return the pairing of a result mail. Raises NothingToSend."""
    pairings = (
        tournament.pairings.filter(is_void=False)
        .select_related("game", "round")
        .prefetch_related("pairing_seats")
    )
    if code := find_game_code(delivery):
        pairings = pairings.filter(game__code=code)
    pairing = pairings.filter(match=delivery.data.get("match", "")).order_by("-pk").first()
    if pairing is None:
        raise NothingToSend
    return pairing
