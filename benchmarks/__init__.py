"""Speed and memory of cranfield next to its peers: `make bench`."""
