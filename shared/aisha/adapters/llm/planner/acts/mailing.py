"""Emails and invitations: drafted, shown, and sent only after a yes."""

from collections.abc import Sequence
from itertools import dropwhile

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import as_names, capitalised
from aisha.adapters.llm.planner.acts.mail_words import swapped
from aisha.adapters.llm.planner.acts.notes import quoted
from aisha.adapters.llm.planner.plan import Answer, Plan, act
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.resolve import require
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.application.email.draft import letter, worded
from aisha.application.email.message import Message, message_of, tone_of
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import INTERJECTIONS, PERSON_PRONOUNS, activity_type_of, kind_of, word_set
from aisha.domain.language.tones import TONES, Tone

MAX_PURPOSE = 500
"""Characters of an email's purpose."""
_FOLLOW_UP = "follow up"
"""The purpose of an email that nothing is said about."""
_BEFORE_SUBJECT = frozenset("to is be should line : as = of it".split())
_ADDING = frozenset("add include mention say write tell put ask thank".split())
_EMAIL_NOUNS = frozenset("email e-mail mail draft message".split())
_COPYING = frozenset("copy forward fwd".split())
_DELIVERING = frozenset("send schedule deliver mail".split())
_CUTTING = frozenset("remove delete drop cut replace shorten rewrite change".split())
_PARTS = frozenset(
    "sentence sentences line lines paragraph paragraphs word words greeting closing signature part".split()
)
_ABOUT = (" about", " on", " regarding", " concerning", " re", " for")
_MAX_REVISION = 10
"""Words of a wish for another tone."""
_BEFORE_WISHES = frozenset("can could would will you please just also and then kindly".split()) | INTERJECTIONS


def revision_of(ask: Ask) -> str | None:
    """Return what an ask after a draft says of it: its subject, its tone, or a sentence to add; None for no wish."""
    tokens = list(dropwhile(lambda one: one.word in _BEFORE_WISHES or one.kind == "mark", ask.tokens))
    if (place := next((one.start for one in tokens[:5] if one.word == "subject"), None)) is not None:
        return ask.text[place:]
    if any(name.lower() not in TONES for name in (*ask.texts("name"), *ask.texts("org"))) or not tokens:
        return None
    tone = next((one.word for one in tokens if one.word in TONES), None)
    if tone and len(tokens) <= _MAX_REVISION:
        return f"make it {tone}"
    other = any(kind_of(token.stem) or activity_type_of(token.word) for token in tokens[1:4] if token in ask.outside)
    wish = ask.text[tokens[0].start :]
    is_said = tokens[0].word in _ADDING and not other and message_of(wish, is_person=True) is not None
    return wish if is_said else None


def limit_asked(ask: Ask) -> str:
    """Return what of an email that was shown an ask wants changed and nobody can: its copies, its time, a part of it.

    It is "copies", "time" or "part"; empty for any other ask.
    """
    words = [one.word for one in ask.tokens if one.word not in _BEFORE_WISHES and one.kind != "mark"]
    verb = next(iter(words), "")
    is_pointing = bool(set(words) & (lexicon.THING_PRONOUNS | _EMAIL_NOUNS) or ask.texts("ref"))
    if (
        set(words) & {"cc", "bcc"}
        or (verb in _COPYING and (is_pointing or ask.texts("name") or ask.texts("owner")))
        or " in copy" in ask.text.lower()
    ):
        return "copies"
    if verb in _DELIVERING and is_pointing and ask.times:
        return "time"
    return "part" if verb in _CUTTING and (set(words) & _PARTS or (verb == "replace" and "with" in words)) else ""


def _changed_part(plan: Plan, ask: Ask) -> Answer | None:
    """Return the email shown last with other words in it, or why that can't be done; None for any other ask."""
    if plan.topic.draft is not None and (other := swapped(plan.topic.draft[1], ask.text)) is not None:
        return _new_version(plan, plan.topic.draft[0], other)
    limit, name = limit_asked(ask), plan.topic.refs[0].name if plan.topic.refs else "them"
    if limit == "time":
        when = formats.at_instant(ask.times[0].moment(plan.now).isoformat(), plan.now)
        what = f"{when} to send the email to {name}"
        text = f"I can't send emails later on my own. Shall I remind you {what}?"
        return plan.offer(text, f"remind me {what}", topic=plan.topic)
    texts = {
        "copies": "I send each email to one person, without copies. I can draft another one to them.",
        "part": "I can change the subject or the tone, or add a sentence. For other words, tell me the whole text: "
        f"“email {name} that …”.",
    }
    return Answer(texts[limit], topic=plan.topic) if limit else None


