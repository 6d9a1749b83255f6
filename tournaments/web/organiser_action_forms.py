"""Base classes of organiser actions: a form, a page that explains the consequences, one service call."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.models import Player
from accounts.services import players
from accounts.web.request_utils import parse_int
from common.service_errors import Conflict, NotFound
from tournaments.models import Tournament
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.refusals import Refusal
from tournaments.services.decisions import RANK_CHANGES_CODE

NAME_INPUT_ATTRIBUTES = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class OrganiserActionForm(forms.Form):
    """An organiser action; subclasses explain and perform it."""

    page_template = "tournaments/organise/action_form.html"
    title: ClassVar[Any]
    button_text: ClassVar[Any]
    is_dangerous = False
    is_immediate = False  # done by one button, without a page of its own
    return_url_name = "tournament-organise"

    def __init__(self, tournament: Tournament, player: Player, query: QueryDict, *, bound: bool) -> None:
        self.tournament, self.organiser, self.query = tournament, player, query
        super().__init__(query if bound else None, label_suffix="")
        self.prepare_form()

    def prepare_form(self) -> None:
        """Load the subject of the action and adapt the fields. Raises Http404."""

    def read_number(self, field_name: str) -> int:
        """Return an integer parameter of the request. Raises Http404."""
        number = parse_int(self.query.get(field_name, ""))
        if number is None:
            raise Http404
        return number

    @cached_property
    def blocked_reason(self) -> str:
        """Return the reason for a disabled button of this organiser; empty if they may do it."""
        return str(Refusal.OWN_PAIRING.text) if self.concerns_own_pairing() else ""

    def concerns_own_pairing(self) -> bool:
        """True if the action is about a pairing that the organiser plays in."""
        return False

    def list_explanations(self) -> list[str]:
        """List sentences to show before the form."""
        return []

    def hidden_values(self) -> dict[str, Any]:
        """Return the values of hidden fields."""
        return {}

    def page_context(self) -> dict[str, Any]:
        """Return further template context of the page."""
        return {}

    def perform_action(self, now: datetime) -> str:
        """Perform the action and return a message for the organiser. Raises what the service raises."""
        raise NotImplementedError

    @property
    def service_arguments(self) -> dict[str, Any]:
        """Organiser and tournament as keyword arguments of a service."""
        return {"by": self.organiser, "code": self.tournament.code}

    def find_player(self, field_name: str, name: str) -> Player | None:
        """Return a player by name; None, with an error on the field, if there is none."""
        try:
            return players.get_public_player(name=name.strip())
        except NotFound:
            self.add_error(
                field_name, _("No player is called %(name)s. Check the spelling.") % {"name": name.strip()}
            )
            return None


class RankChangeConfirmForm(OrganiserActionForm):
    """An action that may change the final ranks of a finished tournament; then it asks for confirmation.

    The confirmation covers exactly the changes that were shown: if others would follow by now, it asks again.
    """

    rank_changes: Mapping[str, Any] | None = None

    def confirm_and_call(self, service: Callable[..., Any]) -> None:
        """Call a service, again with `confirmed` if its rank changes were confirmed. Raises its errors."""
        try:
            service(confirmed=False)
        except Conflict as error:
            if error.code != RANK_CHANGES_CODE:
                raise
            self.rank_changes = error.extra
            if self.query.get("confirmed") != self.fingerprint:
                raise
            service(confirmed=True)

    @property
    def fingerprint(self) -> str:
        """A hash of the rank changes that the page asks about."""
        changes_json = json.dumps(self.rank_changes, sort_keys=True)
        return hashlib.sha256(changes_json.encode()).hexdigest()[:16]


class ReasonedActionForm(OrganiserActionForm):
    """An action with a reason for organisers and a public note."""

    reason = forms.CharField(
        label=lazy("Reason (for organisers only)"),
        required=False,
        max_length=MAX_REASON_LENGTH,
        help_text=lazy(
            "Kept in the log with your name. Only the tournament’s organisers and this site’s operators can"
            " read it."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    public_note = forms.CharField(
        label=lazy("Public note"),
        required=False,
        max_length=MAX_REASON_LENGTH,
        help_text=lazy("Everybody can read it with your name, in mails too. Undoing the decision hides it."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    @property
    def reason_arguments(self) -> dict[str, Any]:
        """Reason and public note as keyword arguments of a service."""
        return {field_name: self.cleaned_data[field_name] for field_name in ("reason", "public_note")}
