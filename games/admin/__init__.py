"""The admin site for operators: read-only pages without players' secrets, and a few actions.

Every action calls the service that the site itself uses, asks for confirmation where its effect is serious,
and is logged with the operator's name. Seeds, hands, towers, notes, passwords, tokens and unreported chat
messages are not shown. Models of other apps (addresses, second factors, tokens) are unregistered.
"""

from . import games, reports

__all__ = ["games", "reports"]
