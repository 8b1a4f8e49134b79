"""Generate shared/aisha/assets/openapi.json from the functions' operations. usage: python -m infra.openapi [--check]

With --check nothing is written: the exit code is 1 when the file is not what the code says.
"""

import json
import sys
import tomllib
import traceback
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

from aisha.api.operation import JSON, Operation, PathParameter
from aisha.renderers.problem import ProblemJson
from aisha.renderers.server_sent_events import CONTENT_TYPE as EVENT_STREAM
from infra.generated import ROOT, write_or_check
from infra.openapi_components import RATE_LIMITS, REF, header_components, parameter_components, problem_response

FILE = ROOT / "shared/aisha/assets/openapi.json"
EXAMPLES = ROOT / "infra/api_examples"
ALWAYS = (429, 500)
"""Statuses that any operation can return."""
WITH_TOKEN = (401,)
WITH_BODY = (400, 413, 422)
WITH_KEY = (409, 422)
TAGS = {
    "AiSHA": "Conversations with the assistant and what it can do.",
    "CRM": "Records, for pages and tests.",
    "Operations": "Readiness, and the description of this API.",
}
ABOUT = """\
An AI executive assistant for any CRM. Send a bearer token: it alone says who asks and for which tenant. Errors are
RFC 9457 problem documents. Every answer carries `x-request-id`; quote it when something goes wrong."""


class _Schemas(GenerateJsonSchema):
    """Generates JSON Schema with descriptive names, and without the titles that repeat members' names."""

    def field_title_should_be_set(self, _: Any) -> bool:
        return False

    def normalize_name(self, name: str) -> str:
        return _name(super().normalize_name(name))


def operations() -> list[Operation]:
    """Return every function's operations by path and method. Imports each `handler.py` under its own name."""
    declared = [
        operation for path in sorted((ROOT / "functions").glob("*/handler.py")) for operation in _declared(path)
    ]
    return sorted(declared, key=lambda operation: (list(TAGS).index(operation.tag), operation.path, operation.method))


def _declared(path: Path) -> Iterable[Operation]:
    # By path: all handlers have the same name, and their folders are no packages.
    spec = spec_from_file_location(f"function_{path.parent.name}", path)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    # Functions that stream list their operations themselves, the others have them in their app.
    if hasattr(module, "OPERATIONS"):
        return tuple(module.OPERATIONS)
    return tuple(getattr(getattr(module, "app", None), "operations", ()))


def examples_of(operation: Operation) -> dict[str, Any]:
    """Return the operation's examples: `request`, `response`, and by content type those of answers in another form."""
    file = EXAMPLES / f"{operation.id}.json"
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def document(declared: Iterable[Operation]) -> dict[str, Any]:
    """Return the API description, OpenAPI 3.1."""
    # What is always refused would only fill the description.
    declared = [operation for operation in declared if not operation.hidden]
    paths: dict[str, dict[str, Any]] = {}
    for operation in declared:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "AiSHA",
            "version": project["version"],
            "description": " ".join(ABOUT.split()),
            "license": {"name": "Apache License 2.0", "identifier": project["license"]},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "headers": header_components(),
            "parameters": parameter_components(),
            "responses": {f"Problem{status}": problem_response(status) for status in _statuses(declared)},
            "schemas": _components(declared),
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    definition: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": [
            *_path_parameters(operation),
            *_query_parameters(operation.query),
            *_header_parameters(operation),
        ],
        "responses": {str(status): _success(operation) for status in (operation.success, *operation.also)}
        | {str(status): _without_body(status) for status in operation.without_body}
        | {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in _errors(operation)},
    }
    if operation.public:
        definition["security"] = []
    if operation.body is not None:
        examples = examples_of(operation)
        content = {"schema": _reference(operation.body)}
        content |= {"example": examples["request"]} if "request" in examples else {}
        definition["requestBody"] = {"required": True, "content": {JSON: content}}
    return definition


def _errors(operation: Operation) -> list[int]:
    statuses = {*ALWAYS, *operation.errors}
    statuses |= set() if operation.public else set(WITH_TOKEN)
    statuses |= set(WITH_BODY) if operation.body is not None else set()
    statuses |= set(WITH_KEY) if operation.idempotent else set()
    # A status in `also` has the body of a success, not a problem document.
    return sorted(statuses - set(operation.also))


def _statuses(declared: Iterable[Operation]) -> list[int]:
    return sorted({status for operation in declared for status in _errors(operation)})


