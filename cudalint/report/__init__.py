"""One module an output format. Reports see findings and files, nothing of the models."""
