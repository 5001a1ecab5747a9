"""Asking a service again and again: one request, pauses, several at once."""
