"""A token from a mail is valid for one purpose, one player, one seat and one turn."""

from __future__ import annotations

import re
import string
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from common.signed_tokens import compute_signatures
from common.site_urls import build_absolute_url
from games import signed_links
from games.models import Game
from games.models.games import PUBLIC_CODE_ALPHABET, generate_public_code
from games.signed_links import (
    REPLY_PURPOSE,
    RESIGN_PURPOSE,
    TURN_PURPOSE,
    TurnToken,
    is_valid_turn_token,
    make_turn_token,
    read_turn,
)
from notifications.inbound.addresses import (
    BOUNCE_PURPOSE,
    build_address,
    load_address_prefixes,
    make_bounce_token,
    read_address,
    read_bounce,
)
from notifications.models import Delivery
from notifications.unsubscribe_links import UNSUBSCRIBE_PURPOSE, make_unsubscribe_token, read_unsubscribe
from tests.example_counts import pick_example_count

CODE = "k3n8vw2xq7hz"
WORDS = {"purpose": TURN_PURPOSE, "game_code": CODE, "seat_no": 2, "turn_seq": 17, "player_id": 5}
LONGEST_LOCAL_PART = 64  # RFC 5321, 4.5.3.1.1
GARBAGE = [
    "",
    "-",
    "---",
    "----",
    ":",
    "@",
    "a:b",
    "1",
    "1-",
    "1:",
    ":1",
    "null",
    "\0",
    "1\n",
    "..",
    "%s-%s-%s-%s",
    "' OR 1=1 --",
    "<script>",
    "\ud800",
    "1-\ud800",
    "1:\udcff",
    "🎲-🎲-🎲-🎲",
    f"{CODE}-2-17",
    f"{CODE}-2-17-",
    f"{CODE}-2--",
    f"{CODE}--17-aaaaaaaaaaaaaaaa",
    f"{CODE}-+2-17-aaaaaaaaaaaaaaaa",
    f"{CODE}- 2-17-aaaaaaaaaaaaaaaa",
    f"{CODE}-2.0-17-aaaaaaaaaaaaaaaa",
    f"{CODE}-1_0-17-aaaaaaaaaaaaaaaa",
    f"{CODE}-²-17-aaaaaaaaaaaaaaaa",  # a digit character, but no decimal
]


@pytest.fixture(autouse=True)
def set_reply_domain(settings: Any) -> None:
    settings.SECRET_KEY = "the present key of the tests"
    settings.SECRET_KEY_FALLBACKS = []
    settings.REPLY_DOMAIN = "otto.example"


def make_token(**other: Any) -> str:
    return make_turn_token(**(WORDS | other))


def read_token(token: str) -> TurnToken:
    place = read_turn(token)
    assert place
    return place


def is_valid_token(token: str, *, purpose: str = TURN_PURPOSE, player_id: int = 5) -> bool:
    """True if the token is valid."""
    place = read_turn(token)
    return place is not None and is_valid_turn_token(place, purpose=purpose, player_id=player_id)


# ------------------------------------------------------------------------------------------------------ turns


def test_a_turns_token_says_its_game_its_seat_and_its_turn_and_holds_for_its_player() -> None:
    place = read_token(make_token())
    assert (place.game_code, place.seat_no, place.turn_seq) == (CODE, 2, 17)
    assert is_valid_turn_token(place, purpose=TURN_PURPOSE, player_id=5)
    assert make_token() == make_token()


@pytest.mark.parametrize("purpose", [TURN_PURPOSE, REPLY_PURPOSE, RESIGN_PURPOSE])
def test_a_token_of_one_purpose_is_worthless_for_every_other(purpose: str) -> None:
    token = make_token(purpose=purpose)
    for other in (
        TURN_PURPOSE,
        REPLY_PURPOSE,
        RESIGN_PURPOSE,
        BOUNCE_PURPOSE,
        signed_links.MUTE_PURPOSE,
        UNSUBSCRIBE_PURPOSE,
        signed_links.INVITATION_PURPOSE,
    ):
        assert is_valid_token(token, purpose=other) is (other == purpose)


