"""What an organiser does with an event as a whole, and with the people around it."""

from __future__ import annotations

from datetime import datetime

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from games.models import Player
from games.names import MAX_NAME_LENGTH
from tournaments.models.limits import MAX_NAMES_LENGTH
from tournaments.selectors import conflicts, desk, page
from tournaments.services import co_organisers, decisions, events
from tournaments.services.rounds import STALE_AT_END

from .deed import NAMES, Deed, Why

MOST_NAMES = 100  # in one go

# ------------------------------------------------------------------------------------------ from draft to end


class Publish(Deed):
    at_once = True

    def do(self, now: datetime) -> str:
        events.publish(**self.whose, now=now)
        return _("It is published: people can enter.")


class Start(Deed):
    title, button = lazy("Start now"), lazy("Start it now")

    def told(self) -> list[str]:
        all = page.places(self.event)["entered"]
        entered = desk.confirmed(self.event) if self.event.confirmation else all
        told = [
            ngettext("%(n)s takes part.", "%(n)s take part.", entered) % {"n": entered},
            _("The first round is paired and the games begin. It cannot be taken back."),
        ]
        silent = all - entered
        if silent:
            told.insert(
                1,
                ngettext(
                    "%(n)s has not confirmed, and does not play.",
                    "%(n)s have not confirmed, and do not play.",
                    silent,
                )
                % {"n": silent},
            )
        if entered < 2:
            told.append(_("It needs two at least: until then it waits."))
        return told

    def do(self, now: datetime) -> str:
        events.start(**self.whose, now=now)
        return _("It starts in a moment.")


class Proceed(Deed):
    at_once = True

    def do(self, now: datetime) -> str:
        decisions.proceed(**self.whose, now=now)
        if self.event.held == STALE_AT_END:
            return _("The tournament ends in a moment.")
        return _("The round comes in a moment.")


class Cancel(Why):
    title, button, danger = lazy("Cancel the tournament"), lazy("Cancel it for good"), True

    def is_own(self) -> bool:
        return conflicts.plays_now(self.by, self.event)

    def told(self) -> list[str]:
        playing = sum(one.tables_open for one in desk.rounds_in_play(self.event))  # type: ignore[attr-defined]
        told = [_("Everybody who has entered is told. It cannot be taken back.")]
        if playing:
            told.append(
                ngettext(
                    "%(n)s game is being played. It may go on, but for nothing: it is not rated.",
                    "%(n)s games are being played. They may go on, but for nothing: they are not rated.",
                    playing,
                )
                % {"n": playing}
            )
        return told

    def do(self, now: datetime) -> str:
        events.cancel(**self.whose, now=now, **self.written)
        return _("It is cancelled.")


class Delete(Deed):
    title, button, danger = lazy("Delete the draft"), lazy("Delete it"), True
    back = "tournaments"

    def told(self) -> list[str]:
        return [_("Nobody has seen it but those who organise it. It cannot be brought back.")]

    def do(self, now: datetime) -> str:
        events.delete(**self.whose, now=now)
        return _("It is deleted.")


# ---------------------------------------------------------------------------------------------------- people


class Helper(Deed):
    title, button = lazy("Ask somebody to organise it with you"), lazy("Ask them")
    back = "tournament-organise-people"
    name = forms.CharField(label=lazy("Name"), max_length=MAX_NAME_LENGTH, widget=forms.TextInput(NAMES))

    def told(self) -> list[str]:
        return [_("Once they agree they can do all that you can do here. Until then they can do nothing.")]

    def do(self, now: datetime) -> str:
        player = self.found("name", self.cleaned_data["name"])
        if player is None:
            return ""
        co_organisers.ask_for_event(**self.whose, player=player, now=now)
        return _("%(name)s is asked to organise it with you.") % {"name": player.name}


class Invite(Deed):
    title, button = lazy("Invite players"), lazy("Invite")
    back = "tournament-organise-people"
    names = forms.CharField(
        label=lazy("Names, one in each line"),
        max_length=MAX_NAMES_LENGTH,
        widget=forms.Textarea({"rows": 4, **NAMES}),
    )

    def do(self, now: datetime) -> str:
        wanted = [name for line in self.cleaned_data["names"].splitlines() if (name := line.strip())]
        found = [self.found("names", name) for name in wanted[:MOST_NAMES]]
        if self.errors:
            return ""
        people = {player.pk: player for player in found if player}
        for player in people.values():
            events.invite(**self.whose, player=player, now=now)
        return ngettext("%(n)s invitation.", "%(n)s invitations.", len(people)) % {"n": len(people)}


class Gone(Deed):
    """Somebody whom a list on the page names."""

    at_once = True
    back = "tournament-organise-people"

    def prepare(self) -> None:
        person = Player.objects.filter(pk=self.number("player")).first()
        if person is None:
            raise Http404
        self.person = person


class NoHelper(Gone):
    def do(self, now: datetime) -> str:
        co_organisers.remove_from_event(**self.whose, player=self.person, now=now)
        if self.person == self.by:
            self.back = "tournament"
        return _("%(name)s organises it no more.") % {"name": self.person.name}


class Uninvite(Gone):
    def do(self, now: datetime) -> str:
        events.uninvite(**self.whose, player=self.person, now=now)
        return _("The invitation is taken back.")


DEEDS: dict[str, type[Deed]] = {
    "publish": Publish,
    "start": Start,
    "proceed": Proceed,
    "cancel": Cancel,
    "delete": Delete,
    "helper": Helper,
    "helper-remove": NoHelper,
    "invite": Invite,
    "uninvite": Uninvite,
}
