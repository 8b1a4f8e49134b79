"""Tell which names of an order are something else: a value of a field, a job, or the company."""

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import word_before
from aisha.adapters.llm.planner.acts.writing.fitting import PART_MARKS
from aisha.adapters.llm.planner.acts.writing.gleaning import is_attribute
from aisha.adapters.llm.planner.acts.writing.names import is_company
from aisha.adapters.llm.planner.acts.writing.values import enumerated
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolSpec


def with_roles(ask: Ask, kind: str, spec: ToolSpec) -> Ask:
    """Return the ask with names that are something else marked as such: a value of a field, a job, or the company.

    "lead Ana Ruiz, Zenith Labs" is a person and her company: one record is ordered, and nothing joins the names.
    """
    spans: list[Span] = []
    for span in ask.segment.spans:
        before = next((one for one in reversed(spans) if one.tag in ("new", "name")), None)
        first, _, rest = span.text.partition(" ")
        is_second = before is not None and span.tag in ("new", "name")
        if is_second and rest and lexicon.fields_in(first.lower()) and not _is_of_field(ask, span, kind, spec):
            # The tagger ends a name at a dot: "website zenith.example".
            rest = rest.strip() + ask.text[span.end :].partition(" ")[0].rstrip(".,;!?")
            spans += [Span("field", first, span.start), Span("value", rest, ask.text.index(rest, span.start))]
        else:
            spans.append(replace(span, tag=_role(ask, span, before, kind, spec)))
    return ask.with_spans(spans)


def with_whole_companies(ask: Ask, spec: ToolSpec) -> Ask:
    """Return the ask with names of companies up to where they end: "from stockton [conveyors]".

    Words that nothing explains belong to the name beside them.
    """
    spans: list[Span] = []
    for span in ask.segment.spans:
        before = spans[-1] if spans else None
        if before and before.tag == "org" and span.start < before.end:
            continue  # It has become a part of the name.
        spans.append(_whole(ask, span, spec) if span.tag == "org" else span)
    return ask.with_spans(spans)


def _whole(ask: Ask, span: Span, spec: ToolSpec) -> Span:
    end, others = span.end, {one.start: one for one in ask.segment.spans if one.tag == "value"}
    after = [one for one in ask.tokens if one.start >= span.end]
    for token, following in zip(after, [*after[1:], None], strict=False):
        slot = others.get(token.start)
        is_value = slot and (lexicon.values_in(slot.text) or is_attribute(spec, slot.text) or slot.text[0].isdecimal())
        is_open = slot is not None and not is_value
        is_open = is_open or (token in ask.loose and (is_company(token.word) or not policy.is_explained(ask, token)))
        is_verb = following is not None and following.word == "as"  # "works as a buyer"
        if token.kind != "word" or token.start - end != 1 or not is_open or is_verb or token.word in lexicon.LINK_WORDS:
            break
        end = slot.end if slot else token.end
    return replace(span, text=ask.text[span.start : end])


def _role(ask: Ask, span: Span, before: Span | None, kind: str, spec: ToolSpec) -> str:
    """Return the tag that a slot must have, given the name before it: "value", "org" or its own."""
    options = sorted({option for schema in spec.properties.values() for option in schema.get("enum", ())})
    if span.tag in ("new", "name") and enumerated(span.text, options):
        return "value"
    if before and span.tag in ("new", "name", "org") and _is_of_field(ask, span, kind, spec):
        return "value"
    if before and span.tag in ("new", "name") and is_attribute(spec, span.text) and not is_company(span.text):
        return "value"
    is_persons = kind in ("lead", "contact") and not ask.texts("org") and before is not None
    if is_persons and before and (_is_company_of(ask, span, before) or _is_said_company(ask, span)):
        return "org"
    return "org" if kind == "opportunity" and _is_customer(ask, span) else span.tag


def _is_said_company(ask: Ask, span: Span) -> bool:
    """Return whether the words before a name say that it is a company: "her company is Brandt Bikes"."""
    before = [token.word for token in tokenize(ask.text[: span.start]) if token.kind != "mark"][-2:]
    return span.tag in ("new", "name") and any("company" in lexicon.fields_in(word) for word in before)


def _is_customer(ask: Ask, span: Span) -> bool:
    """Return whether a slot that was not tagged as a name is the customer of a new deal: "for quantum leap labs"."""
    is_free = span.tag in ("text", "topic", "value") and not (ask.texts("org") or ask.texts("name"))
    return is_free and word_before(ask, span) in ("for", "with") and not PART_MARKS.search(span.text)


def _is_of_field(ask: Ask, span: Span, kind: str, spec: ToolSpec) -> bool:
    """Return whether the word before a slot is the field of a text that it is the value of: "industry Aerospace"."""
    name = lexicon.field_name(next(iter(lexicon.fields_in(word_before(ask, span))), ""), kind)
    is_named = name in ("company", "owner") or "name" in name
    return name in spec.properties and not is_named


def _is_company_of(ask: Ask, span: Span, before: Span) -> bool:
    """Return whether a slot after the name of the one person ordered is the person's company."""
    if span.tag not in ("new", "name", "topic", "text", "value"):
        return False
    between = ask.text[before.end : span.start].strip()
    is_one = not any(token.word.endswith("s") and lexicon.kind_of(token.word[:-1]) for token in ask.loose)
    is_at = word_before(ask, span) in ("from", "at", "company", "of")
    is_joined = span.tag in ("new", "name") and (is_at or between in (",", "-", "–", "/", "("))
    return is_one and (is_joined or (is_company(span.text) and not PART_MARKS.search(span.text)))
