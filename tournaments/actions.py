"""The actions of players and organisers, by the names that the API lists in `permissions`."""

from __future__ import annotations

from enum import StrEnum


class PlayerAction(StrEnum):
    """The actions of a player in a tournament."""

    ENTER = "enter"
    LEAVE = "leave"
    CONFIRM = "confirm"
    WITHDRAW = "withdraw"
    SIT_OUT = "sit-out"
    CLIENT_SEED = "client-seed"
    APPEAL = "appeal"


class OrganiserAction(StrEnum):
    """The actions of an organiser in a tournament."""

    CHANGE = "change"
    DELETE = "delete"
    PUBLISH = "publish"
    START = "start"
    CANCEL = "cancel"
    SEED = "seed"
    INVITE = "invite"
    ADD_CO_ORGANISER = "add-co-organiser"
    PREVIEW = "preview"
    PROCEED = "proceed"
    EXTEND = "extend"
    CORRECT = "correct"
    DISQUALIFY = "disqualify"
    REPLACE = "replace"
    REMOVE = "remove"


class LeagueMemberAction(StrEnum):
    """The actions of a player in a league."""

    JOIN = "join"
    LEAVE = "leave"
    SUBSTITUTE = "substitute"
    CLIENT_SEED = "client-seed"
    DROP_OUT = "drop-out"


class LeagueOrganiserAction(StrEnum):
    """The actions of an organiser in a league."""

    CHANGE = "change"
    START = "start"
    CLOSE = "close"
    REPLACE = "replace"
    REMOVE = "remove"
    ADD_CO_ORGANISER = "add-co-organiser"


class ProposalAction(StrEnum):
    """The actions on a proposal."""

    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
