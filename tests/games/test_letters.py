"""What mails say: everything that a turn needs, nothing that their reader may not see, in their language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.conf import LazySettings

from games import engine, links, selectors
from games.mail import compose, invitations, letter, scene
from games.models import Delivery, Game, Message, Player, Secret
from games.selectors.contacts import digest_of_address
from games.services import invitations as inviting
from games.services import lobby, turns
from games.words import words_for
from tests.engine.test_two_worlds import other_world

from .cast import NOW, game_of, player
from .telling import DAY, HOUR, SOON, delivery, part, play_turn, read, table, waiting_since, wishes

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "it", "nl")


@pytest.fixture(autouse=True)
def world(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"
    settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@example.org>"


def turn_mail(**wish: Any) -> tuple[Game, Player, EmailMessage]:
    game, first, _ = table()
    first = wishes(first.name, **wish) if wish else first
    watch = waiting_since(game, first)
    return game, first, read(compose.message(delivery(first, "turn", game, seq=watch.turn), now=SOON))


# ------------------------------------------------------------------------------------------------ the headers


def test_the_headers_say_what_mail_programs_and_machines_need() -> None:
    game, first, mail = turn_mail()
    assert mail["To"] == first.email
    assert mail["Subject"].startswith("Your turn: OTTO with ")
    assert (mail["Auto-Submitted"], mail["X-Auto-Response-Suppress"]) == ("auto-generated", "All")
    assert mail["References"] == mail["In-Reply-To"] == letter.thread(first, game.code)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip(" <>")
    assert link.startswith("https://otto.example.org/unsubscribe/")
    assert links.read_unsubscribe(link.split("/")[-2]) == first.mail_key


def test_a_reply_is_bound_to_this_turn_of_this_seat() -> None:
    game, first, mail = turn_mail()
    found = links.read_address(mail["Reply-To"])
    assert found
    purpose, token = found
    claimed = links.read_turn(token)
    assert claimed
    assert (purpose, claimed.code) == (links.REPLY, game.code)
    assert claimed.seat == game.places.get(player=first).number
    assert claimed.turn == waiting_since(game, first).turn
    assert links.holds(claimed, purpose=links.REPLY, player_id=first.pk)
    assert not links.holds(claimed, purpose=links.TURN, player_id=first.pk), "a link is another thing"


def test_mails_of_a_game_are_one_thread_for_each_player_and_each_has_a_name_of_its_own() -> None:
    game, first, second = table()
    mails = [
        read(compose.message(delivery(who, kind, game, seq=0), now=SOON))
        for who, kind in ((first, "turn"), (first, "over"), (second, "started"))
    ]
    assert mails[0]["References"] == mails[1]["References"] != mails[2]["References"]
    assert len({mail["Message-ID"] for mail in mails}) == 3


def test_a_mail_that_is_made_again_is_the_same_mail() -> None:
    game, first, _ = table()
    row = delivery(first, "turn", game, seq=waiting_since(game, first).turn)
    one, two = (read(compose.message(row, now=SOON)) for _ in range(2))
    assert one["Message-ID"] == two["Message-ID"] == letter.message_id(row)
    assert re.fullmatch(rf"<turn\.{row.pk}\.[a-z2-7]{{16}}@play\.example\.org>", one["Message-ID"])
    assert [part(one, kind) for kind in ("plain", "html")] == [part(two, kind) for kind in ("plain", "html")]
    assert one["From"] == "OTTO online <otto@example.org>"


@pytest.mark.parametrize(
    "evil", ["a\r\nBcc: eve@example.org", "<b>x</b>", '"><img src=x>', "{{ x }}", "%s %(who)s"]
)
def test_no_name_and_no_chat_can_break_out_of_its_place(evil: str) -> None:
    game, first, second = table()
    Player.objects.filter(pk=second.pk).update(name=evil[:30])  # past every form
    Message.objects.create(game=game, player=second, text=evil + "\n<script>x</script>", at=NOW)
    for kind in ("turn", "reminder", "started", "over"):
        mail = read(compose.message(delivery(first, kind, game, seq=0), now=SOON))
        assert mail["Bcc"] is None
        assert mail.defects == []
        html = part(mail, "html")
        assert "<script>" not in html
        assert "<b>x</b>" not in html
        assert "<img src=x>" not in html
        assert "&lt;script&gt;" in html
        assert "<script>x</script>" in part(mail, "plain"), "a text has nothing to break out of"


# -------------------------------------------------------------------------------------------------- the turn


def test_a_turn_has_everything_to_play_it_in_text_and_on_a_page() -> None:
    game, first, mail = turn_mail()
    shown = selectors.game_for(first, game.code)
    seat = game.places.get(player=first).number
    watch = waiting_since(game, first)
    token = links.turn_token(
        purpose=links.TURN, code=game.code, seat=seat, turn=watch.turn, player_id=first.pk
    )
    text, html = part(mail, "plain"), part(mail, "html")
    assert engine.text.board(shown.view) in text
    for body in (text, html):
        for link in (
            f"https://otto.example.org/turn/{token}/",
            f"https://otto.example.org/games/{game.code}/",
            "https://otto.example.org/next/",
            f"https://otto.example.org/mute/{links.mute_token(first.mail_key, game.code)}/",
            "https://otto.example.org/unsubscribe/",
            "https://otto.example.org/me/notices/",
        ):
            assert link in body
        assert "Tuesday 10 March, 12:01 (UTC)" in body
        assert "2 days for this turn, then 7 days in reserve" in body.replace("\xa0", " ")
        assert words_for(shown.view).coded(shown.view["you"]["hand"]) in body
        for line in engine.text.summary(shown.view, words_for(shown.view))[1:]:
            assert line in body
        for action in shown.legal[:1]:
            assert action.replace("-", " ") in body
    assert f"Tile {shown.view['seats'][seat - 1]['table']}" in html


def test_every_picture_is_in_the_mail_and_none_comes_from_elsewhere() -> None:
    _, _, mail = turn_mail()
    assert mail.get_content_type() == "multipart/related"
    html = part(mail, "html")
    named = set(re.findall(r'src="cid:([^"]+)"', html))
    pictures = {piece["Content-ID"].strip("<>"): piece for piece in mail.walk() if piece["Content-ID"]}
    assert named == set(pictures)
    assert len(named) >= 2
    for piece in pictures.values():
        assert piece.get_content_type() == "image/png"
        assert piece.get_content_disposition() == "inline"
        assert piece.get_content().startswith(b"\x89PNG")
    assert not re.search(r'src="(?!cid:)|<link|url\(|<script|@import', html)
    assert all(re.search(r'alt="[^"]+"', image) for image in re.findall("<img[^>]+>", html))


def test_no_part_is_too_large_for_mail_programs() -> None:
    _, _, mail = turn_mail()
    assert len(part(mail, "html").encode()) < 60_000, "beyond 102 kB some show only the beginning"
    assert len(mail.as_bytes()) < 400_000
    assert all(len(line) < 998 for line in mail.as_bytes().splitlines())


def test_the_story_is_what_happened_since_the_last_turn_of_the_reader() -> None:
    game = game_of("ada", "bob", "cleo")
    for i in range(5):
        play_turn(game, NOW + timedelta(minutes=i))
    game.refresh_from_db()
    seat = next(place for place in game.places.all() if game.to_act >> (place.number or 0) & 1)
    assert seat.player
    seen = scene.scene(seat.player, game.code, NOW + HOUR)
    lines = selectors.log_for(seat.player, game.code, after=0, limit=100)["results"]
    own = max(line["seq"] for line in lines if line["seat"] == seat.number and line["seq"] <= seen.turn)
    words = words_for(seen.view)
    since = [
        engine.text.tell(event, words) for line in lines if line["seq"] > own for event in line["events"]
    ]
    assert seen.facts["story"] == since
    assert seen.latest == since[-len(seen.latest) :]
    html = part(read(compose.message(delivery(seat.player, "turn", game, seq=seen.turn), now=NOW)), "html")
    assert all(sentence in html for sentence in since)


def test_chat_is_told_once_and_hidden_lines_and_ones_own_are_not() -> None:
    game, first, second = table()
    for who, said, hidden in ((second, "hello", False), (second, "rude", True), (first, "mine", False)):
        Message.objects.create(game=game, player=who, text=said, at=NOW, hidden=hidden)
    row = delivery(first, "turn", game, seq=waiting_since(game, first).turn)
    text = part(read(compose.message(row, now=SOON)), "plain")
    assert f"\n{second.name}:\n> hello\n" in text
    assert "rude" not in text
    assert "mine" not in text
    Delivery.objects.filter(pk=row.pk).update(status="sent", sent_at=SOON)
    Message.objects.create(game=game, player=second, text="and now?", at=SOON + HOUR)
    again = part(read(compose.message(delivery(first, "reminder", game, seq=0), now=SOON + DAY)), "plain")
    assert "hello" not in again
    assert "and now?" in again


def test_examples_are_legal_and_are_read_as_what_they_mean() -> None:
    rng = random.Random("examples")
    game = game_of("ada", "bob", edition="bannan-nl")
    met: set[str] = set()
    for step in range(60):
        found = selectors.table(game.code)
        state = found.state
        assert state
        if state.over:
            break
        seat = state.to_act[0]
        legal = engine.legal_actions(state, seat)
        some = scene.examples(legal, engine.text.ENGLISH)
        assert 0 < len(some) <= scene.EXAMPLES
        assert len(some) == len(set(some))
        for typed, meaning in some:
            action = engine.read(state, seat, typed)
            assert action in legal
            assert meaning == engine.text.choice(action)
            met.add(action.split("-")[0])
        who = found.place(seat).player
        assert who
        action = rng.choice(legal)
        turns.play(
            player=who, code=game.code, text=action, seq=state.seq, key="", now=NOW + timedelta(seconds=step)
        )
    assert len(met) >= 10


# --------------------------------------------------------------------------------------- time, zone, language


@pytest.mark.parametrize(
    ("language", "zone", "expected"),
    [
        ("en", "America/New_York", "Tuesday 10 March, 08:01 (America/New York)"),
        ("it", "Europe/Rome", "Martedì 10 Marzo, 13:01 (Europe/Rome)"),
        ("nl", "Europe/Amsterdam", "dinsdag 10 maart, 13:01 (Europe/Amsterdam)"),
        ("en", "Nowhere/Gone", "Tuesday 10 March, 12:01 (UTC)"),
    ],
)
def test_a_mail_speaks_the_language_of_its_reader_and_keeps_their_time(
    language: str, zone: str, expected: str
) -> None:
    _, _, mail = turn_mail(language=language, time_zone=zone)
    assert expected in part(mail, "plain")
    assert f'<html lang="{language}">' in part(mail, "html")
    assert expected in part(mail, "html")


def test_a_clock_that_rests_or_lives_on_its_reserve_is_told_as_such() -> None:
    game, first, _ = table()
    place = game.places.get(player=first)

    def told(now: Any) -> str:
        place.refresh_from_db()
        return " ".join(scene.time_words(place, now))

    assert told(NOW + 3 * DAY).startswith("Your reserve is running, with 6 days and 1 minute left.")
    Game.objects.filter(pk=game.pk).update(paused_from=SOON, paused_until=NOW + 5 * DAY)
    resting = told(NOW + DAY)
    assert resting.startswith("Your clock rests: an agreed pause. You have 2 days for this turn")
    assert "Sunday 15 March, 12:00" in resting
    Game.objects.filter(pk=game.pk).update(bank=0)
    game.refresh_from_db()
    game.clocks[str(place.number)]["bank"] = 0.0
    game.save()
    assert "in reserve" not in told(NOW + DAY)


# -------------------------------------------------------------------------------------------- the other kinds


def kinds(game: Game, first: Player, second: Player) -> Iterator[tuple[Delivery, str]]:
    """One mail of every kind, and a sentence that only it has."""
    turn = waiting_since(game, first).turn
    seat = game.places.get(player=first).number
    yield delivery(first, "turn", game, seq=turn), "Your turn"
    yield delivery(first, "reminder", game, seq=turn), "Still your turn"
    yield delivery(second, "started", game, seq=0), f"Waiting for {first.name}."
    yield delivery(second, "blind", game, seq=0), "A blind match decides"
    for what, own, other in (
        ("autoplay", "The server played for you.", f"The server played for {first.name}."),
        ("resigned", "Your side has resigned.", "That side has resigned."),
    ):
        yield delivery(first, "timeout", game, seat=seat, what=what, seq=0), own
        yield delivery(second, "timeout", game, seat=seat, what=what, seq=0), other
    yield delivery(first, "digest"), "1 game waits for you"
    yield delivery(first, "vacation", left=2 * 86_400), "You have 2 days of vacation left."
    yield delivery(second, "vacation", left=0), "You have 0 minutes of vacation left."
    yield delivery(first, "test"), "It works"
    yield delivery(first, "cancelled", game), "The game was cancelled"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_mail_can_be_made_in_every_language(language: str) -> None:
    for name in ("ada", "bob"):
        wishes(name, language=language)
    game, first, second = table()
    for row, sentence in kinds(game, first, second):
        mail = read(compose.message(row, now=SOON))
        text, html = part(mail, "plain"), part(mail, "html")
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
def test_the_end_is_told_with_who_won(by: str, winner: str) -> None:
    game, first, second = table()
    who = first if by == "first" else second
    turns.play(player=who, code=game.code, text="resign", seq=None, key="", now=SOON)
    reader = first
    mail = read(compose.message(delivery(reader, "over", game, seq=1), now=SOON))
    assert winner.format(second=second.name) in part(mail, "plain")
    assert mail["Reply-To"] is None
    assert "/turn/" not in part(mail, "html")
    late = delivery(
        reader, "timeout", game, seat=game.places.get(player=first).number, what="resigned", seq=1
    )
    assert winner.format(second=second.name) in part(read(compose.message(late, now=SOON)), "html")


def test_partners_win_together_and_see_each_others_cards() -> None:
    game = game_of("ada", "bob", "cleo", "dirk", mode="pairs")
    ada = player("ada")
    shown = selectors.game_for(ada, game.code).view
    mail = part(read(compose.message(delivery(ada, "started", game, seq=0), now=SOON)), "html")
    for card in shown["you"]["partner"]["hand"]:
        assert f"({card})" in mail
    turns.play(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=SOON)
    assert "Your side won" in part(
        read(compose.message(delivery(ada, "over", game, seq=1), now=SOON)), "html"
    )


def test_a_digest_lists_waiting_games_the_most_urgent_first_and_no_muted_one() -> None:
    ada = player("ada")
    games = [
        game_of("ada", name, clock_name=name_)
        for name, name_ in (("bob", "7d"), ("cleo", "12h"), ("dirk", "2d"))
    ]
    for game in games:
        if not waiting_since(game, ada).on:
            play_turn(game, NOW)
    games[2].places.filter(player=ada).update(muted=True)
    mail = read(compose.message(delivery(ada, "digest"), now=SOON))
    assert mail["Subject"] == "OTTO: 2 games wait for you"
    for kind in ("plain", "html"):
        body = part(mail, kind)
        assert body.index("OTTO with cleo") < body.index("OTTO with bob")
        assert "OTTO with dirk" not in body
        assert body.count("/turn/") >= 2
    assert mail["References"] is None
    for game in games[:2]:
        play_turn(game, SOON)
    with pytest.raises(compose.Nothing):
        compose.message(delivery(ada, "digest"), now=SOON)


def test_an_invitation_by_name_is_a_mail_until_it_is_answered() -> None:
    ada, bob = player("ada"), player("bob")
    game = lobby.create(player=ada, now=NOW, private=True)
    inviting.invite(player=ada, code=game.code, now=NOW, name="bob")
    mail = read(compose.message(delivery(bob, "invited", game), now=SOON))
    assert mail["Subject"] == "You are invited to a game of OTTO", "they have not met"
    assert "ada keeps a seat for you" in part(mail, "plain")
    assert "https://otto.example.org/me/notices/" in part(mail, "plain")
    assert f"https://otto.example.org/games/{game.code}/" in part(mail, "plain")
    inviting.decline(player=bob, code=game.code, now=SOON)
    with pytest.raises(compose.Nothing):
        compose.message(delivery(bob, "invited", game), now=SOON)


def test_an_invitation_by_email_has_the_same_looks_and_a_link_to_refuse_all_further_ones() -> None:
    game = lobby.create(player=player("ada"), now=NOW)
    found = inviting.invite(player=player("ada"), code=game.code, now=NOW, email="guest@example.org")
    mail = read(invitations.message(found))
    link = f"https://otto.example.org/invitations/{links.invitation_token(found.pk)}/"
    token = links.refusal_token(digest_of_address("guest@example.org"))
    refuse = f"https://otto.example.org/no-mail/{token}/"
    for kind in ("plain", "html"):
        assert link in part(mail, kind)
        assert refuse in part(mail, kind)
        assert "unsubscribe" not in part(mail, kind)
    assert mail["List-Unsubscribe"].strip() == f"<{refuse}>"
    assert mail["Message-ID"] == read(invitations.message(found))["Message-ID"]
    assert mail["Auto-Submitted"] == "auto-generated"


# --------------------------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    ("names", "terms"), [(("ada", "bob"), {}), (("ada", "bob", "cleo", "dirk"), {"mode": "pairs"})]
)
def test_two_worlds_that_differ_in_what_the_reader_cannot_know_give_the_same_mail(
    names: tuple[str, ...], terms: dict[str, Any]
) -> None:
    rng = random.Random("worlds")
    game = game_of(*names, **terms)
    for step in range(16):
        found = selectors.table(game.code)
        state = found.state
        assert state
        if step % 7 == 3:
            real = Secret.objects.get(game=game).state
            for name in names:
                who = player(name)
                seat = game.places.get(player=who).number
                row = delivery(who, "turn", game, seq=0)
                here = compose.message(row, now=SOON)
                other = engine.dump(other_world(state, seat, rng))
                Secret.objects.filter(game=game).update(state=other)
                assert other != real
                there = compose.message(row, now=SOON)
                Secret.objects.filter(game=game).update(state=real)
                assert (here.body, here.alternatives, here.subject) == (
                    there.body,
                    there.alternatives,
                    there.subject,
                )
                assert [bytes(one) for one in here.attachments] == [bytes(two) for two in there.attachments]
        seat = state.to_act[0]
        who = found.place(seat).player
        assert who
        action = rng.choice(engine.legal_actions(state, seat))
        turns.play(player=who, code=game.code, text=action, seq=state.seq, key="", now=NOW)


def test_whoever_does_not_sit_there_gets_no_mail_of_a_game() -> None:
    game, _, _ = table()
    with pytest.raises(selectors.NoSuchGame):
        compose.message(delivery(player("eve"), "turn", game, seq=0), now=SOON)
    with pytest.raises(KeyError):
        compose.message(delivery(player("ada"), "moved", game, seq=0), now=SOON)
