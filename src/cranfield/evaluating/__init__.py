"""How good is it? Runs and measures become scores, which are averaged, bounded, saved and shown."""
