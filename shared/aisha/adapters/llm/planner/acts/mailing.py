"""Emails and invitations: drafted, shown, and sent only after a yes."""

from collections.abc import Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.activities.times import require_read
from aisha.adapters.llm.planner.acts.asks import as_names, with_text
from aisha.adapters.llm.planner.acts.notes import following, quoted
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan, act
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.resolve import pointed_at, require, require_all
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.application.email.message import message_of
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import INTERJECTIONS, PERSON_PRONOUNS, activity_type_of, kind_of, word_set
from aisha.domain.language.tokens import tokenize
from aisha.domain.wording import join_names

MAX_PURPOSE = 500
_FOLLOW_UP = "follow up"
"""The purpose of an email that nothing is said about."""
"""Characters of an email's purpose."""
MAX_SUBJECT = 60
_BEFORE_SUBJECT = frozenset(("to", "is", "be", "should", "line", ":", "as", "=", "of", "it"))
_MAX_GAP = 5
"""Characters between a text and a time that belongs to it: "the fleet demo is moved to next Thursday"."""
_MAX_TAIL = 2
"""Words after a text that may be of the order: ", please"."""
_TONES = {
    "short": "brief",
    "shorter": "brief",
    "shorten": "brief",
    "briefer": "brief",
    "friendlier": "friendly",
    "warmer": "friendly",
    "brief": "brief",
    "formal": "formal",
    "polite": "formal",
    "friendly": "friendly",
    "warm": "friendly",
    "casual": "friendly",
}


_ADDING = frozenset("add include mention say write tell put".split())
_MAX_REVISION = 10
"""Words of a wish for another tone."""


def is_revision(ask: Ask) -> bool:
    """Return whether an ask after a draft is about the draft: its subject, its tone, or a sentence to add."""
    words = [token.word for token in ask.tokens if token.word not in INTERJECTIONS and token.kind != "mark"]
    if "subject" in words[:5]:
        return True
    if ask.texts("name") or ask.texts("org"):
        return False
    if len(words) <= _MAX_REVISION and _tone(ask):
        return True
    other = any(kind_of(token.stem) or activity_type_of(token.word) for token in ask.outside[:4])
    return bool(words) and words[0] in _ADDING and not other and bool(_added(ask))


def _tone(ask: Ask) -> str | None:
    return next((_TONES[token.word] for token in ask.outside if token.word in _TONES), None)


def _added(ask: Ask) -> str:
    return ask.first("text") or ask.first("topic") or following(ask, "before_message")


def _revised(plan: Plan, ask: Ask) -> Answer | None:
    """Return the draft shown last with another subject or one more sentence; None for any other wish."""
    if plan.topic.draft is None or not is_revision(ask):
        return None
    subject, body = plan.topic.draft
    place = next((at for at, token in enumerate(ask.tokens) if token.word == "subject"), None)
    if place is not None:
        after = [token for token in ask.tokens[place + 1 :] if token.word not in _BEFORE_SUBJECT]
        if not after:
            raise plan.ask_slot(ask, "topic", "What shall the subject be?")
        subject = _capital(ask.text[after[0].start :].rstrip(" .!"))
    elif not _tone(ask):
        is_person = plan.topic.refs[0].type in ("lead", "contact")
        message = message_of(f"say that {_told(_added(ask))}", is_person=is_person)
        body = _with_more(body, [message.text] if message else [])
    else:
        return None
    text = f"Here is the new version, not sent yet.\n\n**Subject:** {subject}\n\n{body}"
    topic = replace(plan.topic, draft=(subject, body))
    return plan.offer(f"{text}\n\nShall I send it?", *plan.topic.offers[:1], topic=topic)


def _with_more(body: str, paragraphs: Sequence[str]) -> str:
    """Return a draft with more paragraphs before its closing words."""
    *before, closing = body.split("\n\n")
    return "\n\n".join([*before, *paragraphs, closing])


