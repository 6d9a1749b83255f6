"""The API: read the request, call one service or selector, answer in JSON."""
