"""Mails contain everything for a turn, nothing hidden from their reader, and are in the reader's language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.conf import LazySettings

from accounts.mail_refusals import make_refusal_token
from accounts.models import Player
from accounts.selectors.contacts import digest_of_address
from games import engine, selectors, signed_links
from games.game_text import build_translator
from games.mail import game_context
from games.models import Game, Message
from games.services import invitations, lobby, turns
from notifications.channels.email import mail_sender, message
from notifications.inbound.addresses import read_address
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend
from notifications.unsubscribe_links import read_unsubscribe
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.notice_helpers import (
    DAY,
    HOUR,
    ONE_MINUTE_LATER,
    create_delivery,
    get_part,
    get_seat_clock,
    parse_mail,
    play_turn,
    set_wishes,
    start_table,
)
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "it", "nl")


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"
    settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@example.org>"


def compose_turn_mail(**wish: Any) -> tuple[Game, Player, EmailMessage]:
    game, first, _ = start_table()
    first = set_wishes(first.name, **wish) if wish else first
    seat_clock = get_seat_clock(game, first)
    return (
        game,
        first,
        parse_mail(
            mail_sender.compose_mail(
                create_delivery(first, "turn", game, seq=seat_clock.turn_seq), now=ONE_MINUTE_LATER
            )
        ),
    )


def test_a_mail_program_that_reads_no_style_sheet_finds_the_colours_at_the_elements() -> None:
    _game, _first, mail = compose_turn_mail()
    html = get_part(mail, "html")
    for name, colour in (("ink", "#17181a"), ("soft", "#5c5f66"), ("rule", "#dcd9d1"), ("paper", "#f6f4ef")):
        tags = re.findall(rf'<[^<>]*class="[^"]*\b{name}\b[^<>]*>', html)
        assert tags, name
        assert all(colour in tag for tag in tags), name
    assert "@media (prefers-color-scheme: dark)" in html, "for those that do"


# ---------------------------------------------------------------------------------------------------- headers


def test_the_headers_say_what_mail_programs_and_machines_need() -> None:
    game, first, mail = compose_turn_mail()
    assert mail["To"] == first.email
    assert mail["Subject"].startswith("Your turn against ")
    assert (mail["Auto-Submitted"], mail["X-Auto-Response-Suppress"]) == ("auto-generated", "All")
    assert mail["References"] == mail["In-Reply-To"] == message.thread_id_of(first, game.code)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip(" <>")
    assert link.startswith("https://otto.example.org/unsubscribe/")
    assert read_unsubscribe(link.split("/")[-2]) == first.mail_token


def test_a_reply_is_bound_to_this_turn_of_this_seat() -> None:
    game, first, mail = compose_turn_mail()
    address = read_address(mail["Reply-To"])
    assert address
    purpose, token = address
    claimed = signed_links.read_turn(token)
    assert claimed
    assert (purpose, claimed.game_code) == (signed_links.REPLY_PURPOSE, game.code)
    assert claimed.seat_no == game.seats.get(player=first).seat_no
    assert claimed.turn_seq == get_seat_clock(game, first).turn_seq
    assert signed_links.is_valid_turn_token(claimed, purpose=signed_links.REPLY_PURPOSE, player_id=first.pk)
    assert not signed_links.is_valid_turn_token(
        claimed, purpose=signed_links.TURN_PURPOSE, player_id=first.pk
    ), "a link is another thing"


def test_mails_of_a_game_are_one_thread_for_each_player_and_each_has_a_name_of_its_own() -> None:
    game, first, second = start_table()
    mails = [
        parse_mail(mail_sender.compose_mail(create_delivery(who, kind, game, seq=0), now=ONE_MINUTE_LATER))
        for who, kind in ((first, "turn"), (first, "over"), (second, "started"))
    ]
    assert mails[0]["References"] == mails[1]["References"] != mails[2]["References"]
    assert len({mail["Message-ID"] for mail in mails}) == 3


def test_a_mail_that_is_made_again_is_the_same_mail() -> None:
    game, first, _ = start_table()
    row = create_delivery(first, "turn", game, seq=get_seat_clock(game, first).turn_seq)
    first_mail, two = (parse_mail(mail_sender.compose_mail(row, now=ONE_MINUTE_LATER)) for _ in range(2))
    assert first_mail["Message-ID"] == two["Message-ID"] == message.message_id_of(row)
    assert re.fullmatch(rf"<turn\.{row.pk}\.[a-z2-7]{{16}}@play\.example\.org>", first_mail["Message-ID"])
    assert [get_part(first_mail, kind) for kind in ("plain", "html")] == [
        get_part(two, kind) for kind in ("plain", "html")
    ]
    assert first_mail["From"] == "OTTO online <otto@example.org>"


@pytest.mark.parametrize(
    "evil", ["a\r\nBcc: eve@example.org", "<b>x</b>", '"><img src=x>', "{{ x }}", "%s %(who)s"]
)
def test_no_name_and_no_chat_can_break_out_of_its_place(evil: str) -> None:
    game, first, second = start_table()
    Player.objects.filter(pk=second.pk).update(name=evil[:30])  # bypasses form validation
    Message.objects.create(game=game, player=second, text=evil + "\n<script>x</script>", created_at=NOW)
    for kind in ("turn", "reminder", "started", "over"):
        mail = parse_mail(
            mail_sender.compose_mail(create_delivery(first, kind, game, seq=0), now=ONE_MINUTE_LATER)
        )
        assert mail["Bcc"] is None
        assert mail.defects == []
        html = get_part(mail, "html")
        assert "<script>" not in html
        assert "<b>x</b>" not in html
        assert "<img src=x>" not in html
        assert "&lt;script&gt;" in html
        assert "<script>x</script>" in get_part(mail, "plain"), "a text has nothing to break out of"


# -------------------------------------------------------------------------------------------------- the turn


def test_a_turn_has_everything_to_play_it_in_text_and_on_a_page() -> None:
    game, first, mail = compose_turn_mail()
    game_view = selectors.load_view_for(first, game.code)
    seat = game.seats.get(player=first).seat_no
    seat_clock = get_seat_clock(game, first)
    token = signed_links.make_turn_token(
        purpose=signed_links.TURN_PURPOSE,
        game_code=game.code,
        seat_no=seat,
        turn_seq=seat_clock.turn_seq,
        player_id=first.pk,
    )
    text, html = get_part(mail, "plain"), get_part(mail, "html")
    assert engine.text.draw_text_board(game_view.view) in text
    for body in (text, html):
        for link in (
            f"https://otto.example.org/turn/{token}/",
            f"https://otto.example.org/games/{game.code}/",
            "https://otto.example.org/next/",
            f"https://otto.example.org/mute/{signed_links.make_mute_token(first.mail_token, game.code)}/",
            "https://otto.example.org/unsubscribe/",
            "https://otto.example.org/me/notices/",
        ):
            assert link in body
        assert "Tuesday 10 March, 12:01 (UTC)" in body
        assert "2 days for this turn, then 7 days in reserve" in body.replace("\xa0", " ")
        assert build_translator(game_view.view).format_cards_with_codes(game_view.view["you"]["hand"]) in body
        for line in engine.text.summarise_position(game_view.view, build_translator(game_view.view))[1:]:
            assert line in body
        for action in game_view.legal_actions[:1]:
            assert action.replace("-", " ") in body
    assert f"Tile {game_view.view['seats'][seat - 1]['table']}" in html


def test_every_picture_is_in_the_mail_and_none_comes_from_elsewhere() -> None:
    _, _, mail = compose_turn_mail()
    assert mail.get_content_type() == "multipart/related"
    html = get_part(mail, "html")
    content_ids = set(re.findall(r'src="cid:([^"]+)"', html))
    pictures = {piece["Content-ID"].strip("<>"): piece for piece in mail.walk() if piece["Content-ID"]}
    assert content_ids == set(pictures)
    assert len(content_ids) >= 2
    for piece in pictures.values():
        assert piece.get_content_type() == "image/png"
        assert piece.get_content_disposition() == "inline"
        assert piece.get_content().startswith(b"\x89PNG")
    assert not re.search(r'src="(?!cid:)|<link|url\(|<script|@import', html)
    assert all(re.search(r'alt="[^"]+"', image) for image in re.findall("<img[^>]+>", html))


def test_no_part_is_too_large_for_mail_programs() -> None:
    _, _, mail = compose_turn_mail()
    assert len(get_part(mail, "html").encode()) < 60_000, "beyond 102 kB some show only the beginning"
    assert len(mail.as_bytes()) < 400_000
    assert all(len(line) < 998 for line in mail.as_bytes().splitlines())


def test_the_story_is_what_happened_since_the_last_turn_of_the_reader() -> None:
    game = start_cast_game("ada", "bob", "cleo")
    for i in range(5):
        play_turn(game, NOW + timedelta(minutes=i))
    game.refresh_from_db()
    seat = next(place for place in game.seats.all() if game.to_act_mask >> (place.seat_no or 0) & 1)
    assert seat.player
    context = game_context.build_game_context(seat.player, game.code, NOW + HOUR)
    lines = selectors.log_page_for(seat.player, game.code, after=0, limit=100)["results"]
    own = max(line["seq"] for line in lines if line["seat"] == seat.seat_no and line["seq"] <= context.turn)
    translator = build_translator(context.view)
    since = [
        engine.text.narrate_event(event, translator)
        for line in lines
        if line["seq"] > own
        for event in line["events"]
    ]
    assert context.context_data["story"] == since
    assert context.latest_sentences == since[-len(context.latest_sentences) :]
    html = get_part(
        parse_mail(
            mail_sender.compose_mail(create_delivery(seat.player, "turn", game, seq=context.turn), now=NOW)
        ),
        "html",
    )
    assert all(sentence in html for sentence in since)


def test_chat_is_mailed_once_and_hidden_lines_and_ones_own_are_not() -> None:
    game, first, second = start_table()
    for who, chat_text, hidden in ((second, "hello", False), (second, "rude", True), (first, "mine", False)):
        Message.objects.create(game=game, player=who, text=chat_text, created_at=NOW, hidden=hidden)
    row = create_delivery(first, "turn", game, seq=get_seat_clock(game, first).turn_seq)
    text = get_part(parse_mail(mail_sender.compose_mail(row, now=ONE_MINUTE_LATER)), "plain")
    assert f"\n{second.name}:\n> hello\n" in text
    assert "rude" not in text
    assert "mine" not in text
    Delivery.objects.filter(pk=row.pk).update(status="sent", sent_at=ONE_MINUTE_LATER)
    Message.objects.create(game=game, player=second, text="and now?", created_at=ONE_MINUTE_LATER + HOUR)
    second_text = get_part(
        parse_mail(
            mail_sender.compose_mail(
                create_delivery(first, "reminder", game, seq=0), now=ONE_MINUTE_LATER + DAY
            )
        ),
        "plain",
    )
    assert "hello" not in second_text
    assert "and now?" in second_text


def test_examples_are_legal_and_are_read_as_what_they_mean() -> None:
    rng = random.Random("examples")
    game = start_cast_game("ada", "bob", edition="bannan-nl")
    met: set[str] = set()
    for step in range(60):
        loaded_game = selectors.load_game(game.code)
        state = loaded_game.state
        assert state
        if state.is_over:
            break
        seat = state.seats_to_act[0]
        legal = engine.legal_actions(state, seat)
        some = game_context.pick_example_actions(legal, engine.text.ENGLISH_TRANSLATOR)
        assert 0 < len(some) <= game_context.MAX_EXAMPLES
        assert len(some) == len(set(some))
        for typed, meaning in some:
            action = engine.parse_action(state, seat, typed)
            assert action in legal
            assert meaning == engine.text.describe_action(action)
            met.add(action.split("-")[0])
        who = loaded_game.seat_by_no(seat).player
        assert who
        action = rng.choice(legal)
        turns.play_action(
            player=who, code=game.code, text=action, seq=state.seq, key="", now=NOW + timedelta(seconds=step)
        )
    assert len(met) >= 10


# --------------------------------------------------------------------------------------- time, zone, language


@pytest.mark.parametrize(
    ("language", "zone", "expected"),
    [
        ("en", "America/New_York", "Tuesday 10 March, 08:01 (America/New York)"),
        ("it", "Europe/Rome", "martedì 10 marzo, 13:01 (Europe/Rome)"),
        ("nl", "Europe/Amsterdam", "dinsdag 10 maart, 13:01 (Europe/Amsterdam)"),
        ("en", "Nowhere/Gone", "Tuesday 10 March, 12:01 (UTC)"),
    ],
)
def test_a_mail_speaks_the_language_of_its_reader_and_keeps_their_time(
    language: str, zone: str, expected: str
) -> None:
    _, _, mail = compose_turn_mail(language=language, time_zone=zone)
    assert expected in get_part(mail, "plain")
    assert f'<html lang="{language}">' in get_part(mail, "html")
    assert expected in get_part(mail, "html")


def test_a_clock_that_rests_or_lives_on_its_reserve_is_described_as_such() -> None:
    game, first, _ = start_table()
    place = game.seats.get(player=first)

    def say_time_left(now: Any) -> str:
        place.refresh_from_db()
        return " ".join(game_context.say_time_left(place, now))

    assert say_time_left(NOW + 3 * DAY).startswith("Your reserve is running: 6 days and 1 minute left.")
    Game.objects.filter(pk=game.pk).update(paused_from=ONE_MINUTE_LATER, paused_until=NOW + 5 * DAY)
    resting = say_time_left(NOW + DAY)
    assert resting.startswith("Your clock is stopped: an agreed pause. You have 2 days for this turn")
    assert "Sunday 15 March, 12:00" in resting
    Game.objects.filter(pk=game.pk).update(bank=0)
    game.refresh_from_db()
    game.seat_clocks[str(place.seat_no)]["bank"] = 0.0
    game.save()
    assert "in reserve" not in say_time_left(NOW + DAY)


# -------------------------------------------------------------------------------------------- the other kinds


def iter_mails_of_every_kind(game: Game, first: Player, second: Player) -> Iterator[tuple[Delivery, str]]:
    """Yield one mail of every kind, with a sentence that only this mail contains."""
    turn = get_seat_clock(game, first).turn_seq
    seat = game.seats.get(player=first).seat_no
    yield create_delivery(first, "turn", game, seq=turn), "Your turn"
    yield create_delivery(first, "reminder", game, seq=turn), "Still your turn"
    yield create_delivery(second, "started", game, seq=0), f"Waiting for {first.name}."
    yield create_delivery(second, "blind", game, seq=0), "A blind match decides"
    for outcome, own, other in (
        ("autoplay", "We played for you.", f"We played for {first.name}."),
        ("resigned", "Your side has resigned.", "Their side has resigned."),
    ):
        yield create_delivery(first, "timeout", game, seat=seat, outcome=outcome, seq=0), own
        yield create_delivery(second, "timeout", game, seat=seat, outcome=outcome, seq=0), other
    yield create_delivery(first, "digest"), "1 game is waiting for you"
    yield create_delivery(first, "vacation", left=2 * 86_400), "You have 2 days of vacation left."
    yield create_delivery(second, "vacation", left=0), "You have no vacation left."
    yield create_delivery(first, "test"), "It works"
    yield create_delivery(first, "cancelled", game), "The game was cancelled"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_mail_can_be_made_in_every_language(language: str) -> None:
    for name in ("ada", "bob"):
        set_wishes(name, language=language)
    game, first, second = start_table()
    for row, sentence in iter_mails_of_every_kind(game, first, second):
        mail = parse_mail(mail_sender.compose_mail(row, now=ONE_MINUTE_LATER))
        text, html = get_part(mail, "plain"), get_part(mail, "html")
        assert mail.defects == []
        assert mail["Subject"]
        if language == "en":
            assert sentence in text, row.kind
            assert sentence in html, row.kind
        for body in (text, html):
            assert "{{" not in body
            assert "{%" not in body
            assert not re.search(r"\bNone\b(?! of)", body)
            assert "()" not in body
        assert "\n\n\n" not in text
        assert "%(" not in html


@pytest.mark.parametrize(("by", "winner"), [("first", "{second} won"), ("second", "You won")])
def test_the_end_is_mailed_with_who_won(by: str, winner: str) -> None:
    game, first, second = start_table()
    who = first if by == "first" else second
    turns.play_action(player=who, code=game.code, text="resign", seq=None, key="", now=ONE_MINUTE_LATER)
    reader = first
    mail = parse_mail(
        mail_sender.compose_mail(create_delivery(reader, "over", game, seq=1), now=ONE_MINUTE_LATER)
    )
    assert winner.format(second=second.name) in get_part(mail, "plain")
    assert mail["Reply-To"] is None
    assert "/turn/" not in get_part(mail, "html")
    late = create_delivery(
        reader, "timeout", game, seat=game.seats.get(player=first).seat_no, outcome="resigned", seq=1
    )
    assert winner.format(second=second.name) in get_part(
        parse_mail(mail_sender.compose_mail(late, now=ONE_MINUTE_LATER)), "html"
    )


def test_partners_win_together_and_see_each_others_cards() -> None:
    game = start_cast_game("ada", "bob", "cleo", "dirk", mode="pairs")
    ada = player("ada")
    view = selectors.load_view_for(ada, game.code).view
    mail = get_part(
        parse_mail(
            mail_sender.compose_mail(create_delivery(ada, "started", game, seq=0), now=ONE_MINUTE_LATER)
        ),
        "html",
    )
    for card in view["you"]["partner"]["hand"]:
        assert f"({card})" in mail
    turns.play_action(
        player=player("bob"), code=game.code, text="resign", seq=None, key="", now=ONE_MINUTE_LATER
    )
    assert "Your side won" in get_part(
        parse_mail(mail_sender.compose_mail(create_delivery(ada, "over", game, seq=1), now=ONE_MINUTE_LATER)),
        "html",
    )


def test_a_digest_lists_waiting_games_the_most_urgent_first_and_no_muted_one() -> None:
    ada = player("ada")
    games = [
        start_cast_game("ada", name, time_control=name_)
        for name, name_ in (("bob", "7d"), ("cleo", "12h"), ("dirk", "2d"))
    ]
    for game in games:
        if not get_seat_clock(game, ada).is_on_turn:
            play_turn(game, NOW)
    games[2].seats.filter(player=ada).update(muted=True)
    mail = parse_mail(mail_sender.compose_mail(create_delivery(ada, "digest"), now=ONE_MINUTE_LATER))
    assert mail["Subject"] == "OTTO: 2 games are waiting for you"
    for kind in ("plain", "html"):
        body = normalise_html(get_part(mail, kind))
        assert body.index("OTTO against cleo") < body.index("OTTO against bob")
        assert "OTTO against dirk" not in body
        assert body.count("/turn/") >= 2
        buttons = re.findall(r'https://otto\.example\.org/turn/[^\s"]+', body)
        assert buttons[0] == buttons[-1] if kind == "html" else len(set(buttons)) == 2, "the most urgent one"
    assert mail["References"] is None
    for game in games[:2]:
        play_turn(game, ONE_MINUTE_LATER)
    with pytest.raises(NothingToSend):
        mail_sender.compose_mail(create_delivery(ada, "digest"), now=ONE_MINUTE_LATER)


def test_an_invitation_by_name_is_a_mail_until_it_is_answered() -> None:
    ada, bob = player("ada"), player("bob")
    game = lobby.create_game(player=ada, now=NOW, private=True)
    invitations.invite_to_game(player=ada, code=game.code, now=NOW, name="bob")
    mail = parse_mail(mail_sender.compose_mail(create_delivery(bob, "invited", game), now=ONE_MINUTE_LATER))
    assert mail["Subject"] == "You are invited to play OTTO", "they have not met"
    assert "ada has saved you a seat" in get_part(mail, "plain")
    assert "https://otto.example.org/me/notices/" in get_part(mail, "plain")
    assert f"https://otto.example.org/games/{game.code}/" in get_part(mail, "plain")
    invitations.decline_invitation(player=bob, code=game.code, now=ONE_MINUTE_LATER)
    with pytest.raises(NothingToSend):
        mail_sender.compose_mail(create_delivery(bob, "invited", game), now=ONE_MINUTE_LATER)


def test_an_invitation_by_email_has_the_same_looks_and_a_link_to_refuse_all_further_ones() -> None:
    game = lobby.create_game(player=player("ada"), now=NOW)
    invitation = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=NOW, email="guest@example.org"
    )
    mail = parse_mail(mail_sender.compose_mail(invitation.delivery, now=ONE_MINUTE_LATER))
    link = f"https://otto.example.org/invitations/{signed_links.make_invitation_token(invitation.pk)}/"
    token = make_refusal_token(digest_of_address("guest@example.org"))
    refuse = f"https://otto.example.org/no-mail/{token}/"
    for kind in ("plain", "html"):
        assert link in get_part(mail, kind)
        assert refuse in get_part(mail, kind)
        assert "unsubscribe" not in get_part(mail, kind)
    assert mail["List-Unsubscribe"].strip() == f"<{refuse}>"
    assert (
        mail["Message-ID"]
        == parse_mail(mail_sender.compose_mail(invitation.delivery, now=ONE_MINUTE_LATER))["Message-ID"]
    )
    assert mail["Auto-Submitted"] == "auto-generated"
