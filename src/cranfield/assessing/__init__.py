"""Judgments by people, collected in a browser: what is judged, by whom, and what they said."""
