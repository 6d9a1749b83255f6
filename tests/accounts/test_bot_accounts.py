"""An account is declared a bot: with its owner's consent, permanently once it has played, and publicly."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Player, Token
from accounts.services import bot_accounts, players
from accounts.services.export import export_player_data
from common.service_errors import Conflict, Denied, Invalid, NotFound, ServiceError
from games.services import lobby
from tests.factories.bots import declare_bot
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game

pytestmark = pytest.mark.django_db
ACCOUNT = ("read", "account")


def make_code(owner: str = "dirk") -> str:
    return bot_accounts.make_owner_code(owner=player(owner), now=NOW)[0]


def find_code(name: str, **changes: Any) -> str | None:
    """Return the error code with which a declaration is refused, None if it is accepted."""
    arguments = {"owner_code": make_code(), "confirmation": name, "now": NOW} | changes
    try:
        bot_accounts.declare_bot(player=player(name), **arguments)
    except ServiceError as error:
        return error.code
    return None


def test_an_account_becomes_a_bot_of_the_player_who_made_the_code() -> None:
    bot = declare_bot("robo")
    assert (bot.is_bot, bot.bot_owner) == (True, player("dirk"))
    assert bot.display_name == "robo (bot)"
    assert player("dirk").display_name == "dirk"


def test_nobody_is_named_as_an_owner_without_a_code_of_theirs() -> None:
    code = make_code()
    assert find_code("robo", owner_code="dirk") == "bad-owner-code"
    assert find_code("robo", owner_code=code[:-1] + ("a" if code[-1] != "a" else "b")) == "bad-owner-code"
    assert find_code("robo", now=NOW + timedelta(days=1)) == "bad-owner-code"
    assert not player("robo").is_bot


def test_the_name_is_typed_as_a_confirmation() -> None:
    assert find_code("robo", confirmation="yes") == "not-confirmed"
    assert not player("robo").is_bot


def test_an_owner_is_another_person() -> None:
    assert find_code("robo", owner_code=make_code("robo")) == "bad-owner"
    code_before = make_code("other")
    declare_bot("other")
    assert find_code("robo", owner_code=code_before) == "bad-owner"
    with pytest.raises(Conflict):
        make_code("other")


def test_who_runs_bots_does_not_become_one() -> None:
    declare_bot("robo", owner="dirk")
    assert find_code("dirk", owner_code=make_code("ada")) == "runs-bots"


def test_an_owner_has_so_many_bots_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_accounts, "MAX_BOTS_PER_OWNER", 2)
    declare_bot("one")
    declare_bot("two")
    assert find_code("three") == "too-many-bots"


def test_guests_and_operators_do_not_become_bots() -> None:
    Player.objects.filter(pk=player("robo").pk).update(is_guest=True)
    assert find_code("robo") == "bot-needs-account"
    Player.objects.filter(pk=player("robo").pk).update(is_guest=False, is_staff=True)
    assert find_code("robo") == "bot-needs-account"


def test_who_has_played_rated_games_as_a_person_does_not_become_a_bot() -> None:
    game = start_cast_game("robo", "ada", rated=True)
    type(game).objects.filter(pk=game.pk).update(status="over", finished_at=NOW)
    assert find_code("robo") == "played-as-person"


def test_who_still_plays_with_others_does_not_become_a_bot() -> None:
    game = start_cast_game("robo", "ada")
    assert find_code("robo") == "has-unfinished-games"
    type(game).objects.filter(pk=game.pk).update(status="over", finished_at=NOW)
    assert find_code("robo") is None


def test_who_waits_for_others_in_an_open_game_does_not_become_a_bot() -> None:
    lobby.create_game(player=player("robo"), now=NOW)
    assert find_code("robo") == "has-unfinished-games"


def test_practice_with_bots_of_the_site_is_in_nobodys_way() -> None:
    start_cast_game("robo", bots=("random",))
    assert find_code("robo") is None


def test_a_declaration_is_taken_back_until_the_bot_has_played() -> None:
    bot = declare_bot("robo")
    bot_accounts.withdraw_bot_declaration(player=bot, now=NOW)
    person = Player.objects.get(name="robo")
    assert (person.is_bot, person.bot_owner) == (False, None)
    with pytest.raises(NotFound):
        bot_accounts.withdraw_bot_declaration(player=person, now=NOW)
    declare_bot("robo")
    start_cast_game("robo", bots=("random",))
    with pytest.raises(Conflict) as conflict:
        bot_accounts.withdraw_bot_declaration(player=player("robo"), now=NOW)
    assert conflict.value.code == "bot-has-played"
    assert player("robo").is_bot


def test_a_bot_whose_owner_has_left_can_get_another_one_and_no_other_bot_can() -> None:
    declare_bot("robo")
    assert find_code("robo", owner_code=make_code("ada")) == "already-bot"
    players.delete_account(player=player("dirk"), confirmation="dirk", now=NOW)
    assert player("robo").bot_owner is None
    assert find_code("robo", owner_code=make_code("ada")) is None
    assert player("robo").bot_owner == player("ada")


def test_settings_of_a_bot_are_checked() -> None:
    bot = declare_bot("robo", about="Plays at random.", plays_cards=False, max_games=2)
    assert (bot.bot_profile.about, bot.bot_profile.max_games) == ("Plays at random.", 2)
    api = Api("robo", ("account", "read"))
    for change in (
        {"max_games": 0},
        {"max_games": "many"},
        {"about": "see https://example.org"},
        {"name": "x"},
    ):
        assert patch_bot(api, change).status_code == 400, change
    assert patch_bot(api, {"takes_challenges": False}).json()["takes_challenges"] is False


def patch_bot(api: Api, change: dict[str, Any]) -> Any:
    return api.client.patch("/api/v1/me/bot/", change, content_type="application/json", headers=api.headers)


def test_a_program_declares_its_account_and_reads_what_it_is() -> None:
    owner, bot = Api("dirk", ACCOUNT), Api("robo", ACCOUNT)
    assert bot.get("me/bot/").json()["code"] == "not-a-bot"
    created = owner.post("me/bots/code/")
    assert created.status_code == 201
    declared = bot.post("me/bot/", {"owner_code": created.json()["owner_code"], "confirmation": "robo"})
    assert (declared.status_code, declared.json()["owner"]) == (201, "dirk")
    assert bot.get("me/bot/").json()["name"] == "robo"
    assert bot.get("me/").json()["is_bot"] is True
    assert [row["name"] for row in owner.get("me/bots/").json()] == ["robo"]
    withdrawn = bot.client.delete("/api/v1/me/bot/", headers=bot.headers)
    assert withdrawn.status_code == 204
    assert owner.get("me/bots/").json() == []


def test_everybody_sees_what_an_account_is_and_nobody_sees_an_address() -> None:
    declare_bot("robo")
    bot_data = Api(None).get("players/robo/").json()
    assert (bot_data["is_bot"], bot_data["owner"], bot_data["bots"]) == (True, "dirk", [])
    owner = Api(None).get("players/dirk/").json()
    assert (owner["is_bot"], owner["owner"], owner["bots"]) == (False, None, ["robo"])
    pages = [open_browser().get(f"/players/{name}/").content.decode() for name in ("robo", "dirk")]
    assert '<a href="/players/dirk/">dirk</a> runs it' in pages[0]
    assert "/players/robo/" in pages[1]
    for text in (str(bot_data), str(owner), *pages):
        assert "example.org" not in text


def test_the_page_makes_a_code_declares_saves_and_takes_back() -> None:
    owner, bot = open_browser("dirk"), open_browser("robo")
    assert "Declare this account a bot" in bot.get("/me/bots/").content.decode()
    page = owner.post("/me/bots/code/").content.decode()
    code = page.split('id="owner-code"')[1].split('value="')[1].split('"')[0]
    refused = bot.post("/me/bots/declare/", {"owner_code": code, "confirmation": "no"})
    assert (refused.status_code, player("robo").is_bot) == (422, False)
    assert bot.post("/me/bots/declare/", {"owner_code": code, "confirmation": "robo"}).status_code == 302
    assert player("robo").is_bot
    settings = {"takes_challenges": "on", "about": "Slow.", "max_games": "3"}
    assert bot.post("/me/bots/", settings).status_code == 302
    profile = Player.objects.get(name="robo").bot_profile
    assert (profile.about, profile.plays_cards, profile.max_games) == ("Slow.", False, 3)
    assert "robo" in owner.get("/me/bots/").content.decode()
    assert bot.post("/me/bots/withdraw/").status_code == 302
    assert not player("robo").is_bot


def test_the_use_of_a_bots_token_is_recorded_often_enough_to_show_who_is_here() -> None:
    declare_bot("robo")
    api = Api("robo")
    api.get("me/turns/")
    token = Token.objects.get(player=player("robo"))
    earlier = token.last_used_at - timedelta(minutes=6)
    Token.objects.filter(pk=token.pk).update(last_used_at=earlier)
    api.get("me/turns/")
    token.refresh_from_db()
    assert token.last_used_at > earlier
    assert Api(None).get("bots/").json()[0]["is_online"] is True


def test_the_export_says_what_one_runs_and_is() -> None:
    declare_bot("robo")
    assert export_player_data(player=player("dirk"), now=NOW)["bots"] == [{"name": "robo"}]
    export = export_player_data(player=player("robo"), now=NOW)
    assert (export["profile"]["is_bot"], len(export["bot"])) == (True, 1)


def test_refusals_have_their_classes() -> None:
    with pytest.raises(Invalid):
        bot_accounts.declare_bot(player=player("robo"), owner_code="x", confirmation="robo", now=NOW)
    Player.objects.filter(pk=player("robo").pk).update(is_guest=True)
    with pytest.raises(Denied):
        bot_accounts.declare_bot(player=player("robo"), owner_code="x", confirmation="robo", now=NOW)
