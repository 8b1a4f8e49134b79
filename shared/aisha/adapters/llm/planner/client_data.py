"""Questions about data that only the user's app has: it is asked for it, and its data answers (M-003, M-013)."""

from collections.abc import Iterable, Mapping
from typing import Any

from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies.formats import numbered
from aisha.application.knowledge.bm25 import query_stems, stems
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS, WRITES
from aisha.domain.language.tokens import tokenize
from aisha.domain.wording import humanise, join_names, on_one_line, truncate

REQUEST_TOOL = "req_more_info"
MIN_SHARE = 0.5
"""Share of a question's words that a section's id and description must have."""
MAX_VALUE = 200
"""Characters of a value that are shown."""


def answer_from_client(plan: Plan, message: str) -> Answer | None:
    """Return the answer to a question about a section of the client; None for any other message.

    Raises `Pending` with the request for the section's data, which the client then sends with the message.
    """
    sections = plan.scene.client_sections
    segments = plan.read(message).segments if sections else ()
    if not segments or any(segment.act in WRITES for segment in segments):
        return None
    names = [span.text for segment in segments for span in segment.spans if span.tag in NAME_TAGS]
    section = _section_of(message, names, sections)
    if section is None:
        return None
    if section not in plan.scene.client_data:
        plan.need(REQUEST_TOOL, data={"sections": [{"sectionId": section}]})
        return Answer(f"Your app has not shared this: {sections[section].rstrip('.')}.", topic=plan.topic)
    data = plan.scene.client_data[section]
    lines = [line for line in _lines(data) if all(name.lower() in line.lower() for name in names)]
    about = f" about {join_names(names)}" if names else ""
    head = f"From your app ({humanise(section).lower()}):"
    text = f"{head}\n\n{numbered(lines)}" if lines else f"{head} there is nothing{about}."
    return Answer(text, topic=plan.topic)


def _section_of(message: str, names: Iterable[str], sections: Mapping[str, str]) -> str | None:
    """Return the section that has most of the question's words, among them one that means nothing else here.

    `names` are what the question may be about within the section.
    """
    words = query_stems(message) - {stem for name in names for stem in stems(name)}
    other = {stem for token in tokenize(message) if not lexicon.is_listed(token) for stem in stems(token.word)}
    best, most = None, 0
    for section, description in sections.items():
        shared = words & {*stems(humanise(section)), *stems(description)}
        if shared & other and len(shared) >= max(MIN_SHARE * len(words), most + 1):
            best, most = section, len(shared)
    return best


def _lines(data: Any) -> Iterable[str]:
    """Yield one line for each item of a list, or for each member of an object."""
    if isinstance(data, list):
        yield from (_line(item) for item in data)
    elif isinstance(data, Mapping):
        yield from (f"{humanise(str(name))}: {_line(value)}" for name, value in data.items())
    elif data is not None:
        yield _line(data)


def _line(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{humanise(str(name))}: {_line(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_line, value))
    return truncate(on_one_line(str(value)), MAX_VALUE)
