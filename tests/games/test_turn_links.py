"""Playing from a mail: the link of a turn, and the small links under it; without cookies or scripts."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import engine, links, selectors
from games.models import Action, Game, Player, Seat, Secret
from games.selectors.clocks import watch_of
from games.selectors.turns import lasts, seat_of
from games.services import invitations, lobby, sweep, turns
from tests.engine.positions import position

from .cast import game_of, player

pytestmark = pytest.mark.django_db

OPTION = re.compile(r'<option value="([^"]+)"')
BUTTON = re.compile(r'name="action" value="([^"]+)"')


def stranger() -> Client:
    """A browser that nobody is signed in with, and whose forms are checked as a real one's."""
    return Client(enforce_csrf_checks=True)


def new_game(*names: str, **terms: Any) -> Game:
    """A game that has just begun by the clock on the wall, which the pages read."""
    now = timezone.now()
    game = lobby.create(player=player(names[0]), now=now, seats=len(names), **terms)
    for name in names:
        if name != names[0] and game.private:
            invitations.invite(player=player(names[0]), code=game.code, name=player(name).name, now=now)
        lobby.join(player=player(name), code=game.code, now=now, client_seed=name)
    game.refresh_from_db()
    return game


def set_up(game: Game, **facts: Any) -> Game:
    """A game whose first decision is in a position of our own."""
    found = selectors.table(game.code)
    assert found.state
    state = position(setup=found.state.setup, turn=found.state.turn, **facts)
    Secret.objects.filter(game=game).update(state=engine.dump(state))
    Game.objects.filter(pk=game.pk).update(phase=state.phase)
    game.refresh_from_db()
    return game


def on_turn(game: Game) -> Seat:
    game.refresh_from_db()
    return next(place for place in game.places.all() if place.number and game.to_act >> place.number & 1)


def link(game: Game, seat: Seat | None = None, turn: int | None = None, purpose: str = links.TURN) -> str:
    """The address in the mail about a turn, of whoever is to act."""
    seat = seat or on_turn(game)
    assert seat.number
    assert seat.player_id
    turn = watch_of(game, seat.number).turn if turn is None else turn
    token = links.turn_token(
        purpose=purpose, code=game.code, seat=seat.number, turn=turn, player_id=seat.player_id
    )
    return f"/turn/{token}/"


def form(page: str, action: str | None = None) -> dict[str, str]:
    """What a person sends who picks the first thing that the page offers, or that action."""
    offered = [*BUTTON.findall(page), *OPTION.findall(page)]
    seq, key = (re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("seq", "key"))  # type: ignore[index]
    assert action is None or action in offered
    return {"action": unescape(action or offered[0]), "seq": seq, "key": key}


def get(path: str, status: int = 200, client: Client | None = None) -> str:
    answer = (client or stranger()).get(path)
    assert answer.status_code == status
    return answer.content.decode()


# ---------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize(
    ("names", "terms"),
    [
        (("ada", "bob"), {"cards": True, "target": 8}),
        (("ada", "bob", "cleo", "dirk"), {"mode": "pairs", "target": 8}),
        (("ada", "bob", "cleo"), {"edition": "bannan-nl", "cards": True, "target": 8}),
    ],
)
def test_a_whole_game_is_played_by_links_alone(names: tuple[str, ...], terms: dict[str, Any]) -> None:
    game = new_game(*names, **terms)
    page = ""
    for _ in range(3000):
        game.refresh_from_db()
        if game.status == Game.Status.TIEBREAK:
            sweep.sweep(now=timezone.now())
            continue
        if game.status == Game.Status.OVER:
            break
        visitor, path = stranger(), link(game)
        answer = visitor.post(path, form(get(path, client=visitor)), follow=True)
        assert answer.status_code == 200
        assert not visitor.cookies
        page = answer.content.decode()
    assert game.status == Game.Status.OVER
    assert "The game is over" in page
    assert set(Action.objects.filter(game=game).values_list("by", flat=True)) <= {"player", "clock"}


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("query", ["", "?resign", "?cell=c2", "?action=draw&sure=yes", "?action=B-c2-0"])
def test_to_look_never_acts_and_leaves_no_trace(method: str, query: str) -> None:
    game = new_game("ada", "bob")
    before = Game.objects.values().get(pk=game.pk)
    visitor = stranger()
    answer = getattr(visitor, method)(link(game) + query)
    assert answer.status_code == 200
    assert not Action.objects.exists()
    assert Game.objects.values().get(pk=game.pk) == before
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    assert "noindex" in answer["X-Robots-Tag"]
    assert answer["X-Frame-Options"] == "DENY"
    assert not answer.cookies


