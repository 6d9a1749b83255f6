"""The notice kinds of tournaments and leagues."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from common.site_urls import build_absolute_url
from games.game_notice import GameNotice
from notifications.channels.email.quoting import format_on_one_line
from notifications.models import Delivery, FeedEntry
from notifications.notice_kinds import NothingToSend, NoticeKind, PreferenceGroup, SubjectData
from notifications.outgoing_email import OutgoingEmail
from tournaments.mail import announcements, composers, deduplication, drop_rules, league_mails, result_mails
from tournaments.mail.announcements import MailDraft, end_sentence
from tournaments.mail.stranger_mails import replace_stranger_subject
from tournaments.notice_kinds import TournamentNoticeKind as Kind
from tournaments.selectors.tournaments import find_round_no

MAX_WEBHOOK_TEXT_LENGTH = 1500  # characters
CO_ORGANISER_SUBJECT = lazy("An invitation to co-organise on OTTO online")
PROPOSAL_ANSWER_SUBJECT = lazy("News about a request on OTTO online")
ORGANISER_NEEDED_SUBJECT = lazy("A tournament on OTTO online needs you")


class TournamentNotice(GameNotice):
    """A notice about a tournament or league, perhaps about a game of it; the draft has all its texts."""

    group = PreferenceGroup.TOURNAMENTS

    def __init__(
        self,
        value: Kind,
        label: Promise,
        build_draft: Callable[[Delivery, datetime], MailDraft],
        check_needed: Callable[[Delivery], object],
        *,
        stranger_subject: Promise | None = None,
    ) -> None:
        """Declare a kind.

        `check_needed` raises Obsolete; `stranger_subject` is the subject of a mail that a stranger may cause.
        """
        self.value, self.label, self.build_draft, self.check_needed = value, label, build_draft, check_needed
        self.stranger_subject = stranger_subject

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        try:
            self.check_needed(delivery)
        except drop_rules.Obsolete as error:
            return str(error)
        return ""

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        draft = self.build_draft(delivery, now)
        if self.stranger_subject:
            draft = replace_stranger_subject(draft, delivery, str(self.stranger_subject))
        return composers.compose_draft(delivery.player, draft, now)

    def build_subject_data(self, delivery: Delivery, now: datetime) -> SubjectData:
        subject_data, data = super().build_subject_data(delivery, now), delivery.data
        return {
            **subject_data,
            "tournament": data.get("tournament"),
            "league": data.get("league"),
            "round": find_round_no(data.get("round_id")) or subject_data["round"],
            "match": data.get("match") or subject_data["match"],
        }

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        try:
            draft = self.build_draft(delivery, now)
        except NothingToSend:
            return str(delivery.data.get("name", "")), build_absolute_url("/")
        text = " ".join([end_sentence(draft.subject), *map(format_on_one_line, draft.lead)])
        return text[:MAX_WEBHOOK_TEXT_LENGTH], draft.button[1]


class RequestNotice(TournamentNotice):
    """A notice that asks something of the reader, or changes where they play."""

    requires_action = True


class PairingNotice(RequestNotice):
    """New games: one mail for all of a round, which also tells of each game's start."""

    def group_key(self, entry: FeedEntry) -> str:
        return f"{entry.data['tournament']}:published:{entry.data['round_id']}"

    def find_superseded_reason(self, delivery: Delivery) -> str:
        return deduplication.find_game_start_superseded_reason(delivery)


class ResultNotice(TournamentNotice):
    """The result of a table, which also tells of the end of its game."""

    def find_superseded_reason(self, delivery: Delivery) -> str:
        return deduplication.find_game_over_superseded_reason(delivery)


