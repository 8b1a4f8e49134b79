"""No tool ignores an argument: each one alone changes the answer or what is stored."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.support.tenants.argument_cases import ALWAYS, CASES, Case, resolve_arguments, with_argument
from tests.support.tenants.desk import REGISTRY
from tests.support.tenants.office import ANN, ANY_ID, Office, result_text

pytestmark = pytest.mark.slow

WITHOUT_CASE = {
    "req_more_info": "its attachments show in a turn only: tests/unit/application/knowledge/test_more_info.py",
    **dict.fromkeys(
        ("list_suggestions", "accept_suggestion", "dismiss_suggestion", "snooze_suggestion"),
        "a scan has to make the suggestions first: tests/unit/tools/insight/test_suggestions.py",
    ),
}
"""Tools without cases, with the reason."""

MAY_FAIL = {
    ("navigate_to_page", "page"),
    ("manage_prompt", "action"),
    ("bulk_create_activities", "items.entity_type"),
    *(
        (tool, "entity_type")
        for tool in """
            create_activity draft_email send_email analyze_sentiment find_similar summarize_record schedule_meeting
            suggest_next_actions list_notes create_note navigate_to_page
        """.split()
    ),
}
"""Arguments whose second value may be refused beside the other arguments (no such record, nothing to add)."""

ECHOED = {("navigate_to_page", "page")}
"""Arguments that the tool only returns, to the user interface."""


def resolve(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    return root["$defs"][schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema


def leaves(schema: Mapping[str, Any], root: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield the arguments of a schema; those inside objects, or objects of a list, by their path."""
    for name, inner in schema.get("properties", {}).items():
        resolved = resolve(inner, root)
        item = resolved.get("items", {}) if resolved.get("type") == "array" else resolved
        nested = list(leaves(resolve(item, root), root, f"{path}{name}."))
        yield from nested or [f"{path}{name}"]


def cases() -> Iterator[Any]:
    for tool, arguments in CASES.items():
        for argument, case in arguments.items():
            yield pytest.param(tool, argument, case, id=f"{tool}-{argument}")


def effect(tool: str, path: str, value: Any, always: dict[str, Any], may_fail: bool = False) -> str:
    """Return the answer and the stored data of one call in a new office; every id made by the call becomes `new`.

    A reading tool must do more than return the argument, so the argument's value is replaced in its answer.
    """
    office = Office()
    arguments = resolve_arguments(office, tool, with_argument(always, path, value))
    result = office.run(ANN, tool, arguments)
    assert result.ok or may_fail, (arguments, result.error, result.exception)
    answer = result_text(result)
    spec = REGISTRY.spec(tool)
    if spec is not None and spec.access == "read" and (tool, path) not in ECHOED:
        answer = answer.replace(str(arguments.get(path)), "the argument")
    stored = office.dump_records("acme") + office.dump_entries("acme", "ann") + office.dump_sent()
    old_ids = set(office.ids.values())
    return ANY_ID.sub(lambda match: match[0] if match[0] in old_ids else "new", answer + stored)


@pytest.mark.parametrize(("tool", "argument", "case"), list(cases()))
def test_it_changes_the_answer_or_what_is_kept(tool: str, argument: str, case: Case) -> None:
    value, other_value, *more = case
    always = {**ALWAYS.get(tool, {}), **(more[0] if more else {})}
    may_fail = (tool, argument) in MAY_FAIL
    first, repeated = (effect(tool, argument, value, always) for _ in range(2))
    assert first == repeated, "the same call has two effects, so the comparison would prove nothing"
    assert first != effect(tool, argument, other_value, always, may_fail)


def test_every_argument_of_every_tool_has_its_case() -> None:
    missing, unknown = [], []
    for spec in REGISTRY.specs():
        if spec.name in WITHOUT_CASE:
            continue
        arguments = set(leaves(spec.parameters, spec.parameters))
        missing += [f"{spec.name}: {name}" for name in sorted(arguments - CASES.get(spec.name, {}).keys())]
        unknown += [f"{spec.name}: {name}" for name in sorted(CASES.get(spec.name, {}).keys() - arguments)]
    assert missing == [], "write a line for each in CASES"
    assert unknown == []
    assert {*CASES, *WITHOUT_CASE, *ALWAYS} <= {spec.name for spec in REGISTRY.specs()}
