"""The options of rules version 2 at every entry point: API, page, record, rematch."""

from __future__ import annotations

import pytest

from games import engine
from games.engine import fairness
from games.engine.record import verify_record
from games.models import Game, GameSecrets
from games.selectors import load_game
from games.services import invitations
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game
from tests.factories.stored_positions import store_position

pytestmark = pytest.mark.django_db


def resign_and_read_record(game: Game, name: str = "ada") -> dict[str, object]:
    api = Api(name)
    game.refresh_from_db()
    assert api.play(game.code, "resign", game.seq).status_code == 201
    record: dict[str, object] = api.get(f"games/{game.code}/record/").json()
    return record


@pytest.mark.parametrize(
    ("chosen", "cards", "seniority"),
    [
        ({"edition": "pergioco-72"}, False, "lot"),
        ({"edition": "pergioco-72", "cards": True, "seniority": "account"}, True, "account"),
        ({"edition": "bannan-nl"}, True, "account"),
        ({"edition": "bannan-nl", "cards": False, "seniority": "lot"}, False, "lot"),
    ],
)
def test_the_edition_decides_where_the_game_does_not_say(
    chosen: dict[str, object], cards: bool, seniority: str
) -> None:
    options = Api("ada").post("games/", chosen).json()["options"]
    assert (options["cards"], options["seniority"]) == (cards, seniority)


def test_a_repeated_request_that_leaves_it_to_the_edition_is_the_same_request() -> None:
    api, body = Api("ada"), {"edition": "pergioco-72"}
    codes = {api.post("games/", body, Idempotency_Key="k1").json()["id"] for _ in range(2)}
    assert len(codes) == 1


def test_a_seniority_by_lot_is_in_the_record_and_follows_from_the_key() -> None:
    lists = set()
    for _ in range(6):
        game = start_cast_game("ada", "bob", "cleo", "dirk", seniority_rule="lot")
        record = resign_and_read_record(game)
        for name in ("bob", "cleo"):
            record = resign_and_read_record(game, name)
        seed = bytes(GameSecrets.objects.get(game=game).server_seed)
        client_seeds = record["fairness"]["client_seeds"]  # type: ignore[index]
        key = fairness.derive_game_key(seed, client_seeds)
        assert record["seniority"] == fairness.shuffle_items(key, "seniority", [1, 2, 3, 4])
        assert record["options"]["seniority"] == "lot"  # type: ignore[index]
        assert verify_record(record).is_ok
        lists.add(tuple(record["seniority"]))  # type: ignore[arg-type]
    assert len(lists) > 1, "between the same people it is not always the same one"


def test_without_a_lot_the_oldest_account_comes_first() -> None:
    assert start_cast_game("bob", "ada", seniority_rule="account").seniority == [2, 1]


def test_with_cards_from_2_nobody_holds_a_card_in_the_first_match() -> None:
    game = start_cast_game("ada", "bob", cards_from=2)
    view = Api("ada").get(f"games/{game.code}/").json()
    assert ([seat["cards"] for seat in view["seats"]], view["deck_left"], view["phase"]) == (
        [0, 0],
        33,
        "place",
    )
    record = resign_and_read_record(game)
    assert record["options"]["cards_from"] == 2  # type: ignore[index]
    assert "hints" not in record["options"]  # type: ignore[operator]
    assert verify_record(record).is_ok


def test_a_game_that_began_under_version_1_goes_on_under_it() -> None:
    game = start_cast_game("ada", "bob", cards=False)
    Game.objects.filter(pk=game.pk).update(rules_version=1)
    loaded_game = load_game(game.code)
    assert loaded_game.state
    setup = loaded_game.state.setup
    old_setup = engine.Setup(seats=2, cards=False, seniority=setup.seniority, key=setup.key, rules=1)
    state, events = engine.start_game(old_setup)
    store_position(game, state)
    Game.objects.filter(pk=game.pk).update(initial_events=events)
    api = Api("ada" if state.turn == 1 else "bob")
    answer = api.play(game.code, engine.legal_actions(state, state.turn)[0], 0)
    assert answer.status_code == 201
    assert answer.json()["options"] == {"cards": False, "obligation": "strict", "target": 24}
    assert '"rules":1' in GameSecrets.objects.get(game=game).state
    record = resign_and_read_record(game)
    assert (record["rules"], record["options"]) == (1, answer.json()["options"])
    assert verify_record(record).is_ok


def test_a_rematch_has_the_options_of_the_game_before() -> None:
    chosen = {"cards_from": 2, "seniority_rule": "lot", "hints": False}
    game = start_cast_game("ada", "bob", **chosen)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
    rematch = invitations.request_rematch(player=player("ada"), code=game.code, now=NOW)
    assert {name: getattr(rematch, name) for name in chosen} == chosen


def test_the_page_offers_them_and_keeps_what_was_chosen() -> None:
    browser = open_browser("ada")
    page = browser.get("/games/new/").content.decode()
    for name in ("cards", "cards_from", "seniority_rule", "hints"):
        assert f'name="{name}"' in page
    assert page.count('<option value="" selected>as the rulebook says</option>') == 2, "cards and seniority"
    form = {"preset": "open", "seats": "2", "edition": "pergioco-72"}
    assert browser.post("/games/new/", form).status_code == 302
    usual = Game.objects.latest("pk")
    assert (usual.cards, usual.cards_from, usual.seniority_rule, usual.hints) == (False, 1, "lot", True)
    chosen = {"cards": "True", "cards_from": "2", "seniority_rule": "account", "hints": "False"}
    assert browser.post("/games/new/", form | chosen).status_code == 302
    game = Game.objects.latest("pk")
    assert (game.cards, game.cards_from, game.seniority_rule, game.hints) == (True, 2, "account", False)
    page = browser.get(f"/games/{game.code}/").content.decode()
    assert browser.post("/games/new/", form | {"edition": "bannan-nl", "cards": "False"}).status_code == 302
    assert not Game.objects.latest("pk").cards
    assert "With secret cards from the second match on" in page or "with secret cards from the second" in page
    assert "o help with closing figures" in page


@pytest.mark.parametrize(
    ("field", "word"),
    [("cards", "on"), ("cards_from", "3"), ("cards_from", "x"), ("seniority_rule", "age"), ("hints", "1")],
)
def test_the_page_refuses_another_word_beside_its_field(field: str, word: str) -> None:
    answer = open_browser("ada").post("/games/new/", {"preset": "open", "seats": "2", field: word})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert not Game.objects.exists()