@pytest.mark.parametrize("player_id", [0, 1, 4, 6, 50, 55, -5])
def test_a_seat_that_changed_hands_leaves_the_old_mails_worthless(player_id: int) -> None:
    assert not is_valid_token(make_token(), player_id=player_id)


@pytest.mark.parametrize(
    "other",
    [
        {"seat_no": 1},
        {"seat_no": 12},
        {"turn_seq": 16},
        {"turn_seq": 18},
        {"turn_seq": 1},
        {"turn_seq": 170},
        {"game_code": "k3n8vw2xq7hy"},
    ],
)
def test_a_token_cannot_be_turned_into_one_of_another_game_seat_or_turn(other: dict[str, Any]) -> None:
    assert not is_valid_turn_token(
        replace(read_token(make_token()), **other), purpose=TURN_PURPOSE, player_id=5
    )
    # The signature of one token is invalid with the fields of the other.
    prefix, _, _ = make_token(**other).rpartition("-")
    assert not is_valid_token(f"{prefix}-{read_token(make_token()).signature}")
    assert is_valid_token(make_token(**other))


def test_numbers_cannot_be_shifted_across_the_hyphens() -> None:
    """Seat 1, turn 27 is not seat 12, turn 7; nor can digits of a turn become digits of a player."""
    twins = [make_token(seat_no=1, turn_seq=27), make_token(seat_no=12, turn_seq=7)]
    assert read_token(twins[0]).signature != read_token(twins[1]).signature
    assert not is_valid_turn_token(
        replace(read_token(twins[0]), seat_no=12, turn_seq=7), purpose=TURN_PURPOSE, player_id=5
    )
    assert not is_valid_turn_token(
        replace(read_token(make_token(turn_seq=1, player_id=75)), turn_seq=17),
        purpose=TURN_PURPOSE,
        player_id=5,
    )


@hypothesis_settings(max_examples=pick_example_count(200))
@given(st.data())
def test_no_other_spelling_opens_another_turn(data: st.DataObject) -> None:
    """A token with a replaced, deleted or inserted character names no other turn, leading zeros aside."""
    token = make_token()
    at = data.draw(st.integers(0, len(token) - 1))
    new = data.draw(st.sampled_from(string.printable + "ıſK０٣²é\ud800") | st.just(""))
    cut = data.draw(st.integers(0, 1))
    changed = token[:at] + new + token[at + cut :]
    if is_valid_token(changed):
        assert read_token(changed) == read_token(token)


@pytest.mark.parametrize("place", range(len(f"{CODE}-2-17-") + 16))
def test_every_single_character_counts(place: int) -> None:
    token = make_token()
    for new in "a2-z":
        changed = token[:place] + new + token[place + 1 :]
        assert is_valid_token(changed) is (changed == token)
    assert not is_valid_token(token[:place] + token[place + 1 :])
    assert not is_valid_token(token[:place])


@pytest.mark.parametrize("more", ["-", "-x", "-5", "x", " ", "\n", "@"])
def test_nothing_may_follow_a_token_or_come_before_it(more: str) -> None:
    assert not is_valid_token(make_token() + more)
    assert not is_valid_token(more + make_token())


def test_a_mail_program_may_change_the_case_of_an_address() -> None:
    token = make_token(purpose=REPLY_PURPOSE)
    assert token == token.lower()
    for spelt in (token.upper(), token.title(), token.swapcase()):
        assert read_token(spelt) == read_token(token)
        assert is_valid_token(spelt, purpose=REPLY_PURPOSE)


@pytest.mark.parametrize("token", GARBAGE)
def test_garbage_is_no_turn(token: str) -> None:
    assert read_turn(token) is None or not is_valid_token(token)


