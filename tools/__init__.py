"""What makes parts of the project: nothing here is installed."""
