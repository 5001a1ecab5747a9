"""Which cranfield this is."""

VERSION = "0.1.0"