@pytest.mark.parametrize("number", ["٢", "２", "²", "२", "߂"])  # all mean two, but only ASCII digits count
def test_digits_of_other_scripts_are_no_numbers(number: str) -> None:
    token = make_token()
    assert read_turn(token.replace("-2-", f"-{number}-")) is None
    assert read_turn(token.replace("-17-", f"-1{number}-")) is None
    assert read_bounce(f"{number}-{compute_signatures(BOUNCE_PURPOSE, number)[0]}") is None


def test_letters_that_become_ours_in_lower_case_are_not_ours() -> None:
    token = make_token()
    assert "k" in token
    assert read_turn(token.replace("k", "\N{KELVIN SIGN}")) is None


@pytest.mark.parametrize("digits", [19, 40, 5000, 10**6])
def test_huge_numbers_are_turned_away_before_anybody_counts_them(digits: int) -> None:
    """Python raises ValueError for integers of more than 4,300 digits; a token must not trigger that."""
    huge = "9" * digits
    for token in (f"{CODE}-{huge}-17-{'a' * 16}", f"{CODE}-2-{huge}-{'a' * 16}"):
        assert not is_valid_token(token)
    assert read_bounce(f"{huge}-{compute_signatures(BOUNCE_PURPOSE, huge)[0]}") is None
    assert signed_links.read_invitation(huge) is None


def test_the_signature_has_eighty_bits_in_lower_case() -> None:
    signature = read_token(make_token()).signature
    assert len(signature) == 16
    assert set(signature) <= set(string.ascii_lowercase + "234567")
    signatures = {read_token(make_token(turn_seq=turn)).signature for turn in range(500)}
    assert len(signatures) == 500


# ------------------------------------------------------------------------------------------------ secret keys


def test_another_sites_key_makes_other_tokens(settings: Any) -> None:
    token, bounced = make_token(), make_bounce_token(7)
    settings.SECRET_KEY = "the key of somebody else"
    assert make_token() != token
    assert not is_valid_token(token)
    assert read_bounce(bounced) is None


def test_mails_outlive_a_change_of_the_secret_key_as_long_as_the_old_one_is_kept(settings: Any) -> None:
    old = settings.SECRET_KEY
    tokens: list[tuple[Callable[[str], Any], str, Any]] = [
        (is_valid_token, make_token(), True),
        (read_bounce, make_bounce_token(7), 7),
        (read_unsubscribe, make_unsubscribe_token("abc"), "abc"),
        (signed_links.read_mute, signed_links.make_mute_token("abc", CODE), ("abc", CODE)),
        (signed_links.read_invitation, signed_links.make_invitation_token(7), 7),
    ]
    settings.SECRET_KEY = "a new key"
    settings.SECRET_KEY_FALLBACKS = ["one in between", old]
    assert [reader(token) for reader, token, _ in tokens] == [meaning for _, _, meaning in tokens]
    assert make_token() != tokens[0][1]  # new tokens are signed with the new key
    settings.SECRET_KEY_FALLBACKS = ["one in between"]
    assert not any(reader(token) for reader, token, _ in tokens)
    assert is_valid_token(make_token())


# -------------------------------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("purpose", "prefix"),
    [(REPLY_PURPOSE, "play"), (RESIGN_PURPOSE, "resign"), (BOUNCE_PURPOSE, "bounce")],
)
def test_an_address_says_what_it_is_for_and_is_read_again(purpose: str, prefix: str) -> None:
    token = make_bounce_token(7) if purpose == BOUNCE_PURPOSE else make_token(purpose=purpose)
    address = build_address(purpose, token)
    seal = "" if purpose == BOUNCE_PURPOSE else "-[a-z2-7]{10}"
    assert re.fullmatch(rf"{prefix}-{token}{seal}@otto\.example", address)
    for spelt in (address, address.upper(), f"  {address.title()}\r\n"):
        assert read_address(spelt) == (purpose, token)


