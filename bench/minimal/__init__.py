"""The least that Django and REST framework can do: the peer of bench/api.py."""
