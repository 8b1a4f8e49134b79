"""The planner's memory between turns. It travels as the message's `provider_state`, opaque to other models."""

from typing import Any, Literal

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from aisha.domain.conversations.conversation import Message
from aisha.domain.language.acts import WRITES
from aisha.domain.language.reader import Segment

VERSION = 3
_DONE = "Done, I"


class Ref(Struct, frozen=True):
    """A reference to a record. `about` is the company or another word that distinguishes namesakes."""

    type: str
    id: str
    name: str
    about: str = ""

    @property
    def entity(self) -> dict[str, str]:
        """The arguments that mean this record in tools for records of any kind."""
        return {"entity_type": self.type, "entity_id": self.id}

    @property
    def shown(self) -> str:
        return f"{self.name} ({self.about})" if self.about and self.about != self.name else self.name


class Question(Struct, frozen=True):
    """The planner's last question.

    which: one of `candidates` for the name `name` in `ask`. who: a record that `ask` lacks. slot: words for the slot
    `tag` that `ask` lacks; `candidates` has the record chosen before, if one was. offer: to do what the
    phrase `offers[0]` says.
    """

    kind: Literal["which", "who", "slot", "offer"]
    ask: Segment | None = None
    name: str = ""
    candidates: tuple[Ref, ...] = ()
    tag: str = ""
    is_old: bool = False
    """True if the user has asked something else since: what is done with the answer is confirmed first."""
    offers: tuple[str, ...] = ()


