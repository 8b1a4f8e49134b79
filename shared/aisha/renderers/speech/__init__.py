"""Text as it is said aloud: Markdown to sentences, figures to words, where a sentence ends."""
