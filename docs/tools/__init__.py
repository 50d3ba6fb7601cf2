"""Makes the documentation: the site from `docs/`, and the pictures on its pages."""
