"""Programs that are run by hand: each prints its own `--help`."""
