"""A bot that is called: OTTO_URL=… OTTO_TOKEN=otto_… OTTO_SECRET=whsec_… PORT=8080 python webhook_bot.py

Needs standardwebhooks, and a webhook of its account that leads to this port. It plays at random.
"""

import os
import random
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from otto_client import Client, Conflict
from standardwebhooks import Webhook, WebhookVerificationError

otto = Client(os.environ["OTTO_URL"], os.environ["OTTO_TOKEN"])


class Handler(BaseHTTPRequestHandler):
    """Answers each call, then accepts invitations and acts wherever it is our turn."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            Webhook(os.environ["OTTO_SECRET"]).verify(body, dict(self.headers))
        except (WebhookVerificationError, ValueError):
            return self.send_error(401)  # not from the site
        self.send_response(204)
        self.end_headers()
        for invitation in otto.me.invitations():
            with suppress(Conflict):  # somebody else took the seat, or the game is gone
                otto.games.join(invitation["game"])
        for turn in otto.me.turns():
            view = otto.games.view(turn["game"])
            with suppress(Conflict):  # the game moved on; we are called again
                while legal := view["you"]["legal"]:  # each answer is the view after the action
                    view = otto.games.play(view["id"], random.choice(legal), view["seq"])


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