NOTICE_KINDS: tuple[NoticeKind, ...] = (
    RequestNotice(
        Kind.INVITED,
        lazy("invitation to a tournament"),
        announcements.build_invitation,
        drop_rules.check_invitation,
        stranger_subject=lazy("You are invited to a tournament on OTTO online"),
    ),
    RequestNotice(
        Kind.PARTNER_REQUEST,
        lazy("invitation to play as a pair"),
        announcements.build_partner_request,
        drop_rules.check_proposal,
        stranger_subject=lazy("An invitation to play as a pair on OTTO online"),
    ),
    RequestNotice(
        Kind.REPLACEMENT_REQUEST,
        lazy("invitation to take over a seat"),
        announcements.build_replacement_request,
        drop_rules.check_proposal,
        stranger_subject=lazy("An invitation to take over a seat on OTTO online"),
    ),
    RequestNotice(
        Kind.CO_ORGANISER_REQUEST,
        lazy("invitation to co-organise"),
        announcements.build_co_organiser_request,
        drop_rules.check_proposal,
        stranger_subject=CO_ORGANISER_SUBJECT,
    ),
    RequestNotice(
        Kind.PROPOSAL_ANSWERED,
        lazy("answer to a request"),
        announcements.build_proposal_answer,
        drop_rules.check_exists,
        stranger_subject=PROPOSAL_ANSWER_SUBJECT,
    ),
    TournamentNotice(
        Kind.NEWCOMER,
        lazy("new player at your table"),
        announcements.build_newcomer_notice,
        drop_rules.check_newcomer,
    ),
    RequestNotice(
        Kind.PLACE,
        lazy("place in a tournament"),
        announcements.build_place_notice,
        drop_rules.check_still_plays,
    ),
    RequestNotice(
        Kind.CONFIRM,
        lazy("request to confirm"),
        announcements.build_confirmation_request,
        drop_rules.check_confirmation,
    ),
    TournamentNotice(
        Kind.START, lazy("start of a tournament"), announcements.build_start_notice, drop_rules.check_start
    ),
    PairingNotice(
        Kind.PAIRING,
        lazy("new tournament game"),
        result_mails.build_pairing_notice,
        drop_rules.check_pairing,
    ),
    RequestNotice(
        Kind.ROUND_END,
        lazy("new deadline for a round"),
        result_mails.build_round_end_notice,
        drop_rules.check_takes_part,
    ),
    TournamentNotice(
        Kind.BYE, lazy("round without a game"), result_mails.build_bye_notice, drop_rules.check_pairing
    ),
    ResultNotice(
        Kind.RESULT, lazy("result"), result_mails.build_table_result_notice, drop_rules.check_result
    ),
    TournamentNotice(
        Kind.TABLE_CHANGE,
        lazy("change of a table"),
        result_mails.build_table_change_notice,
        drop_rules.check_still_plays,
    ),
    TournamentNotice(
        Kind.END, lazy("end of a tournament"), result_mails.build_tournament_end_notice, drop_rules.check_end
    ),
    RequestNotice(
        Kind.CANCELLED,
        lazy("cancelled tournament"),
        announcements.build_cancellation,
        drop_rules.check_exists,
    ),
    RequestNotice(
        Kind.OUT,
        lazy("end of your entry"),
        announcements.build_exclusion_notice,
        drop_rules.check_exclusion,
    ),
    RequestNotice(
        Kind.REPLACED,
        lazy("seat taken over"),
        announcements.build_takeover_notice,
        drop_rules.check_takes_part,
    ),
    RequestNotice(
        Kind.ON_HOLD,
        lazy("a tournament needs you"),
        announcements.build_hold_notice,
        drop_rules.check_hold,
        stranger_subject=ORGANISER_NEEDED_SUBJECT,
    ),
    RequestNotice(
        Kind.APPEAL,
        lazy("appeal"),
        announcements.build_appeal_notice,
        drop_rules.check_appeal,
        stranger_subject=ORGANISER_NEEDED_SUBJECT,
    ),
    RequestNotice(
        Kind.LEAGUE_PARTNER_REQUEST,
        lazy("invitation to play as a pair"),
        league_mails.build_league_partner_request,
        drop_rules.check_proposal,
        stranger_subject=lazy("An invitation to play as a pair on OTTO online"),
    ),
    RequestNotice(
        Kind.LEAGUE_CO_ORGANISER_REQUEST,
        lazy("invitation to co-organise"),
        league_mails.build_league_co_organiser_request,
        drop_rules.check_proposal,
        stranger_subject=CO_ORGANISER_SUBJECT,
    ),
    RequestNotice(
        Kind.LEAGUE_PROPOSAL_ANSWERED,
        lazy("answer to a request"),
        league_mails.build_league_proposal_answer,
        drop_rules.check_league_exists,
        stranger_subject=PROPOSAL_ANSWER_SUBJECT,
    ),
    RequestNotice(
        Kind.LEAGUE_PARTNER_LEFT,
        lazy("partner has left"),
        league_mails.build_partner_left_notice,
        drop_rules.check_partner_left,
    ),
    RequestNotice(
        Kind.LEAGUE_OUT,
        lazy("end of your membership"),
        league_mails.build_league_removal_notice,
        drop_rules.check_league_exists,
    ),
    RequestNotice(
        Kind.LEAGUE_ON_HOLD,
        lazy("a league needs you"),
        league_mails.build_league_held_notice,
        drop_rules.check_league_hold,
    ),
    TournamentNotice(
        Kind.SEASON_START,
        lazy("start of a season"),
        league_mails.build_season_start_notice,
        drop_rules.check_season_start,
    ),
    RequestNotice(
        Kind.SEASON_END,
        lazy("end of a season"),
        league_mails.build_season_end_notice,
        drop_rules.check_season_exists,
    ),
)
