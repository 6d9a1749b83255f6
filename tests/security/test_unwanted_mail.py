"""Nobody uses us to write to others what they like, as often as they like, or to who wants no mail."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from email.message import EmailMessage
from io import StringIO
from typing import Any

import pytest
from django.core import mail as outgoing
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from games import links
from games.mail import compose, deliver
from games.mail import invitations as sending
from games.mail.inbound_lines import own_lines
from games.mail.quoting import Quoted, as_plain_text, quote_lines
from games.models import ContactCount, Delivery, Game, Invitation, Pause, Player, RefusedAddress
from games.models import Event as Line
from games.plain_names import check_no_link, has_link
from games.selectors.contacts import digest_of_address, have_met, is_refused
from games.services import apps, clearing, contacts, invitations, lobby, notices, pauses, players
from games.services.contacts import LIMITS, Contact
from games.services.errors import Denied, Invalid, LimitReached
from tests.games.cast import Api, game_of, player
from tests.games.telling import part, read
from tournaments.models import Appeal, Event, Invite, Knock, League, Membership
from tournaments.services import decisions, entries, events, knocks, leagues, replacements

from .world import World

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
VICTIM = "victim@example.net"
ENDS = ("\n", "\r", "\r\n", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85")


def inviting(host: Player, now: datetime, **whom: str) -> Invitation:
    """A new game, and an invitation to it; the game is given up again, which takes no mail back."""
    game = lobby.create(player=host, now=now, seats=2)
    try:
        return invitations.invite(player=host, code=game.code, now=now, **whom)
    finally:
        lobby.cancel_by_host(player=host, code=game.code, now=now)


def refused_after(most: int, deed: Any) -> LimitReached:
    """A deed can be done so many times, and not once more."""
    for _time in range(most):
        deed()
    with pytest.raises(LimitReached) as refused:
        deed()
    assert refused.value.code == "too-many-mails"
    assert 0 < refused.value.retry_after <= DAY.total_seconds()
    return refused.value


def mails_to(address: str) -> list[EmailMessage]:
    return [read(one) for one in outgoing.outbox if one.to == [address]]  # type: ignore[arg-type]


def send(now: datetime) -> None:
    """What the worker does."""
    while notices.spread(now=now):
        pass
    deliver.send_due(now=now)


# ------------------------------------------------------------------------------------------------- limits


def test_every_kind_of_contact_has_its_limits() -> None:
    assert set(LIMITS) == set(Contact)
    for limit in LIMITS.values():
        assert 0 < limit.per_stranger <= limit.per_acquaintance <= limit.per_sender <= 300


def test_one_stranger_asks_one_player_only_so_often(world: World) -> None:
    eve, now = player("eve"), world.now
    most = LIMITS[Contact.GAME_INVITATION].per_stranger
    refused_after(most, lambda: inviting(eve, now, name="ada"))
    assert Invitation.objects.filter(by=eve, player=player("ada")).count() == most
    assert Line.objects.filter(player=player("ada"), kind="invited").count() == most
    inviting(eve, now, name="bob")
    assert inviting(eve, now + DAY + timedelta(seconds=1), name="ada")


def test_who_has_played_together_may_ask_more_often(world: World) -> None:
    bob, now = player("bob"), world.now
    assert have_met(bob, player("ada"))
    assert not have_met(player("eve"), player("ada"))
    most = LIMITS[Contact.GAME_INVITATION].per_acquaintance
    refused_after(most, lambda: inviting(bob, now, name="ada"))


def test_who_has_met_whom(world: World) -> None:
    ada, bob, eve, fay = (player(name) for name in ("ada", "bob", "eve", "fay"))
    assert have_met(ada, ada)
    assert have_met(bob, ada), "at a game"
    assert have_met(bob, fay), "in a cup and in a league"
    assert not have_met(fay, ada), "who organises what runs is not known by that alone"
    assert not have_met(eve, ada)
    lobby.join(player=eve, code=lobby.create(player=ada, now=world.now, seats=3).code, now=world.now)
    assert not have_met(eve, ada), "a game that has not begun is none"
    Event.objects.filter(pk=world.event.pk).update(status="finished")
    assert have_met(fay, ada)
    assert have_met(ada, fay)


def test_one_player_asks_only_so_many_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, Contact.GAME_INVITATION, contacts.Limit(5, 3, 3))
    eve, names = player("eve"), iter([f"somebody {n}" for n in range(9)])

    def ask() -> None:
        inviting(eve, world.now, name=player(next(names)).name)

    refused_after(5, ask)


def test_one_player_is_asked_by_only_so_many_strangers(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contacts, "MAX_FROM_STRANGERS_PER_PLAYER", 4)
    names = iter([f"somebody {n}" for n in range(9)])
    refused_after(4, lambda: inviting(player(next(names)), world.now, name="ada"))
    assert inviting(player("bob"), world.now, name="ada"), "whom ada knows can still ask"


def test_over_the_api_it_is_429_with_a_time_and_nothing_is_changed(world: World) -> None:
    api, eve = Api("eve"), player("eve")
    codes = [lobby.create(player=eve, now=world.now, seats=2).code for _game in range(5)]
    answers = [api.post(f"games/{code}/invite/", {"name": "ada"}) for code in codes]
    most = LIMITS[Contact.GAME_INVITATION].per_stranger
    assert [answer.status_code for answer in answers] == [201] * most + [429] * (5 - most)
    refused = answers[-1]
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["code"] == "too-many-mails"
    assert int(refused["Retry-After"]) == refused.json()["retry_after"] > 0
    assert Invitation.objects.filter(by=eve).count() == most
    counted = ContactCount.objects.get(pk=f"{Contact.GAME_INVITATION}:p{eve.pk}")
    assert counted.count == most, "what is refused is not counted"


def test_on_the_page_it_is_a_message(world: World) -> None:
    eve = player("eve")
    refused_after(LIMITS[Contact.GAME_INVITATION].per_stranger, lambda: inviting(eve, world.now, name="ada"))
    game = lobby.create(player=eve, now=world.now, seats=2)
    page = world.browser("eve").post(f"/games/{game.code}/invite/", {"who": "ada"}, follow=True)
    assert "a lot of mail to others" in page.content.decode()
    assert not Invitation.objects.filter(game=game).exists()


def test_whatever_is_refused_for_another_reason_is_not_counted(world: World) -> None:
    game = lobby.create(player=player("eve"), now=world.now, seats=2)
    for _time in range(5):
        with pytest.raises(Invalid):
            invitations.invite(player=player("eve"), code=game.code, name="nobody at all", now=world.now)
    assert not ContactCount.objects.filter(key__contains=f"p{player('eve').pk}").exists()


def test_rematches_count_as_invitations(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, Contact.GAME_INVITATION, contacts.Limit(2, 2, 2))
    bob, now = player("bob"), world.now

    def again() -> Game:
        old = game_of("bob", "cleo", seats=2)
        Game.objects.filter(pk=old.pk).update(status="over")
        return invitations.rematch(player=bob, code=old.code, now=now)

    refused_after(2, again)
    assert Invitation.objects.filter(by=bob).count() == 2
    assert Game.objects.filter(rematch_of__isnull=False).count() == 2, "nothing is left of the third"


def test_pauses_that_are_proposed_and_taken_back_do_not_go_on(world: World) -> None:
    bob, code = player("bob"), world.game.code

    def propose() -> None:
        pauses.propose(player=bob, code=code, until=world.now + DAY, now=world.now)
        pauses.decline(player=bob, code=code, now=world.now)

    refused_after(LIMITS[Contact.PAUSE_PROPOSAL].per_acquaintance, propose)
    assert Pause.objects.filter(game=world.game).count() == LIMITS[Contact.PAUSE_PROPOSAL].per_acquaintance


def cup(organiser: Player, now: datetime, **fields: Any) -> Event:
    made = events.create(organiser=organiser, name="A cup", format="swiss", now=now, **fields)
    return events.publish(by=organiser, code=made.code, now=now)


def test_invitations_to_tournaments_have_limits(world: World) -> None:
    eve, ada, now = player("eve"), player("ada"), world.now
    most = LIMITS[Contact.TOURNAMENT_INVITATION].per_stranger
    refused_after(most, lambda: events.invite(by=eve, code=cup(eve, now).code, player=ada, now=now))
    assert Invite.objects.filter(player=ada).count() == most
    again = Invite.objects.filter(player=ada).first()
    assert again
    for _time in range(3):  # who is invited already gets no second mail
        events.invite(by=eve, code=again.event.code, player=ada, now=now)


def test_an_organiser_invites_a_whole_club_in_one_go(world: World) -> None:
    eve, event = player("eve"), cup(player("eve"), world.now)
    for number in range(64):
        events.invite(by=eve, code=event.code, player=player(f"member {number}"), now=world.now)
    assert Invite.objects.filter(event=event).count() == 64


def test_entering_others_as_partners_has_limits(world: World) -> None:
    eve, now = player("eve"), world.now
    most = LIMITS[Contact.PARTNER].per_stranger

    def enter() -> None:
        code = cup(player("fay"), now, mode="pairs").code
        entries.ask_partner(player=eve, code=code, now=now, partner=player("ada"))

    refused_after(most, enter)
    assert not have_met(eve, player("ada")), "who was only asked to be a partner is no acquaintance"


def test_joining_a_league_in_pairs_again_and_again_has_limits(world: World) -> None:
    eve, now = player("eve"), world.now
    pairs = leagues.create(organiser=player("fay"), name="Pairs", size=4, mode="pairs", now=now)

    def join_and_leave() -> None:
        leagues.ask_partner(player=eve, code=pairs.code, now=now, partner=player("ada"))
        leagues.choose(player=eve, code=pairs.code, now=now, status=Membership.Status.OUT)

    refused_after(LIMITS[Contact.PARTNER].per_stranger, join_and_leave)


def test_making_others_organisers_has_limits(world: World) -> None:
    eve, ada, now = player("eve"), player("ada"), world.now
    most = LIMITS[Contact.CO_ORGANISER].per_stranger
    refused_after(most, lambda: events.add_helper(by=eve, code=cup(eve, now).code, player=ada, now=now))
    league = leagues.create(organiser=eve, name="Mine", size=4, now=now)
    with pytest.raises(LimitReached):
        leagues.add_helper(by=eve, code=league.code, player=ada, now=now)
    assert not league.helpers.exists()


def test_asking_others_to_take_a_seat_over_has_limits(world: World) -> None:
    eve, now = player("eve"), world.now
    most = LIMITS[Contact.REPLACEMENT].per_stranger

    def put() -> None:
        code = cup(eve, now).code
        entrant = entries.enter(player=player("fay"), code=code, now=now)
        replacements.propose_replacement(by=eve, code=code, entrant=entrant.pk, player=player("ada"), now=now)

    refused_after(most, put)


def test_results_that_are_corrected_all_day_tell_of_it_only_so_often(world: World) -> None:
    table = world.event.tables.exclude(game=None).order_by("pk").first()
    assert table

    def correct() -> None:
        decisions.correct(
            by=player("ada"), code=world.event.code, table=table.pk, ranks=[1, 2], now=world.now
        )

    refused_after(LIMITS[Contact.CORRECTION].per_acquaintance, correct)


def test_appeals_have_limits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournaments.services import appeals

    monkeypatch.setitem(LIMITS, Contact.APPEAL, contacts.Limit(1, 1, 1))
    Appeal.objects.all().delete()
    ContactCount.objects.all().delete()
    table = world.event.tables.filter(sittings__entrant__members__player=player("bob")).first()
    assert table

    def appeal() -> None:
        appeals.appeal(
            player=player("bob"), code=world.event.code, table=table.pk, text="Look", now=world.now
        )
        Appeal.objects.all().delete()

    refused_after(1, appeal)


def test_an_address_gets_only_so_many_invitations_whoever_sends_them(world: World) -> None:
    hosts = iter([player(f"somebody {n}") for n in range(9)])
    most = contacts.MAX_FROM_STRANGERS_PER_ADDRESS
    refused_after(most, lambda: inviting(next(hosts), world.now, email=VICTIM))
    assert not ContactCount.objects.filter(key__contains="victim").exists(), "no address is kept for it"


def test_links_to_join_leagues_have_limits(world: World) -> None:
    def ask(client: str = "192.0.2.1", email: str = VICTIM) -> None:
        knocks.ask(code=world.league.code, email=email, name="x", language="en", now=world.now, client=client)

    most = LIMITS[Contact.LEAGUE_LINK].per_stranger
    refused_after(most, ask)
    assert Knock.objects.filter(email=VICTIM).count() == most
    others = iter(f"192.0.2.{n}" for n in range(2, 99))
    refused_after(contacts.MAX_FROM_STRANGERS_PER_ADDRESS - most, lambda: ask(next(others)))
    addresses = iter(f"p{n}@example.net" for n in range(99))
    left = LIMITS[Contact.LEAGUE_LINK].per_sender - most
    refused_after(left, lambda: ask(email=next(addresses)))
    assert not ContactCount.objects.filter(key__contains="192.0.2").exists(), "nor of who asks"


def test_a_link_that_is_asked_for_too_often_is_refused_on_the_page(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, Contact.LEAGUE_LINK, contacts.Limit(1, 1, 1))
    path, form = f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "zoe"}
    assert Client().post(path, form).status_code == 302
    answer = Client().post(path, form)
    assert answer.status_code == 422
    assert "a lot of mail" in answer.content.decode()
    assert len(outgoing.outbox) == 1


def test_a_league_of_64_starts_and_all_are_told(world: World) -> None:
    """They have joined: what follows from that is nobody's doing but their own."""
    league = leagues.create(organiser=player("eve"), name="Many", size=8, now=world.now)
    for number in range(64):
        leagues.choose(player=player(f"member {number}"), code=league.code, now=world.now)
    leagues.start(by=player("eve"), code=league.code, now=world.now)
    from tournaments.services import seasons

    seasons.attend(league.pk, world.now)
    told = Line.objects.filter(kind="league-season", data__league=league.code)
    assert told.count() == 64


