"""Damaged and odd inputs for everything that reads: `make fuzz`.

Every input follows from a seed, the target's name and a number. `seeds.py` has sound files, `mutations.py` and
`forms.py` change them, `targets.py` says what is called and what has to hold, `attempt.py` tries one input, and
`rounds.py` tries many in processes of their own, so that a crash, a hang or a flood of memory is a finding as well.
"""
