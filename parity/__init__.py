"""cranfield next to other tools, called here and now on the same data: `make parity`."""
