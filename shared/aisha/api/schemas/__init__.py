"""Request and response models of the HTTP API with their examples: one module for each function."""