def test_who_wants_no_strangers_is_asked_by_none(world: World) -> None:
    ada, now = player("ada"), world.now
    players.change_profile(player=Player.objects.get(pk=ada.pk), now=now, invitations_from_strangers=False)
    eve = player("eve")
    deeds = [
        lambda: inviting(eve, now, name="ada"),
        lambda: events.invite(
            by=eve, code=cup(eve, now).code, player=Player.objects.get(name="ada"), now=now
        ),
        lambda: entries.enter(
            player=eve,
            code=cup(eve, now, mode="pairs").code,
            now=now,
            partner=Player.objects.get(name="ada"),
        ),
    ]
    for deed in deeds:
        with pytest.raises(Denied) as refused:
            deed()
        assert refused.value.code == "no-strangers"
    assert not Line.objects.filter(player=ada, kind__in=("invited", "event-invited")).exists()
    assert inviting(player("bob"), now, name="ada"), "bob is no stranger"


def test_who_is_blocked_by_an_operator_asks_nobody(world: World) -> None:
    api = Api("eve")
    game = lobby.create(player=player("eve"), now=world.now, seats=2)
    players.block(player=player("eve"), now=world.now)
    assert api.post(f"games/{game.code}/invite/", {"name": "ada"}).status_code == 401
    assert not Invitation.objects.filter(game=game).exists()


