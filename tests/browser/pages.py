"""Every page of the site with its visitor and status, one line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page as Window

from .world import World

Path = Callable[[World], str]


@dataclass(frozen=True)
class Page:
    """A page as one visitor sees it. `action` runs before the checks and must not change the database."""

    name: str
    path: str | Path
    who: str = "nobody"
    status: int = 200
    lang: str = "en"
    action: Callable[[Window], None] | None = None
    trial: bool = False  # only on the site of `make run`

    def address(self, world: World) -> str:
        return self.path if isinstance(self.path, str) else self.path(world)

    @property
    def file(self) -> str:
        """The file name of its screenshot."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.name)


def game_path(name: str) -> Path:
    return lambda world: f"/games/{world.games[name]}/"


def world_path(name: str) -> Path:
    return lambda world: world.paths[name]


def world_subpath(name: str, part: str) -> Path:
    return lambda world: f"{world.paths[name]}{part}"


def submit_unchanged_form(window: Window) -> None:
    """Submit a form unchanged, without the validation of the browser."""
    window.locator("main form").first.evaluate("form => form.noValidate = true")
    with window.expect_navigation():
        window.locator("main form button[type=submit]").first.click()


def submit_without_cookies(window: Window) -> None:
    """Submit a form from a browser without cookies."""
    window.context.clear_cookies()
    window.fill("[name=login]", "ada@example.org")
    window.fill("[name=password]", "whatever it was")
    submit_unchanged_form(window)