def _tone(ask: Ask) -> Tone | None:
    tones = [TONES[token.word] for token in ask.tokens if token.word in TONES and token in ask.outside]
    # The last one counts: "shorter", then "make it formal".
    return tones[-1] if tones else tone_of(_words(ask))


def _revised(plan: Plan, ask: Ask) -> Answer | None:
    """Return the email shown last in other words; None for any other wish, or where its tool has to word it."""
    asked, topic = plan.topic.asked, plan.topic
    before = asked if asked is not None and ask.text.startswith(asked.text.rstrip()) else None
    wish = ask.text[len(before.text.rstrip()) :].lstrip(" .") if before else revision_of(ask)
    if topic.draft is None or not wish:
        return None
    (subject, body), reader = topic.draft, topic.refs[0]
    is_person = reader.type in ("lead", "contact")
    first_message = message_of(_words(Ask(before, plan.now)), is_person=is_person) if before else None
    whole = message_of(_words(ask), is_person=is_person)
    place = next((at for at, token in enumerate(ask.tokens) if token.word == "subject"), None)
    if first_message is not None and whole is not None and first_message.text in body.split("\n\n")[1]:
        subject, body = whole.subject, _body(plan, reader, whole, _tone(ask) or "friendly")
    elif "subject" in wish.lower().split()[:1] and place is not None:
        after = [token for token in ask.tokens[place + 1 :] if token.word not in _BEFORE_SUBJECT]
        if not after:
            raise plan.ask_slot(ask, "topic", "What shall the subject be?")
        subject = capitalised(ask.text[after[0].start :].rstrip(" .!"))
    elif (added := message_of(wish, is_person=is_person)) is not None:
        body = _with_more(body, [added.text])
    else:
        return None
    return _new_version(plan, subject, body)


def _new_version(plan: Plan, subject: str, body: str) -> Answer:
    text = f"Here is the new version, not sent yet.\n\n**Subject:** {subject}\n\n{body}"
    topic = replace(plan.topic, draft=(subject, body))
    return plan.offer(f"{text}\n\nShall I send it?", *topic.offers[:1], topic=topic)


def _with_more(body: str, paragraphs: Sequence[str]) -> str:
    """Return a draft with more paragraphs before its closing words."""
    *before, closing = body.split("\n\n")
    return "\n\n".join([*before, *paragraphs, closing])


def _body(plan: Plan, reader: Ref | None, message: Message, tone: Tone | None) -> str:
    """Return the body of an email with what the user said; with more courtesies only in a tone that was asked for."""
    name = reader.name if reader is not None and reader.type in ("lead", "contact") else None
    author = plan.scene.principal.name
    return worded(message, tone, name, author) if tone else letter(message.text, name, author)


@act("draft_email")
def draft_email(plan: Plan, ask: Ask) -> Answer:
    """Draft an email, show it, and offer to send it. A draft shown before is revised."""
    if not plan.has("draft_email"):
        return Answer("I can't draft emails here. I can schedule an email as an activity for you.")
    if (told := _changed_part(plan, ask) or _revised(plan, ask)) is not None:
        return told
    tone, first, added = _tone(ask), plan.topic.ordered, list[str]()
    is_again = first is not None and (ask.text.startswith(first.text.rstrip()) or revision_of(ask) is not None)
    if plan.topic.draft is not None and tone and first is not None and first.act == "draft_email" and is_again:
        ask = Ask(first, plan.now)  # The same again in another tone.
        added = plan.topic.draft[1].split("\n\n")[2:-1]
    if plan.has("send_email") and _message(ask) and not ask.words & word_set("mail_words", "drafting"):
        # "Shoot Ann an email saying that ...": the words are there, so there is nothing to draft.
        return send_email(plan, ask)
    record = require(plan, as_names(ask, "new", "org"), "Whom is the email for?")
    purpose = (_words(ask) or (ask.text if _says_purpose(ask) else _FOLLOW_UP)).strip()[:MAX_PURPOSE]
    draft = plan.planned("draft_email", **record.entity, purpose=purpose, tone=tone)
    message, warning, kept = message_of(purpose, is_person=record.type in ("lead", "contact")), "", "not sent"
    if message is not None and plan.results.of(draft) is None and plan.must_ask(draft):
        # A draft can be seen without a question; only its note would be kept.
        subject, body = message.subject, _body(plan, record, message, tone or "friendly")
    else:
        email = plan.call("draft_email", f"draft an email to {record.name}", **draft.arguments)
        subject, body = str(email.get("subject", "")), _with_more(str(email.get("body", "")), added)
        warning, kept = f"\n\n{email['warning']}" if email.get("warning") else "", "saved as a note and not sent"
    text = f"Here is a draft for **{record.name}**. It is {kept}.\n\n**Subject:** {subject}\n\n{body}{warning}"
    topic = Topic(
        (record,),
        written=f"You just drafted an email to {record.name}.",
        offers=(f"send the email to {record.name}",),
        draft=(subject, body),
    )
    if not plan.has("send_email"):
        return Answer(text, topic=topic)
    if _has_gap(body):
        return Answer(f"{text} {_own_words(record.name)}", topic=topic)
    return plan.offer(f"{text}\n\nShall I send it?", f"send the email to {record.name}", topic=topic)


