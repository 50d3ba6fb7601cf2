"""Stages between the text of a bundle and its last form: shorter, packed, with data, tracing."""
