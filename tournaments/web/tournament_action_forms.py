"""Organiser action forms about a tournament as a whole, its co-organisers and its invites."""

from __future__ import annotations

from datetime import datetime

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH
from tournaments.models import Tournament
from tournaments.models.limits import MAX_NAMES_LENGTH
from tournaments.selectors import conflicts_of_interest, organiser_dashboard, tournament_page
from tournaments.services import co_organisers, decisions, tournaments

from .organiser_action_forms import NAME_INPUT_ATTRIBUTES, OrganiserActionForm, ReasonedActionForm

MAX_INVITED_NAMES = 100  # per submission

# ------------------------------------------------------------------------------------------------- life cycle


class PublishTournamentForm(OrganiserActionForm):
    """Publishes a draft."""

    is_immediate = True

    def perform_action(self, now: datetime) -> str:
        """Publish the tournament."""
        tournaments.publish_tournament(**self.service_arguments, now=now)
        return _("Tournament published.")


class StartTournamentForm(OrganiserActionForm):
    """Starts a tournament."""

    title, button_text = lazy("Start now"), lazy("Start tournament")

    def list_explanations(self) -> list[str]:
        """Explain how many play, who has not confirmed, and that the start is final."""
        entered_count = tournament_page.count_entrants_by_status(self.tournament)["entered"]
        playing_count = (
            organiser_dashboard.count_confirmed_entrants(self.tournament)
            if self.tournament.confirmation
            else entered_count
        )
        explanations = [
            ngettext("%(n)s entrant plays.", "%(n)s entrants play.", playing_count) % {"n": playing_count},
            _("We pair the first round and start the games. You cannot undo this."),
        ]
        unconfirmed_count = entered_count - playing_count
        if unconfirmed_count:
            explanations.insert(
                1,
                ngettext(
                    "%(n)s entrant has not confirmed and does not play.",
                    "%(n)s entrants have not confirmed and do not play.",
                    unconfirmed_count,
                )
                % {"n": unconfirmed_count},
            )
        if playing_count < 2:
            explanations.append(_("The tournament waits until at least two can play."))
        return explanations

    def perform_action(self, now: datetime) -> str:
        """Mark the tournament for its start."""
        tournaments.start_tournament(**self.service_arguments, now=now)
        return _("The tournament starts in a moment.")


class ApproveRoundForm(OrganiserActionForm):
    """Approves the round (or the end) that waits for the organiser."""

    is_immediate = True

    def perform_action(self, now: datetime) -> str:
        """Approve what waits."""
        decisions.approve_round(**self.service_arguments, now=now)
        if self.tournament.hold_reason == Tournament.HoldReason.STALE_AT_END:
            return _("The tournament ends in a moment.")
        return _("The round starts in a moment.")


class CancelTournamentForm(ReasonedActionForm):
    """Cancels a tournament."""

    title, button_text, is_dangerous = lazy("Cancel tournament"), lazy("Cancel for good"), True

    def concerns_own_pairing(self) -> bool:
        """True if the organiser plays in it now."""
        return conflicts_of_interest.has_open_pairing(self.organiser, self.tournament)

    def list_explanations(self) -> list[str]:
        """Explain that it is final and what happens to running games."""
        open_rounds = organiser_dashboard.list_open_rounds(self.tournament)
        open_game_count = sum(open_round.open_pairing_count for open_round in open_rounds)  # type: ignore[attr-defined]
        explanations = [_("We tell all entrants. You cannot undo this.")]
        if open_game_count:
            explanations.append(
                ngettext(
                    "%(n)s game is in progress. It can continue, but no longer counts.",
                    "%(n)s games are in progress. They can continue, but no longer count.",
                    open_game_count,
                )
                % {"n": open_game_count}
            )
        return explanations

    def perform_action(self, now: datetime) -> str:
        """Cancel the tournament."""
        tournaments.cancel_tournament(**self.service_arguments, now=now, **self.reason_arguments)
        return _("Tournament cancelled.")