def test_counts_are_cleared_when_their_time_has_passed(world: World) -> None:
    inviting(player("eve"), world.now, name="ada")
    assert ContactCount.objects.exists()
    clearing.clear(now=world.now + DAY)
    assert ContactCount.objects.exists()
    clearing.clear(now=world.now + 3 * DAY)
    assert not ContactCount.objects.exists()


# --------------------------------------------------------------------------------------- links in names

LINKS = (
    *("example.com", "example.com/x", "Win at example.com now", "EXAMPLE.COM", "sub.example.co.uk"),
    *("http://x", "https://example.com", "ftp://files", "see www.example", "WWW2.example", "x://y"),
    *("eve@example.com", "a@b", "mailto:eve", "tel:+391234", "javascript:alert", "1.2.3.4", "10.0.0.1/x"),
    *("пример.рф", "例え.テスト", "example。com", "example．com", "example｡com", "exam\u200bple.com"),
    *("example\u00ad.com", "xn--80ak6aa92e.xn--p1ai", "bit.ly/abc", "Dr.Who"),
)
NO_LINKS = (
    *("The cup", "No. 1", "No.1", "Cup 2.0", "v1.2.3", "J. R. R. Tolkien", "J.R", "A.S. Roma"),
    *("Spring: the final", "Rome / Milan", "50% off", "Ada & Bob", "…", "a . b", "Liga 1 @ Roma", "Кубок"),
)


