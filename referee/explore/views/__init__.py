"""Views of searches: what a search found, read from its buffers, all with the same few methods.

They run in the process of the bot (`inspector.py`), beside `shared/search`; `searches.py` chooses
the view.
"""
