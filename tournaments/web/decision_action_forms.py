"""Organiser action forms about rounds, results, appeals and past decisions."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.web.option_fields import LocalDateTimeField
from tournaments import text
from tournaments.models import Appeal, Decision, Pairing
from tournaments.models.limits import MAX_APPEAL_LENGTH, MAX_RESULT_EIGHTS, MAX_RESULT_POINTS
from tournaments.selectors import (
    conflicts_of_interest,
    list_seated_entrant_ids,
    organiser_dashboard,
    timeout_evidence,
    tournament_page,
)
from tournaments.services import appeals, decision_undo, decisions

from .organiser_action_forms import OrganiserActionForm, RankChangeConfirmForm, ReasonedActionForm
from .organiser_presenters import build_evidence_rows, build_organiser_pairing_row, describe_decisions

MAX_EVIDENCE_ROWS = 10
TOURNAMENT_OVER_TEXT = lazy(
    "The tournament is over. If final places change, we ask you to confirm, then tell the players concerned."
)

# ----------------------------------------------------------------------------------------- rounds and results


class ExtendRoundForm(ReasonedActionForm):
    """Moves the end of a round."""

    title, button_text = lazy("Change round deadline"), lazy("Save deadline")
    return_url_name = "tournament-organise-tables"
    until = LocalDateTimeField(label=lazy("Deadline"), required=True)
    field_order = ("until", "reason", "public_note")

    def prepare_form(self) -> None:
        """Load the round. Raises Http404."""
        published_round = self.tournament.rounds.filter(number=self.read_number("round")).first()
        if published_round is None:
            raise Http404
        self.round = published_round
        if published_round.ends_at:
            minute = published_round.ends_at.replace(second=0, microsecond=0)
            # The field takes whole minutes, and nothing before the end that stands.
            self.initial["until"] = (
                minute if minute == published_round.ends_at else minute + timedelta(minutes=1)
            )

    def hidden_values(self) -> dict[str, Any]:
        """Return the round number."""
        return {"round": self.round.number}

    def concerns_own_pairing(self) -> bool:
        """True if the organiser has an open pairing in this round."""
        return conflicts_of_interest.has_open_pairing_in_round(
            self.organiser, self.tournament, self.round.number
        )

    def list_explanations(self) -> list[str]:
        """Explain adjudication at the end of the round."""
        explanations = [_("At the deadline, points decide unfinished games.")]
        if self.round.ends_at:
            explanations.append(_("You can only move the deadline to a later time."))
        else:
            explanations.append(
                _(
                    "We tell everybody who plays in this round. After that you can only move the "
                    "deadline to a later time."
                )
            )
        return explanations

    def perform_action(self, now: datetime) -> str:
        """Move the end of the round."""
        decisions.extend_round(
            **self.service_arguments,
            round_number=self.round.number,
            until=self.cleaned_data["until"],
            **self.reason_arguments,
            now=now,
        )
        return _("Deadline saved.")


class CorrectResultForm(RankChangeConfirmForm, ReasonedActionForm):
    """Corrects the result of a pairing, seat by seat."""

    page_template = "tournaments/organise/correct.html"
    title, button_text = lazy("Correct result"), lazy("Save result")
    return_url_name = "tournament-organise-tables"

    def prepare_form(self) -> None:
        """Load the pairing and add the fields of each seat. Raises Http404."""
        pairing = (
            tournament_page.list_pairings(self.tournament).filter(pk=self.read_number("pairing")).first()
        )
        if pairing is None or len(pairing.pairing_seats.all()) < 2:
            raise Http404
        self.pairing: Pairing = pairing
        self.entrant_ids, self.entrant_names = (
            list_seated_entrant_ids(pairing),
            tournament_page.get_names_at_pairing(pairing),
        )
        stored_result = pairing.result or {}
        ranks = [(rank, str(rank)) for rank in range(1, len(self.entrant_ids) + 1)]
        for seat_index, entrant_id in enumerate(self.entrant_ids):
            self.fields |= {
                f"rank-{seat_index}": forms.TypedChoiceField(
                    label=lazy("Place"), coerce=int, choices=[("", "–"), *ranks]
                ),
                f"points-{seat_index}": make_count_field(lazy("Points"), MAX_RESULT_POINTS),
                f"eights-{seat_index}": make_count_field(lazy("8s"), MAX_RESULT_EIGHTS),
                f"forfeit-{seat_index}": forms.BooleanField(label=lazy("Forfeit"), required=False),
            }
            self.initial[f"forfeit-{seat_index}"] = entrant_id in stored_result.get("forfeits", ())
            for field_prefix, name in (("rank", "ranks"), ("points", "points"), ("eights", "eights")):
                values = stored_result.get(name) or []
                self.initial[f"{field_prefix}-{seat_index}"] = (
                    values[seat_index] if seat_index < len(values) else None
                )
        self.order_fields([name for name in self.fields if name not in ("reason", "public_note")])

    def hidden_values(self) -> dict[str, Any]:
        """Return the id of the pairing."""
        return {"pairing": self.pairing.pk}

    def concerns_own_pairing(self) -> bool:
        """True if the organiser plays in this pairing."""
        return conflicts_of_interest.sits_at_any_pairing(self.organiser, self.tournament, [self.pairing.pk])

    def list_explanations(self) -> list[str]:
        """Explain shared ranks, changes of final ranks and the fate of a running game."""
        explanations = [_("Players who tie share a place. We update everything that depends on this result.")]
        if self.tournament.is_finished:
            explanations.append(str(TOURNAMENT_OVER_TEXT))
        if self.pairing.settled_at is None:
            explanations.append(_("The game is in progress. It can continue, but will not count."))
        return explanations

    def page_context(self) -> dict[str, Any]:
        """Return match, ending, game and the fields by seat."""
        return {
            "match": text.format_match_name(self.pairing.match),
            "outcome": build_organiser_pairing_row(self.pairing)["outcome"],
            "code": self.pairing.game.code if self.pairing.game else "",
            "rows": [
                {
                    "name": self.entrant_names[entrant_id],
                    "cells": [
                        self[f"{field_prefix}-{seat_index}"] for field_prefix in ("rank", "points", "eights")
                    ],
                    "forfeit": self[f"forfeit-{seat_index}"],
                }
                for seat_index, entrant_id in enumerate(self.entrant_ids)
            ],
        }

    def read_column(self, field_prefix: str) -> list[Any]:
        """Return the submitted values of one field for all seats."""
        return [
            self.cleaned_data[f"{field_prefix}-{seat_index}"] for seat_index in range(len(self.entrant_ids))
        ]

    def perform_action(self, now: datetime) -> str:
        """Correct the result, after confirmation if final ranks change."""
        points, eights = self.read_column("points"), self.read_column("eights")
        self.confirm_and_call(
            partial(
                decisions.correct_result,
                **self.service_arguments,
                pairing_id=self.pairing.pk,
                ranks=self.read_column("rank"),
                points=None if set(points) == {None} else [value or 0 for value in points],
                eights=None if set(eights) == {None} else [value or 0 for value in eights],
                forfeits=[
                    entrant_id
                    for entrant_id, is_forfeit in zip(
                        self.entrant_ids, self.read_column("forfeit"), strict=True
                    )
                    if is_forfeit
                ],
                **self.reason_arguments,
                now=now,
            )
        )
        return _("Result saved.")


def make_count_field(label: Any, maximum: int) -> forms.IntegerField:
    """Return an optional field for a number from 0 to a maximum."""
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=maximum)


# -------------------------------------------------------------------------------------- appeals and decisions


class AnswerAppealForm(OrganiserActionForm):
    """Answers an appeal."""

    page_template = "tournaments/organise/answer.html"
    title, button_text = lazy("Answer appeal"), lazy("Send answer")
    return_url_name = "tournament-organise-appeals"
    text = forms.CharField(
        label=lazy("Your answer"),
        max_length=MAX_APPEAL_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text=lazy(
            "Only the player who appealed and the organisers read it. To change the result, correct it first."
        ),
    )

    def prepare_form(self) -> None:
        """Load the appeal. Raises Http404."""
        appeal = (
            organiser_dashboard.list_appeals(self.tournament).filter(pk=self.read_number("appeal")).first()
        )
        if appeal is None:
            raise Http404
        self.appeal: Appeal = appeal

    def hidden_values(self) -> dict[str, Any]:
        """Return the id of the appeal."""
        return {"appeal": self.appeal.pk}

    def concerns_own_pairing(self) -> bool:
        """True if the organiser plays in the pairing of the appeal."""
        return conflicts_of_interest.sits_at_any_pairing(
            self.organiser, self.tournament, [self.appeal.pairing_id]
        )

    def page_context(self) -> dict[str, Any]:
        """Return the appeal, its pairing and the newest timeout evidence."""
        pairing = tournament_page.get_pairing(self.tournament, self.appeal.pairing_id)
        timeouts = timeout_evidence.list_timeout_evidence(pairing, self.organiser, is_organiser=True)
        latest_timeouts = timeouts[-MAX_EVIDENCE_ROWS:]
        return {
            "appeal": self.appeal,
            "line": build_organiser_pairing_row(pairing),
            "evidence": build_evidence_rows(latest_timeouts),
            "more_evidence": len(timeouts) - len(latest_timeouts),
        }

    def perform_action(self, now: datetime) -> str:
        """Send the answer."""
        appeals.answer_appeal(
            **self.service_arguments, appeal_id=self.appeal.pk, text=self.cleaned_data["text"], now=now
        )
        return _("Answer sent.")


class UndoDecisionForm(RankChangeConfirmForm, ReasonedActionForm):
    """Undoes a decision."""

    title, button_text = lazy("Undo decision"), lazy("Undo decision")
    return_url_name = "tournament-organise-log"

    def prepare_form(self) -> None:
        """Load the decision. Raises Http404."""
        decision = (
            organiser_dashboard.list_decisions(self.tournament)
            .filter(pk=self.read_number("decision"))
            .first()
        )
        if decision is None:
            raise Http404
        self.decision = decision

    def hidden_values(self) -> dict[str, Any]:
        """Return the id of the decision."""
        return {"decision": self.decision.pk}

    def concerns_own_pairing(self) -> bool:
        """True if the decision is about the organiser's own pairing."""
        return conflicts_of_interest.is_about_own_pairing(self.organiser, self.decision)

    def list_explanations(self) -> list[str]:
        """Describe the decision and what follows from undoing it."""
        explanations = [*describe_decisions([self.decision]), _("We update everything that depends on it.")]
        if self.tournament.is_finished and self.decision.action == Decision.Action.CORRECT:
            explanations.append(str(TOURNAMENT_OVER_TEXT))
        return explanations

    def perform_action(self, now: datetime) -> str:
        """Undo the decision, after confirmation if final ranks change."""
        arguments = {**self.service_arguments, "decision": self.decision.pk, **self.reason_arguments}
        self.confirm_and_call(partial(decision_undo.undo_decision, **arguments, now=now))
        return _("Decision undone.")


DECISION_COMMANDS: dict[str, type[OrganiserActionForm]] = {
    "extend": ExtendRoundForm,
    "correct": CorrectResultForm,
    "answer": AnswerAppealForm,
    "undo": UndoDecisionForm,
}
