"""Mails of tournaments and leagues as such: every kind in every language, hours, headers, links."""

from __future__ import annotations

import re
from datetime import time

import pytest
from django.conf import LazySettings
from django.core import mail as outgoing
from django.test import Client
from django.urls import resolve

from games import notice_kinds
from games.mail import compose, mail_sender
from games.models import Delivery, FeedEntry, Player
from games.services import notices
from tests.games.telling import part, read
from tournaments import links
from tournaments.mail import composers, mail_context
from tournaments.models import League, Tournament
from tournaments.services import (
    appeals,
    co_organisers,
    decisions,
    entries,
    leagues,
    proposals,
    removals,
    replacements,
    sweep,
    tournaments,
)

from .mailing import MINUTE, SOON, dropped, entrants_at, kinds_sent, last, only, send, sent, wish
from .play import DAY, HOUR, NOW, decide, entrant, host, play, playing, published, replace, someone, started
from .test_leagues import begun, played

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "it", "nl")


@pytest.fixture(autouse=True)
def world(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"


def test_quiet_hours_are_kept_unless_people_sit_at_the_board() -> None:
    for name in ("p1", "p2"):
        wish(name, quiet_from=time(11), quiet_until=time(20))
    event = started("knockout", 2)
    due = {one.due_at for one in FeedEntry.objects.filter(kind="event-pairing")}
    assert due == {NOW.replace(hour=20)}
    send()
    assert not outgoing.outbox
    send(NOW.replace(hour=20))
    assert kinds_sent("p1") == kinds_sent("p2") == ["event-pairing"]
    live = started("knockout", 2, clock_name="live")
    at_once = FeedEntry.objects.filter(kind="event-pairing", reason__startswith=live.code)
    assert all(one.due_at and one.due_at < NOW + MINUTE for one in at_once)
    assert event.code != live.code


@pytest.mark.parametrize("name", ["a\r\nBcc: eve@example.org", "<b>x</b>", "{{ x }}", "%s %(who)s"])
def test_no_name_of_an_event_can_break_out_of_its_place(name: str) -> None:
    Tournament.objects.filter(pk=started("knockout", 2).pk).update(name=name)
    only("p1")
    send()
    mail = last("p1")
    assert mail["Bcc"] is None
    assert mail.defects == []
    assert mail["Subject"].startswith(" ".join(name.split()) + ", Final: You meet")
    assert "<b>x</b>" not in part(mail, "html")


def every_kind() -> list[Delivery]:
    """A mail of every kind, from whole events, as the outbox has made them; nothing is sent."""
    cup = published("knockout", 0, mode="pairs", by_invitation=True, capacity=2)
    for name in ("a1", "b1"):
        tournaments.invite_player(by=host(), code=cup.code, player=someone(name), now=NOW)
    published("knockout", 2, confirmation=True, starts_at=NOW + HOUR)
    pairs = published("knockout", 3, mode="pairs", capacity=2, starts_at=NOW + DAY)
    entries.leave_tournament(player=someone("a1"), code=pairs.code, now=NOW)
    swiss = started("swiss", 3, rounds=2)
    table = playing(swiss)[0]
    name = entrants_at(table)[0].player.name
    made = appeals.file_appeal(
        player=someone(name), code=swiss.code, pairing_id=table.pk, text="Look!", now=NOW
    )
    appeals.answer_appeal(by=host(), code=swiss.code, appeal_id=made.pk, text="I have.", now=NOW)
    decide(table, *(one.player.name for one in entrants_at(table)))
    sweep.sweep_tournaments(now=NOW)
    endless = started("swiss", 2)
    decisions.extend_round(by=host(), code=endless.code, round_number=1, until=NOW + 9 * DAY, now=NOW)
    four = started("round-robin", 3, at_once=True)
    replace(four, "p1", "new")
    replacements.propose_replacement(
        by=host(), code=four.code, entrant=entrant(four, "p3").pk, player=someone("newer"), now=NOW
    )
    decisions.disqualify_entrant(by=host(), code=four.code, entrant=entrant(four, "p2").pk, now=NOW)
    tournaments.cancel_tournament(by=host(), code=four.code, now=NOW)
    alone = published("swiss", 1)
    co_organisers.ask_tournament_co_organiser(by=host(), code=alone.code, player=someone("newer"), now=NOW)
    tournaments.start_tournament(by=host(), code=alone.code, now=NOW)
    corrected = started("knockout", 4)
    for semi_final in playing(corrected):
        decide(semi_final, *(one.player.name for one in entrants_at(semi_final)))
    sweep.sweep_tournaments(now=NOW)
    decide(semi_final, *(one.player.name for one in reversed(entrants_at(semi_final))))
    final = started("knockout", 2)
    play(playing(final)[0])
    played(begun(4, pause=60), NOW)
    league = leagues.create_league(organiser=host(), name="Pairs", size=4, moves=1, now=NOW, mode="pairs")
    co_organisers.ask_league_co_organiser(by=host(), code=league.code, player=someone("newer"), now=NOW)
    for one, other in (("a1", "b1"), ("a2", "b2")):
        asked = leagues.ask_partner(player=someone(one), partner=someone(other), code=league.code, now=NOW)
        proposals.accept_proposal(player=someone(other), proposal_id=asked.pk, now=NOW)
    leagues.set_member_status(player=someone("a2"), code=league.code, now=NOW, status="out")
    removals.remove_league_member(by=host(), code=league.code, player=someone("a1"), now=NOW, why="as agreed")
    unplayable = begun(0)
    League.objects.filter(pk=unplayable.pk).update(round_length=600)
    for name in ("a1", "a2"):
        leagues.set_member_status(player=someone(name), code=unplayable.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    while notices.fan_out_notices(now=NOW + DAY):
        pass
    found = Delivery.objects.filter(kind__in=notice_kinds.NOTICE_KINDS, webhook=None)
    return list(found.select_related("player", "game"))


def test_every_kind_of_mail_can_be_made_in_every_language() -> None:
    rows = every_kind()
    assert {row.kind for row in rows} == set(composers.NOTICE_BUILDERS)
    made = set()
    for language in LANGUAGES:
        Player.objects.update(language=language)
        for row in rows:
            row.player.refresh_from_db()
            if (row.kind, language, bool(row.data.get("answered"))) in made:
                continue
            try:
                mail = read(compose.compose_mail(row, now=NOW + HOUR))
            except compose.NothingToSend:
                continue
            text, html = part(mail, "plain"), part(mail, "html")
            made.add((row.kind, language, bool(row.data.get("answered"))))
            assert mail.defects == []
            assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            assert f'<html lang="{language}">' in html
            assert "/unsubscribe/" in text
            for said in (text, html):
                assert "{{" not in said
                assert "{%" not in said
                assert "%(" not in said
                assert not re.search(r"\bNone\b", said)
            assert "\n\n\n" not in text
            told, url = composers.summarise_for_webhook(row, NOW + HOUR)
            assert told
            assert url.startswith("https://otto.example.org/")
    assert {one[:2] for one in made} == {
        (kind, one) for kind in composers.NOTICE_BUILDERS for one in LANGUAGES
    }


def test_links_lead_where_they_say() -> None:
    event = started("knockout", 2)
    (table,) = playing(event)
    for address, name in (
        (links.build_tournament_url(event.code), "tournament"),
        (links.build_pairing_url(event.code, table.pk), "tournament-table"),
        (links.build_organiser_url(event.code), "tournament-organise"),
        (links.build_organiser_url(event.code, "appeals/"), "tournament-organise-appeals"),
        (links.build_league_url("code"), "league"),
        (links.build_league_organiser_url("code"), "league-organise"),
        (links.build_confirm_url("key", event.code), "confirm-by-mail"),
        (links.build_answer_proposal_url("key", 7), "answer-by-mail"),
        (links.build_leave_league_url("key", event.code), "leave-by-mail"),
    ):
        assert resolve(address.removeprefix("https://otto.example.org")).view_name == name


def test_the_guide_for_programs_names_every_kind(client: Client) -> None:
    guide = client.get("/api/").text
    assert not [kind for kind in composers.NOTICE_BUILDERS if f"<code>{kind}</code>" not in guide]


def test_hundreds_of_mails_of_a_round_work_the_event_out_once() -> None:
    started("swiss", 6, rounds=3)
    while notices.fan_out_notices(now=SOON):
        pass
    first, *others = Delivery.objects.filter(kind="event-pairing").select_related("player", "game")
    composers.summarise_for_webhook(first, SOON)
    before = mail_context.load_cached_mail_context.cache_info().misses
    for row in others:
        composers.summarise_for_webhook(row, SOON)
    assert len(others) == 5
    assert mail_context.load_cached_mail_context.cache_info().misses == before


def test_a_league_that_is_gone_and_an_event_that_is_gone_are_told_to_nobody() -> None:
    who = someone("p1")
    for number, (kind, data) in enumerate(
        [("event-start", {"event": "nothing"}), ("league-season", {"league": "nothing", "season": 1})]
    ):
        Delivery.objects.create(
            player=who, kind=kind, reason=f"x:{number}", data=data, made_at=NOW, due_at=NOW, address=who.email
        )
    mail_sender.send_due_mails(now=SOON)
    assert sent("p1") == []
    assert set(dropped("p1")) == {"event-start", "league-season"}
