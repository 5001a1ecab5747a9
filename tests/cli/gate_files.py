"""Runs that a gate lets pass, or does not."""

JUDGED = range(12)


def run_file(ranks):
    """A run that finds the one relevant document of each query at these ranks."""
    return "".join(
        f"q{query} Q0 {'d1' if rank == place else f'x{place}'} {place} {10 - place} t\n"
        for query, rank in enumerate(ranks)
        for place in range(1, rank + 1)
    )
