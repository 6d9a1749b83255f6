"""Tests of code that all apps share."""
