"""Mail that comes in: transport, parsing, and handing it to the app it is for."""
