"""Ornaments, added words or accents do not make the site's name or a link acceptable; ordinary names are."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from oauth2_provider.models import Application

from accounts.link_detection import has_link
from accounts.models import Player
from accounts.name_validation import check_name, normalize_name
from accounts.reserved_names import is_reserved, is_reserved_title
from accounts.services.names import check_app_name, check_new_name
from common.service_errors import Invalid
from tests.factories.cast import NOW, open_browser

pytestmark = pytest.mark.django_db
# Titles may contain any character.
ADORNED_TITLES = (
    *(
        "OTTO online!",
        "★ Support ★",
        "★Support★",
        "[OTTO]",
        "(admin)",
        "«Admin»",
        "Support™",
        "OTTO®",
        "OTTO online ✓",
    ),
    *(
        "OTTO – online",
        "OTTO|online",
        "OTTO + online",
        "❤️ OTTO ❤️",
        "🏆OTTO online🏆",
        "#admin",
        "* * Staff * *",
    ),
    *(
        "S̲u̲p̲p̲o̲r̲t̲",
        "Ádmin",
        "Süpport",
        "@dmin",
        "$upport",
        "OTT● online",
        "ⓈⓊⓅⓅⓄⓇⓉ",
        "ＯＴＴＯ！",
        "OTTO (official)",
        "~OTTO~",
    ),
    *(
        "OTTO admin!",
        "OTTO: Support",
        "¡OTTO Staff!",
        "Support (OTTO online)",
        "OTTO & Team",
        "★ greedy bot ★",
        "OTTO 2!",
    ),
    *("A̶d̶m̶i̶n̶", "O⃝TTO", "assistenza!", "OTTO?", "★ Beheerder ★", "OTTO Assistenza"),
)
STAFF_OF_THE_SITE = (
    *(
        "OTTO admin",
        "OTTO-Support",
        "OTTO_Staff",
        "Otto.Team",
        "otto help",
        "Support OTTO",
        "OTTO online Support",
    ),
    *("OTTOadmin", "ottosupport", "0TTO Adrnin", "OTTO Admin 2", "OTTO admin7", "Otto Official", "Team OTTO"),
    *(
        "OTTO Moderator",
        "OTTO Assistenza",
        "OTTO Beheerder",
        "Site Admin",
        "Admin Team",
        "Support Staff",
        "OTTO Bot",
    ),
    *(
        "ОТТО аdmin",
        "OTTO Sicurezza",
        "Admin-Support",
        "The Site Admin",
        "OTTO Mods",
        "OTTO Info",
        "official OTTO",
    ),
)
# Names of the site, its staff and its services with added words, refused for players and for apps.
SOUNDING_LIKE_THE_SITE = (
    *(
        "OTTO online app",
        "Official OTTO app",
        "The OTTO online team",
        "OTTO operators",
        "Admins",
        "operators",
    ),
    *(
        "the moderators",
        "The admin",
        "4dmin",
        "5upport",
        "m0derat0r5",
        "0TT0 4dm1n",
        "H3lp",
        "5taff",
        "4dmins 2",
    ),
    *(
        "OTTO login",
        "Team of OTTO",
        "App of the OTTO team",
        "My OTTO online",
        "OTTO-online board",
        "OTTOonline 2",
    ),
    *("Play OTTO 0nline", "il moderatore", "de beheerder", "Moderatori", "De beheerders", "Gestori di OTTO"),
    *(
        "OTTO ufficiale",
        "Officiële OTTO app",
        "The Operators of OTTO",
        "Help for admins",
        "Organisers",
        "THE ADMIN",
    ),
)
# Ordinary names from many places; some begin or end like a word of the site.
ORDINARY_NAMES = (
    *(
        "Otto Rossi",
        "Otto von Bismarck",
        "Ottoline",
        "Otto Otto",
        "Otto Bakker",
        "Lotto",
        "Otto Staffan",
        "Otto Teamer",
    ),
    *(
        "Ottomar",
        "Anna Otto",
        "Karl-Otto",
        "Otto Onlinger",
        "Adminton",
        "Helpman",
        "Botticelli",
        "Talbot",
        "Abbot",
        "Jan Bot",
    ),
    *(
        "Guestrin",
        "Youssef",
        "Tuomas",
        "Tú Nguyễn",
        "Tu Anh",
        "Jijé",
        "Stafford",
        "Supporto",
        "Mod Helmy",
        "Info Okafor",
    ),
    *(
        "Team Rocket",
        "Serviceberry",
        "Mailin",
        "Desk Okoro",
        "Official Bob",
        "Online Anna",
        "Ada Lovelace",
        "O'Neill",
    ),
    *(
        "José María",
        "Søren Kierkegaard",
        "Łucja Żółć",
        "Đặng Thị Hồng",
        "İpek Şahin",
        "Ørjan",
        "Æthelred",
        "Strauß",
    ),
    *(
        "Дмитрий Иванов",
        "Отто Шмидт",
        "Ольга",
        "Γιώργος",
        "Όττο Βάγκνερ",
        "שלום כהן",
        "محمد علي",
        "أحمد",
        "نرگس",
    ),
    *(
        "王小明",
        "山田 太郎",
        "オットー",
        "김철수",
        "ไทย ใจดี",
        "अमित कुमार",
        "தமிழ் செல்வி",
        "বাবু",
        "ქეთევან",
        "Հայկ",
        "አበበ",
    ),
    *("ਸਿੰਘ", "ગાંધી", "ಕನ್ನಡ", "മലയാളം", "తెలుగు", "සිංහල", "ລາວ", "ဗမာ", "ខ្មែរ", "ދިވެހި"),
    *("J R R Tolkien", "van der Waals 3", "ada2", "007", "x_y-z"),
    *(
        "Debot",
        "Lobot",
        "De Botton",
        "Otto Le",
        "Otto de Lange",
        "Di Lotto",
        "Theodor Otto",
        "Appel",
        "Adminka",
    ),
    *("Operatore Rossi", "Ofelia", "Loginova", "Ann4", "4da", "B0b", "1 2 3", "0770 12", "Otto en Online"),
)
ADORNED_LINKS = (
    *(
        "example\u0301.com",
        "x\u0336.com",
        "exampl\u20dd.com",
        "example.c\u0336om",
        "example.\u0301com",
        "example★.com",
    ),
    *(
        "i❤.ws",
        "i❤\ufe0f.ws",
        "example-.com",
        "example).com",
        "“example”.com",
        "win!.com",
        "50%.shop",
        "x_.com",
    ),
    *(
        "☃.net",
        "a.☃.net",
        "1\u0336.2.3.4",
        "w\u0336ww.x",
        "eve\u0336@x",
        "h\u0336ttp:\u0336//x",
        "example﹒com",
        "example︒com",
    ),
)
TITLES_WITHOUT_LINKS = (
    *(
        "Cup no. 7 (final).",
        "Coupe d’été…",
        "1.–3. Oktober",
        "Roma vs. Milano",
        "Liga 2.0 ★",
        "A.I. Cup",
        "★ . ★ Cup",
    ),
    *(
        "«Кубок» № 5",
        "第3回 OTTO大会。",
        "カップ・オットー",
        "Ελλάδα. Κύπελλο",
        "كأس. العالم",
        "50 % . Rabatt",
        "Mrs. Ø",
    ),
)


@pytest.mark.parametrize("title", ADORNED_TITLES)
def test_no_app_is_called_as_the_site_is_with_ornaments(title: str) -> None:
    assert is_reserved_title(title)
    answer = open_browser("ada").post("/me/apps/", {"name": title, "addresses": "https://board.example/back"})
    assert "This name is reserved." in answer.text
    assert not Application.objects.exists()


@pytest.mark.parametrize("name", STAFF_OF_THE_SITE)
def test_nobody_is_called_as_if_they_worked_here(name: str) -> None:
    assert is_reserved(name)
    assert is_reserved_title(name)
    fields = {"email": "new@example.org", "username": name, "password1": "a long walk by the canal"}
    assert Client().post("/accounts/signup/", fields).status_code == 200
    assert not Player.objects.filter(name=name).exists()


@pytest.mark.parametrize("name", SOUNDING_LIKE_THE_SITE)
def test_no_word_beside_and_no_digit_within_makes_the_sites_name_anybodys(name: str) -> None:
    with pytest.raises(ValidationError, match=r"This name is reserved\."):
        check_new_name(name)
    with pytest.raises(Invalid, match=r"This name is reserved\."):
        check_app_name(f"★ {name} ★")
    answer = open_browser("ada").post("/me/apps/", {"name": name, "addresses": "https://board.example/back"})
    assert "This name is reserved." in answer.text
    assert not Application.objects.exists()


@pytest.mark.parametrize("name", ORDINARY_NAMES)
def test_people_are_called_what_they_are_called(name: str) -> None:
    normal = normalize_name(name)
    check_name(normal)
    assert not is_reserved(name)
    assert not has_link(name)
    assert check_new_name(name) == normal


@pytest.mark.parametrize(
    "title",
    [
        "Play OTTO",
        "Boards for OTTO players",
        "Online board for OTTO",
        "The Board",
        "OTTO Masters",
        "Pocket board",
        "❤️ Board",
        "OTTO for Android",
        "1 + 1",
        "My Bot",
        "★",
        "OTTO Botter",
    ],
)
def test_apps_may_speak_of_the_game(title: str) -> None:
    assert not is_reserved_title(title)
    assert check_app_name(title) == title


@pytest.mark.parametrize("text", ADORNED_LINKS)
def test_marks_and_signs_beside_the_dot_hide_no_link(text: str) -> None:
    assert has_link(text)
    assert has_link(f"Win {text} now")


@pytest.mark.parametrize("text", TITLES_WITHOUT_LINKS)
def test_ordinary_titles_hold_no_links(text: str) -> None:
    assert not has_link(text)


def test_a_player_of_before_keeps_a_name_that_is_reserved_now() -> None:
    account = Player.objects.create_user(email="old@example.org", name="OTTO Support", joined_at=NOW)
    account.language = "nl"
    account.save()
    account.refresh_from_db()
    assert account.name == "OTTO Support"
    with pytest.raises(ValidationError):
        check_new_name("Otto_Support")
