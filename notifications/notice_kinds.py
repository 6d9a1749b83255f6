"""Notice kinds: one class each, declared by the apps in their `notices.py` as `NOTICE_KINDS`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum, auto
from functools import cache
from typing import Annotated, Any, TypedDict

from django.utils.functional import Promise
from django.utils.text import capfirst

from accounts.models import Player
from common.extensions import collect_declarations
from common.instants import Instant, format_instant
from common.read_models import Url
from notifications.models import Delivery, FeedEntry, PushDevice
from notifications.outgoing_email import OutgoingEmail

TEST_KIND = "test"  # a test mail or test call, which a player asks for


class SubjectData(TypedDict):
    """The members of a webhook's payload that say what it is about; None unless a kind fills them."""

    tournament: Annotated[str | None, "The `id` of the tournament; null if there is none."]
    league: Annotated[str | None, "The `id` of the league; null if there is none."]
    round: Annotated[int | None, "The number of the round; null if there is none."]
    match: Annotated[str | None, "The name of the pairing in its tournament; null if there is none."]
    game: Annotated[str | None, "The `id` of the game that the notification is about; null if there is none."]
    seat: Annotated[int | None, "Your seat in that game; null without one."]
    seq: Annotated[
        int | None, "The number of the last action when we made the notification; null if it has none."
    ]
    deadline: Annotated[Instant | None, "When you run out of time; null if your clock does not run."]
    deadline_kind: Annotated[
        str | None, "What ends at the deadline, as in the view of the game; null without a deadline."
    ]
    round_end: Annotated[
        Mapping[str, Any] | None, "In a tournament: when points decide the game, as in the view of the game."
    ]


class WebhookPayloadData(SubjectData):
    """The payload of a webhook call."""

    id: Annotated[
        int, "The number of the delivery, as in the header `webhook-id`. A repeated call has the same."
    ]
    kind: Annotated[str, "What the notification is about. New kinds may be added."]
    url: Annotated[Url, "The page with more about it."]
    text: Annotated[str, "The notification as a sentence, in your language."]
    at: Annotated[Instant, "When we made the notification."]


EMPTY_SUBJECT: SubjectData = {
    "tournament": None,
    "league": None,
    "round": None,
    "match": None,
    "game": None,
    "seat": None,
    "seq": None,
    "deadline": None,
    "deadline_kind": None,
    "round_end": None,
}


