"""Tests of whether a difference between systems is real, one file each, and what runs them over many pairs."""
