"""Sample names: ordinary ones, and ones that imitate another name."""

from __future__ import annotations

GOOD = (
    *("Ada", "Ada Rossi", "O'Brien", "Jean-Luc", "a.b_c", "Zoë", "Đặng Thị Hồng", "Łukasz", "İpek", "ırmak"),
    *("Strauß", "Ωμέγα", "Дмитрий", "שלום", "محمد", "हिन्दी", "தமிழ்", "ไทย", "ქართული", "Հայկ", "አበበ"),
    *(
        "김철수",
        "山田たろう",
        "ヤマダ タロウ",
        "王小明",
        "山田abc",
        "Kim 철수",
        "ada2",
        "007",
        "محمد١",
        "ʻIolani",
    ),
)
BLANK = (
    *(
        "\u3164",
        "\u3164\u3164",
        "\uffa0\uffa0",
        "\u115f\u1160",
        "\u2800\u2800",
        "\u200b\u200b",
        "\u00ad\u00ad",
    ),
    *(
        "\u0301\u0301",
        "\u034f\u034f",
        "\ufe0f\ufe0f",
        "\u17b4\u17b5",
        "\u180e\u180e",
        "  ",
        "\u00a0\u3000",
        "\u2060x",
    ),
)
HIDDEN = (
    *("ad\u200da", "ad\u200ca", "a\u200bda", "a\u00adda", "\ufeffada", "ada\ufe0f", "ada\ufe00", "a\u034fda"),
    *(
        "\u202eada",
        "ada\u202c",
        "\u2066ada\u2069",
        "\u200fada",
        "\u061cada",
        "ada\U000e0061",
        "ada\U000e0100",
    ),
    *("a\u180bda", "ada\u3164", "\u3164ada", "a\u1160da", "ada\u0000", "ada\nb\u0007", "क\u094d\u200dष"),
)
NOT_LETTERS = (
    *(
        "😀😀",
        "ada😀",
        "ada☺",
        "ada.",
        ".ada",
        "ada-",
        "ada_",
        "a..b",
        "a. b",
        "ada!",
        "<b>",
        "a/b",
        "a\\b",
        "a@b",
    ),
    *("\u0301ada", "a\u0301\u0302\u0303\u0304", "½", "a⁄b", "ada™®", "€ada", "ᴀda", "ꭺda", "a\ud800"),
)
MIXED = (
    *(
        "Аda",
        "adа",
        "аda",
        "pаypal",
        "Ωmega",
        "Adа Rossi",
        "ada Росси",
        "たろうкот",
        "שada",
        "ada१٣",
        "٣ada",
        "ᎪᏙᎪ",
    ),
    *("王ada한글たろう", "𐌀𐌁", "ⲁⲃ", "ꓮꓓꓮ", "a१b1"),
)
TWINS = (
    ("Ada", "ADA"), ("Ada", "аdа"), ("scope", "ѕсоре"), ("Ada", "Ａｄａ"), ("fiona", "ﬁona"),
    ("Zoë", "Zoe\u0308"),
    ("Ian", "lan"), ("Ian", "1an"), ("paul", "pau1"), ("paul", "PAUI"), ("bob", "b0b"),
    ("bob", "BOB"), ("BOB", "b0b"),
    ("Arnold", "Amold"), ("mimi", "rnirni"), ("ibo", "İbo"), ("ibo", "ıbo"), ("İbo", "ıbo"), ("IBO", "ibo"),
    ("Strauß", "STRAUSS"), ("Strauß", "strauss"), ("АННА", "AHHA"), ("Ада", "АДА"), ("οσσο", "oooo"),
    ("ada x", "ada  x"), ("ada x", "ada\u00a0x"), ("O'Brien", "O’Brien"), ("ʻIo", "'Io"),
    ("Guest 100000", "Guest lOOOOO"),
    ("ada", "ad\u200da"), ("ada", "\u202eada"), ("ada", "ada\ufe0f"), ("ada", "a\u1160da"), ("ſam", "sam"),
)  # fmt: skip
APART = (
    ("Ada", "Aida"), ("Elia", "Ella"), ("Jose", "José"), ("Ada Rossi", "AdaRossi"), ("Anna", "Hanna"),
    ("ada1", "ada2"),
    ("p1", "p10"), ("Bot 1", "Bot 11"), ("Иван", "Ивана"), ("山田", "山口"), ("김철수", "김철호"),
    ("bob", "dod"),
)  # fmt: skip
RESERVED = (
    *(
        "OTTO online",
        "Otto",
        "0TTO 0NLINE",
        "otto-online",
        "ΟΤΤΟ",
        "ОТТО",
        "OTT0",
        "admin",
        "Admin",
        "ADMlN",
        "adrnin",
    ),
    *("a.d.m.i.n", "Admin 2", "admin7", "administrator", "Moderator", "rnoderator", "support", "staff"),
    *(
        "system",
        "greedy bot",
        "Greedy Bot",
        "greedy-bot",
        "GREEDYBOT",
        "greedy b0t",
        "planner bot",
        "random bot 2",
    ),
    *(
        "a former player",
        "A Former Player",
        "guest",
        "Guest 123456",
        "Guest lOOOOO",
        "Ospite 123456",
        "Gast 123456",
    ),
    *("nobody", "Somebody", "you", "root", "postmaster", "beheerder", "amministratore", "nessuno", "niemand"),
    *("un ex giocatore", "een oud-speler", "ａｄｍｉｎ", "аԁmіn"),
)
