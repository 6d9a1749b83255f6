"""Pages and commands of leagues."""