def test_the_page_needs_nothing_from_elsewhere_and_is_small() -> None:
    game = new_game("ada", "bob", "cleo", "dirk")
    path = link(game)
    get(path)
    with CaptureQueriesContext(connection) as queries:
        page = get(path)
    assert len(queries) <= 12, [query["sql"][:90] for query in queries]
    assert len(page) < 100_000
    assert "<script" not in page
    assert not re.search(r"""(?:src|href|action|url)\s*[=(]\s*["']?(?:https?:)?//""", page)


def test_a_tile_is_placed_by_its_cell_then_its_rotation_then_played() -> None:
    game = set_up(new_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = link(game)
    first = get(path)
    cell = re.search(r'href="\?cell=(\w\d)#board"', first)[1]  # type: ignore[index]
    second = get(f"{path}?cell={cell}")
    way = re.search(r'href="\?action=([^"#]+)#board"', second)
    action = way[1] if way else re.search('<button class="button" name="action" value="([^"]+)"', second)[1]  # type: ignore[index]
    third = get(f"{path}?action={action}")
    assert f'name="action" value="{action}"' in third
    assert not Action.objects.exists()
    assert stranger().post(path, form(third, action)).status_code == 200
    assert Action.objects.get().action == action


def test_a_drawn_tile_is_placed_on_the_same_link_in_the_same_turn() -> None:
    game = set_up(new_game("ada", "bob"), phase="start", hands={1: ["MI"], 2: ["MI"]}, table={1: "E", 2: "F"})
    seat, path = on_turn(game), link(game)
    answer = stranger().post(path, form(get(path), "draw"))
    assert (answer.status_code, answer["Location"]) == (302, path)
    assert seat.number
    page = get(path)
    assert "Choose a marked cell" in page or "Play it" in page
    stranger().post(path, form(page))
    assert [line.seat for line in Action.objects.order_by("seq")] == [seat.number, seat.number]
    get(path, 410)


def test_a_turn_that_one_action_brings_oneself_has_its_link_at_once() -> None:
    """Of a second turn no mail tells, because its player made it: without the link they would be stuck."""
    game = set_up(
        new_game("ada", "bob"),
        phase="start",
        hands={1: ["TT"], 2: ["TT"]},
        table={1: "E", 2: "F"},
        tower="EEEEEEEE",
    )
    seat, path = on_turn(game), link(game)
    stranger().post(path, form(get(path), "TT"))
    answer = stranger().post(path, form(get(path)))
    assert answer.status_code == 302
    assert answer["Location"] != path
    assert answer["Location"] == link(Game.objects.get(pk=game.pk), seat)
    get(path, 410)
    page = get(answer["Location"])
    assert "Your turn" in page


def test_an_8_is_answered_by_link() -> None:
    game = set_up(
        new_game("ada", "bob"),
        cells={"b3": "B90", "c3": "D90", "d3": "B270"},
        marked={("c3+c4+d3+d4", 2): 2, ("b3+b4+c3+c4", 2): 1},
        drawn="E",
        hands={1: ["OO"], 2: ["OO"]},
    )
    state = selectors.table(game.code).state
    assert state
    draft = state.draft()
    maker = on_turn(game)
    other = next(place for place in game.places.all() if place.number != maker.number)
    assert other.number
    draft.phase, draft.asked, draft.maker = "react", (other.number,), maker.number
    Secret.objects.filter(game=game).update(state=engine.dump(draft.freeze()))
    watches = {str(other.number): game.clocks[str(maker.number)], str(maker.number): {"bank": 1.0, "turn": 0}}
    Game.objects.filter(pk=game.pk).update(phase="react", to_act=1 << other.number, clocks=watches)
    game.refresh_from_db()
    page = get(link(game))
    assert form(page, "8")["action"] == "8"
    assert form(page, "pass")["action"] == "pass"
    assert stranger().post(link(game), form(page, "8")).status_code == 200
    assert Action.objects.get().action == "8"


def test_a_form_sent_twice_is_played_once_and_answered_twice() -> None:
    game = set_up(new_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = link(game)
    sent = form(get(path))
    answers = [stranger().post(path, sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert Action.objects.count() == 1
    assert stranger().post(path, sent | {"key": "another"}).status_code == 410
    assert stranger().post(path, sent | {"key": ""}).status_code == 410
    assert Action.objects.count() == 1


@pytest.mark.parametrize("seq", ["9" * 5000, "", "-1", "x"])
@pytest.mark.parametrize("action", ["draw", "J-c3-0", "hello", "", "x" * 5000])
def test_what_cannot_be_played_is_told_on_the_page(action: str, seq: str) -> None:
    game = new_game("ada", "bob")
    answer = stranger().post(link(game), {"action": action, "seq": seq, "key": "k"})
    assert answer.status_code == 422
    assert 'class="notice error"' in answer.content.decode()
    assert not Action.objects.exists()


def test_resigning_asks_once_more() -> None:
    game = new_game("ada", "bob")
    path = link(game)
    assert "?resign" in get(path)
    assert "Yes, resign the game" in get(f"{path}?resign")
    answer = stranger().post(path, {"action": "resign", "key": "k"})
    assert "Yes, resign the game" in answer.content.decode()
    assert not Action.objects.exists()
    answer = stranger().post(path, {"action": "resign", "sure": "yes", "key": "k"})
    assert answer.status_code == 200
    assert "The game is over" in answer.content.decode()
    assert Game.objects.get().status == Game.Status.OVER


def test_no_other_word_for_resigning_gets_around_the_question() -> None:
    game = new_game("ada", "bob")
    for said in ("opgeven", "I resign", "mi arrendo", " Resign. "):
        answer = stranger().post(link(game), {"action": said, "seq": "0", "key": "k"})
        assert answer.status_code == 422
    assert not Action.objects.exists()


# ---------------------------------------------------------------------------------------- for that turn alone


def test_a_link_that_was_not_made_here_leads_nowhere() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    other = next(place for place in game.places.all() if place != seat)
    good = link(game)
    code, number, turn, signature = good.strip("/").split("/")[1].split("-")
    forged = [
        f"/turn/{code}-{other.number}-{turn}-{signature}/",
        f"/turn/{code}-{number}-{int(turn) + 1}-{signature}/",
        f"/turn/{new_game('cleo', 'dirk').code}-{number}-{turn}-{signature}/",
        f"/turn/{code}-{number}-{turn}-{signature[:-1]}/",
        f"/turn/{code}-{number}-{turn}-{'a' * 16}/",
        f"/turn/{code}-{'9' * 30}-{turn}-{signature}/",
        "/turn/nonsense/",
        "/turn/%00-1-1-x/",
        link(game, purpose=links.REPLY),
        link(game, purpose=links.RESIGN),
    ]
    for path in forged:
        for method in ("get", "post"):
            assert getattr(stranger(), method)(path).status_code == 404, path
    assert not Action.objects.exists()
    get(good)


def test_a_seat_that_has_another_player_now_leaves_old_links_worthless() -> None:
    game = new_game("ada", "bob")
    seat, path = on_turn(game), link(game)
    Seat.objects.filter(pk=seat.pk).update(player=player("cleo"))
    get(path, 404)
    Seat.objects.filter(pk=seat.pk).update(player=None)
    get(path, 404)


def test_a_link_opens_its_own_turn_and_not_the_next_one_of_the_seat() -> None:
    game = new_game("ada", "bob", cards=False)
    old = link(game)
    for _ in range(2):
        path = link(game)
        stranger().post(path, form(get(path)))
        game.refresh_from_db()
    seat = seat_of(old.strip("/").split("/")[1], links.TURN)
    assert seat
    assert on_turn(game) == seat[0]
    assert not lasts(*seat)
    page = get(old, 410)
    assert "<select" not in page
    played = Action.objects.count()
    assert stranger().post(old, {"action": "resign", "sure": "yes", "key": "k"}).status_code == 410
    current = form(get(link(game)))
    assert stranger().post(old, current).status_code == 410
    assert Action.objects.count() == played


def test_whoever_is_signed_in_plays_for_the_seat_of_the_link_only() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    assert seat.player
    other = next(place.player for place in game.places.all() if place != seat)
    assert other
    visitor = stranger()
    visitor.force_login(other)
    page = get(link(game), client=visitor)
    assert f"You play as <b>{seat.player.name}</b>" in page
    assert "/me/profile/" not in page
    visitor.post(link(game), form(page))
    assert Action.objects.get().seat == seat.number


def test_a_turn_that_was_played_explains_itself() -> None:
    game = set_up(new_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = link(game)
    done = stranger().post(path, form(get(path))).content.decode()
    assert "put tile E" in done
    page = get(path, 410)
    assert "You have played it already" in page
    assert "put tile E" in page
    assert f"/games/{game.code}/" in page
    assert "/next/" in page


def test_a_turn_that_the_clock_played_says_so() -> None:
    game = new_game("ada", "bob", cards=False, vacation=False)
    path = link(game)
    assert game.deadline
    sweep.sweep(now=game.deadline + timedelta(seconds=1))
    page = get(path, 410)
    assert "Your time was up, so the clock played for you" in page


def test_a_game_that_ended_otherwise_says_so() -> None:
    game = new_game("ada", "bob")
    path, seat = link(game), on_turn(game)
    other = next(place.player for place in game.places.all() if place != seat)
    assert other
    turns.play(player=other, code=game.code, text="resign", seq=None, key="", now=timezone.now())
    page = get(path, 410)
    assert "The game is over" in page
    assert seat.player
    assert f"Won by {seat.player.name}" in page


def test_an_old_link_of_a_private_game_tells_a_stranger_nothing() -> None:
    game = set_up(new_game("ada", "bob", private=True), drawn="E", cells={"c3": "B0"})
    path = link(game)
    assert stranger().post(path, form(get(path))).status_code == 200
    page = get(path, 410)
    for secret in ("ada", "bob", "put tile", "viewBox", "<pre", "seat"):
        assert secret not in page
    assert "/accounts/login/?next=/games/" in page
    other = next(place.player for place in game.places.all() if place != on_turn(game))
    assert other
    turns.play(player=other, code=game.code, text="resign", seq=None, key="", now=timezone.now())
    assert get(path, 410) == page


def test_nothing_of_the_others_hands_or_of_chat_and_notes_is_on_the_page() -> None:
    game = set_up(new_game("ada", "bob"), phase="start", hands={1: ["MI"], 2: ["QL"]}, table={1: "E", 2: "F"})
    seat = on_turn(game)
    page = get(link(game))
    mine, theirs = ("Magnetic inversion", "Quantum leap")[:: 1 if seat.number == 1 else -1]
    assert mine in page
    assert theirs not in page
    assert "Say something" not in page
    assert "Your notes" not in page


def test_the_page_speaks_the_language_of_its_player_and_keeps_their_time() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    Player.objects.filter(pk=seat.player_id).update(language="it", time_zone="Asia/Tokyo")
    answer = stranger().get(link(game), headers={"accept-language": "nl"})
    page = answer.content.decode()
    assert answer["Content-Language"] == "it"
    assert "È il tuo turno" in page or "Tocca a te" in page or 'lang="it"' in page
    watch = watch_of(game, seat.number or 0)
    assert watch.at
    until = watch.at + watch.left + watch.bank + timedelta(hours=9)
    assert f"{until:%H:%M}" in page


def test_a_bot_that_is_next_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("ada", bots=("random",), cards=False)
    woken: list[str] = []
    monkeypatch.setattr("games.tasks.bots_answer.apply_async", lambda args, **options: woken.extend(args))
    if on_turn(game).bot:
        from games.services import bots

        bots.answer(code=game.code, now=timezone.now())
    game.refresh_from_db()
    path = link(game)
    stranger().post(path, form(get(path)))
    assert woken == [game.code]


# ------------------------------------------------------------------------------------------- the small links


def test_next_leads_to_the_game_that_is_most_urgent() -> None:
    ada = Client()
    answer = ada.get("/next/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")
    ada.force_login(player("ada"))
    assert "Nothing waits for you" in get("/next/", client=ada)
    calm = new_game("ada", "bob", clock_name="7d")
    urgent = new_game("ada", "cleo", clock_name="12h")
    for game in (calm, urgent):
        while on_turn(game).player != player("ada"):
            path = link(game)
            stranger().post(path, form(get(path)))
    assert ada.get("/next/")["Location"] == f"/games/{urgent.code}/"


def test_unsubscribing_takes_a_click_and_can_be_taken_back() -> None:
    ada = player("ada")
    path = f"/unsubscribe/{links.unsubscribe_token(ada.key)}/"
    assert "Stop all mails" in get(path)
    assert stranger().head(path).status_code == 200
    ada.refresh_from_db()
    assert ada.mails == Player.Mails.EACH
    for _ in range(2):
        # What a mail program sends of itself (RFC 8058).
        answer = stranger().post(
            path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded"
        )
        assert answer.status_code == 200
        ada.refresh_from_db()
        assert ada.mails == Player.Mails.NONE
    assert "You get no more mails" in get(path)
    assert "You get mails again" in stranger().post(path, {"undo": "1"}).content.decode()
    ada.refresh_from_db()
    assert ada.mails == Player.Mails.EACH


def test_muting_ends_the_mails_of_one_game_and_can_be_taken_back() -> None:
    game, other = new_game("ada", "bob"), new_game("ada", "cleo")
    path = f"/mute/{links.mute_token(player('ada').key, game.code)}/"
    assert "Mute this game" in get(path)
    assert not Seat.objects.filter(muted=True).exists()
    for _ in range(2):
        assert "is muted" in stranger().post(path).content.decode()
        assert Seat.objects.get(muted=True) == game.places.get(player=player("ada"))
    assert not other.places.filter(muted=True).exists()
    stranger().post(path, {"undo": "1"})
    assert not Seat.objects.filter(muted=True).exists()


def test_forged_small_links_lead_nowhere() -> None:
    game, ada = new_game("ada", "bob"), player("ada")
    unsubscribe, mute = links.unsubscribe_token(ada.key), links.mute_token(ada.key, game.code)
    forged = [
        f"/unsubscribe/{mute}/",
        f"/mute/{unsubscribe}/",
        f"/unsubscribe/{ada.key}/",
        f"/unsubscribe/{unsubscribe[:-1]}/",
        f"/mute/{links.mute_token(player('cleo').key, game.code)}/",
        f"/mute/{links.mute_token(ada.key, 'nosuchgame')}/",
        f"/mute/{links.mute_token('', game.code)}/",
    ]
    for path in forged:
        for method in ("get", "post"):
            assert getattr(stranger(), method)(path).status_code == 404, path
    assert player("ada").mails == Player.Mails.EACH
    assert not Seat.objects.filter(muted=True).exists()


def test_the_small_pages_are_kept_and_told_nowhere() -> None:
    game, ada = new_game("ada", "bob"), player("ada")
    for path in (
        f"/unsubscribe/{links.unsubscribe_token(ada.key)}/",
        f"/mute/{links.mute_token(ada.key, game.code)}/",
    ):
        answer = stranger().get(path)
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
        assert "noindex" in answer["X-Robots-Tag"]
        assert not answer.cookies


def test_whoever_plays_by_link_or_opens_a_page_has_come_back() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    assert seat.player
    long_ago = timezone.now() - timedelta(days=3)
    Player.objects.update(mailed_at=long_ago + timedelta(days=1), seen_at=long_ago)
    path = link(game)
    page = get(path)
    seat.player.refresh_from_db()
    assert seat.player.seen_at == long_ago  # a mail scanner may have looked
    stranger().post(path, form(page))
    seat.player.refresh_from_db()
    assert seat.player.seen_at
    assert seat.player.seen_at > long_ago
    other = next(place.player for place in game.places.all() if place != seat)
    assert other
    browser = Client()
    browser.force_login(other)
    browser.get("/games/")
    other.refresh_from_db()
    first = other.seen_at
    assert first
    assert first > long_ago
    browser.get("/games/")
    other.refresh_from_db()
    assert other.seen_at == first
