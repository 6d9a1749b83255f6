"""What templates of games ask of tournaments."""
