"""Makes the collection in `src/cranfield/demo/collection` from a fixed seed."""
