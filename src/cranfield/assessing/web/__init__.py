"""The pages of judges and managers, and the server that gives them out."""
