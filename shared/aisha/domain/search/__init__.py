"""Search over records as pure functions: conditions, order, words, cursors, counts."""
