"""The modules that decide about writes, by subject, and the tests that have to notice a fault in them."""

from msgspec import Struct

_APPLICATION = "aisha.application"
_UNIT = "tests/unit/application"
_CONFIRMING = f"{_UNIT}/turn/confirming"


class Group(Struct, frozen=True):
    """Modules of `aisha.application`, and tests: the quick ones alone, as each is run again and again."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


GROUPS = {
    "gate": Group(
        (
            "orders.judge", "orders.case", "orders.ordering",
            "orders.reading.utterance", "orders.reading.objections.denials", "orders.matching.targets",
            "orders.matching.values", "orders.matching.binding", "orders.matching.placement",
            "orders.matching.marking", "orders.matching.texts", "orders.matching.times", "orders.likelihood",
            "orders.reading.objections.statements", "orders.reading.objections.retractions",
            "orders.reading.objections.framing", "orders.reading.segment_words",
            "orders.asking.call", "orders.asking.commands", "orders.asking.changes", "orders.asking.headings",
            "orders.reading.objections.main_clause", "orders.reading.utterance_segment", "orders.reading.clauses",
            "orders.reading.asides", "orders.reading.addressing", "orders.reading.reasons",
            "orders.reading.quotations", "orders.reading.literals",
            "orders.matching.moments", "orders.matching.polarity", "orders.reading.objections.conditions",
            "orders.reading.objections.delays", "orders.reading.objections.options", "orders.isolated",
            "tooling.gate.policy", "tooling.gate.execution",
            "turn.confirming.order_check", "turn.confirming.user_words", "turn.confirming.carried_out",
            "turn.rounds.tool_round", "mcp.reads",
        ),
        (
            f"{_UNIT}/orders", f"{_CONFIRMING}/test_order_check.py", f"{_CONFIRMING}/test_repeated_orders.py",
            f"{_CONFIRMING}/test_changed_meanwhile.py", f"{_CONFIRMING}/test_confirmation.py",
            f"{_CONFIRMING}/test_verdicts_in_the_log.py",
            f"{_UNIT}/turn/test_turn.py", f"{_UNIT}/turn/test_rounds.py", f"{_UNIT}/tooling", f"{_UNIT}/mcp",
            "tests/attack/test_references.py", "tests/attack/test_remaining_risks.py",
        ),
    ),
    "taint": Group(
        (
            "turn.confirming.untrusted_sources",
            "turn.confirming.caveats",
            "records.changed_meanwhile",
            "tenants.profile",
        ),
        (f"{_UNIT}/orders", _CONFIRMING, f"{_UNIT}/tenants"),
    ),
    "confirmation": Group(
        (
            "turn.confirming.settle", "turn.confirming.confirmation", "turn.confirming.waiting",
            "turn.confirming.question_text",
        ),
        (
            _CONFIRMING, f"{_UNIT}/flow/test_flow.py", f"{_UNIT}/flow/test_flow_choices.py",
            f"{_UNIT}/turn/test_retries.py", "tests/integration/turns/test_confirmations.py",
        ),
    ),
    "tenant": Group(
        ("tooling.gate.visibility", "tooling.context", "tooling.tenant_stores"),
        (
            f"{_UNIT}/tooling", "tests/unit/tools/test_isolation.py", "tests/unit/tools/records/test_goals.py",
            "tests/unit/tools/activities/test_notes.py",
        ),
    ),
    "idempotency": Group(
        ("idempotency.keys", "idempotency.operation_ids", "turn.journal"),
        (
            f"{_UNIT}/idempotency", "tests/contract/test_lost_answers.py", f"{_UNIT}/turn/test_turn.py",
            f"{_UNIT}/turn/test_retries.py", f"{_UNIT}/tooling/test_context.py",
        ),
    ),
}  # fmt: skip


def modules_of(group: str) -> list[str]:
    """Return the names of a group's modules."""
    return [f"{_APPLICATION}.{name}" for name in GROUPS[group].modules]
