"""The production site that tests of faults, load and restart share: `plugin.py` starts it. No tests."""
