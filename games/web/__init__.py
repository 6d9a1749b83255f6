"""The web pages: each view parses the request, calls one service or selector and renders a template."""
