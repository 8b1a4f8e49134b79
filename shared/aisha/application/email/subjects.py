"""Find a short subject for an email: what it is about, and not its first sentence."""

import re

_BY_VERB = {
    "thank": "Thank you",
    "ask": "A question",
    "apologise": "My apologies",
    "congratulate": "Congratulations",
    "invite": "Invitation",
    "confirm": "Confirmation",
    "remind": "A reminder",
    "request": "A request",
    "wish": "My best wishes",
    "welcome": "Welcome",
    "follow up": "Following up",
}
"""The subject of an email by the verb of its first point, where that names no topic."""
_WITH_TOPIC = frozenset(("invite", "confirm", "remind", "request", "follow up"))
"""Verbs that stay in the subject beside a topic: "Invitation: our open day"."""
_ALONE = frozenset(("thank", "apologise", "congratulate", "wish", "welcome"))
_PHRASE = re.compile(r"\b(?P<determiner>the|our|your)\s+(?P<words>[^.,;:!?()]+)", re.IGNORECASE)
_AUXILIARIES = frozenset(
    "is are am was were will would can could shall should may might must has have had do does did won't can't isn't "
    "aren't goes comes ships moves starts ends".split()
)
_ENDS = _AUXILIARIES | frozenset(
    "to of for on in at by with from about before after until till since as than that which who and or but if when so "
    "because while i we you he she they it him her them me us this next last today tomorrow yesterday still now not "
    "already the a an our your my his their very fine ready also without into over during".split()
)
_TIMES = frozenset("morning afternoon evening week month year day moment weekend time".split())
_MAX_WORDS = 4


def subject_of(verb: str, words: str, sentence: str) -> str:
    """Return the subject of an email whose first point is a verb with its words, said in a sentence."""
    after = words.partition(" to ")[2] if verb == "invite" else ""
    topic = "" if verb in _ALONE else _topic(after or words)
    if topic and sentence.rstrip(".?!").lower() in (topic.lower(), f"the {topic}".lower()):
        topic = topic.split()[0]  # The whole sentence: "the demo went great".
    general = _BY_VERB.get(verb, "A short update")
    if verb == "ask" and re.match(r"(?:not )?to\s|for\s", words):
        general = "A request"
    if topic and verb in _WITH_TOPIC:
        return f"{general}: {topic}"
    return topic[:1].upper() + topic[1:] if topic else general


def _topic(words: str) -> str:
    """Return the first thing named: "our technician" of "our technician comes on Tuesday"; empty without any."""
    words = re.sub(r"^(?:that|whether|if)\s+", "", words, flags=re.IGNORECASE)
    for match in _PHRASE.finditer(words):
        after = match["words"].split()
        end = next((at for at, one in enumerate(after) if one.lower() in _ENDS), len(after))
        noun, closing = after[:end], after[end].lower() if end < len(after) else ""
        is_subject = match.start() == 0 and closing not in _AUXILIARIES
        if is_subject and len(noun) > 1 and noun[-1].endswith(("s", "ed")):
            noun = noun[:-1]  # "the parts shipped"
        is_time = noun[-1:] and (noun[-1][0].isdecimal() or (len(noun) == 1 and noun[0].lower() in _TIMES))
        if noun and len(noun) <= _MAX_WORDS and not is_time:
            owner = match["determiner"].lower()
            return " ".join(noun if owner == "the" else [owner, *noun])
    return ""
