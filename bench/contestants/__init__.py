"""Ways through the same conversation: the product's turn, loops written by hand, agents of two frameworks."""
