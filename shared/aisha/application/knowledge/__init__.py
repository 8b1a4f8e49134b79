"""Knowledge for the model: articles, documents, data sections, and attaching them on demand."""
