"""Text to be read aloud: Markdown as plain sentences, figures as words, and the ends of sentences."""
