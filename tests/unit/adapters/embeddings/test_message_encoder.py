"""Messages read by the fine-tuned sentence model."""

import pytest

from aisha.adapters.embeddings.message_encoder import FEATURES, MessageEncoder, inputs
from aisha.adapters.embeddings.minilm import MiniLMEmbedder
from aisha.domain.language.acts import ACTS, TAGS
from aisha.domain.language.encoded import EncodedMessage
from aisha.domain.language.marks import marks_of
from aisha.domain.language.reader import MAX_ENCODED, read
from aisha.domain.language.tokens import tokenize

ENCODER = MessageEncoder()


def encoded(text: str) -> EncodedMessage:
    tokens = tokenize(text)
    return ENCODER.read(tokens, marks_of(tokens))


def test_segments_acts_and_slots_are_read() -> None:
    first, second = read(
        "Show me my warm leads and add a note for jak russel: he prefers email", encoder=ENCODER
    ).segments
    assert (first.act, [(span.tag, span.text) for span in first.spans]) == ("search", [("value", "warm")])
    assert second.act == "create_note"
    assert {(span.tag, span.text) for span in second.spans} == {("name", "jak russel"), ("text", "he prefers email")}


def test_an_act_is_read_in_the_context_of_its_message() -> None:
    alone = read("at 5", encoder=ENCODER).segments[0]
    context, order = read("I am on the train. Move the call with Dana to Friday", encoder=ENCODER).segments
    assert (context.act, order.act) == ("context", "change_activity")
    assert alone.act != "change_activity"


@pytest.mark.parametrize(
    "text", ["?", "ok", "a" * 300, "🙂 🙂", "delete delete delete", "{name:Ann} || x: y", "名前を変えて"]
)
def test_slots_begin_before_they_go_on_and_segments_outside_of_them(text: str) -> None:
    message = encoded(text)
    tags = message.tags()
    assert len(tags) == len(tokenize(text))
    for before, tag in zip(["O", *tags], tags, strict=False):
        assert not tag.startswith("I-") or before[2:] == tag[2:]
    starts = message.starts(tags)
    assert starts[0] == 0
    assert not [start for start in starts[1:] if tags[start].startswith("I-")]


def test_the_probabilities_of_all_acts_are_given_the_highest_first() -> None:
    message = encoded("call Ann tomorrow")
    for shares in message.acts(0, 3, message.tags()):
        assert set(shares) == ACTS
        assert list(shares.values()) == sorted(shares.values(), reverse=True)
        assert sum(shares.values()) == pytest.approx(1)


def test_a_token_s_pieces_carry_its_capitals_its_kind_and_its_marks() -> None:
    tokens = tokenize("Ask Ann at ann@abc.example")
    model_inputs = inputs(tokens, marks_of(tokens, {"ann"}))
    features = [{FEATURES[place] for place in places} for places in model_inputs.features]
    assert {"capital", "known", "first_name"} <= features[1]
    assert features[3] == {"email"}
    assert sorted(set(model_inputs.owners)) == [0, 1, 2, 3]


def test_the_vectors_of_the_memory_stay_those_of_the_model() -> None:
    before = MiniLMEmbedder().embed(["Jack likes tea"])
    encoded("Jack likes tea")
    assert MiniLMEmbedder().embed(["Jack likes tea"]) == before


def test_a_message_too_long_for_the_model_is_read_without_it() -> None:
    text = "call Ann tomorrow. " * MAX_ENCODED
    assert read(text, encoder=ENCODER) == read(text)


def test_the_shipped_model_knows_the_tags() -> None:
    tags = {tag[2:] for text in ("call Ann at 4", "note for him: tea") for tag in encoded(text).tags() if tag != "O"}
    assert tags <= TAGS
