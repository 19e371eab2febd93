"""The wire: server assembly, handlers, codecs, errors, metrics. It holds no rules."""
