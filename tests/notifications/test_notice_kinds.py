"""Every notice kind is declared once, with a label, and is made from a feed entry or without one."""

from __future__ import annotations

import pytest

from games.game_notice_kinds import GameNoticeKind
from notifications.models import FeedEntry
from notifications.notice_kinds import TEST_KIND, get_notice_kind, load_notice_kinds
from tournaments.notice_kinds import TournamentNoticeKind

FEED_ONLY_KINDS = {
    GameNoticeKind.MOVED,
    GameNoticeKind.SHOOT_OUT,
    GameNoticeKind.ORDERS,
    GameNoticeKind.DECLINED,
    GameNoticeKind.CHAT,
}
UNCALLED_KINDS = {GameNoticeKind.DIGEST, GameNoticeKind.REPLY, GameNoticeKind.MAILED_INVITATION}


def test_each_app_declares_all_its_kinds_and_no_name_twice() -> None:
    declared = [*GameNoticeKind, TEST_KIND, *TournamentNoticeKind]
    assert sorted(load_notice_kinds()) == sorted(declared)
    assert len(set(declared)) == len(declared)


@pytest.mark.parametrize("value", sorted({*GameNoticeKind, TEST_KIND, *TournamentNoticeKind}))
def test_a_kind_has_a_mail_of_its_own_or_stays_in_the_feed(value: str) -> None:
    kind = get_notice_kind(value)
    assert kind.is_feed_only == (value in FEED_ONLY_KINDS)
    assert kind.has_webhook_calls == (value not in FEED_ONLY_KINDS | UNCALLED_KINDS)
    assert kind.is_feed_only or str(kind.label) != value


@pytest.mark.parametrize("value", [*sorted(FEED_ONLY_KINDS), "a kind of an earlier release"])
def test_a_kind_of_the_feed_alone_is_not_sent(value: str) -> None:
    plan = get_notice_kind(value).plan(FeedEntry(kind=value), FeedEntry().at)
    assert plan.notice is None
