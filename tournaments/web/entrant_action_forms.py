"""Organiser action forms about entrants and seeds."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.name_validation import MAX_NAME_LENGTH
from tournaments.models import Entrant, Tournament
from tournaments.selectors import conflicts_of_interest, organiser_dashboard, tournament_page
from tournaments.services import decisions, entries, removals, replacements

from .organiser_action_forms import NAME_INPUT_ATTRIBUTES, OrganiserActionForm, ReasonedActionForm

MAX_WAITLIST_NAMES = 10  # shown with the form


class EntrantActionForm(ReasonedActionForm):
    """Base of actions on one entrant."""

    return_url_name = "tournament-organise-entrants"

    def prepare_form(self) -> None:
        """Load the entrant. Raises Http404."""
        entrant = self.tournament.entrants.filter(pk=self.read_number("entrant")).first()
        if entrant is None:
            raise Http404
        self.entrant: Entrant = entrant
        self.entrant_name = organiser_dashboard.load_entrant_names([entrant.pk])[entrant.pk]

    def hidden_values(self) -> dict[str, Any]:
        """Return the id of the entrant."""
        return {"entrant": self.entrant.pk}

    def concerns_own_pairing(self) -> bool:
        """True if the organiser has an interest in this entrant."""
        return conflicts_of_interest.has_interest_in_entrant(self.organiser, self.tournament, self.entrant)


class DisqualifyEntrantForm(EntrantActionForm):
    """Disqualifies an entrant."""

    title, button_text, is_dangerous = lazy("Disqualify"), lazy("Disqualify"), True

    def prepare_form(self) -> None:
        """Require a reason."""
        super().prepare_form()
        self.fields["reason"].required = True

    def list_explanations(self) -> list[str]:
        """Explain resigned games and when it can be undone."""
        return [
            _("%(name)s loses all running games and is not paired again.") % {"name": self.entrant_name},
            _("You can undo this only if they have no running game now."),
        ]

    def perform_action(self, now: datetime) -> str:
        """Disqualify the entrant."""
        decisions.disqualify_entrant(
            **self.service_arguments, entrant=self.entrant.pk, now=now, **self.reason_arguments
        )
        return _("%(name)s is disqualified.") % {"name": self.entrant_name}


class RemoveEntrantForm(EntrantActionForm):
    """Removes an entrant before the start, or from the waitlist."""

    title, button_text, is_dangerous = lazy("Remove entrant"), lazy("Remove player"), True

    def prepare_form(self) -> None:
        """Require a reason."""
        super().prepare_form()
        self.fields["reason"].required = True

    def concerns_own_pairing(self) -> bool:
        """Never: a removed entrant has played nobody yet."""
        return False

    def list_explanations(self) -> list[str]:
        """Explain when the entrant may enter again."""
        return [
            _("%(name)s leaves the tournament. The first on the waiting list moves up.")
            % {"name": self.entrant_name},
            _("They can enter again only if you invite them."),
            _("The public log of decisions shows the removal and the name."),
        ]

    def perform_action(self, now: datetime) -> str:
        """Remove the entrant."""
        removals.remove_entrant(
            **self.service_arguments, entrant=self.entrant.pk, now=now, **self.reason_arguments
        )
        return _("%(name)s no longer takes part.") % {"name": self.entrant_name}


class ReplacePlayerForm(EntrantActionForm):
    """Proposes that another player takes over for an entrant."""

    title, button_text = lazy("Replace player"), lazy("Ask player")
    position = forms.TypedChoiceField(label=lazy("Player to replace"), coerce=int)
    player = forms.CharField(
        label=lazy("New player"), required=False, max_length=MAX_NAME_LENGTH,
        help_text=lazy("Their name on this site."), widget=forms.TextInput(NAME_INPUT_ATTRIBUTES),
    )  # fmt: skip
    field_order = ("position", "player", "reason", "public_note")

    def prepare_form(self) -> None:
        """Offer the players of a pair; without a name the first of the waitlist is asked, if there is one."""
        super().prepare_form()
        entrant_players = self.entrant.entrant_players.order_by("position").select_related("player")
        choices = [
            (entrant_player.position, entrant_player.player.name if entrant_player.player else "–")
            for entrant_player in entrant_players
        ]
        self.fields["position"].choices = choices  # type: ignore[attr-defined]
        if len(choices) < 2:
            del self.fields["position"]
        self.waitlist_names = tournament_page.list_waitlist_names(self.tournament, MAX_WAITLIST_NAMES)
        is_singles = self.tournament.mode != Tournament.Mode.PAIRS
        self.fields["player"].required = not (self.waitlist_names and is_singles)
        if self.waitlist_names and is_singles:
            self.fields["player"].help_text = _(
                "Their name on this site. Leave empty to ask the first on the waiting list."
            )

    def list_explanations(self) -> list[str]:
        """List the waitlist and explain that the new player is asked first."""
        details = {"names": ", ".join(self.waitlist_names)}
        return [
            *([_("Waiting list: %(names)s.") % details] if self.waitlist_names else []),
            _("The new player takes over the points and running games of %(name)s.")
            % {"name": self.entrant_name},
            _("We ask them first. Once they accept, we tell everybody at the table."),
            _("You can undo this until the new player has seen a hand."),
        ]

    def perform_action(self, now: datetime) -> str:
        """Propose the replacement; an unknown name is a form error."""
        player_name = self.cleaned_data["player"].strip()
        player = self.find_player("player", player_name) if player_name else None
        if player_name and player is None:
            return ""
        proposal = replacements.propose_replacement(
            **self.service_arguments,
            entrant=self.entrant.pk,
            player=player,
            position=self.cleaned_data.get("position", 1),
            **self.reason_arguments,
            now=now,
        )
        return _("We have asked %(new)s to replace %(old)s.") % {
            "new": proposal.player.name,
            "old": self.entrant_name,
        }


class SeedOrderForm(OrganiserActionForm):
    """Sets the seed order by player names."""

    title, button_text = lazy("Seeds"), lazy("Save order")
    return_url_name = "tournament-organise-entrants"
    order = forms.CharField(
        label=lazy("Names, strongest first, one per line"),
        required=False,
        max_length=100_000,
        widget=forms.Textarea({"rows": 12, **NAME_INPUT_ATTRIBUTES}),
        help_text=lazy(
            "Entrants you leave out follow by lot or rating. Leave empty to set no seeds by hand."
        ),
    )

    def prepare_form(self) -> None:
        """Fill in the current order."""
        seeded_entrants = self.tournament.entrants.filter(seed__isnull=False).order_by("seed")
        entrant_ids = list(seeded_entrants.values_list("pk", flat=True))
        names = organiser_dashboard.load_entrant_names(entrant_ids)
        self.initial["order"] = "\n".join(names[entrant_id] for entrant_id in entrant_ids)

    def list_explanations(self) -> list[str]:
        """Explain seeds and that setting them is public."""
        return [
            _("Top seeds meet late. For a pair, one name is enough."),
            _("Everybody can see who set seeds by hand, when, and whether after a preview."),
        ]

    def perform_action(self, now: datetime) -> str:
        """Save the order; unknown and repeated names are form errors, five at most."""
        name_lines = [name for line in self.cleaned_data["order"].splitlines() if (name := line.strip())]
        entrant_players = self.tournament.entrant_players.exclude(player=None).values_list(
            "player__name", "entrant_id"
        )
        entrant_id_by_name = {name.casefold(): entrant_id for name, entrant_id in entrant_players}
        order: list[int] = []
        for line in name_lines:
            entrant_id = entrant_id_by_name.get(line.partition("&")[0].strip().casefold())
            if entrant_id is None:
                self.add_error("order", _("%(name)s does not take part.") % {"name": line[:60]})
            elif entrant_id in order:
                self.add_error("order", _("%(name)s is listed twice.") % {"name": line[:60]})
            else:
                order.append(entrant_id)
            if len(self.errors.get("order", ())) >= 5:
                break
        if self.errors:
            return ""
        entries.set_seeds(**self.service_arguments, order=order, now=now)
        return _("Order saved.")


ENTRANT_COMMANDS: dict[str, type[OrganiserActionForm]] = {
    "disqualify": DisqualifyEntrantForm,
    "remove": RemoveEntrantForm,
    "replace": ReplacePlayerForm,
    "seeds": SeedOrderForm,
}
