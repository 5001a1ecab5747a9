"""Whether the statistics keep their promises: tests, intervals, corrections and ranks, tried on scores of real runs."""
