"""Date formats that replace Django's."""