def test_an_address_to_play_cannot_be_made_one_to_resign() -> None:
    address = build_address(REPLY_PURPOSE, make_token(purpose=REPLY_PURPOSE))
    assert read_address(address.replace("play-", "resign-")) is None
    # Not even with the seal of an address for resigning.
    _, token = read_address(build_address(RESIGN_PURPOSE, make_token(purpose=REPLY_PURPOSE))) or (
        "",
        "",
    )
    assert token
    assert not is_valid_token(token, purpose=RESIGN_PURPOSE)
    # The token of a turn's link, which a page shows, is not valid as an address.
    _, token = read_address(build_address(REPLY_PURPOSE, make_token(purpose=TURN_PURPOSE))) or ("", "")
    assert not is_valid_token(token, purpose=REPLY_PURPOSE)


@pytest.mark.parametrize("purpose", [REPLY_PURPOSE, RESIGN_PURPOSE, BOUNCE_PURPOSE])
def test_an_address_with_a_letter_changed_was_not_made_here(purpose: str) -> None:
    token = make_bounce_token(7) if purpose == BOUNCE_PURPOSE else make_token(purpose=purpose)
    local, _, domain = build_address(purpose, token).partition("@")
    begin = len(load_address_prefixes()[purpose]) + 1
    for place in range(begin, len(local)):
        other = "b" if local[place] != "b" else "c"
        assert read_address(f"{local[:place]}{other}{local[place + 1 :]}@{domain}") is None
        assert read_address(f"{local[:place]}@{domain}") is None
    assert read_address(f"{load_address_prefixes()[purpose]}@{domain}") is None


def test_an_address_of_before_a_new_key_stays_good_while_the_old_one_is_known(settings: Any) -> None:
    address, before = (
        build_address(REPLY_PURPOSE, make_token(purpose=REPLY_PURPOSE)),
        settings.SECRET_KEY,
    )
    settings.SECRET_KEY = "quite another key, of fifty letters or a little more"
    assert read_address(address) is None
    settings.SECRET_KEY_FALLBACKS = [before]
    assert read_address(address) is not None


@pytest.mark.parametrize(
    "address",
    [
        "",
        "@",
        "@otto.example",
        "play",
        "play-x",
        "play-x@",
        "play-x@example",
        "play-x@otto.example.org",
        "play-x@mail.otto.example",
        "play-x@otto.example@elsewhere.org",
        "playx@otto.example",
        "player-x@otto.example",
        "postmaster@otto.example",
        "x-play-x@otto.example",
        "<play-x@otto.example>",
    ],
)
def test_an_address_elsewhere_or_of_somebody_else_is_not_ours(address: str) -> None:
    assert read_address(address) is None


def test_the_domain_may_be_set_in_any_case(settings: Any) -> None:
    settings.REPLY_DOMAIN = "Otto.Example"
    token = make_token(purpose=REPLY_PURPOSE)
    assert read_address(build_address(REPLY_PURPOSE, token)) == (REPLY_PURPOSE, token)


def test_without_a_domain_for_replies_there_are_no_addresses(settings: Any) -> None:
    settings.REPLY_DOMAIN = ""
    assert build_address(REPLY_PURPOSE, make_token(purpose=REPLY_PURPOSE)) == ""
    for address in (
        "",
        "@",
        f"play-{make_token(purpose=REPLY_PURPOSE)}@",
        f"play-{make_token(purpose=REPLY_PURPOSE)}",
    ):
        assert read_address(address) is None


def test_the_longest_address_fits_into_what_mail_servers_take() -> None:
    code = "z" * (Game._meta.get_field("code").max_length or 0)
    for purpose in (REPLY_PURPOSE, RESIGN_PURPOSE):
        token = make_token(purpose=purpose, game_code=code, seat_no=4, turn_seq=10**12, player_id=2**63 - 1)
        assert len(build_address(purpose, token).partition("@")[0]) <= LONGEST_LOCAL_PART
        assert is_valid_token(token, purpose=purpose, player_id=2**63 - 1)
    bounced = build_address(BOUNCE_PURPOSE, make_bounce_token(10**18 - 1))
    assert len(bounced.partition("@")[0]) <= LONGEST_LOCAL_PART
    assert read_bounce((read_address(bounced) or ("", ""))[1]) == 10**18 - 1


