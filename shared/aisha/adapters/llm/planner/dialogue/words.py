"""The words, tags and probabilities that several parts of the dialogue share."""

from aisha.domain.language.acts import READS, SEARCHES, WRITES

ORDERS = READS | WRITES
SURE_ORDER = 0.75
"""A new order from this probability on is no answer to a question."""
SURE_ANSWER = 0.5
"""An offer is taken up by an answer of this probability on."""
MIN_ASIDE, MIN_BACKGROUND = 0.6, 0.15
"""A segment less probable than the first is an aside if it is background with the second."""
BACKGROUND = frozenset(("context", "report", "greeting", "thanks", "smalltalk", "goodbye"))
"""Acts of segments that are not answered beside an ask."""
SOCIAL = frozenset(("greeting", "thanks", "goodbye", "yes", "no", "wait"))
WITHDRAWING = frozenset(("negated", "correct", "no", "wait", "hypothetical"))
"""Acts of segments after an order that may take it back."""
BEFORE_VERBS = frozenset("then so and ok okay well , you may can could please just also let's".split())
"""Words before the verb of an order: "then you may delete it"."""
TOLD = frozenset(("amount", "value", "when", "phone", "email", "url", "count"))
COMPUTED = frozenset(("count", "forecast", "rank"))
"""Acts of questions whose answers a change of a record would change."""
LISTS = SEARCHES | {"list_activities"}