class DeleteDraftForm(OrganiserActionForm):
    """Deletes a draft."""

    title, button_text, is_dangerous = lazy("Delete draft"), lazy("Delete draft"), True
    return_url_name = "tournaments"

    def list_explanations(self) -> list[str]:
        """Explain that it is final."""
        return [_("Only organisers have seen this draft. You cannot undo this.")]

    def perform_action(self, now: datetime) -> str:
        """Delete the draft."""
        tournaments.delete_draft(**self.service_arguments, now=now)
        return _("Draft deleted.")


# --------------------------------------------------------------------------------- co-organisers and invites


class AskCoOrganiserForm(OrganiserActionForm):
    """Asks a player to become a co-organiser."""

    title, button_text = lazy("Invite a co-organiser"), lazy("Send invitation")
    return_url_name = "tournament-organise-people"
    name = forms.CharField(
        label=lazy("Name"), max_length=MAX_NAME_LENGTH, widget=forms.TextInput(NAME_INPUT_ATTRIBUTES)
    )

    def list_explanations(self) -> list[str]:
        """Explain what a co-organiser can do."""
        return [_("Once they accept, they can do everything that you can do here.")]

    def perform_action(self, now: datetime) -> str:
        """Ask the player; an unknown name is a form error."""
        player = self.find_player("name", self.cleaned_data["name"])
        if player is None:
            return ""
        co_organisers.ask_tournament_co_organiser(**self.service_arguments, player=player, now=now)
        return _("We have asked %(name)s to organise it with you.") % {"name": player.name}


class InvitePlayersForm(OrganiserActionForm):
    """Invites players by name."""

    title, button_text = lazy("Invite players"), lazy("Invite")
    return_url_name = "tournament-organise-people"
    names = forms.CharField(
        label=lazy("Names, one per line"),
        max_length=MAX_NAMES_LENGTH,
        widget=forms.Textarea({"rows": 4, **NAME_INPUT_ATTRIBUTES}),
    )

    def perform_action(self, now: datetime) -> str:
        """Invite the players; nobody is invited if a name is unknown."""
        names = [name for line in self.cleaned_data["names"].splitlines() if (name := line.strip())]
        players = [self.find_player("names", name) for name in names[:MAX_INVITED_NAMES]]
        if self.errors:
            return ""
        players_by_id = {player.pk: player for player in players if player}
        for player in players_by_id.values():
            tournaments.invite_player(**self.service_arguments, player=player, now=now)
        return ngettext("%(n)s player invited.", "%(n)s players invited.", len(players_by_id)) % {
            "n": len(players_by_id)
        }


class ListedPlayerForm(OrganiserActionForm):
    """Base of immediate actions on a player listed on the page."""

    is_immediate = True
    return_url_name = "tournament-organise-people"

    def prepare_form(self) -> None:
        """Load the player. Raises Http404."""
        player = Player.objects.filter(pk=self.read_number("player")).first()
        if player is None:
            raise Http404
        self.listed_player = player


class RemoveCoOrganiserForm(ListedPlayerForm):
    """Removes a co-organiser."""

    def perform_action(self, now: datetime) -> str:
        """Remove the co-organiser; one who removes themselves returns to the public page."""
        co_organisers.remove_tournament_co_organiser(
            **self.service_arguments, player=self.listed_player, now=now
        )
        if self.listed_player == self.organiser:
            self.return_url_name = "tournament"
        return _("%(name)s no longer organises this tournament.") % {"name": self.listed_player.name}


class WithdrawInviteForm(ListedPlayerForm):
    """Withdraws an invite."""

    def perform_action(self, now: datetime) -> str:
        """Withdraw the invite."""
        tournaments.withdraw_invite(**self.service_arguments, player=self.listed_player, now=now)
        return _("Invitation withdrawn.")


TOURNAMENT_COMMANDS: dict[str, type[OrganiserActionForm]] = {
    "publish": PublishTournamentForm,
    "start": StartTournamentForm,
    "proceed": ApproveRoundForm,
    "cancel": CancelTournamentForm,
    "delete": DeleteDraftForm,
    "co-organiser": AskCoOrganiserForm,
    "co-organiser-remove": RemoveCoOrganiserForm,
    "invite": InvitePlayersForm,
    "uninvite": WithdrawInviteForm,
}