@pytest.mark.parametrize("text", LINKS)
def test_what_mail_programs_make_a_link_of_is_known(text: str) -> None:
    assert has_link(text)
    with pytest.raises(ValidationError):
        check_no_link(text)


@pytest.mark.parametrize("text", NO_LINKS)
def test_what_is_no_link_is_none(text: str) -> None:
    assert not has_link(text)
    check_no_link(text)


@pytest.mark.parametrize("text", ["example.com", "www.example", "eve@example.com", "http://x"])
def test_no_tournament_league_or_app_is_called_like_an_address(text: str, world: World) -> None:
    api = Api("eve", ("read", "play", "organise"))
    bodies: dict[str, Any] = {
        "tournaments": {"name": f"Win {text}", "format": "swiss"},
        "leagues": {"name": f"Win {text}", "size": 8, "format": "round-robin"},
    }
    for room, body in bodies.items():
        answer = api.post(f"{room}/", body)
        assert answer.status_code == 422, answer.content
        assert answer.json()["code"] == "name"
        assert "looks like a web or mail address" in answer.json()["detail"]
    cases: list[tuple[Any, str]] = [
        (lambda: events.edit(by=player("ada"), code=world.event.code, now=world.now, name=text), "event"),
        (lambda: leagues.edit(by=player("ada"), code=world.league.code, now=world.now, name=text), "league"),
        (
            lambda: apps.register(
                player=player("eve"),
                name=text,
                addresses=["https://back.example.org/"],
                secret=False,
                now=world.now,
            ),
            "app",
        ),
    ]
    for deed, what in cases:
        with pytest.raises(Invalid) as refused:
            deed()
        assert refused.value.code == "name", what
    assert not Event.objects.filter(name__contains=text).exists()
    assert not League.objects.filter(name__contains=text).exists()
    page = world.browser("eve").post("/tournaments/new/", {"name": text, "format": "swiss"})
    assert page.status_code == 422