def _success(operation: Operation) -> dict[str, Any]:
    headers = {"x-request-id": {"$ref": "#/components/headers/RequestId"}}
    headers |= RATE_LIMITS if operation.is_limited else {}
    if operation.tagged:
        headers["etag"] = {"$ref": "#/components/headers/ETag"}
    if operation.success == HTTPStatus.NO_CONTENT:
        return {"description": "Done; the response has no body.", "headers": headers}
    schema = (
        _reference(operation.response)
        if operation.response
        else {"type": "string" if operation.content_type != JSON else "object"}
    )
    examples = examples_of(operation)
    content = {"schema": schema} | ({"example": examples["response"]} if "response" in examples else {})
    # The schema of a stream is any value: some readers take it for that of the whole text, others for each event's.
    texts = {
        name: {"schema": {} if name == EVENT_STREAM else {"type": "string"}, "example": text}
        for name, text in examples.items()
        if name not in ("request", "response")
    }
    about = ((operation.response.__doc__ if operation.response else None) or operation.summary).strip().splitlines()[0]
    return {"description": about, "headers": headers, "content": {operation.content_type: content} | texts}


def _without_body(status: int) -> dict[str, Any]:
    headers = {"x-request-id": {"$ref": "#/components/headers/RequestId"}}
    return {"description": f"{HTTPStatus(status).phrase}; the response has no body.", "headers": headers}


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [_path_parameter(name, about) for name, about in (operation.path_parameters or {}).items()]


def _path_parameter(name: str, about: str | PathParameter) -> dict[str, Any]:
    if isinstance(about, str):
        about = PathParameter(about, {})
    schema = {"type": "string", **about.schema}
    return {"name": name, "in": "path", "required": True, "description": about.description, "schema": schema}


def _header_parameters(operation: Operation) -> list[dict[str, Any]]:
    reference = {"$ref": "#/components/parameters/IdempotencyKey"}
    version = {"$ref": "#/components/parameters/IfMatch"}
    return [reference] * operation.idempotent + [version] * operation.versioned


def _query_parameters(query: type[BaseModel] | None) -> list[dict[str, Any]]:
    if query is None:
        return []
    schema_of_query = query.model_json_schema(schema_generator=_Schemas)
    return [_query_parameter(name, dict(schema)) for name, schema in schema_of_query["properties"].items()]


def _query_parameter(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an optional parameter without null, which a query string can't have."""
    text = schema.pop("description", "")
    kinds = [kind for kind in schema.pop("anyOf", []) if kind != {"type": "null"}]
    # A default of null says nothing about a query string.
    if schema.get("default", ...) is None:
        del schema["default"]
    schema |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {}
    return {"name": name, "in": "query", "required": False, "description": text, "schema": schema}


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": REF.format(model=_name(model.__name__))}


def _name(model: str) -> str:
    return model.removesuffix("Json")


def _components(declared: Iterable[Operation]) -> Mapping[str, Any]:
    models: dict[type[BaseModel], JsonSchemaMode] = {ProblemJson: "validation"}
    for operation in declared:
        models |= {model: "validation" for model in (operation.body, operation.response) if model is not None}
    _, schemas = models_json_schema(list(models.items()), ref_template=REF, schema_generator=_Schemas)
    return {name: {**schema, "title": name} for name, schema in sorted(schemas["$defs"].items())}


def check_examples(described: Mapping[str, Any]) -> None:
    """Raise ValueError with one sentence for the first example of the description that does not fit its schema."""
    for methods in described["paths"].values():
        for operation in methods.values():
            for content in (operation.get("requestBody", {}), *operation["responses"].values()):
                for media in content.get("content", {}).values():
                    if "example" in media:
                        _check_example(operation["operationId"], media, described["components"])


def _check_example(operation: str, media: Mapping[str, Any], components: Mapping[str, Any]) -> None:
    validator = Draft202012Validator({**media["schema"], "components": components})
    if error := best_match(validator.iter_errors(media["example"])):
        where = f"{error.json_path.removeprefix('$').removeprefix('.')}: " if error.path else ""
        file = (EXAMPLES / f"{operation}.json").relative_to(ROOT)
        raise ValueError(f"{file}: an example does not fit its model: {where}{error.message}")


def main() -> int:
    try:
        described = document(operations())
        check_examples(described)
    except (TypeError, ValueError) as error:
        frames = reversed(traceback.extract_tb(error.__traceback__))
        handler = next((frame for frame in frames if Path(frame.filename).name == "handler.py"), None)
        place = f"{Path(handler.filename).relative_to(ROOT)}:{handler.lineno}: " if handler else ""
        print(f"{place}{error}", file=sys.stderr)
        return 1
    text = json.dumps(described, indent=1, ensure_ascii=False) + "\n"
    return write_or_check(FILE, text, "the code", "infra.openapi")


if __name__ == "__main__":
    sys.exit(main())
