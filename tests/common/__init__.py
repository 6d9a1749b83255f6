"""Tests of what every app may use."""
