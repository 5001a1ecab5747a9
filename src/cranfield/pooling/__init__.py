"""What to judge next: pools of what runs found, chosen so that labels pay, and what a pool is worth to others."""