class Search(Struct, frozen=True):
    """A list that was shown: the call that "show more" and "and bob's?" continue, and its next page."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    total: int | None = None
    cursor: str | None = None
    within: tuple[str, tuple[str, ...]] | None = None
    """The words of conditions that no argument says, and the ids of all records that were checked and met them."""
    names: dict[str, str] = field(default_factory=dict)
    """The names of the records whose ids are among the arguments."""


class Topic(Struct, frozen=True):
    """The subject of the last answer.

    `refs` are the records listed or spoken of, `search` the list shown, `asked` the ask that "the same for Ann"
    repeats, `written` the sentence that tells the last change, `offers` the phrases that "do the first one" takes up,
    `draft` the subject and the body of an email that was shown and not sent. `listed` are the records of the last list
    as long as `refs` are some of them, `spoken` the names said in a message that was about no record. `ordered` is the
    last order that was carried out, and `changed` what it made or changed: a correction may come some asks later.
    `earlier` are the records of the last list, however much was asked since, and `passed` the ids of those of them
    that an answer was about alone: "the other one" is none of these. `noun` is the stem of what a customer's tool
    was asked for last: "dismiss the second" is then about such a thing. `replaced` are the values that the last order
    replaced, by the id of the record and the field. `listing` is the ask for the last list or total: "and in Boston?"
    may follow a question about one of its records.
    """

    refs: tuple[Ref, ...] = ()
    search: Search | None = None
    asked: Segment | None = None
    written: str = ""
    offers: tuple[str, ...] = ()
    draft: tuple[str, str] | None = None
    listed: tuple[Ref, ...] = ()
    spoken: tuple[str, ...] = ()
    ordered: Segment | None = None
    changed: tuple[Ref, ...] = ()
    earlier: tuple[Ref, ...] = ()
    passed: tuple[str, ...] = ()
    whole: tuple[Ref, ...] = ()
    noun: str = ""
    replaced: dict[str, dict[str, Any]] = field(default_factory=dict)
    listing: Segment | None = None

    @property
    def asked_about(self) -> Segment | None:
        """The last order, if it was asked about and not carried out."""
        is_order = self.asked is not None and self.asked.act in WRITES
        return self.asked if is_order and self.ordered != self.asked else None

    @property
    def changed_alone(self) -> Ref | None:
        """The one record that the last order changed; of an activity and those that it is about, the activity."""
        activities = [ref for ref in self.changed if ref.type == "activity"]
        changed = activities or list(self.changed)
        return changed[0] if len(changed) == 1 else None

    @property
    def group(self) -> tuple[Ref, ...]:
        """The records that "those" and "the other one" are among; an activity and whom it is about are no list."""
        activities = sum(ref.type == "activity" for ref in self.refs)
        is_list = len(self.refs) > 1 and not (activities == 1 and self.listed)
        return self.refs if is_list else self.listed

    def after(self, before: "Topic") -> "Topic":
        """Return this topic with the list that it shows, or the one before if its records are of that."""
        if self is before:
            return self
        topic = self._with_list(before)
        last = topic.listed if len(topic.listed) > 1 else before.earlier
        ids, noun = {ref.id for ref in last}, self.noun or ("" if self.refs else before.noun)
        # Activities that an order made for a part of a list leave the rest of that list in mind.
        is_made = bool(self.written) and any(ref.type == "activity" for ref in last) and before.whole[:1] != ()
        is_made = is_made and before.whole[0].type != "activity"
        whole = before.whole if is_made or ids <= {ref.id for ref in before.whole} else last
        of_whole = {ref.id for ref in whole}
        spoken_of = tuple(ref.id for ref in topic.refs if ref.id in of_whole)
        # An order for a part of a list leaves the rest of it: "mark Ann and Bo as lost" - "who's left?".
        is_order = bool(self.written) and whole == before.whole
        is_part = len(spoken_of) == 1 or (is_order and len(spoken_of) < len(whole))
        passed = before.passed if last == before.earlier or is_order else ()
        passed += spoken_of if is_part else ()
        return replace(topic, noun=noun, earlier=last, passed=passed, whole=whole)

    def _with_list(self, before: "Topic") -> "Topic":
        if self.listed:
            return self
        ids, kinds = {ref.id for ref in before.listed}, {ref.type for ref in self.refs}
        # A list of activities has the records that they are about beside them.
        activities = tuple(ref for ref in self.refs if ref.type == "activity")
        is_list = len(activities) > 1 or (len(kinds) == 1 and (len(self.refs) > 1 or self.search is not None))
        if any(ref.id in ids for ref in self.refs) and (len(self.refs) == 1 or not is_list):
            return replace(self, listed=before.listed, search=self.search or before.search)
        return replace(self, listed=activities if len(activities) > 1 else self.refs) if is_list else self


class DialogueState(Struct, frozen=True):
    """The open question, and the topic."""

    question: Question | None = None
    topic: Topic = Topic()

    def to_json(self) -> dict[str, Any]:
        return {"planner": VERSION, **to_builtins(self)}


def restore(history: tuple[Message, ...]) -> DialogueState:
    """Return the state after the last answer; empty when another model gave it.

    An answer that no model gave is that to a yes or a no: the state before it stays, with what the yes has changed.
    """
    answers = [message for message in reversed(history) if message.role == "assistant"]
    given = next((at for at, one in enumerate(answers) if one.provider_state or not _is_settled(one)), None)
    raw = answers[given].provider_state if given is not None else None
    if not raw or raw.get("planner") != VERSION:
        return DialogueState()
    state = convert(raw, DialogueState)
    lines = answers[given or 0].content.splitlines()
    beside = " ".join(line.replace(_DONE, "You just", 1) for line in lines if line.startswith(_DONE))
    for message in reversed(answers[:given]):
        state = DialogueState(None, _settled(state.topic, message))
    if beside and given:
        # What ran beside the order that waited for this yes was changed, too.
        state = replace(state, topic=replace(state.topic, written=f"{beside} {state.topic.written}".strip()))
    return state


def _is_settled(message: Message) -> bool:
    """Return whether no model gave an answer."""
    return message.metadata.get("provider") in (None, "none")


def _settled(topic: Topic, message: Message) -> Topic:
    """Return the topic after the answer to a yes or a no."""
    done = [call for call in message.tool_calls if call.status == "executed"]
    if not done:
        return replace(topic, replaced={})
    refs = tuple({one.id: Ref(one.type, one.id, one.name) for call in done for one in call.entities}.values())
    written = message.content.replace(_DONE, "You just", 1)
    gone = {ref.id for ref in refs} if any(call.name.startswith("delete_") for call in done) else set[str]()
    listed, whole = (tuple(ref for ref in refs if ref.id not in gone) for refs in (topic.listed, topic.whole))
    remaining = tuple(ref for ref in refs or topic.refs if ref.id not in gone)
    return replace(
        topic,
        refs=remaining,
        written=written,
        listed=listed,
        whole=whole,
        ordered=topic.asked,
        changed=remaining,
        offers=(),
    )
