"""No tool ignores an argument: each changes the answer or what is kept, all else being the same."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.support.argument_cases import ALWAYS, CASES, Case, meant, with_argument
from tests.support.desk import REGISTRY
from tests.support.office import ANN, ANY_ID, Office, as_said

WITHOUT_CASE = {
    "req_more_info": "what it attaches is seen in the turn alone: tests/unit/application/knowledge/test_more_info.py",
}
"""Tools without cases, and why."""

MAY_FAIL = {
    ("create_activity", "entity_type"), ("bulk_create_activities", "items.entity_type"), ("draft_email", "entity_type"),
    ("send_email", "entity_type"), ("analyze_sentiment", "entity_type"), ("find_similar", "entity_type"),
    ("summarize_record", "entity_type"), ("schedule_meeting", "entity_type"), ("suggest_next_actions", "entity_type"),
    ("list_notes", "entity_type"), ("create_note", "entity_type"), ("navigate_to_page", "entity_type"),
    ("navigate_to_page", "page"), ("manage_prompt", "action"),
}  # fmt: skip
"""Where the other value is refused for what else is given (no such record of that type, nothing to add): a change, too."""

SAID_AGAIN = {("navigate_to_page", "page")}
"""Where saying the argument again, to the user interface, is all that is to be done."""


def leaves(schema: Mapping[str, Any], root: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The arguments of a schema, those inside of objects and of a list's objects by their path."""
    for name, inner in schema.get("properties", {}).items():
        known = inner
        if "$ref" in known:
            known = root["$defs"][known["$ref"].rsplit("/", 1)[-1]]
        item = known.get("items", {}) if known.get("type") == "array" else known
        if "$ref" in item:
            item = root["$defs"][item["$ref"].rsplit("/", 1)[-1]]
        nested = list(leaves(item, root, f"{path}{name}."))
        yield from nested or [f"{path}{name}"]


def cases() -> Iterator[Any]:
    for tool, arguments in CASES.items():
        for argument, case in arguments.items():
            yield pytest.param(tool, argument, case, id=f"{tool}-{argument}")


def seen(tool: str, path: str, value: Any, always: dict[str, Any], may_fail: bool = False) -> str:
    """What one call answers and leaves behind, in an office as new; ids made by the call are all called `new`.

    A tool that only reads must do more than say the argument again, so that is left out.
    """
    office = Office()
    arguments = meant(office, tool, with_argument(always, path, value))
    result = office.run(ANN, tool, arguments)
    assert result.ok or may_fail, (arguments, result.error, result.exception)
    said = as_said(result)
    spec = REGISTRY.spec(tool)
    if spec is not None and spec.access == "read" and (tool, path) not in SAID_AGAIN:
        said = said.replace(str(arguments.get(path)), "the argument")
    kept = office.kept_records("acme") + office.kept_entries("acme", "ann") + office.outside()
    known = set(office.ids.values())
    return ANY_ID.sub(lambda found: found[0] if found[0] in known else "new", said + kept)


@pytest.mark.parametrize(("tool", "argument", "case"), list(cases()))
def test_it_changes_the_answer_or_what_is_kept(tool: str, argument: str, case: Case) -> None:
    one, another, *more = case
    always = {**ALWAYS.get(tool, {}), **(more[0] if more else {})}
    may_fail = (tool, argument) in MAY_FAIL
    first, again = (seen(tool, argument, one, always) for _ in range(2))
    second = seen(tool, argument, another, always, may_fail)
    assert first == again, "the same call twice differs, so that a difference says nothing"
    assert first != second


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
