"""A bot that asks every few seconds: OTTO_URL=… OTTO_TOKEN=otto_… python polling_bot.py

It accepts every invitation and plays at random.
"""

import os
import random
import time
from contextlib import suppress

from otto_client import Client, Conflict


def answer_all(otto: Client) -> int:
    """Accept invitations and act wherever it is our turn. Returns how much there was to do."""
    invitations, turns = otto.me.invitations(), otto.me.turns()
    for invitation in invitations:
        with suppress(Conflict):  # somebody else took the seat, or the game is gone
            otto.games.join(invitation["game"])
    for turn in turns:
        legal = otto.games.legal(turn["game"])
        with suppress(Conflict):  # the game moved on; the next run sees its new state
            if legal["actions"]:
                otto.games.play(turn["game"], random.choice(legal["actions"]), legal["seq"])
    return len(invitations) + len(turns)


if __name__ == "__main__":
    with Client(os.environ["OTTO_URL"], os.environ["OTTO_TOKEN"]) as otto:
        while True:
            if not answer_all(otto):
                time.sleep(float(os.environ.get("OTTO_EVERY", "2")))