def test_a_games_code_never_breaks_its_tokens() -> None:
    """A code with a hyphen or a capital would make a token ambiguous."""
    assert set(PUBLIC_CODE_ALPHABET) <= set(string.ascii_lowercase + string.digits)
    for _ in range(50):
        code = generate_public_code()
        assert read_token(make_token(game_code=code)).game_code == code


# ------------------------------------------------------------------------- bounces, no more mail, invitations


def test_a_mail_that_comes_back_names_its_delivery() -> None:
    number = Delivery(pk=123).pk
    token = make_bounce_token(number)
    assert read_bounce(token) == 123
    signature = token.partition("-")[2]
    for forged in (
        f"124-{signature}",
        f"0123-{signature}",
        f"12-3{signature}",
        f"123-{signature[:-1]}",
        "123-",
        "123",
    ):
        assert read_bounce(forged) is None
    # A signature of this number for another purpose.
    assert read_bounce(f"123-{compute_signatures(REPLY_PURPOSE, '123')[0]}") is None


def test_a_token_to_stop_all_mails_holds_for_one_player_and_stops_nothing_else() -> None:
    token = make_unsubscribe_token("abc123")
    assert read_unsubscribe(token) == "abc123"
    assert signed_links.read_mute(token) is None
    assert signed_links.read_invitation(token) is None
    assert read_unsubscribe(token.replace("abc123", "abc124")) is None
    assert read_unsubscribe(signed_links.make_mute_token("abc123", CODE)) is None


def test_a_token_to_mute_holds_for_one_player_and_one_game() -> None:
    token = signed_links.make_mute_token("abc123", CODE)
    assert signed_links.read_mute(token) == ("abc123", CODE)
    assert read_unsubscribe(token) is None
    for old, new in (("abc123", "abc124"), (CODE, "k3n8vw2xq7hy"), (".", ""), (".k", "k."), (":", "")):
        assert old in token
        assert signed_links.read_mute(token.replace(old, new, 1)) is None


def test_an_invitations_token_holds_for_one_invitation() -> None:
    token = signed_links.make_invitation_token(7)
    assert signed_links.read_invitation(token) == 7
    assert signed_links.read_invitation(token.replace("7", "8", 1)) is None
    assert signed_links.read_invitation(make_unsubscribe_token("7")) is None
    assert signed_links.read_invitation(f"{token}x") is None


@pytest.mark.parametrize("token", [*GARBAGE, "7-", "-7", "7:7", "abc.def", "a.b:c"])
def test_garbage_stops_no_mails_and_opens_nothing(token: str) -> None:
    assert read_bounce(token) is None
    assert read_unsubscribe(token) is None
    assert signed_links.read_mute(token) is None
    assert signed_links.read_invitation(token) is None


@pytest.mark.parametrize("piece", ["-", "a-", "@", "play-", "1", "9-", ":", "a.", " ", "\ud800", "K"])
def test_a_token_of_megabytes_is_turned_away_at_once(piece: str) -> None:
    """Quadratic parsing would take hours."""
    huge = piece * 500_000
    started_at = time.process_time()
    assert read_turn(huge) is None
    for reader in (
        read_bounce,
        read_unsubscribe,
        signed_links.read_mute,
        signed_links.read_invitation,
    ):
        assert reader(huge) is None
    address = read_address(f"play-{huge}@otto.example")
    assert address is None or read_turn(address[1]) is None
    assert read_address(huge) is None
    assert time.process_time() - started_at < 20


def test_a_page_of_ours_is_named_as_the_world_reaches_it(settings: Any) -> None:
    settings.SITE_URL = "https://otto.example"
    assert build_absolute_url("/turn/x/") == "https://otto.example/turn/x/"
