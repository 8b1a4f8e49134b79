"""The check that each endpoint in functions/ and its resource in template.yaml fit together, without importing them."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from infra.local.server.template import read_document

ROOT = Path(__file__).parents[1]
TEMPLATE = "template.yaml"


def check_endpoints(root: Path = ROOT) -> None:
    """Raise ValueError with one sentence for the first handler without its resource, or the other way round."""
    resources = _resources(root / TEMPLATE)
    functions = {
        name: resource["Properties"]
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    for name, properties in functions.items():
        if "CodeUri" not in properties:
            raise ValueError(f"{TEMPLATE}: {name} has no CodeUri, such as functions/greeting/")
        for event, settings in _api_events(properties):
            # SAM makes an API of its own for it, without the authorizer.
            if resources.get(settings.get("RestApiId", {}).get("Ref"), {}).get("Type") != "AWS::Serverless::Api":
                raise ValueError(f"{TEMPLATE}: the event {event} of {name} needs RestApiId: !Ref Api")
        folder = str(properties["CodeUri"]).strip("./")
        if not (root / folder / "handler.py").is_file():
            raise ValueError(f"{TEMPLATE}: {name} has the CodeUri {folder}/, in which there is no handler.py")
    declared = {str(properties["CodeUri"]).strip("./"): properties for properties in functions.values()}
    places: dict[str, str] = {}
    for file in sorted((root / "functions").glob("*/handler.py")):
        path, folder = str(file.relative_to(root)), str(file.parent.relative_to(root))
        module = _parsed(file, path)
        if folder not in declared:
            raise ValueError(f"{path}: {TEMPLATE} has no function with the CodeUri {folder}/")
        # A function that runs its own web server serves `app`.
        needed = "app" if str(declared[folder].get("Handler", "")).endswith(".sh") else "handler"
        if needed not in _names_in(module):
            raise ValueError(f"{path}: define `{needed}` in it, as docs/extending.md shows")
        for line, problem in _wrong_parameters(module):
            raise ValueError(f"{path}:{line}: {problem}")
        routes, operations = _routes_of(declared[folder]), list(_operations_in(module))
        for line, method, route, operation in operations:
            if route and (method, route) not in routes:
                raise ValueError(f"{path}:{line}: its function in {TEMPLATE} has no event {method} {route}")
            for what in (f"the id {operation!r}", *([f"{method} {route}"] if route else [])):
                if what in places:
                    raise ValueError(f"{path}:{line}: another operation has {what}, in {places[what]}")
                places[what] = f"{path}:{line}"
        served = {(method, route) for _, method, route, _ in operations}
        # Neither what a web server of its own serves nor a computed path can be read here.
        if needed == "handler" and all(route for _, route in served) and (unserved := sorted(routes - served)):
            event = " ".join(unserved[0])
            raise ValueError(f"{path}: no function of it serves {event}, an event in {TEMPLATE}")


def _resources(template: Path) -> Mapping[str, Any]:
    try:
        resources: Mapping[str, Any] = read_document(template).get("Resources", {})
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ValueError(f"{TEMPLATE}{line}: {error.problem}") from error
    return resources


def _parsed(file: Path, path: str) -> ast.Module:
    try:
        return ast.parse(file.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise ValueError(f"{path}:{error.lineno}: {error.msg}") from error


def _names_in(module: ast.Module) -> set[str]:
    """Return the names that a module defines or imports."""
    names: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        else:
            names |= {
                part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }
    return names


def _routes_of(properties: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return method and path of a function's API events."""
    return {(route["Method"].upper(), route["Path"]) for _, route in _api_events(properties)}


def _api_events(properties: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return name and properties of a function's API events."""
    events = properties.get("Events", {}).items()
    return [(name, event["Properties"]) for name, event in events if event["Type"] == "Api"]


def _wrong_parameters(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the mistake of each function that does not take its path's parameters, or takes others."""
    for function in (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)):
        taken = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
        for call in function.decorator_list:
            match call:
                case ast.Call(ast.Attribute(ast.Name("app"), "operation"), [_, ast.Constant(str(route)), *_]):
                    in_path = set(re.findall(r"{(\w+)}", route))
                    if missing := in_path - taken:
                        yield function.lineno, f"{function.name}() must take {', '.join(sorted(missing))} of {route}"
                    if unknown := taken - in_path - {"query", "body"}:
                        yield function.lineno, f"{function.name}() takes {', '.join(sorted(unknown))}, not in {route}"


def _operations_in(module: ast.Module) -> Iterator[tuple[int, str, str, str]]:
    """Yield the line, method, path and id of each operation; the path is empty where it is no plain text."""
    constants = {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(module):
        # By the source text: importing a handler would need its settings and AWS.
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("app.operation", "Operation"):
            match node.args[:3]:
                case [ast.Constant(str(method)), path, ast.Constant(str(operation))]:
                    text = path.value if isinstance(path, ast.Constant) else constants.get(ast.unparse(path), "")
                    yield node.lineno, method, str(text), operation