def test_an_event_that_was_called_so_before_can_be_changed_otherwise(world: World) -> None:
    Event.objects.filter(pk=world.event.pk).update(name="Cup of example.com")
    changed = events.edit(by=player("ada"), code=world.event.code, now=world.now, text="Welcome")
    assert changed.text == "Welcome"


@pytest.mark.parametrize("name", ["example.com", "win.example", "www.eve"])
def test_no_player_is_called_like_an_address(name: str, world: World) -> None:
    form = {"email": "n@example.org", "username": name, "password1": "a long walk by the canal"}
    answer = Client().post("/accounts/signup/", form)
    assert answer.status_code == 200
    assert "looks like a web or mail address" in answer.content.decode()
    asked = knocks.ask(
        code=world.league.code, email="n@example.org", name=name, language="en", now=world.now, client="x"
    )
    with pytest.raises(Invalid):
        knocks.accept(token=knocks.token_of(asked), name=name, now=world.now)
    with pytest.raises(ValidationError):
        Player(name=name, email="n@example.org", joined_at=world.now).full_clean(exclude=["password"])
    assert not Player.objects.filter(name=name).exists()


# ------------------------------------------------------------------------------------ strangers' first mails


def test_an_invitation_by_mail_has_our_subject_and_says_who_asks_and_how_to_refuse(world: World) -> None:
    sending.send_due(now=world.now)  # what the world holds already
    outgoing.outbox.clear()
    host = player("Prince of Nigeria")
    game = lobby.create(player=host, now=world.now, seats=2)
    invitations.invite(player=host, code=game.code, email=VICTIM, now=world.now)
    for language, subject in {
        "en": "You are invited to a game of OTTO",
        "it": None,
        "nl": None,
    }.items():
        Player.objects.filter(pk=host.pk).update(language=language)
        made = sending.message(Invitation.objects.select_related("by", "game").get(game=game))
        assert "Prince" not in made.subject
        assert subject in (None, made.subject)
    sending.send_due(now=world.now)
    [mail] = mails_to(VICTIM)
    for kind in ("plain", "html"):
        assert "Prince of Nigeria" in part(mail, kind)
        assert "/no-mail/" in part(mail, kind)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_link_to_join_a_league_has_our_subject_and_its_name_is_quoted(world: World) -> None:
    League.objects.filter(pk=world.league.pk).update(name="YOU WON A PRIZE")
    Client().post(f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "PRIZE"})
    [mail] = mails_to(VICTIM)
    assert mail["Subject"] == "Your link to join a league on OTTO online"
    plain = part(mail, "plain")
    assert "\n> YOU WON A PRIZE\n" in plain
    assert plain.count("PRIZE") == 1
    assert re.search(r"<blockquote[^>]*>YOU WON A PRIZE</blockquote>", part(mail, "html"))
    assert "/no-mail/" in plain


