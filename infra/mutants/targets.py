"""The modules that decide about writes, by subject, and the tests that have to notice a fault in them."""

_APPLICATION = "aisha.application"
_UNIT = "tests/unit/application"

MODULES = {
    "gate": (
        "orders.judge", "orders.said", "orders.targets", "orders.values", "orders.isolated", "tooling.policy",
        "tooling.execution", "turn.order_check", "turn.tool_round", "mcp.reads", "tenants.preferences",
    ),
    "taint": ("turn.sight", "turn.caveats", "records.changed_meanwhile"),
    "confirmation": ("turn.settle", "turn.confirmation", "turn.waiting", "turn.question_text"),
    "tenant": ("tooling.visibility", "tooling.context"),
    "idempotency": ("idempotency.keys", "idempotency.operation_ids", "turn.journal"),
}  # fmt: skip
"""Modules of `aisha.application` by group."""
TESTS = (
    *(f"{_UNIT}/{room}" for room in ("orders", "turn", "tooling", "tenants", "idempotency")),
    "tests/attack/test_attack.py",
    "tests/conversations/test_scripted_model.py",
    "tests/integration/test_functions_confirmations.py",
    "tests/integration/test_mcp_door.py",
    "tests/contract/test_lost_answers.py",
    "tests/unit/tools/test_isolation.py",
    "tests/unit/tools/test_goals.py",
    "tests/unit/tools/test_notes.py",
)  # fmt: skip


def modules_of(group: str) -> list[str]:
    """Return the names of a group's modules."""
    return [f"{_APPLICATION}.{name}" for name in MODULES[group]]
