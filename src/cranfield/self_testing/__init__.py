"""Whether this installation gives the numbers it should."""