class PushUrgency(StrEnum):
    """The urgencies of push messages (RFC 8030): a device that saves power may wait with less urgent ones."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True)
class PushText:
    """The text of a push message, and the page that it opens."""

    title: str
    body: str
    url: str


class NothingToSend(Exception):
    """The delivery has become obsolete: there is nothing to send."""


class PreferenceGroup(Enum):
    """The preferences of a player that decide whether a notice comes by mail."""

    GENERAL = auto()  # comes unless the player wants no mails
    TURNS = auto()  # the player's turn: likewise, and it counts as the mail since they were last seen
    TOURNAMENTS = auto()  # as `Player.tournament_mails` says
    REQUESTED = auto()  # the player has just asked for it: always comes


@dataclass(frozen=True)
class NoticePlan:
    """The deliveries of a feed entry now, the time of the next look at it, and the notice for then."""

    notice: NoticeKind | None
    notify_at: datetime | None
    notice_stage: str
    dedup_suffix: str = ""  # of the notice, after the entry's deduplication key


class NoticeKind(ABC):
    """A kind of notice: when it is sent, and what its mail, its webhook call and its push message say.

    A subclass sets the attributes, and writes the mail and the short text.
    """

    value: str  # as feed entries and deliveries store it
    label: str | Promise  # in the preferences, on the page of deliveries and in the API guide
    group = PreferenceGroup.GENERAL
    requires_action: bool = False  # whether the reader has something to do or decide
    is_feed_only: bool = False  # neither mail nor webhook call
    has_webhook_calls: bool = True
    push_urgency: PushUrgency = PushUrgency.NORMAL
    name_key: str = ""  # of the data: under it is the name of another player
    goes_to_player: bool = True  # else the mail goes to an address that the player gave us

    # ------------------------------------------------------------------------------------ fan-out

    @staticmethod
    def load_subjects(topics: Collection[str]) -> Mapping[str, Any]:
        """Load what rows with these topics are about, once per batch for all kinds with this function."""
        return {}

    def plan(self, entry: FeedEntry, now: datetime) -> NoticePlan:
        """Plan a due entry: by default one notice, at once."""
        is_due = entry.notice_stage == FeedEntry.NoticeStage.PENDING and not self.is_feed_only
        return NoticePlan(self if is_due else None, None, entry.notice_stage)

    def is_muted(self, entry: FeedEntry) -> bool:
        """Return whether the player wants no notices about the subject of an entry."""
        return False

    def group_key(self, entry: FeedEntry) -> str:
        """Return the deduplication key of the mail: entries with the same one share a mail."""
        return entry.dedup_key

    def build_mail(self, entry: FeedEntry, dedup_suffix: str, now: datetime) -> Delivery | None:
        """Build the mail of an entry, unsaved; None if none is to be sent now."""
        return Delivery(
            player=entry.player,
            topic=entry.topic,
            kind=self.value,
            dedup_key=f"{self.group_key(entry)}{dedup_suffix}",
            data=entry.data,
            created_at=now,
            next_attempt_at=now,
            address=entry.player.email,
        )

    # ------------------------------------------------------------------------------------ mail

    def is_wanted_by_mail(self, player: Player) -> bool:
        """Return whether a player wants mails of this kind at all."""
        if self.group is PreferenceGroup.REQUESTED:
            return True
        return player.mail_frequency != Player.MailFrequency.NONE and self.is_wanted_by_push(player)

    def is_wanted_by_push(self, player: Player) -> bool:
        """Return whether a player who has push turned on wants messages of this kind.

        How often mails come, or that none does, is about mails: push is turned on and off on each device.
        """
        if self.group is not PreferenceGroup.TOURNAMENTS:
            return True
        return player.tournament_mails == Player.TournamentMails.ALL or (
            player.tournament_mails == Player.TournamentMails.DUTIES and self.requires_action
        )

    def is_single_mail(self, player: Player) -> bool:
        """Return whether only one such mail is sent until the player comes back."""
        return False

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        """Return why a mail is obsolete, in the active language; empty if it is to be sent."""
        return ""

    def find_superseded_reason(self, delivery: Delivery) -> str:
        """Return why a mail of another kind is covered by one of this kind; empty if it is not."""
        return ""

    def handle_unsent(self, delivery: Delivery) -> None:  # noqa: B027
        """Do what follows when a mail is dropped or given up."""

    @abstractmethod
    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        """Compose the mail in the active language and time zone. Raises NothingToSend."""

    # ------------------------------------------------------------------------------------ push

    def build_push(self, entry: FeedEntry, device: PushDevice, dedup_suffix: str, now: datetime) -> Delivery:
        """Build the push message of an entry for a device, unsaved."""
        return Delivery(
            player=entry.player,
            topic=entry.topic,
            push_device=device,
            kind=self.value,
            dedup_key=f"p{device.pk}:{self.group_key(entry)}{dedup_suffix}",
            data=entry.data,
            created_at=now,
            next_attempt_at=now,
            address=device.service_host,
        )

    def build_push_text(self, delivery: Delivery, now: datetime) -> PushText:
        """Return what the push message says, in the active language. Raises NothingToSend.

        Public data only, as in a webhook call: it is shown on a locked screen.
        """
        body, url = self.summarise(delivery, now)
        return PushText(capfirst(str(self.label)), body, url)

    # ------------------------------------------------------------------------------------ webhook and pages

    def find_call_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        """Return why a webhook call is obsolete, in the active language; empty if it is to be made."""
        return ""

    @abstractmethod
    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        """Return a short text, in the active language and time zone, and a URL for more."""

    def build_subject_data(self, delivery: Delivery, now: datetime) -> SubjectData:
        """Build the members of the webhook's payload that say what it is about."""
        return EMPTY_SUBJECT

    def build_webhook_payload(self, delivery: Delivery, now: datetime) -> WebhookPayloadData:
        """Build the JSON payload: public data only, nothing that only the players may see."""
        text, url = self.summarise(delivery, now)
        return {
            "id": delivery.pk,
            "kind": delivery.kind,
            **self.build_subject_data(delivery, now),
            "url": Url(url),
            "text": text,
            "at": format_instant(delivery.created_at),
        }

    def find_page(self, delivery: Delivery) -> tuple[str, str] | None:
        """Return label and path of the page that a delivery is about, or None."""
        return None


class FeedOnlyNotice(NoticeKind):
    """A kind that only the feed shows."""

    is_feed_only, has_webhook_calls = True, False

    def __init__(self, value: str, label: str | Promise = "", name_key: str = "") -> None:
        self.value, self.label, self.name_key = value, label or value, name_key

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        raise NothingToSend

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        raise NothingToSend


@cache
def load_notice_kinds() -> dict[str, NoticeKind]:
    """Return all declared kinds by value."""
    kinds = collect_declarations("notices", "NOTICE_KINDS", NoticeKind)  # type: ignore[type-abstract]
    return {kind.value: kind for kind in kinds}


def get_notice_kind(value: str) -> NoticeKind:
    """Return the kind of a feed entry or delivery; one that nobody declares stays in the feed."""
    return load_notice_kinds().get(value) or FeedOnlyNotice(value)


def list_values_for_others() -> list[str]:
    """List the values of kinds whose mails do not go to the player of their delivery."""
    return [kind.value for kind in load_notice_kinds().values() if not kind.goes_to_player]


def list_called_kinds() -> list[NoticeKind]:
    """List the kinds that webhooks are called with."""
    return [kind for kind in load_notice_kinds().values() if kind.has_webhook_calls]


def list_chosen_kinds() -> list[NoticeKind]:
    """List the kinds that a webhook can be limited to; what a player has just asked for always comes."""
    return [kind for kind in list_called_kinds() if kind.group is not PreferenceGroup.REQUESTED]


def attach_subjects(rows: Iterable[FeedEntry | Delivery]) -> None:
    """Load what feed entries or deliveries are about, in as many queries for many rows as for one."""
    rows_by_loader: dict[Callable[[Collection[str]], Mapping[str, Any]], list[FeedEntry | Delivery]]
    rows_by_loader = defaultdict(list)
    for row in rows:
        if row.topic:
            rows_by_loader[type(get_notice_kind(row.kind)).load_subjects].append(row)
    for load_subjects, loader_rows in rows_by_loader.items():
        subjects = load_subjects({row.topic for row in loader_rows})
        for row in loader_rows:
            row.subject = subjects.get(row.topic)
