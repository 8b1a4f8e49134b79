"""Any message gets an answer: never an error, an id or an empty reply."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aisha.application.tooling import ToolRegistry
from aisha.domain.hidden_characters import without_hidden
from tests.support.dialogue.conversations import ANY_ID, FILES, NOW, Stage, conversations

SAID = sorted({turn["say"] for file in FILES for one in conversations(file) for turn in one["turns"]})
WORDS = sorted({word for text in SAID for word in text.split()})
SENTENCES = st.one_of(
    st.sampled_from(SAID),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
    st.tuples(st.sampled_from(SAID), st.sampled_from(SAID)).map(lambda two: f"{two[0][: len(two[0]) // 2]} {two[1]}"),
    st.text(min_size=1, max_size=60).filter(lambda text: bool(without_hidden(text).strip())),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=st.lists(SENTENCES, min_size=1, max_size=5))
def test_it_answers(registry: ToolRegistry, messages: list[str]) -> None:
    stage, conversation = Stage(registry, NOW), None
    for text in messages:
        answer = stage.say(text, conversation)
        conversation = answer["conversationId"]
        assert answer["response"].strip()
        assert not ANY_ID.search(answer["response"])
        assert 2 <= len(answer["followUps"]) <= 4
