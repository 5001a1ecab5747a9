"""Speed and memory of cranfield beside its peers: `make bench`."""
