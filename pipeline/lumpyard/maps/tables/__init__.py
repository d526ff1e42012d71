"""What the games and ports know by number: things, line types, actions, sector types, locks."""
