"""What tests of several files do and look at."""
