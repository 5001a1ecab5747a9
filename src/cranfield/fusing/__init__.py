"""Several runs fused into one: methods, normalisations, and what other tools do under the same names."""
