"""Scores from a model's labels, corrected by people's: estimates that stay right when the model is wrong."""
