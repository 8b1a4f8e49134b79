"""The judge of a write: whether the user's own words order this act, on this record, with these values."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct

from aisha.application.orders.matching.placement import CHANGES, orders_another
from aisha.application.orders.matching.targets import Focus, Spoken, ids_in, is_meant
from aisha.application.orders.matching.values import Values
from aisha.application.orders.reading.denials import CONTENT_ACTS, SURE_READ, TELLING
from aisha.application.orders.reading.main_clause import (
    AT_ONCE,
    doubt_about,
    goes_on,
    put_off_after,
    put_off_by,
    taken_back_by,
)
from aisha.application.orders.reading.part import CONTINUING, MIN_ORDER, Part
from aisha.application.orders.reading.said import Said, scopes
from aisha.domain.ids import ENTRY_KINDS
from aisha.domain.language import lexicon
from aisha.domain.language.acts import WRITES
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import FOREIGN, ToolCall, ToolSpec
from aisha.domain.wording import humanise

Finding = Literal["ordered", "denied", "unordered", "unread"]


class Judgement(Struct, frozen=True):
    """A verdict on one call. `reason` says in words for the user why the call waits; empty for one that is ordered.

    `unread` means that the message was not understood, or that no order was found in it.
    """

    finding: Finding
    reason: str = ""

    @property
    def is_ordered(self) -> bool:
        return self.finding == "ordered"


class Scene(Struct, frozen=True):
    """The facts of a call beside the user's words: what is in focus, and the records of the call.

    `spoken` returns a record as a user may speak of it, `stored` the fields of one as they are. `user` is the caller's
    id. `sight` names the kinds of texts of others that the model has seen in this conversation.
    """

    focus: Focus
    spoken: Callable[[str], Spoken]
    stored: Callable[[str], Mapping[str, Any]]
    user: str = ""
    sight: Sequence[str] = ()


ORDERED = Judgement("ordered")
MIN_FORM = 0.3
"""The least probability of the form of an order: see `domain.language.order_form`."""
_MAX_ORDERS = 20
"""Orders of one message that a call is compared with: each takes up to 0.2 seconds in the longest messages."""


def judge(call: ToolCall, said: Said, scene: Scene) -> Judgement:
    """Return whether the user ordered the call. Every answer but `ordered` makes it wait."""
    spec = call.spec
    assert spec is not None  # noqa: S101 - a call without a spec can't run
    if said.may_deny:
        return Judgement("denied", "you may have said not to")
    if said.is_foreign:
        return _unread(call, said, scene, "I could not read your message as an order")
    acts = acts_of(spec, call.arguments)
    whole = said
    if not CONTENT_ACTS.intersection(acts):
        said = said.outer
    orders = scopes(said, acts)
    judgements = [_judge_scope(call, one, scene, acts) for one in orders[:_MAX_ORDERS]]
    judged = next((one for one in judgements if one.is_ordered), judgements[0])
    if len(orders) > _MAX_ORDERS and not judged.is_ordered:
        return Judgement("unordered", f"your message has more than the {_MAX_ORDERS} orders that I compare it with")
    if judged.is_ordered or spec.ordered_by or spec.toolkit in FOREIGN or said is whole:
        return judged
    # The text of an order in a tool's own words is its value: "create a goal: close 10 deals".
    is_begun = _is_act_ordered(spec, acts, said, is_grounded=any(_values_of(call.arguments)))
    return _with_target_and_values(call, whole, scene, acts) if is_begun else judged


def _judge_scope(call: ToolCall, said: Said, scene: Scene, acts: Sequence[str]) -> Judgement:
    spec = call.spec
    assert spec is not None  # noqa: S101 - see judge
    if _only_restricts(call.arguments) and said.wishes_less:
        return _with_target_and_values(call, said, scene, acts)
    kind = call.name.removeprefix("create_")
    if kind in _PERSONS and kind not in said.kinds and _PERSONS & said.kinds:
        return Judgement("unordered", "you asked for something else")
    is_grounded = any(_values_of(call.arguments))
    if not _is_act_ordered(spec, acts, said, is_grounded=is_grounded) and not _is_field_changed(call, said, acts):
        if said.denial:
            return Judgement("denied", said.denial)
        # "Her phone is now …", "… note the source": a field with its value is an order to change it.
        is_asked = said.ends_as_question or (said.is_question and not any(map(_tells_news, said.own)))
        is_stated = not is_asked and "update_record" in acts
        is_other = any(part.orders(WRITES.difference(acts, TELLING)) for part in said.own)
        if is_stated and not is_other and not any(map(_is_unsure, said.own)) and _is_value_stated(call, said, acts):
            if doubt := _doubt_of_form(said, acts):
                return Judgement("unordered", doubt)
            return _with_target_and_values(call, said, scene, acts)
        if any(part.is_order for part in said.own):
            return Judgement("unordered", "you asked for something else")
        if said.is_question:
            return Judgement("unread", "you asked for no change")
        return _unread(call, said, scene, "I'm not sure that your message asks for it")
    if doubt := _doubt(call, said, acts) or _doubt_of_form(said, acts):
        return Judgement("unordered", doubt)
    return _with_target_and_values(call, said, scene, acts)


def _doubt_of_form(said: Said, acts: Sequence[str]) -> str:
    """Return that nothing has the form of an order among the segments that may order one of the acts; else empty."""
    wanted = frozenset(acts)
    ordering = [part for part in said.parts if part.orders(wanted) or wanted & part.verb_acts or part.is_imperative]
    forms = [part.form for part in ordering or said.own if part.ask.act not in CONTINUING]
    return "" if said.continues or max(forms, default=1.0) >= MIN_FORM else "you only spoke of it"


def _tells_news(part: Part) -> bool:
    """Return whether a segment tells a new value, whatever it was read as: "the new score for Ann is 64"."""
    words = [token.word for token in part.ask.tokens if token.word not in lexicon.INTERJECTIONS]
    is_asked = not words or words[0] in lexicon.QUESTION_STARTS
    is_valued = any(span.tag in ("value", "phone", "email", "amount", "owner") for span in part.ask.segment.spans)
    return is_valued and not is_asked and bool(_NEWS.intersection(words))


_NEWS = frozenset("new now becomes".split())


def _is_unsure(part: Part) -> bool:
    """Return whether a segment states no fact: it refuses something, or its text says what may be."""
    words = {token.word for token in part.ask.tokens}
    is_refusal = part.ask.act in ("no", "negated", "wait", "hypothetical") and bool(part.ask.segment.spans)
    return is_refusal or (part.ask.act in CONTENT_ACTS and bool(words & _GUESSING))


_GUESSING = frozenset("may might could would maybe perhaps".split())


def _doubt(call: ToolCall, said: Said, acts: Sequence[str]) -> str:
    """Return why none of the segments that order a change orders it now; empty for others."""
    wanted = AT_ONCE.intersection(acts)
    ordering = [part for part in said.parts if part.orders(wanted) or wanted & part.verb_acts] if wanted else []
    if wanted and not ordering:
        # An order that only its verb begins: "Today I want …".
        ordering = [part for part in said.own if part.is_order and part.ask.texts("value")]
    before = {id(part): one for one, part in pairwise(said.sequence)}
    after = {id(one): part for one, part in pairwise(said.sequence)}
    doubts = [
        put_off_by(before.get(id(part)))
        or put_off_after(part, after.get(id(part)))
        or taken_back_by(after.get(id(part)))
        or ("you only spoke of it" if goes_on(part, before.get(id(part))) else "")
        or doubt_about(part, after.get(id(part)), call.arguments, said.now)
        for part in ordering
    ]
    return doubts[0] if doubts and all(doubts) else ""


def _is_field_changed(call: ToolCall, said: Said, acts: Sequence[str]) -> bool:
    """Return whether a field is named whose value is to be kept or changed: "his mail is now j@x.example, save it"."""
    assert call.spec is not None  # noqa: S101 - see judge
    if "update_record" not in acts or said.denial:
        return False
    changing = _CHANGING.intersection
    is_clear = any(
        part.keeps_it or (changing(part.verb_acts) and not part.denial and not part.ask.activity_types)
        for part in said.own
    )
    return is_clear and Values(said, acts, call.spec).are_fields_named(call.arguments)


def _is_value_stated(call: ToolCall, said: Said, acts: Sequence[str]) -> bool:
    assert call.spec is not None  # noqa: S101 - see judge
    if Values(said, acts, call.spec).are_fields_named(call.arguments):
        return True
    # An address needs no name of a field, but what orders something else states none: "call him on 555 0123".
    stating = Values(said.without([part for part in said.own if part.is_order]), acts, call.spec)
    return stating.are_addresses_said(call.arguments)


def acts_of(spec: ToolSpec, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the acts that order a call: those of its tool, where it has actions those of this one."""
    action = arguments.get("action")
    named = [one.partition(":") for one in spec.ordered_by]
    return tuple(act if colon else prefix for prefix, colon, act in named if not colon or prefix == action)


