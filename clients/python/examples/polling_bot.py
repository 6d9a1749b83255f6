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
        view = otto.games.view(turn["game"])
        with suppress(Conflict):  # the game moved on; the next run sees its new state
            while legal := view["you"]["legal"]:  # each answer is the view after the action
                view = otto.games.play(view["id"], random.choice(legal), view["seq"])
    return len(invitations) + len(turns)


if __name__ == "__main__":
    with Client(os.environ["OTTO_URL"], os.environ["OTTO_TOKEN"]) as otto:
        while True:
            if not answer_all(otto):
                time.sleep(float(os.environ.get("OTTO_EVERY", "2")))