# The pages of Django's admin are not included.
HOST = "whoever started the site"
PAGES = (
    Page("home", "/"),
    Page("home, signed in", "/", "ada"),
    Page("home, Italian", "/", "bob", lang="it"),
    Page("lobby", "/lobby/"),
    Page("lobby, signed in", "/lobby/", "ada"),
    Page("bots", "/bots/"),
    Page("bots, signed in", "/bots/", "ada"),
    Page("lobby, Dutch", "/lobby/?players=2", "dirk", lang="nl"),
    Page("display", "/display/"),
    Page("display, signed in", "/display/", "ada"),
    Page("rules", "/rules/"),
    Page("rules on one page", "/rules/summary/"),
    Page("secret cards, Italian", "/rules/cards/", "bob", lang="it"),
    Page("about", "/about/"),
    Page("rules, Italian", "/rules/", "bob", lang="it"),
    Page("rules, Dutch", "/rules/", "dirk", lang="nl"),
    Page("lesson, a tile", "/lesson/1/"),
    Page("lesson, a circle", "/lesson/2/"),
    Page("lesson, an 8", "/lesson/3/"),
    Page("lesson, a zero tile", "/lesson/4/"),
    Page("lesson, a dark tile", "/lesson/5/?played=draw"),
    Page("lesson, a card", "/lesson/6/"),
    Page("lesson, a card is played", "/lesson/6/?played=MI-2"),
    Page("lesson, the last step done", "/lesson/6/?played=MI-2,A-e5-0"),
    Page("lesson, a leap", "/lesson/cards/3/"),
    Page("lesson, an 8 to answer, Italian", "/lesson/cards/7/", "bob", lang="it"),
    Page("lesson, pairs", "/lesson/pairs/2/"),
    Page("lesson, pairs, Dutch", "/lesson/pairs/3/", "dirk", lang="nl"),
    Page("watch a match", "/lesson/match/?at=12"),
    Page("watch a match, its end", "/lesson/match/?at=99"),
    Page("watch a match, Dutch", "/lesson/match/?at=18", "dirk", lang="nl"),
    Page("lesson, Dutch", "/lesson/2/", "dirk", lang="nl"),
    Page("fairness", "/fairness/"),
    Page("fairness, Italian", "/fairness/", "bob", lang="it"),
    Page("fairness of a game", lambda world: f"/games/{world.games['over']}/fairness/", "ada"),
    Page("fairness of a running game", lambda world: f"/games/{world.games['place']}/fairness/"),
    Page("replay, the deal", lambda world: f"/games/{world.games['over']}/replay/"),
    Page("replay", lambda world: f"/games/{world.games['over']}/replay/?at=8", "ada"),
    Page("replay, Dutch", lambda world: f"/games/{world.games['dutch']}/replay/?at=6", "dirk", lang="nl"),
    Page("player", "/players/ada/"),
    Page("player, oneself", "/players/ada/", "ada"),
    Page("player, Dutch", "/players/cleo/", "dirk", lang="nl"),
    Page("player, with a rating", "/players/gus/"),
    Page("player, with a rating, Italian", "/players/hal/", "bob", lang="it"),
    Page("ratings", "/ratings/"),
    Page("ratings, Dutch", "/ratings/?mode=singles", "dirk", lang="nl"),
    Page("ratings of bots", "/ratings/?who=bots"),
    Page("ratings, nobody yet", "/ratings/?mode=pairs", "ada"),
    Page("confirm a tournament by mail", world_path("confirm by mail")),
    Page("leave a league by mail", world_path("leave by mail")),
    Page("answer a proposal by mail", world_path("answer by mail")),
    Page("a proposal", world_path("proposal"), "gus"),
    Page("proposals, none", "/proposals/", "ada"),
    Page("proposals, Italian", "/proposals/", "bob", lang="it"),
    Page("no such player", "/players/nobody/", status=404),
    Page("games, many", "/games/", "ada"),
    Page("games, an invitation", "/games/", "eve"),
    Page("new game", "/games/new/", "ada"),
    Page("new game, with a friend", "/games/new/?preset=friend", "ada"),
    Page("game, waiting for players", game_path("open")),
    Page("game, one may join", game_path("open"), "ada"),
    Page("game, its maker invites", game_path("own"), "ada"),
    Page("game, a turn begins", game_path("start"), "ada"),
    Page("game, a tile to place", game_path("place"), "ada"),
    Page("game, others are to move", game_path("waiting"), "ada"),
    Page("game, watched", game_path("place")),
    Page("game, pairs", game_path("pairs"), "ada"),
    Page("game, solo", game_path("solo"), "ada"),
    Page("game, solo, lost", game_path("solo lost"), "ada"),
    Page("game, an 8 to answer", game_path("react"), "ada"),
    Page("game, over", game_path("over"), "ada"),
    Page("game, over, watched", game_path("over")),
    Page("game, Dutch", game_path("dutch"), "dirk", lang="nl"),
    Page("game, Italian", game_path("italian"), "bob", lang="it"),
    Page("game, private", game_path("own"), "bob", 404, lang="it"),
    Page("invitation", world_path("invitation")),
    Page("invitation, signed in", world_path("invitation"), "eve"),
    Page("invitation, too late", world_path("invitation that came too late"), status=410),
    Page("for programs", "/api/"),
    Page("for programs, one operation", "/api/operations/games_play/"),
    Page("for programs, one type", "/api/types/Game/"),
    Page("errors of the API", "/api/errors/"),
    Page("promises of the API", "/api/policy/"),
    Page("promises of the API, Dutch", "/api/policy/", "dirk", lang="nl"),
    Page("changelog", "/changelog/"),
    Page("status", "/status/"),
    # Links in mails.
    Page("turn, it begins", world_path("turn start")),
    Page("turn, a tile to place", world_path("turn place")),
    Page("turn, a cell is chosen", world_path("turn cell")),
    Page("turn, an 8 to answer", world_path("turn react")),
    Page("turn, resigning", lambda world: f"{world.paths['turn place']}?resign"),
    Page("turn, Dutch", world_path("turn dutch"), lang="nl"),
    Page("turn, Italian", world_path("turn italian"), lang="it"),
    Page("turn, passed", world_path("turn passed"), status=410),
    Page("turn, the game is over", world_path("turn of a game that is over"), status=410),
    Page("next, nothing waits", "/next/", "eve"),
    Page("mute", world_path("mute")),
    Page("unsubscribe", world_path("unsubscribe")),
    Page("refusing all mail", world_path("refusing mail")),
    # Own account.
    Page("profile", "/me/profile/", "ada"),
    Page("profile, Dutch", "/me/profile/", "dirk", lang="nl"),
    Page("time", "/me/time/", "ada"),
    Page("time, Italian", "/me/time/", "bob", lang="it"),
    Page("notices", "/me/notices/", "ada"),
    Page("no connection", "/offline/"),
    Page("games to download, none yet", "/data/"),
    Page("notices, Dutch", "/me/notices/", "dirk", lang="nl"),
    Page("delivery", "/me/delivery/", "ada"),
    Page("delivery, none yet", "/me/delivery/", "cleo"),
    Page("delivery, a dead address", "/me/delivery/", "dirk", lang="nl"),
    Page("webhooks", "/me/webhooks/", "ada"),
    Page("bots of an account", "/me/bots/", "ada"),
    Page("bots of an account, none", "/me/bots/", "eve"),
    Page("account of a bot", "/me/bots/", "robo"),
    Page("tokens", "/me/tokens/", "ada"),
    Page("tokens, mistakes", "/me/tokens/", "eve", action=submit_unchanged_form),
    Page("tokens, none", "/me/tokens/", "eve"),
    Page("apps", "/me/apps/", "ada"),
    Page("leave", "/me/delete/", "ada"),
    Page("allow an app", world_path("authorize"), "ada"),
    Page("allow an unknown app", world_path("authorize nobody"), "ada", 400),
    # Tournaments.
    Page("tournaments", "/tournaments/"),
    Page("tournaments, one's own", "/tournaments/", "ada"),
    Page("tournaments, finished, Dutch", "/tournaments/?show=finished", "dirk", lang="nl"),
    Page("tournament, to be entered", world_path("tournament open")),
    Page("tournament, full", world_path("tournament open"), "eve"),
    Page("tournament, my step", world_path("tournament swiss"), "ada"),
    Page("tournament, Italian", world_path("tournament swiss"), "bob", lang="it"),
    Page("tournament, knock-out", world_path("tournament runs")),
    Page("tournament, over", world_path("tournament over"), "ada"),
    Page("tournament, standings", world_subpath("tournament swiss", "standings/"), "ada"),
    Page("tournament, standings, Dutch", world_subpath("tournament runs", "standings/"), "dirk", lang="nl"),
    Page("tournament, bracket", world_subpath("tournament runs", "bracket/")),
    Page("tournament, schedule", world_subpath("tournament over", "bracket/")),
    Page("tournament, round", world_subpath("tournament swiss", "rounds/1/"), "ada"),
    Page("tournament, table", world_path("tournament table"), "ada"),
    Page("tournament, evidence", world_subpath("tournament table", "evidence/"), "ada"),
    Page("tournament, entrants", world_subpath("tournament open", "entrants/")),
    Page("tournament, fairness", world_subpath("tournament over", "fairness/")),
    Page("tournament, what was decided", world_subpath("tournament runs", "fairness/")),
    Page(
        "tournament, what was decided, Dutch",
        world_subpath("tournament runs", "fairness/"),
        "dirk",
        lang="nl",
    ),
    Page("tournament, withdraw", world_subpath("tournament swiss", "withdraw/"), "ada"),
    Page("tournament, its game", game_path("of a tournament"), "ada"),
    Page("no such tournament", "/tournaments/nothere/", status=404),
    # Pages of organisers.
    Page("organise, a new one", "/tournaments/new/", "ada"),
    Page("organise, mistakes", "/tournaments/new/", "ada", 422, action=submit_unchanged_form),
    Page("organise, a new one, Dutch", "/tournaments/new/", "dirk", lang="nl"),
    Page("organise, settings", world_path("edit runs"), "ada"),
    Page("organise, a draft", world_path("organise draft"), "ada"),
    Page("organise, entries are open", world_path("organise open"), "ada"),
    Page("organise, a round waits", world_path("organise held"), "ada"),
    Page("organise, it runs", world_path("organise runs"), "ada"),
    Page("organise, Italian", world_path("organise runs"), "bob", lang="it"),
    Page("organise, entrants", lambda world: f"{world.paths['organise open']}entrants/", "ada"),
    Page("organise, tables", lambda world: f"{world.paths['organise runs']}tables/", "ada"),
    Page("organise, appeals", lambda world: f"{world.paths['organise runs']}appeals/", "ada"),
    Page("organise, log", lambda world: f"{world.paths['organise runs']}log/", "ada"),
    Page("organise, people", lambda world: f"{world.paths['organise runs']}people/", "ada"),
    Page("organise, the next round", world_path("preview held"), "ada"),
    Page("organise, seeds", lambda world: f"{world.paths['organise open']}seeds/", "ada"),
    Page("organise, disqualify", world_path("disqualify"), "ada"),
    Page("organise, remove", world_path("remove"), "ada"),
    Page("organise, a result", world_path("correct"), "ada"),
    Page("organise, an answer", world_path("answer"), "ada"),
    Page("organise, not yours", world_path("organise runs"), "eve", 403),
    # Leagues.
    Page("leagues", "/leagues/"),
    Page("leagues, Dutch", "/leagues/", "dirk", lang="nl"),
    Page("league", world_path("league")),
    Page("league, one plays", world_path("league"), "gus"),
    Page("league, one may join", world_path("league"), "eve"),
    Page("league, its organiser", world_path("league"), "ada"),
    Page("league, Italian", world_path("league"), "bob", lang="it"),
    Page("league, Dutch, standing by", world_path("league"), "dirk", lang="nl"),
    Page("league, nobody yet", world_path("league fresh"), "eve"),
    Page("league, a season", lambda world: f"{world.paths['league']}seasons/1/"),
    Page("league, history", lambda world: f"{world.paths['league']}history/"),
    Page("league, no season is over", lambda world: f"{world.paths['league fresh']}history/"),
    Page("league, a stranger asks", lambda world: f"{world.paths['league']}ask/"),
    Page(
        "league, mistakes",
        lambda world: f"{world.paths['league']}ask/",
        status=422,
        action=submit_unchanged_form,
    ),
    Page("league, a mail is on its way", lambda world: f"{world.paths['league']}asked/"),
    Page("league, the link", world_path("league link")),
    Page("league, the link, known", world_path("league link known"), "eve"),
    Page("league, an old link", world_path("league link old"), status=410),
    Page("league, a new one", "/leagues/new/", "ada"),
    Page("league, a new one, mistakes", "/leagues/new/", "ada", 422, action=submit_unchanged_form),
    Page("league, a new one, Italian", "/leagues/new/", "bob", lang="it"),
    Page("league, organise", lambda world: f"{world.paths['league']}organise/", "ada"),
    Page(
        "league, organise, before it starts",
        lambda world: f"{world.paths['league fresh']}organise/",
        "bob",
        lang="it",
    ),
    Page("league, settings", lambda world: f"{world.paths['league']}edit/", "ada"),
    Page("league, not yours", lambda world: f"{world.paths['league']}organise/", "eve", 403),
    Page("player, with honours", "/players/gus/"),
    # Accounts.
    Page("sign in", "/accounts/login/"),
    Page("sign in, mistakes", "/accounts/login/", action=submit_unchanged_form),
    Page("sign in by code", "/accounts/login/code/"),
    Page("enter the code", "/accounts/login/code/confirm/", "bob, with a code in the mail"),
    Page("sign up", "/accounts/signup/"),
    Page("sign up, mistakes", "/accounts/signup/", action=submit_unchanged_form),
    Page("sign out", "/accounts/logout/", "ada"),
    Page("look into your mail", "/accounts/confirm-email/"),
    Page("confirm an address", world_path("confirm"), "hanna, who signed up here"),
    Page("confirm an address, elsewhere", world_path("confirm")),
    Page(
        "confirm an address, elsewhere, mistakes",
        world_path("confirm"),
        status=422,
        action=submit_unchanged_form,
    ),
    Page("confirm an address, as somebody else", world_path("confirm"), "ada"),
    Page("confirm a new address", world_path("confirm new"), "eve"),
    Page("confirm a new address, elsewhere", world_path("confirm new")),
    Page("confirm a new address, as somebody else", world_path("confirm new"), "ada"),
    Page("confirm an address, used link", world_path("confirm used")),
    Page("confirm an address, old link", "/accounts/confirm-email/old/"),
    Page("account closed", "/accounts/inactive/"),
    Page("email address", "/accounts/email/", "ada"),
    Page("password", "/accounts/password/change/", "ada"),
    Page("password, the first", "/accounts/password/set/", "eve"),
    Page("password forgotten", "/accounts/password/reset/"),
    Page("password forgotten, mailed", "/accounts/password/reset/done/"),
    Page("password, a new one", world_path("reset"), "fay, with a link in the mail"),
    Page("password, old link", "/accounts/password/reset/key/1-old/"),
    Page("password, it is set", "/accounts/password/reset/key/done/"),
    Page("who are you", "/accounts/reauthenticate/", "ada, a while ago"),
    Page("two-factor, off", "/accounts/2fa/", "ada"),
    Page("two-factor, on", "/accounts/2fa/", "cleo"),
    Page("two-factor, switch on", "/accounts/2fa/totp/activate/", "ada"),
    Page("two-factor, switch off", "/accounts/2fa/totp/deactivate/", "cleo"),
    Page("two-factor, asked for", "/accounts/2fa/authenticate/", "cleo, without a second factor"),
    Page("two-factor, once more", "/accounts/2fa/reauthenticate/", "cleo, a while ago"),
    Page("recovery codes", "/accounts/2fa/recovery-codes/", "cleo"),
    Page("recovery codes, new ones", "/accounts/2fa/recovery-codes/generate/", "cleo"),
    # Errors.
    Page("nothing here", "/no/such/page/", status=404),
    Page("no such game", "/games/nothere/", "ada", 404),
    Page("a link that was cut", "/turn/cut/", status=404),
    Page("no cookies", "/accounts/login/", status=403, action=submit_without_cookies),
    # Trial site.
    Page("mailbox", "/mailbox/", HOST, trial=True),
    Page("mailbox, one's own", "/mailbox/?to=ada@example.org", HOST, trial=True),
    Page("mailbox, locked", "/mailbox/", "ada", status=403, trial=True),
    Page("mail", world_path("mail"), HOST, trial=True),
    Page("mail, as text", lambda world: f"{world.paths['mail']}?as=text", HOST, trial=True),
    Page("mail, its headers", lambda world: f"{world.paths['mail']}?as=headers", HOST, trial=True),
)
