"""Hakam (حَكَم, the referee): the complete rules of Jackaroo, Trix and Tjau as a gRPC service."""

__all__ = ["__version__"]

__version__ = "0.1.0"
