"""The reasons why words that name a change order none: refusals, conditions, delays, statements, retractions."""
