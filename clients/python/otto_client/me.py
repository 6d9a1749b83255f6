"""You: turns, invitations, profile, tokens, webhooks, vacation, feeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, Unpack

import httpx

from .operations import Call, Operation, Resource, operation, records_operation
from .records import RecordQuery
from .types import (
    Bot,
    Delivery,
    FeedAddresses,
    Invitation,
    PatchedProfile,
    Profile,
    Record,
    TimeOverview,
    Token,
    TokenWithSecret,
    Turn,
    Webhook,
    WebhookWithSecret,
)

C = TypeVar("C")


def read_owner_code(answer: httpx.Response) -> str:
    """Return the code of an answer."""
    return str(answer.json()["owner_code"])


class Me(Resource[C]):
    """`client.me`."""

    turns = Operation[[], list[Turn]](
        "me_turns", "Return the games in which you are to act, most urgent first."
    )
    invitations = Operation[[], list[Invitation]]("me_invitations", "Return your open invitations.")
    profile = Operation[[], Profile](
        "me_show", "Return your profile; `email` is None without the scope email."
    )
    export = Operation[[], dict[str, Any]]("me_export", "Return everything that the site stores about you.")

    @operation("me_change")
    def change(self, **fields: Unpack[PatchedProfile]) -> Call[Profile]:
        """Change language, time zone or notice settings; fields not given stay. Needs the scope account."""
        return Call(fields=fields)

    # ---------------------------------------------------------------------- tokens, with the scope account

    tokens = Operation[[], list[Token]]("me_tokens_list", "Return your active personal tokens.")
    token = Operation[[int], Token](
        "me_tokens_show", "Return one of your personal tokens, also if it has ended."
    )
    revoke_token = Operation[[int], None](
        "me_tokens_revoke", "Revoke a token and all that it created, at once and for good."
    )

    @operation("me_tokens_create")
    def make_token(
        self, name: str, scopes: Sequence[str], expires_in_days: int | None = None
    ) -> Call[TokenWithSecret]:
        """Create a token; `token` is returned only now, and it ends with yours."""
        return Call(fields={"name": name, "scopes": list(scopes), "expires_in_days": expires_in_days})

    # ---------------------------------------------------------------------- webhooks and other deliveries

    webhooks = Operation[[], list[Webhook]]("me_webhooks_list", "Return your webhooks.")
    webhook = Operation[[int], Webhook]("me_webhooks_show", "Return one of your webhooks.")
    create_webhook = Operation[..., WebhookWithSecret](
        "me_webhooks_create", "Create a webhook: `url=…`; `secret` is returned only now."
    )
    change_webhook = Operation[..., Webhook]("me_webhooks_switch", "Change a webhook: `active=False`.")
    delete_webhook = Operation[[int], None]("me_webhooks_delete", "Delete a webhook.")
    renew_webhook_secret = Operation[[int], WebhookWithSecret](
        "me_webhooks_secret", "Replace the secret of a webhook."
    )
    test_webhook = Operation[[int], Delivery]("me_webhooks_test", "Send a test call to a webhook.")
    deliveries = Operation[[], list[Delivery]](
        "me_deliveries", "Return the last mails, calls and push messages to you."
    )
    test_mail = Operation[[], Delivery](
        "me_deliveries_test", "Send yourself a test mail, one a minute at most."
    )
    revive_mail = Operation[[], None](
        "me_deliveries_revive", "Confirm that your address accepts mail again, after mails bounced."
    )

    # ---------------------------------------------------------------------- bots

    bot = Operation[[], Bot](
        "me_bot_show", "Return your account as a bot. Raises NotFound if it is a person's."
    )
    change_bot = Operation[..., Bot](
        "me_bot_change", "Change takes_challenges, about, plays_cards or max_games. Needs the scope account."
    )
    withdraw_bot = Operation[[], None](
        "me_bot_withdraw", "Make your account a person's again, before the bot has played."
    )
    bots = Operation[[], list[Bot]]("me_bots_list", "Return the bots that you run.")

    @operation("me_bot_declare")
    def declare_bot(self, owner_code: str, confirmation: str) -> Call[Bot]:
        """Declare your account a bot; `confirmation` is its name. Needs the scope account."""
        return Call(fields={"owner_code": owner_code, "confirmation": confirmation})

    @operation("me_bots_code")
    def make_owner_code(self) -> Call[str]:
        """Return a code by which an account can name you as its owner, for a day. Needs the scope account."""
        return Call(read_answer=read_owner_code)

    # ---------------------------------------------------------------------- time and feeds

    time = Operation[[], TimeOverview](
        "me_time", "Return your clocks, your vacation, and the game you would lose first."
    )
    plan_vacation = Operation[..., TimeOverview]("me_vacation_plan", "Plan a vacation: `until=…`.")
    end_vacation = Operation[[], TimeOverview]("me_vacation_end", "End your vacation, or cancel it.")
    feeds = Operation[[], FeedAddresses]("me_feeds", "Return the secret addresses of your feeds.")
    renew_feeds = Operation[[], FeedAddresses]("me_feeds_renew", "Replace the addresses of your feeds.")

    @records_operation("me_games_records")
    def game_records(self, **query: Unpack[RecordQuery]) -> Call[Record]:
        """Iterate over the records of your games, in order of creation; running ones have no seed."""
        return Call(fields=query)