def test_a_stranger_who_invites_by_name_gets_our_subject_and_others_their_own(world: World) -> None:
    subjects = {}
    for host in ("eve", "bob"):
        inviting_game = lobby.create(player=player(host), now=world.now, seats=2)
        invitations.invite(player=player(host), code=inviting_game.code, name="ada", now=world.now)
        delivery = Delivery.objects.create(
            player=player("ada"),
            game=inviting_game,
            kind="invited",
            reason=f"test {host}",
            made_at=world.now,
        )
        mail = read(compose.message(delivery, now=world.now))
        subjects[host] = mail["Subject"]
        assert f"{host} keeps a seat for you" in part(mail, "plain")
        assert ("/me/notices/" in part(mail, "plain").partition("\n-- \n")[0]) == (host == "eve")
    assert subjects == {
        "eve": "You are invited to a game of OTTO",
        "bob": "bob asks you to a game of OTTO",
    }


WORDS = "CLICK HERE TO WIN"


def of_a_stranger(kind: str, now: datetime) -> None:
    """Eve makes us write to ada, whom she never met, in an event that bears her words."""
    eve, ada = player("eve"), player("ada")
    if kind == "league-partner":
        league = leagues.create(organiser=eve, name=WORDS, size=4, mode="pairs", now=now)
        leagues.ask_partner(player=eve, code=league.code, now=now, partner=ada)
        return
    mode = "pairs" if kind == "event-partner" else "singles"
    event = events.create(organiser=eve, name=WORDS, format="swiss", mode=mode, now=now)
    events.publish(by=eve, code=event.code, now=now)
    if kind == "event-partner":
        entries.ask_partner(player=eve, code=event.code, now=now, partner=ada)
    elif kind == "event-invited":
        events.invite(by=eve, code=event.code, player=ada, now=now)
    elif kind == "event-replacement":
        entrant = entries.enter(player=player("fay"), code=event.code, now=now)
        replacements.propose_replacement(by=eve, code=event.code, entrant=entrant.pk, player=ada, now=now)


@pytest.mark.parametrize("language", ["en", "it", "nl"])
@pytest.mark.parametrize("kind", ["event-invited", "event-partner", "event-replacement", "league-partner"])
def test_a_strangers_tournament_is_told_in_our_words(kind: str, language: str, world: World) -> None:
    ada = player("ada")
    Player.objects.filter(pk=ada.pk).update(language=language)
    of_a_stranger(kind, world.now)
    send(world.now + DAY)
    rows = Delivery.objects.filter(player=ada, kind=kind, status="sent", webhook=None)
    names = {row.message_id for row in rows}
    found = [one for one in mails_to(Player.objects.get(pk=ada.pk).email) if one["Message-ID"] in names]
    assert len(found) == 1
    mail = found[0]
    assert WORDS not in mail["Subject"]
    assert "eve" not in mail["Subject"].split()
    plain, page = part(mail, "plain"), part(mail, "html")
    assert "eve" in plain
    assert all(line.startswith("> ") for line in plain.splitlines() if WORDS in line)
    assert WORDS in plain
    assert page.count(WORDS) == 1
    assert re.search(rf"<blockquote[^>]*>{WORDS}", page)
    assert "/me/notices/" in plain.partition("\n-- \n")[0]
    if language == "en":
        with translation.override("en"):
            assert mail["Subject"].endswith("on OTTO online")


def test_whom_one_has_met_is_told_by_name(world: World) -> None:
    ada, bob = player("ada"), player("bob")
    event = cup(ada, world.now)
    events.invite(by=ada, code=event.code, player=bob, now=world.now)
    send(world.now + DAY)
    assert "A cup: You are invited" in [one["Subject"] for one in mails_to(bob.email)]


# ------------------------------------------------------------------------------------------ who wants no mail


def refusal(email: str) -> str:
    return f"/no-mail/{links.refusal_token(digest_of_address(email))}/"


