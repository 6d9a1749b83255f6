"""The REST API: parse the request, call one service or selector, answer in JSON."""
