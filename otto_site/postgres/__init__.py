"""Django's PostgreSQL with one thing less to wait for."""
