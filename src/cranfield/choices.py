"""What users may choose between, as types: functions take them, and commands offer them without loading NumPy."""

from __future__ import annotations

from typing import Literal

RboTies = Literal["b", "a", "w"]
"""What equal scores mean to rank-biased overlap."""
