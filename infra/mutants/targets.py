"""The modules that decide about writes, and the tests that have to notice a fault in them."""

from msgspec import Struct


class Group(Struct, frozen=True):
    """Modules with one subject, and the folders and files of their tests."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


_APPLICATION = "aisha.application"
_UNIT = "tests/unit/application"

GROUPS = (
    Group(
        "gate",
        tuple(
            f"{_APPLICATION}.{name}"
            for name in (
                "orders.judge", "orders.said", "orders.targets", "orders.values", "orders.isolated",
                "tooling.policy", "tooling.execution", "turn.order_check", "turn.tool_round", "mcp.reads",
                "tenants.preferences",
            )
        ),
        (f"{_UNIT}/orders", f"{_UNIT}/turn", f"{_UNIT}/tooling", f"{_UNIT}/tenants", f"{_UNIT}/mcp"),
    ),
    Group(
        "taint",
        tuple(f"{_APPLICATION}.turn.{name}" for name in ("sight", "caveats")),
        (f"{_UNIT}/turn", "tests/conversations/test_scripted_model.py"),
    ),
    Group(
        "confirmation",
        tuple(f"{_APPLICATION}.turn.{name}" for name in ("settle", "confirmation", "waiting", "question_text")),
        (f"{_UNIT}/turn", "tests/integration/test_functions_confirmations.py"),
    ),
    Group(
        "tenant",
        tuple(f"{_APPLICATION}.tooling.{name}" for name in ("visibility", "context"))
        + ("aisha.domain.principal",),
        (f"{_UNIT}/tooling", "tests/unit/tools", "tests/integration/test_gate.py"),
    ),
    Group(
        "idempotency",
        tuple(f"{_APPLICATION}.idempotency.{name}" for name in ("keys", "operation_ids")) + (f"{_APPLICATION}.turn.journal",),
        (f"{_UNIT}/idempotency", f"{_UNIT}/turn", "tests/contract/test_lost_answers.py", "tests/integration/test_keys.py"),
    ),
)  # fmt: skip
