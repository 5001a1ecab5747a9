"""The loops that touch every retrieved document."""
