"""What there is: judgments, runs, labels, queries and click logs, as they are once read."""
