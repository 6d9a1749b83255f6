"""Properties of all mails of tournaments and leagues: kinds, languages, quiet hours, headers, links."""

from __future__ import annotations

import re
from datetime import time

import pytest
from django.conf import LazySettings
from django.core import mail as outgoing
from django.test import Client
from django.urls import resolve

from accounts.models import Player
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.notice_kinds import NothingToSend, get_notice_kind
from notifications.services import notices
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    decide,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    play,
    published,
    replace,
)
from tests.factories.leagues import create_started_league, play_season
from tests.helpers.notice_helpers import get_part, parse_mail
from tests.helpers.tournament_mails import (
    MINUTE,
    TWO_MINUTES_LATER,
    get_last_mail,
    list_entrants_at,
    list_sent,
    list_sent_kinds,
    mail_only_to,
    map_drop_reasons,
    send_mails,
    set_wishes,
)
from tournaments import links
from tournaments.leagues.services import leagues
from tournaments.mail import mail_context
from tournaments.models import League, Tournament
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.services import (
    appeals,
    co_organisers,
    decisions,
    entries,
    proposals,
    removals,
    replacements,
    sweep,
    tournaments,
)

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "it", "nl")


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"


def test_quiet_hours_are_kept_unless_people_sit_at_the_board() -> None:
    for name in ("p1", "p2"):
        set_wishes(name, quiet_from=time(11), quiet_until=time(20))
    tournament = create_started_tournament("knockout", 2)
    due = {feed_entry.notify_at for feed_entry in FeedEntry.objects.filter(kind="tournament-pairing")}
    assert due == {NOW.replace(hour=20)}
    send_mails()
    assert not outgoing.outbox
    send_mails(NOW.replace(hour=20))
    assert list_sent_kinds("p1") == list_sent_kinds("p2") == ["tournament-pairing"]
    live = create_started_tournament("knockout", 2, time_control="live")
    feed_entries = FeedEntry.objects.filter(kind="tournament-pairing", dedup_key__startswith=live.code)
    assert all(feed_entry.notify_at and feed_entry.notify_at < NOW + MINUTE for feed_entry in feed_entries)
    assert tournament.code != live.code


@pytest.mark.parametrize("name", ["a\r\nBcc: eve@example.org", "<b>x</b>", "{{ x }}", "%s %(who)s"])
def test_no_name_of_an_event_can_break_out_of_its_place(name: str) -> None:
    Tournament.objects.filter(pk=create_started_tournament("knockout", 2).pk).update(name=name)
    mail_only_to("p1")
    send_mails()
    mail = get_last_mail("p1")
    assert mail["Bcc"] is None
    assert mail.defects == []
    assert mail["Subject"].startswith(" ".join(name.split()) + ", Final: You play")
    assert "<b>x</b>" not in get_part(mail, "html")


