"""What an organiser decides about rounds and tables, answers, and takes back."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments import words
from tournaments.models import Appeal, Event, Table
from tournaments.models.limits import MAX_APPEAL_LENGTH, MAX_RESULT_EIGHTS, MAX_RESULT_POINTS
from tournaments.selectors import conflicts, desk, evidence, page, seats_of
from tournaments.services import appeals, decisions, undoing

from .deed import Confirmed, Deed, Why
from .lines import evidence_lines, said, table_line
from .organise_form import TimeField

MOST_EVIDENCE = 10
OVER_ALREADY = lazy(
    "The tournament is over. If this changes its final places, you are asked once more, and everybody whose "
    "place changes is told."
)

# ------------------------------------------------------------------------------------------ rounds and tables


class Extend(Why):
    title, button = lazy("Move the end of a round"), lazy("Move it")
    back = "tournament-organise-tables"
    until = TimeField(label=lazy("Ends"), required=True)
    field_order = ("until", "why", "public_note")

    def prepare(self) -> None:
        found = self.event.published.filter(number=self.number("round")).first()
        if found is None:
            raise Http404
        self.round = found
        if found.ends_at:
            minute = found.ends_at.replace(second=0, microsecond=0)
            # The field takes whole minutes, and nothing before the end that stands.
            self.initial["until"] = minute if minute == found.ends_at else minute + timedelta(minutes=1)

    def about(self) -> dict[str, Any]:
        return {"round": self.round.number}

    def is_own(self) -> bool:
        return conflicts.plays_in_round(self.by, self.event, self.round.number)

    def told(self) -> list[str]:
        told = [_("What is still played then is decided by the points on the table.")]
        if self.round.ends_at:
            told.append(_("The end can only be put off."))
        else:
            told.append(
                _("Everybody who plays in this round is told. Afterwards the end can only be put off.")
            )
        return told

    def do(self, now: datetime) -> str:
        decisions.extend(
            **self.whose,
            number=self.round.number,
            until=self.cleaned_data["until"],
            **self.written,
            now=now,
        )
        return _("The end of the round is moved.")


class Correct(Confirmed, Why):
    """The result of a table, seat by seat."""

    template = "tournaments/organise/correct.html"
    title, button = lazy("Correct a result"), lazy("Write this result")
    back = "tournament-organise-tables"

    def prepare(self) -> None:
        found = page.tables(self.event).filter(pk=self.number("table")).first()
        if found is None or len(found.sittings.all()) < 2:
            raise Http404
        self.table: Table = found
        self.seats, self.names = seats_of(found), page.called(found)
        told = found.result or {}
        ranks = [(n, str(n)) for n in range(1, len(self.seats) + 1)]
        for place, pk in enumerate(self.seats):
            self.fields |= {
                f"rank-{place}": forms.TypedChoiceField(
                    label=lazy("Place"), coerce=int, choices=[("", "–"), *ranks]
                ),
                f"points-{place}": whole_number(lazy("Points"), MAX_RESULT_POINTS),
                f"eights-{place}": whole_number(lazy("8s"), MAX_RESULT_EIGHTS),
                f"forfeit-{place}": forms.BooleanField(label=lazy("Did not play to the end"), required=False),
            }
            self.initial[f"forfeit-{place}"] = pk in told.get("forfeits", ())
            for field, name in (("rank", "ranks"), ("points", "points"), ("eights", "eights")):
                values = told.get(name) or []
                self.initial[f"{field}-{place}"] = values[place] if place < len(values) else None
        self.order_fields([name for name in self.fields if name not in ("why", "public_note")])

    def about(self) -> dict[str, Any]:
        return {"table": self.table.pk}

    def is_own(self) -> bool:
        return conflicts.sits_at(self.by, self.event, [self.table.pk])

    def told(self) -> list[str]:
        told = [_("Players who are level share a place. What follows from the result is worked out anew.")]
        if self.event.status == Event.Status.FINISHED:
            told.append(str(OVER_ALREADY))
        if self.table.settled_at is None:
            told.append(_("The game is still being played; it may be played on, but for nothing."))
        return told

    def facts(self) -> dict[str, Any]:
        return {
            "match": words.match_name(self.table.match),
            "ended": table_line(self.table)["ended"],
            "code": self.table.game.code if self.table.game else "",
            "rows": [
                {
                    "name": self.names[pk],
                    "cells": [self[f"{field}-{place}"] for field in ("rank", "points", "eights")],
                    "forfeit": self[f"forfeit-{place}"],
                }
                for place, pk in enumerate(self.seats)
            ],
        }

    def column(self, name: str) -> list[Any]:
        return [self.cleaned_data[f"{name}-{place}"] for place in range(len(self.seats))]

    def do(self, now: datetime) -> str:
        points, eights = self.column("points"), self.column("eights")
        self.confirm_and_do(
            partial(
                decisions.correct,
                **self.whose,
                table=self.table.pk,
                ranks=self.column("rank"),
                points=None if set(points) == {None} else [value or 0 for value in points],
                eights=None if set(eights) == {None} else [value or 0 for value in eights],
                forfeits=[pk for pk, out in zip(self.seats, self.column("forfeit"), strict=True) if out],
                **self.written,
                now=now,
            )
        )
        return _("The result is written.")


def whole_number(label: Any, most: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=most)


# ---------------------------------------------------------------------------------------- appeals and the log


class Answer(Deed):
    template = "tournaments/organise/answer.html"
    title, button = lazy("Answer an appeal"), lazy("Send the answer")
    back = "tournament-organise-appeals"
    text = forms.CharField(
        label=lazy("Your answer"),
        max_length=MAX_APPEAL_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text=lazy(
            "Whoever appealed reads it, and those who organise the tournament; nobody else does. "
            "To change the result, correct it first."
        ),
    )

    def prepare(self) -> None:
        appeal = desk.appeals(self.event).filter(pk=self.number("appeal")).first()
        if appeal is None:
            raise Http404
        self.appeal: Appeal = appeal

    def about(self) -> dict[str, Any]:
        return {"appeal": self.appeal.pk}

    def is_own(self) -> bool:
        return conflicts.sits_at(self.by, self.event, [self.appeal.table_id])

    def facts(self) -> dict[str, Any]:
        table = page.table_for(self.event, self.appeal.table_id)
        found = evidence.of_table(table, self.by, organises=True)
        latest = found[-MOST_EVIDENCE:]
        return {
            "appeal": self.appeal,
            "line": table_line(table),
            "evidence": evidence_lines(latest),
            "more_evidence": len(found) - len(latest),
        }

    def do(self, now: datetime) -> str:
        appeals.answer(**self.whose, appeal=self.appeal.pk, text=self.cleaned_data["text"], now=now)
        return _("The answer is sent.")


class Undo(Confirmed, Why):
    title, button = lazy("Take a decision back"), lazy("Take it back")
    back = "tournament-organise-log"

    def prepare(self) -> None:
        found = desk.log(self.event).filter(pk=self.number("decision")).first()
        if found is None:
            raise Http404
        self.decision = found

    def about(self) -> dict[str, Any]:
        return {"decision": self.decision.pk}

    def is_own(self) -> bool:
        return conflicts.concerns(self.by, self.decision)

    def told(self) -> list[str]:
        told = [*said([self.decision]), _("What follows from it is worked out anew.")]
        if self.event.status == Event.Status.FINISHED and self.decision.what == "correct":
            told.append(str(OVER_ALREADY))
        return told

    def do(self, now: datetime) -> str:
        whose = {**self.whose, "decision": self.decision.pk, **self.written}
        self.confirm_and_do(partial(undoing.undo, **whose, now=now))
        return _("It is taken back.")


DEEDS: dict[str, type[Deed]] = {
    "extend": Extend,
    "correct": Correct,
    "answer": Answer,
    "undo": Undo,
}
