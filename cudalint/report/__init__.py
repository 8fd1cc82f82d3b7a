"""One module per output format. Reports see findings and files, never the models."""
