"""A language model as one more judge: prompts, the endpoint, its grades, and how far to trust them."""
