"""The API description: validity, currency and examples; and the modules that a cold start imports."""

import json
import os
import subprocess
import sys
from copy import deepcopy

import pytest
from openapi_spec_validator import validate

from aisha.api.operation import Operation
from infra.generated import ROOT
from infra.openapi import EXAMPLES, FILE, check_examples, document, examples_of, operations

DECLARED = operations()
DOCUMENT = document(DECLARED)


@pytest.mark.slow
def test_the_description_is_valid_openapi() -> None:
    validate(json.loads(FILE.read_text(encoding="utf-8")))


def test_the_published_description_matches_the_code() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == DOCUMENT, "run `python -m infra.openapi`"


def test_ids_are_unique() -> None:
    ids = [operation.id for operation in DECLARED]
    assert len(set(ids)) == len(ids)


def test_no_schema_has_a_module_path_as_its_name() -> None:
    assert [name for name in DOCUMENT["components"]["schemas"] if "aisha" in name] == []


@pytest.mark.parametrize("operation", DECLARED, ids=lambda operation: operation.id)
def test_path_parameters_are_all_described(operation: Operation) -> None:
    described = set(operation.path_parameters or {})
    assert {part.strip("{+}") for part in operation.path.split("/") if part.startswith("{")} == described


def test_examples_fit_their_schemas() -> None:
    check_examples(DOCUMENT)


def test_an_example_that_does_not_fit_is_named_with_its_file_and_place() -> None:
    document_with_mistake = deepcopy(DOCUMENT)
    operation = document_with_mistake["paths"]["/api/ai/chat"]["post"]
    operation["responses"]["200"]["content"]["application/json"]["example"]["response"] = 5
    with pytest.raises(ValueError, match=r"^infra/api_examples/chat\.json: .*: response: 5 is not of type 'string'$"):
        check_examples(document_with_mistake)


def test_every_file_of_examples_belongs_to_an_operation() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.json")} <= {operation.id for operation in DECLARED}


def test_every_body_has_an_example() -> None:
    without = [
        operation["operationId"]
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
        for media in operation.get("requestBody", {}).get("content", {}).values()
        if "example" not in media
    ]
    assert not without


def test_every_json_answer_has_an_example() -> None:
    described = [operation for operation in DECLARED if operation.response and not operation.hidden]
    without = [operation.id for operation in described if "response" not in examples_of(operation)]
    assert without == []


HEAVY = {"boto3", "botocore.session", "pynamodb", "openai", "anthropic", "opensearchpy"}
NOT_LOADED = {
    "authorizer": {
        "aws_lambda_powertools",
        "starlette",
        "aisha.domain.crm.records",
        "aisha.application",
        "aisha.tools",
    },
    "docs": {"starlette", "jwt", "cryptography", "aisha.domain.crm.records", "aisha.tools"},
    "tools": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "connections": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "crm_hooks": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "crm": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "conversations": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "documents": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm", "snowballstemmer"},
    "scans": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "suggestions": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "sweep_dispatcher": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "sweep_worker": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "ingest": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm", "numpy", "tokenizers"},
    "health": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "preferences": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "confirmations": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "notifications": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "suggest": {"starlette", "jwt", "cryptography", "aisha.tools"},
    "analytics": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "profile": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "undo": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "audit": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "singleturn": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "embedding": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm"},
    "realtime": {"starlette", "jwt", "cryptography", "aisha.tools", "aisha.adapters.llm", "markdown_it"},
    "speech": {"jwt", "cryptography", "aisha.tools", "aisha.adapters.llm", "aisha.adapters.http_tools", "markdown_it"},
    "chat": {"jwt", "cryptography", "aisha.adapters.llm"},
    "flow_chat": {"jwt", "cryptography", "aisha.adapters.llm"},
    "openai": {"jwt", "cryptography", "aisha.adapters.llm"},
    "mcp": {"jwt", "cryptography", "aisha.tools", "aisha.adapters.llm", "mcp"},
}


def test_every_function_is_listed() -> None:
    assert {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")} == set(NOT_LOADED)


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_LOADED)
def test_a_cold_start_loads_no_more_than_it_needs(name: str) -> None:
    program = "import handler, json, sys; print(json.dumps(sorted(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "shared")}
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT / "functions" / name,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(json.loads(run.stdout)) & (HEAVY | NOT_LOADED[name]) == set()