def test_an_address_refuses_all_further_mail_by_a_link(world: World) -> None:
    inviting(player("eve"), world.now, email=VICTIM)
    path = refusal(VICTIM)
    looked = Client().get(path)
    assert looked.status_code == 200
    assert not RefusedAddress.objects.exists(), "to look does nothing"
    done = Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert Client().post(path).status_code == 200, "twice is the same as once"
    [row] = RefusedAddress.objects.all()
    assert "victim" not in row.digest
    outgoing.outbox.clear()

    game = lobby.create(player=player("fay"), now=world.now, seats=2)
    asked = invitations.invite(
        player=player("fay"), code=game.code, email="Victim@Example.net", now=world.now
    )
    sending.send_due(now=world.now)
    asked.refresh_from_db()
    assert (asked.answered, bool(asked.trouble)) == ("lost", True)
    answer = Client().post(f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "zoe"})
    assert answer.status_code == 302, "nobody learns that the address refused"
    form = {"email": VICTIM, "username": "Zoe Zed", "password1": "a long walk by the canal"}
    Client().post("/accounts/signup/", form)
    Client().post("/accounts/login/code/", {"email": VICTIM})
    Client().post("/accounts/password/reset/", {"email": VICTIM})
    assert mails_to(VICTIM) == []

    Client().post(path, {"undo": "1"})
    assert not RefusedAddress.objects.exists()
    Client().post(f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "zoe"})
    assert len(mails_to(VICTIM)) == 1


def test_whoever_signs_up_with_an_address_again_and_again_makes_only_so_many_mails(world: World) -> None:
    """And the page says the same each time, for an address that has an account, too."""
    most = contacts.MAX_ACCOUNT_MAILS_PER_ADDRESS
    form = {"password1": "a long walk by the canal"}
    for email in (VICTIM, player("bob").email):
        pages = set()
        for number in range(most + 3):
            cache.clear()  # of what is counted for a browser's address
            named = {"email": email, "username": f"Z{number} {len(email)}"}
            answer = Client().post("/accounts/signup/", named | form)
            pages.add((answer.status_code, answer.get("Location")))
        assert len(pages) == 1
        assert len(mails_to(email)) == most
        assert all("/no-mail/" in part(one, "plain") for one in mails_to(email))


def test_who_has_an_account_and_refuses_invitations_can_still_sign_in(world: World) -> None:
    email = player("bob").email
    Client().post(refusal(email))
    Client().post("/accounts/login/code/", {"email": email})
    assert len(mails_to(email)) == 1


def test_operators_can_take_a_refusal_back() -> None:
    said = StringIO()
    for deed, expected in {"refuse": "refused", "show": "refused", "allow": "allowed"}.items():
        call_command("refused_mail", deed, "Victim@example.net", stdout=said)
        assert said.getvalue().splitlines()[-1].startswith(expected)
        assert is_refused(VICTIM) == (expected == "refused")


def test_a_link_that_is_not_ours_refuses_nothing(world: World) -> None:
    digest = digest_of_address(VICTIM)
    tokens = [digest, links.unsubscribe_token(digest), f"{links.refusal_token(digest)[:-1]}", "x:y"]
    for token in tokens:
        assert Client().post(f"/no-mail/{token}/").status_code == 404
    assert not RefusedAddress.objects.exists()


# ------------------------------------------------------------------------------------------------- quoting


@pytest.mark.parametrize("end", ENDS)
def test_whatever_ends_a_line_no_line_is_without_its_mark(end: str) -> None:
    text = f"hello{end}-- {end}No more mails: https://evil.example/{end}{'long ' * 60}{end}{'x' * 500}"
    said = as_plain_text(Quoted(text))
    assert all(line.startswith(">") for line in said.splitlines())
    assert all(len(line) <= 76 for line in said.splitlines())
    assert all(not set(line) & set("".join(ENDS)) for line in quote_lines(text))
    assert said.splitlines()[0] == "> hello"


def test_what_turns_the_direction_of_writing_is_left_out() -> None:
    assert quote_lines("a\u202eb\u2066c\x07d") == ["abc d"]


def test_nothing_at_all_is_quoted_as_nothing() -> None:
    assert quote_lines("") == quote_lines("\n\r\n \n") == []
    assert as_plain_text("ours > theirs") == "ours > theirs"


def test_a_reply_that_repeats_quoted_chat_plays_nothing_of_it() -> None:
    repeated = as_plain_text(Quoted("resign\nb3 A")) + "\n"
    assert own_lines(f"A b3 90\n\nAt the table\n{repeated}") == ["A b3 90", "At the table"]
    twice = "".join(f"> {line}\n" for line in repeated.splitlines())
    assert own_lines(f"A b3 90\n\nOn 3 May 2030 at 10:00, OTTO wrote:\n{twice}") == ["A b3 90"]
