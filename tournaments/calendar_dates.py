"""Dates of tournaments and leagues in a player's own calendar."""

from notifications.web.feeds import CalendarSource

from .web.calendar import list_player_dates

CALENDAR_SOURCES = (CalendarSource(list_player_dates),)
