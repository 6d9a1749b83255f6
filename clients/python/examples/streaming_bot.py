"""A bot that waits on a stream: OTTO_URL=… OTTO_TOKEN=otto_… python streaming_bot.py

The server tells it at once when something happens. It accepts every invitation and plays at random.
"""

import os
import random
from contextlib import suppress

from otto_client import Client, Conflict


def answer_all(otto: Client) -> None:
    """Accept invitations and act until it is nowhere our turn."""
    for invitation in otto.me.invitations():
        with suppress(Conflict):  # somebody else took the seat, or the game is gone
            otto.games.join(invitation["game"])
    while turns := otto.me.turns():
        for turn in turns:
            legal = otto.games.legal(turn["game"])
            with suppress(Conflict):  # the game moved on; we look again
                if legal["actions"]:
                    otto.games.play(turn["game"], random.choice(legal["actions"]), legal["seq"])


if __name__ == "__main__":
    with Client(os.environ["OTTO_URL"], os.environ["OTTO_TOKEN"]) as otto:
        cursor = 0  # the end of our feed: from there on nothing is missed
        while (feed := otto.events.page(cursor))["results"]:
            cursor = feed["after"]
        answer_all(otto)
        for _entry in otto.stream_events(cursor):
            answer_all(otto)
