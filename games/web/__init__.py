"""The web pages: read the request, call one service or selector, show a template."""
