"""The one exception of the bundler."""


class BundleError(Exception):
    """Something that cannot be flattened; the text names file, line, construct and what to write
    instead.
    """

    def __init__(self, path, line, construct, advice):
        super().__init__(f"{path}:{line}: {construct}: {advice}")
