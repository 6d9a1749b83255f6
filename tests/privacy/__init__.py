"""What nobody may know reaches nobody, by whatever door they ask."""
