"""Measurements of the service and its engines, each beside its floor or a peer: `make bench`."""
