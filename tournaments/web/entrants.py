"""What an organiser decides about who plays."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.names import MAX_NAME_LENGTH
from tournaments.models import Entrant, Event
from tournaments.selectors import conflicts, desk, page
from tournaments.services import decisions, entries, removals, replacements

from .deed import NAMES, Deed, Why

NAMES_SHOWN = 10  # of those who wait


class OfEntrant(Why):
    """About one player or pair."""

    back = "tournament-organise-entrants"

    def prepare(self) -> None:
        found = self.event.entrants.filter(pk=self.number("entrant")).first()
        if found is None:
            raise Http404
        self.entrant: Entrant = found
        self.name = desk.names_of([found.pk])[found.pk]

    def about(self) -> dict[str, Any]:
        return {"entrant": self.entrant.pk}

    def is_own(self) -> bool:
        return conflicts.meets_entrant(self.by, self.event, self.entrant)


class Disqualify(OfEntrant):
    title, button, danger = lazy("Disqualify"), lazy("Disqualify them"), True

    def prepare(self) -> None:
        super().prepare()
        self.fields["why"].required = True

    def told(self) -> list[str]:
        return [
            _("%(name)s will be out: their running games are resigned, and they are not paired again.")
            % {"name": self.name},
            _("It can be taken back only if no game was lost by it."),
        ]

    def do(self, now: datetime) -> str:
        decisions.disqualify(**self.whose, entrant=self.entrant.pk, now=now, **self.written)
        return _("%(name)s is disqualified.") % {"name": self.name}


class Remove(OfEntrant):
    title, button, danger = lazy("Remove an entrant"), lazy("Remove them"), True

    def prepare(self) -> None:
        super().prepare()
        self.fields["why"].required = True

    def is_own(self) -> bool:
        return False

    def told(self) -> list[str]:
        return [
            _("%(name)s will not take part any more. Whoever waits longest moves up.") % {"name": self.name},
            _("They can enter again only if you invite them."),
            _("The removal stands in the public log of decisions, with their name."),
        ]

    def do(self, now: datetime) -> str:
        removals.remove_entrant(**self.whose, entrant=self.entrant.pk, now=now, **self.written)
        return _("%(name)s does not take part any more.") % {"name": self.name}


class Replace(OfEntrant):
    title, button = lazy("Replace a player"), lazy("Ask them")
    number_of = forms.TypedChoiceField(label=lazy("Who stops"), coerce=int)
    player = forms.CharField(
        label=lazy("Who plays on"), required=False, max_length=MAX_NAME_LENGTH,
        help_text=lazy("Their name here."), widget=forms.TextInput(NAMES),
    )  # fmt: skip
    field_order = ("number_of", "player", "why", "public_note")

    def prepare(self) -> None:
        super().prepare()
        members = self.entrant.members.order_by("number").select_related("player")
        choices = [(one.number, one.player.name if one.player else "–") for one in members]
        self.fields["number_of"].choices = choices  # type: ignore[attr-defined]
        if len(choices) < 2:
            del self.fields["number_of"]
        self.waiting = page.waiting_names(self.event, NAMES_SHOWN)
        alone = self.event.mode != Event.Mode.PAIRS
        self.fields["player"].required = not (self.waiting and alone)
        if self.waiting and alone:
            self.fields["player"].help_text = _("Their name here. Empty: who has waited longest.")

    def told(self) -> list[str]:
        waiting = {"names": ", ".join(self.waiting)}
        return [
            *([_("On the waiting list, the longest first: %(names)s.") % waiting] if self.waiting else []),
            _("Somebody else plays on for %(name)s, with their points and in their running games, too.")
            % {"name": self.name},
            _("They are asked first: nothing changes until they agree, and all at the table are told then."),
            _("It can be taken back as long as the new player has not looked at a hand."),
        ]

    def do(self, now: datetime) -> str:
        name = self.cleaned_data["player"].strip()
        player = self.found("player", name) if name else None
        if name and player is None:
            return ""
        asked = replacements.propose_replacement(
            **self.whose,
            entrant=self.entrant.pk,
            player=player,
            number=self.cleaned_data.get("number_of", 1),
            **self.written,
            now=now,
        )
        return _("%(new)s is asked to play on for %(old)s.") % {"new": asked.player.name, "old": self.name}


class Seeds(Deed):
    """The organiser's own order; names are what people know each other by."""

    title, button = lazy("Seeds"), lazy("Save the order")
    back = "tournament-organise-entrants"
    order = forms.CharField(
        label=lazy("Names, the strongest first, one in each line"),
        required=False,
        max_length=100_000,
        widget=forms.Textarea({"rows": 12, **NAMES}),
        help_text=lazy(
            "Whoever is not named comes behind them, by lot or by rating. Empty: nobody is seeded by hand."
        ),
    )

    def prepare(self) -> None:
        seeded = self.event.entrants.filter(seed__isnull=False).order_by("seed")
        pks = list(seeded.values_list("pk", flat=True))
        names = desk.names_of(pks)
        self.initial["order"] = "\n".join(names[pk] for pk in pks)

    def told(self) -> list[str]:
        return [
            _("The strongest are kept apart at first. Of a pair one of the two names is enough."),
            _("Everybody can read that seeds were set by hand, by whom, when, and whether after a preview."),
        ]

    def do(self, now: datetime) -> str:
        lines = [name for line in self.cleaned_data["order"].splitlines() if (name := line.strip())]
        members = self.event.members.exclude(player=None).values_list("player__name", "entrant_id")
        known = {name.casefold(): pk for name, pk in members}
        order: list[int] = []
        for line in lines:
            pk = known.get(line.partition("&")[0].strip().casefold())
            if pk is None:
                self.add_error("order", _("%(name)s does not take part.") % {"name": line[:60]})
            elif pk in order:
                self.add_error("order", _("%(name)s stands there twice.") % {"name": line[:60]})
            else:
                order.append(pk)
            if len(self.errors.get("order", ())) >= 5:
                break
        if self.errors:
            return ""
        entries.seed(**self.whose, order=order, now=now)
        return _("The order is saved.")


DEEDS: dict[str, type[Deed]] = {
    "disqualify": Disqualify,
    "remove": Remove,
    "replace": Replace,
    "seeds": Seeds,
}