def _is_act_ordered(spec: ToolSpec, acts: Sequence[str], said: Said, *, is_grounded: bool) -> bool:
    if acts:
        # Without values that could show it, the act must be clear.
        least = MIN_ORDER if is_grounded else SURE_READ
        if said.is_correction:
            # What corrects a creation changes what was made.
            acts = [*acts, *(one for act in acts for one in _CORRECTED_BY.get(act, ()))]
        wanted = frozenset(acts)
        is_begun = any(part.is_imperative or wanted & part.verb_acts for part in said.parts)
        return bool(said.ordering(acts, least)) or (is_grounded and is_begun)
    if spec.ordered_by:
        return False
    # A tool that names no acts is ordered in words of its own name, or of an example: its values decide the rest.
    name = humanise(spec.name.rpartition("__")[2])
    wordings = [_stems(wording) for wording in (name, *(() if spec.toolkit in FOREIGN else spec.examples))]
    if spec.toolkit in FOREIGN:
        # Another system's "update_status" is not ordered by words that all orders here have.
        wordings = [frozenset(one for one in wording if not _is_common(one)) for wording in wordings]
    for part in said.parts:
        stems = {token.stem for token in part.ask.tokens}
        if part.denial or part.is_question or not any(wording & stems for wording in wordings):
            continue
        if (part.is_order and spec.properties) or any(wording and wording <= stems for wording in wordings):
            return True
    return False


