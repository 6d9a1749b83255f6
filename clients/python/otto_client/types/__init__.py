"""Types of requests and responses of the API, as plain dicts: a new key breaks nothing.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from .accounts import *  # noqa: F403
from .accounts_requests import *  # noqa: F403
from .games import *  # noqa: F403
from .games_2 import *  # noqa: F403
from .games_3 import *  # noqa: F403
from .games_4 import *  # noqa: F403
from .games_requests import *  # noqa: F403
from .leagues import *  # noqa: F403
from .leagues_requests import *  # noqa: F403
from .tournaments import *  # noqa: F403
from .tournaments_2 import *  # noqa: F403
from .tournaments_requests import *  # noqa: F403