@act("send_email")
def send_email(plan: Plan, ask: Ask) -> Answer:
    """Send an email to a record or an address: the draft shown last, or the words given. The gate asks first."""
    if not plan.has("send_email"):
        return Answer("Sending emails isn't set up here. I can draft one for you to copy.")
    ask = as_names(ask, "new", "org")
    message, body = _message(ask), None
    address = ask.first("email")
    record = None if address else require(plan, ask, "Whom shall I write to?")
    draft = plan.topic.draft
    if message is None and draft is not None and (record is None or record.id in {ref.id for ref in plan.topic.refs}):
        subject, body = draft
        if _has_gap(body):
            raise plan.refuse(f"I can't send a draft with a gap in it. {_own_words(plan.topic.refs[0].name)}")
    elif message is None and record is not None and plan.has("draft_email"):
        # Nothing is sent in words that the user has not seen: a draft comes first.
        return draft_email(plan, ask)
    elif message is None:
        raise plan.ask_slot(ask, "text", f"What shall the email to {address} say?")
    else:
        is_person = record is None or record.type in ("lead", "contact")
        message = _message(ask, is_person=is_person) or message
        subject, body = message.subject, _quoted(_words(ask)) or _body(plan, record, message, _tone(ask))
    about = record.entity if record else {}
    if (thing := _thing_to_send(ask)) and not plan.doubt:
        plan = replace(plan, doubt=f"I can't attach anything, so {thing} is not in it")
    to = address or _address_of(plan, record)
    plan.call("send_email", "send the email", to=to, subject=subject, body=body, **about)
    name = f"**{record.name}**" if record else to
    return Answer(f"I've sent the email to {name} ({to}).", topic=Topic((record,) if record else ()))


def _thing_to_send(ask: Ask) -> str:
    """Return what an order sends beside its words: "send Ann [the revised quote] and tell her …"; empty for nothing."""
    # "Email Ann the agenda: …" says what is in it.
    things = (
        one
        for one in ask.segment.spans
        if one.tag == "topic" and ask.first("text") and not ask.text[one.end :].lstrip().startswith(":")
    )
    return next((one.text for one in things if not ask.text[: one.start].lower().rstrip().endswith(_ABOUT)), "")


def _has_gap(body: str) -> bool:
    """Return whether a draft has a text in brackets that only the user can give."""
    return "[" in body


def _own_words(name: str) -> str:
    return f"Tell me what to write, for example “email {name} that …”, and I'll send that."


_PLAIN = lexicon.ORDER_VERBS | INTERJECTIONS | PERSON_PRONOUNS | lexicon.THING_PRONOUNS | lexicon.LINK_WORDS
_PLAIN |= word_set("mail_words", "drafting") | {"a", "an", "instead", "mail", "message", "now", "send"}
"""Words that say of an email only that it is one."""


def _says_purpose(ask: Ask) -> bool:
    """Return whether an order says what an email is for: "draft the recap", not "email him instead"."""
    words = [one.word for one in ask.loose if one.kind == "word" and one.word not in _PLAIN]
    return any(activity_type_of(word) is None for word in words)


def _words(ask: Ask) -> str:
    """Return what the user said of what the email is to tell; empty for nothing."""
    return ask.first("text") or ask.first("topic") or ""


def _quoted(words: str) -> str:
    """Return the text in quotation marks that an email shall have; empty where they are around its subject."""
    return "" if "subject" in words.lower() else quoted(words)


def _message(ask: Ask, *, is_person: bool = True) -> Message | None:
    """Return what to send in the words given; None for an email of which only the topic was said."""
    words = _words(ask)
    content = _quoted(words) or words
    is_topic = words.lower().startswith(("about", "regarding", "concerning", "follow"))
    message = message_of(content, is_person=is_person) if words else None
    if message is None and ask.first("text") and not is_topic:
        message = message_of(f"say that {content}", is_person=is_person)
    return message


def _address_of(plan: Plan, record: Ref | None) -> str:
    address = str(plan.record(record).get("email") or "") if record else ""
    if not address:
        name = record.name if record else "them"
        raise plan.refuse(f"There is no email address on record for {name}. Tell me the address to send it to.")
    return address
