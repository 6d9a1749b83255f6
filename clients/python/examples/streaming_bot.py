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
            view = otto.games.view(turn["game"])
            with suppress(Conflict):  # the game moved on; we look again
                while legal := view["you"]["legal"]:  # each answer is the view after the action
                    view = otto.games.play(view["id"], random.choice(legal), view["seq"])


if __name__ == "__main__":
    with Client(os.environ["OTTO_URL"], os.environ["OTTO_TOKEN"]) as otto:
        cursor = otto.events.page("latest")["after"]  # from here on nothing is missed
        answer_all(otto)
        for _entry in otto.stream_events(cursor):
            answer_all(otto)
