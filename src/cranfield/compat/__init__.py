"""Other tools' own interfaces, with their numbers to the last digit: replace a command or an import, nothing else."""