@act("draft_email")
def draft_email(plan: Plan, ask: Ask) -> Answer:
    """Draft an email, show it, and offer to send it. A draft shown before is revised."""
    if not plan.has("draft_email"):
        return Answer("I can't draft emails here. I can schedule an email as an activity for you.")
    if (revised := _revised(plan, ask)) is not None:
        return revised
    tone, first, added = _tone(ask), plan.topic.ordered, list[str]()
    if plan.topic.draft is not None and is_revision(ask) and first is not None and first.act == "draft_email":
        ask = Ask(first, plan.now)  # The same again in another tone.
        added = plan.topic.draft[1].split("\n\n")[2:-1]
    if plan.has("send_email") and _message(ask) and not ask.words & word_set("mail_words", "drafting"):
        # "Shoot Ann an email saying that ...": the words are there, so there is nothing to draft.
        return send_email(plan, ask)
    record = require(plan, as_names(ask, "new", "org"), "Whom is the email for?")
    purpose = _asking(ask) or _message(ask) or _topic(ask) or (ask.text if _says_purpose(ask) else _FOLLOW_UP)
    if any(stem.startswith("thank") for stem in ask.stems) and "thank" not in purpose.lower():
        purpose = f"thank you for {purpose}"  # "write a thank-you mail for yesterday's demo"
    purpose = purpose.strip()[:MAX_PURPOSE]
    email = plan.call(
        "draft_email",
        f"draft an email to {record.name}",
        **record.entity,
        purpose=purpose,
        tone=tone,
    )
    subject, body = str(email.get("subject", "")), _with_more(str(email.get("body", "")), added)
    warning = f"\n\n{email['warning']}" if email.get("warning") else ""
    text = (
        f"Here is a draft for **{record.name}**. It is saved as a note and not sent.\n\n"
        f"**Subject:** {subject}\n\n{body}{warning}"
    )
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
    body, topic = _message(ask), ask.first("topic")
    address = ask.first("email")
    record = None if address else require(plan, ask, "Whom shall I write to?")
    draft = plan.topic.draft
    if body is None and draft is not None and (record is None or record.id in {ref.id for ref in plan.topic.refs}):
        subject, body = draft
        if _has_gap(body):
            raise plan.refuse(f"I can't send a draft with a gap in it. {_own_words(plan.topic.refs[0].name)}")
    elif body is None and record is not None and plan.has("draft_email"):
        # Nothing is sent in words that the user has not seen: a draft comes first.
        return draft_email(plan, ask)
    elif body is None:
        raise plan.ask_slot(ask, "text", f"What shall the email to {address} say?")
    else:
        subject = _capital(topic) if topic else _first_words(body)
        body = _capital(body)
    if record is not None:
        plan = with_text(plan, ask, body)
    about = record.entity if record else {}
    to = address or _address_of(plan, record)
    plan.call("send_email", "send the email", to=to, subject=subject, body=body, **about)
    name = f"**{record.name}**" if record else to
    return Answer(f"I've sent the email to {name} ({to}).", topic=Topic((record,) if record else ()))


def _has_gap(body: str) -> bool:
    """Return whether a draft has a text in brackets that only the user can give."""
    return "[" in body


def _own_words(name: str) -> str:
    return f"Tell me what to write, for example “email {name} that …”, and I'll send that."


_PLAIN = lexicon.ORDER_VERBS | INTERJECTIONS | PERSON_PRONOUNS | lexicon.THING_PRONOUNS | lexicon.LINK_WORDS
_PLAIN |= word_set("mail_words", "drafting") | {"instead", "mail", "message"}
"""Words that say of an email only that it is one."""


def _says_purpose(ask: Ask) -> bool:
    """Return whether an order says what an email is for: "draft the recap", not "email him instead"."""
    words = [one.word for one in ask.loose if one.kind == "word" and one.word not in _PLAIN]
    return any(activity_type_of(word) is None for word in words)


def _topic(ask: Ask) -> str:
    """Return what the email is about: "about the new prices"; empty without a topic."""
    span = next((one for one in ask.segment.spans if one.tag == "topic"), None)
    if span is None:
        return ""
    is_about = ask.text[: span.start].lower().rstrip().endswith(("about", "regarding", "re"))
    return f"about {span.text}" if is_about else span.text


def _asking(ask: Ask) -> str:
    """Return the order from "asking" on: "asking him to send the contract by Monday"; empty without it."""
    start = next((token.start for token in ask.tokens[1:] if token.word in ("ask", "asking", "asks")), None)
    return ask.text[start:].strip(' ,;:–-.?!"“”') if start is not None else ""


def _message(ask: Ask) -> str | None:
    """Return the words to send: those tagged or quoted, with what follows "saying"; None when the order has none."""
    return quoted(ask.text) or _told(_text(ask)) or _told(following(ask, "before_message")) or None


