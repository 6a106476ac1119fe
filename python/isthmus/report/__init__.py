"""Pages of HTML about a model. Each is one file that needs no network and runs no script."""
