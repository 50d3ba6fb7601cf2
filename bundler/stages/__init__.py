"""Stages that bring the text of a bundle into its last form: stripping, packing, data, tracing."""
