"""The check that each endpoint in functions/ and its resource in template.yaml fit together, without importing them."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from infra.local.server.template import read_document

ROOT = Path(__file__).parents[1]
TEMPLATE = "template.yaml"


def check_endpoints(root: Path = ROOT) -> None:
    """Raise ValueError with one sentence for the first handler without its resource, or the other way round."""
    resources = read_document(root / TEMPLATE).get("Resources", {})
    functions = {
        name: resource["Properties"]
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    for name, properties in functions.items():
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
        routes = _routes_of(declared[folder])
        for line, method, route, operation in _operations_in(module):
            if route and (method, route) not in routes:
                raise ValueError(f"{path}:{line}: its function in {TEMPLATE} has no event {method} {route}")
            for what in (f"the id {operation!r}", *([f"{method} {route}"] if route else [])):
                if what in places:
                    raise ValueError(f"{path}:{line}: another operation has {what}, in {places[what]}")
                places[what] = f"{path}:{line}"


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
    events = (event for event in properties.get("Events", {}).values() if event["Type"] == "Api")
    return {(event["Properties"]["Method"].upper(), event["Properties"]["Path"]) for event in events}


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
                    yield node.lineno, method.upper(), str(text), operation
