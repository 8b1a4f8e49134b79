"""Answer questions about the work as a whole: its analysis, which scan to run, the data's quality, what runs.

They are known by their subject and what is asked of it, whatever act they were read as.
"""

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.search.listing import OFFER_SCAN, scan_offered
from aisha.adapters.llm.planner.dialogue.words import LISTS, SURE_ORDER
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies.values import answer_with_result
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Segment

_WORK = frozenset("pipeline goals targets objectives okrs business sales project performance quarter numbers".split())
_SCAN = frozenset("scan scans".split())
_DATA = frozenset("data database crm record records entries".split())
_IN_BACKGROUND = frozenset("background queue queued queues processing processed".split())
_JOBS = frozenset("job jobs task tasks process processes anything something what sweep running active".split())
_ANALYSING, _ADVISING, _FAULTS = lexicon.word_sets("overview_words", "analysing", "advising", "faults")
_MEANING = frozenset("stand stands acronym abbreviation mean means meaning short called name named".split())
_NAMES = NAME_TAGS | {"email"}
_TOOLS = (
    ("get_background_jobs", "look up what runs in the background"),
    ("get_status_report", "look up where the work stands"),
    ("recommend_scan", "choose a scan"),
)


def overview_asked(plan: Plan, ask: Ask) -> Answer | None:
    """Return the answer to a question about the work as a whole; None for any other ask."""
    is_of_data = _is_of_data(ask) and plan.has("run_scan")
    if is_of_data and not _is_analysis(ask):
        return plan.offer(OFFER_SCAN, "run the data quality scan", topic=plan.topic)
    if ask.act == "scan_results" and not ask.words & _SCAN and (offer := scan_offered(plan, ask)) is not None:
        return offer  # "Are there duplicate contacts?"
    asked = (_is_of_jobs(ask), _is_analysis(ask), _is_for_scan(ask))
    for (tool, what), is_asked in zip(_TOOLS, asked, strict=True):
        if is_asked and plan.has(tool):
            answer = answer_with_result(plan, tool, plan.call(tool, what))
            text = f"{answer.text}\n\n{OFFER_SCAN}"
            return plan.offer(text, "run the data quality scan", topic=answer.topic) if is_of_data else answer
    return None


def _is_of_assistant(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask is what the assistant's own name means: "what does AiSHA stand for?"."""
    words = {token.word for token in ask.tokens}
    own_name = plan.scene.assistant_name.lower()
    names = {span.text.lower() for span in ask.segment.spans if span.tag in (*_NAMES, "owner")}
    return bool(own_name in words and words & _MEANING and names <= {own_name})


def whole_question(plan: Plan, message: str) -> Ask | None:
    """Return a message as one ask: for an analysis of several parts of the work, or the assistant's name; else None."""
    segments = plan.read(message).segments
    is_list = any(one.act in LISTS and one.probability >= SURE_ORDER for one in segments[1:])
    if is_list or any(segment.act in WRITES for segment in segments):
        return None  # "I'm putting together the pipeline review. List the deals …"
    if len(segments) == 1 and _is_of_assistant(plan, Ask(segments[0], plan.now)):
        return Ask(Segment(message, "identity"), plan.now)
    spans = tuple(span for segment in segments for span in segment.spans if span.tag in _NAMES)
    ask = Ask(Segment(message, "", spans=spans), plan.now)
    return ask if _is_analysis(ask) and plan.has("get_status_report") else None


def _is_analysis(ask: Ask) -> bool:
    subjects = ask.words & _WORK
    is_whole = "pipeline" in subjects and bool(subjects & {"goals", "targets", "objectives"})
    is_asked = is_whole or bool(subjects and ask.words & _ANALYSING)
    return is_asked and ask.act not in WRITES and not _is_about_record(ask)


def _is_for_scan(ask: Ask) -> bool:
    is_asked = bool(ask.words & {"suggest", "recommend", "advise"})
    is_order = ask.act in WRITES and policy.is_sure(ask) and not is_asked  # "Run the next steps scan."
    return bool(ask.words & _SCAN and ask.words & _ADVISING) and not is_order and not _is_about_record(ask)


def _is_of_data(ask: Ask) -> bool:
    words = {token.word for token in ask.tokens}
    is_fault = not (_DATA.isdisjoint(words) or _FAULTS.isdisjoint(words) or words & _SCAN)
    is_advice = ask.act == "documents" and policy.is_sure(ask)  # "Best practice for keeping the data clean."
    return is_fault and not is_advice and not _is_about_record(ask)


def _is_of_jobs(ask: Ask) -> bool:
    return bool(ask.words & _IN_BACKGROUND and ask.words & _JOBS) and not _is_about_record(ask)


def _is_about_record(ask: Ask) -> bool:
    """Return whether an ask names a record, or a kind of records."""
    kinds = {kind for kind in ask.kinds if kind in KINDS} - {"opportunity"}
    return bool(kinds) or any(span.tag in _NAMES for span in ask.segment.spans)