def list_every_kind() -> list[Delivery]:
    """Create a delivery of every kind from whole tournaments, without sending it."""
    cup = published("knockout", 0, mode="pairs", by_invitation=True, capacity=2)
    for name in ("a1", "b1"):
        tournaments.invite_player(by=get_host(), code=cup.code, player=get_player(name), now=NOW)
    published("knockout", 2, confirmation=True, starts_at=NOW + HOUR)
    pairs = published("knockout", 3, mode="pairs", capacity=2, starts_at=NOW + DAY)
    entries.leave_tournament(player=get_player("a1"), code=pairs.code, now=NOW)
    swiss = create_started_tournament("swiss", 3, round_count=2)
    table = list_running_pairings(swiss)[0]
    name = list_entrants_at(table)[0].player.name
    appeal = appeals.file_appeal(
        player=get_player(name), code=swiss.code, pairing_id=table.pk, text="Look!", now=NOW
    )
    appeals.answer_appeal(by=get_host(), code=swiss.code, appeal_id=appeal.pk, text="I have.", now=NOW)
    decide(table, *(entrant_player.player.name for entrant_player in list_entrants_at(table)))
    sweep.sweep_tournaments(now=NOW)
    endless = create_started_tournament("swiss", 2)
    decisions.extend_round(by=get_host(), code=endless.code, round_number=1, until=NOW + 9 * DAY, now=NOW)
    four = create_started_tournament("round-robin", 3, all_rounds_at_once=True)
    replace(four, "p1", "new")
    replacements.propose_replacement(
        by=get_host(), code=four.code, entrant=entrant(four, "p3").pk, player=get_player("newer"), now=NOW
    )
    decisions.disqualify_entrant(by=get_host(), code=four.code, entrant=entrant(four, "p2").pk, now=NOW)
    tournaments.cancel_tournament(by=get_host(), code=four.code, now=NOW)
    small_swiss = published("swiss", 1)
    co_organisers.ask_tournament_co_organiser(
        by=get_host(), code=small_swiss.code, player=get_player("newer"), now=NOW
    )
    tournaments.start_tournament(by=get_host(), code=small_swiss.code, now=NOW)
    corrected = create_started_tournament("knockout", 4)
    for semi_final in list_running_pairings(corrected):
        decide(semi_final, *(entrant_player.player.name for entrant_player in list_entrants_at(semi_final)))
    sweep.sweep_tournaments(now=NOW)
    decide(
        semi_final, *(entrant_player.player.name for entrant_player in reversed(list_entrants_at(semi_final)))
    )
    final = create_started_tournament("knockout", 2)
    play(list_running_pairings(final)[0])
    play_season(create_started_league(4, season_pause=60), NOW)
    league = leagues.create_league(
        organiser=get_host(), name="Pairs", division_size=4, promotion_count=1, now=NOW, mode="pairs"
    )
    co_organisers.ask_league_co_organiser(
        by=get_host(), code=league.code, player=get_player("newer"), now=NOW
    )
    for first, other in (("a1", "b1"), ("a2", "b2")):
        request = leagues.ask_partner(
            player=get_player(first), partner=get_player(other), code=league.code, now=NOW
        )
        proposals.accept_proposal(player=get_player(other), proposal_id=request.pk, now=NOW)
    leagues.set_member_status(player=get_player("a2"), code=league.code, now=NOW, status="out")
    removals.remove_league_member(
        by=get_host(), code=league.code, player=get_player("a1"), now=NOW, reason="as agreed"
    )
    unplayable = create_started_league(0)
    League.objects.filter(pk=unplayable.pk).update(round_length=600)
    for name in ("a1", "a2"):
        leagues.set_member_status(player=get_player(name), code=unplayable.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    while notices.fan_out_notices(now=NOW + DAY):
        pass
    deliveries = Delivery.objects.filter(kind__in=list(TournamentNoticeKind), webhook=None)
    return list(deliveries.select_related("player"))


def test_every_kind_of_mail_can_be_made_in_every_language() -> None:
    rows = list_every_kind()
    assert {row.kind for row in rows} == set(TournamentNoticeKind)
    composed_kinds = set()
    for language in LANGUAGES:
        Player.objects.update(language=language)
        for row in rows:
            row.player.refresh_from_db()
            if (row.kind, language, bool(row.data.get("answered"))) in composed_kinds:
                continue
            try:
                mail = parse_mail(mail_sender.compose_mail(row, now=NOW + HOUR))
            except NothingToSend:
                continue
            text, html = get_part(mail, "plain"), get_part(mail, "html")
            composed_kinds.add((row.kind, language, bool(row.data.get("answered"))))
            assert mail.defects == []
            assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            assert f'<html lang="{language}">' in html
            assert "/unsubscribe/" in text
            for mail_part in (text, html):
                assert "{{" not in mail_part
                assert "{%" not in mail_part
                assert "%(" not in mail_part
                assert not re.search(r"\bNone\b", mail_part)
            assert "\n\n\n" not in text
            sentence, url = get_notice_kind(row.kind).summarise(row, NOW + HOUR)
            assert sentence
            assert url.startswith("https://otto.example.org/")
    assert {kind_key[:2] for kind_key in composed_kinds} == {
        (kind, language_code) for kind in TournamentNoticeKind for language_code in LANGUAGES
    }


def test_links_lead_where_they_say() -> None:
    tournament = create_started_tournament("knockout", 2)
    (table,) = list_running_pairings(tournament)
    for address, name in (
        (links.build_tournament_url(tournament.code), "tournament"),
        (links.build_pairing_url(tournament.code, table.pk), "tournament-table"),
        (links.build_organiser_url(tournament.code), "tournament-organise"),
        (links.build_organiser_url(tournament.code, "appeals/"), "tournament-organise-appeals"),
        (links.build_league_url("code"), "league"),
        (links.build_league_organiser_url("code"), "league-organise"),
        (links.build_confirm_url("key", tournament.code), "confirm-by-mail"),
        (links.build_answer_proposal_url("key", 7), "answer-by-mail"),
        (links.build_leave_league_url("key", tournament.code), "leave-by-mail"),
    ):
        assert resolve(address.removeprefix("https://otto.example.org")).view_name == name


def test_the_guide_for_programs_names_every_kind(client: Client) -> None:
    guide = client.get("/api/").text
    assert not [kind for kind in TournamentNoticeKind if f"<code>{kind}</code>" not in guide]


def test_hundreds_of_mails_of_a_round_work_the_event_out_once() -> None:
    create_started_tournament("swiss", 6, round_count=3)
    while notices.fan_out_notices(now=TWO_MINUTES_LATER):
        pass
    first, *other_rows = Delivery.objects.filter(kind="tournament-pairing").select_related("player")
    get_notice_kind(first.kind).summarise(first, TWO_MINUTES_LATER)
    before = mail_context.load_cached_mail_context.cache_info().misses
    for row in other_rows:
        get_notice_kind(row.kind).summarise(row, TWO_MINUTES_LATER)
    assert len(other_rows) == 5
    assert mail_context.load_cached_mail_context.cache_info().misses == before


def test_a_league_that_is_gone_and_an_event_that_is_gone_are_shown_to_nobody() -> None:
    who = get_player("p1")
    for number, (kind, data) in enumerate(
        [
            ("tournament-start", {"tournament": "nothing"}),
            ("league-season", {"league": "nothing", "season": 1}),
        ]
    ):
        Delivery.objects.create(
            player=who,
            kind=kind,
            dedup_key=f"x:{number}",
            data=data,
            created_at=NOW,
            next_attempt_at=NOW,
            address=who.email,
        )
    mail_sender.send_due_mails(now=TWO_MINUTES_LATER)
    assert list_sent("p1") == []
    assert set(map_drop_reasons("p1")) == {"tournament-start", "league-season"}