def _text(ask: Ask) -> str:
    """Return the words tagged as the text, up to the end where a time or a clause that belongs to them follows."""
    spans = ask.segment.spans
    texts = [span for span in spans if span.tag == "text"]
    if not texts:
        return ""
    if len(texts) > 1:
        return ". ".join(_capital(span.text) for span in texts)  # "say thank you, and that I'll come by in April"
    text = texts[0]
    is_cut = any(span.tag == "when" and 0 <= span.start - text.end <= _MAX_GAP for span in spans)
    rest = [one.word for one in ask.tokens if one.start >= text.end]
    is_more = len(rest) > _MAX_TAIL and rest[0] in word_set("plan_words", "joints") | {"but", "so"}
    is_cut = is_cut or (is_more and not {*rest[1:3]} & (lexicon.ORDER_VERBS | {"subject"}))
    return ask.text[text.start :].strip(' ,;:–-.?!"“”') if is_cut else text.text


def _told(text: str) -> str:
    """Return the words to send of "tell her (that) the brochure is on its way", and of "him we ship on Monday"."""
    tokens = list(tokenize(text))
    is_telling = bool(tokens) and tokens[0].word in word_set("mail_words", "telling")
    after = tokens[1:] if is_telling else tokens
    skipped = PERSON_PRONOUNS if is_telling else frozenset(("him", "them", "me", "us"))
    while after and (after[0].word in skipped or after[0].word in ("that", "know")):
        after = after[1:]
    return text[after[0].start :] if after else text


def _address_of(plan: Plan, record: Ref | None) -> str:
    address = str(plan.record(record).get("email") or "") if record else ""
    if not address:
        name = record.name if record else "them"
        raise plan.refuse(f"There is no email address on record for {name}. Tell me the address to send it to.")
    return address


def _capital(text: str) -> str:
    stripped = text.strip().strip('"“”').strip()
    return stripped[:1].upper() + stripped[1:]


def _first_words(body: str) -> str:
    """Return a subject: the first sentence, or as many of its words as fit."""
    sentence = body.strip().split("\n")[0].split(". ")[0].rstrip(".!?")
    return _capital(sentence if len(sentence) <= MAX_SUBJECT else sentence[:MAX_SUBJECT].rsplit(" ", 1)[0])


@act("invite")
def invite(plan: Plan, ask: Ask) -> Answer:
    """Plan a meeting and prepare its invitation."""
    named = bool(ask.texts("name") or ask.texts("org") or plan.spoken or pointed_at(plan, ask))
    records = require_all(plan, ask, "Whom shall I invite?") if named or not ask.texts("email") else ()
    if not ask.times or all(time.clock is None and time.exact is None for time in ask.times):
        planned = next((ref for ref in plan.topic.changed if ref.type == "activity"), None)
        if planned is not None and records and not ask.texts("when"):
            return _offer_time_by_mail(plan, planned, records[0])
        raise plan.ask_slot(ask, "when", "When should it take place? I need a date and a time.")
    require_read(plan, ask, ask.times[0])
    guests = [*(record.name for record in records), *ask.texts("email")]
    topic = ask.first("topic")
    about = {"entity_type": records[0].type, "entity_id": records[0].id} if records else {}
    outcome = plan.need(
        "schedule_meeting",
        attendees=guests,
        date=ask.times[0].moment(plan.now).isoformat(),
        duration=ask.minutes,
        title=_capital(topic) if topic else None,
        **about,
    )
    if outcome.error and not records and "entity_id" in outcome.reason:
        raise plan.ask_who(ask, "Which lead, contact, account or deal is the meeting about? Nobody invited is one.")
    if outcome.error:
        raise EarlyAnswer(plan.failure(outcome, "schedule that meeting"))
    value = outcome.value
    record, invited, without = value["record"], value.get("invited") or (), value.get("not_invited") or ()
    minutes = f", {record['duration_minutes']} minutes" if ask.minutes else ""
    when = formats.format_instant(str(record["due_at"]), plan.now)
    text = f"**{record['display_name']}** is planned for {when}{minutes}."
    if invited:
        text += f" The invitation for {join_names(list(map(str, invited)))} is ready for you to send."
    if without:
        text += f" I have no email address for {join_names(list(map(str, without)))}."
    topics = (*records, ref_of(record))
    return Answer(text, topic=Topic(topics, written=f"You just planned {record['display_name']}."))


def _offer_time_by_mail(plan: Plan, planned: Ref, guest: Ref) -> Answer:
    """Offer an email with the time of what was just planned: an invitation would plan it once more."""
    due = formats.format_instant(str(plan.record(planned).get("due_at") or ""), plan.now)
    email = f"an email to {guest.name} saying “I have put {planned.name} in the calendar for {due}”"
    text = f"I can only send an invitation together with a new meeting. Shall I draft {email}?"
    return plan.offer(text, f"draft {email}", topic=plan.topic)
