"""For operators: a look at everything that is no player's secret, and the few deeds that are theirs.

Every deed goes through the service that the site itself uses, is asked about where it weighs much, and is
logged with who did it. Seeds, hands, towers, notes, passwords, tokens and the words of a chat that nobody
reported are not here. What other apps would show of addresses, second factors and tokens is taken out.
"""

from . import people, play, post
from .base import Looked

__all__ = ["Looked", "people", "play", "post"]
