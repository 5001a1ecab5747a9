"""From a live system to a run: every query asked once, over HTTP, in a database, or by a function."""