def _is_common(stem: str) -> bool:
    """Return whether a word stands in orders of the product's own."""
    return stem in _OWN_STEMS or bool(lexicon.fields_in(stem) or lexicon.values_in(stem))


_OWN_STEMS = frozenset(
    token.stem
    for word in (*lexicon.ORDER_VERBS, *lexicon.KIND_NAMES, *lexicon.PLURALS.values(), *lexicon.INTERJECTIONS)
    for token in tokenize(word)
)
_CHANGING = frozenset(("update_record", "advance_stage", "change_activity"))
"""Acts between which a verb alone decides nothing: "move him to the sales department"."""
_CORRECTED_BY = {"change_activity": ("create_activity", "invite", "remind"), "update_record": ("create_record",)}


def _only_restricts(arguments: Mapping[str, Any]) -> bool:
    """Return whether a call only sets flags such as do_not_email: "no more emails to her" orders it by a denial."""
    values = list(_values_of(arguments))
    return bool(values) and all("not" in name.split("_") and arguments[name] is True for name in values)


def _values_of(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the arguments that are no record, action or kind."""
    for name in arguments:
        if name not in ("entity_type", "action") and not name.endswith("_id"):
            yield name


def _stems(wording: str) -> frozenset[str]:
    plain = " ".join(word for word in wording.split() if not word.startswith("{"))
    return frozenset(token.stem for token in tokenize(plain) if token.kind == "word" and len(token.word) > 2)


def _with_target_and_values(call: ToolCall, said: Said, scene: Scene, acts: Sequence[str]) -> Judgement:
    assert call.spec is not None  # noqa: S101 - see judge
    ids = [one for one in ids_in(call.arguments) if one.partition("_")[0].lower() not in _UNCHECKED]
    records = [scene.spoken(one) for one in ids]
    # Whom a note is about is said before its text.
    head = said.outer if said.outer.names else said
    for record in records:
        if not is_meant(record, head, scene.focus):
            return Judgement("unordered", _why_not_meant(record, said))
    names = frozenset(
        token.stem
        for record in records
        for word in record.all_words - lexicon.ORDER_VERBS
        for token in tokenize(word)
        if len(record.words) <= _MAX_NAME
    )
    own = f"{call.name.partition('_')[2]}_id"
    target = call.arguments.get(own)
    stored = scene.stored(target) if isinstance(target, str) else {}
    own_words = frozenset(word for record in records for word in record.all_words)
    if CHANGES.intersection(acts):
        # "… and invite bob@abc.example": no new address of the record.
        said = said.without([part for part in said.parts if orders_another(part, acts)])
    values = Values(said, acts, call.spec, names, stored, scene.user, own_words)
    for name, _ in values.unexplained(call.arguments):
        # Without the value: it may be secret, and the question shows it.
        return Judgement("unordered", f"you did not say the {humanise(name)}")
    return ORDERED


def _why_not_meant(record: Spoken, said: Said) -> str:
    """Return that the user did not mention a record, or did so in a part of the message that orders nothing of it."""
    if not record.name:
        return "you did not mention that record"
    name = {token.word for token in tokenize(record.name) if token.kind != "mark"}
    # A single word may be one of another's name.
    is_named = len(name) > 1 and name <= {token.word for token in tokenize(said.message)}
    return (
        f"you mentioned “{record.name}”, but did not ask for this there"
        if is_named
        else f"you did not mention “{record.name}”"
    )


_PERSONS = frozenset(("lead", "contact"))
_MAX_NAME = 4
"""Words of a name; a longer one is a text."""
_UNCHECKED = frozenset(kind for kind in ENTRY_KINDS if kind in ("receipt",))


def _unread(call: ToolCall, said: Said, scene: Scene, reason: str) -> Judgement:
    """Return the judgement on a message that the reader can't read: it waits once the model has seen others' texts."""
    assert call.spec is not None  # noqa: S101 - see judge
    if scene.sight:
        return Judgement("unread", f"{reason}, and I have just read {_list(scene.sight)}")
    if not call.arguments or said.is_question or said.ends_as_question:
        return Judgement("unread", reason)
    literal = Values(said, (), call.spec, user=scene.user)
    is_said = literal.has_words_said(call.arguments) and not any(literal.unexplained(call.arguments))
    return ORDERED if is_said and not ids_in(call.arguments) else Judgement("unread", reason)


def _list(names: Iterable[str]) -> str:
    listed = list(dict.fromkeys(names))
    return f"{', '.join(listed[:-1])} and {listed[-1]}" if len(listed) > 1 else "".join(listed)
