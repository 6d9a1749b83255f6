"""Every secret card has its own drawing at the table, in mails and on the rules page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from games.card_pictures import CARD_PICTURE_DESCRIPTIONS, card_picture_path, draw_card_png
from games.engine import list_edition_names, load_edition

ALL_CARDS = {card for name in list_edition_names() for card in load_edition(name).cards}


def test_each_card_of_each_edition_has_a_drawing_and_a_description() -> None:
    assert set(CARD_PICTURE_DESCRIPTIONS) >= ALL_CARDS
    for card in ALL_CARDS:
        root = ElementTree.fromstring((settings.BASE_DIR / "static" / card_picture_path(card)).read_text())
        assert root.attrib["viewBox"] == "0 0 120 160"


def test_no_two_cards_look_alike() -> None:
    assert len({draw_card_png(card, 96) for card in CARD_PICTURE_DESCRIPTIONS}) == len(
        CARD_PICTURE_DESCRIPTIONS
    )
    assert len({str(text) for text in CARD_PICTURE_DESCRIPTIONS.values()}) == len(CARD_PICTURE_DESCRIPTIONS)
    assert Image.open(BytesIO(draw_card_png("TT", 96))).size == (96, 128)


@pytest.mark.django_db
def test_the_rules_page_describes_each_drawing(client: Client) -> None:
    html = client.get("/rules/").content.decode()
    pictures = re.findall(r'<img class="card-picture" src="[^"]*cards/(\w\w)[^"]*" alt="([^"]+)"', html)
    assert dict(pictures) == {code: str(CARD_PICTURE_DESCRIPTIONS[code]) for code, _text in pictures}
    assert {code for code, _text in pictures} == set(load_edition("arcastudio-2.2").cards)
