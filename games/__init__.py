"""The board game OTTO: its rules, and every game that is played."""
