"""Checks of what extensions declare, beyond what loading them shows: types of options, names, signatures.

They are made at the start of the local server and by `make lint`; a Lambda function, whose build has passed them, does
not repeat them.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from pydantic import TypeAdapter, ValidationError

from aisha.adapters.llm.catalog import Capability
from aisha.adapters.llm.provider import FOLDER, Provider, providers
from aisha.application.knowledge.data_sections import data_sections
from aisha.application.prompt import prompt_sections
from aisha.application.prompt.facts import PromptFacts
from aisha.application.scans.contract import SCAN_MARK, Finding
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.running import scans
from aisha.application.tooling.arguments.schemas import arguments_model
from aisha.application.turn.brainlets.registry import discover_brainlets
from aisha.application.turn.brainlets.spec import MARK as BRAINLET_MARK
from aisha.application.turn.brainlets.spec import Brainlet, BrainletOptions
from aisha.domain.crm.modules import problem_of_module
from aisha.domain.discovery import modules_in, own_name
from aisha.domain.language.acts import ACTS
from aisha.domain.principal import Principal

if TYPE_CHECKING:
    from collections.abc import Callable

    from aisha.application.tooling import ToolRegistry
    from aisha.domain.tools import ToolSpec

ROOT = Path(__file__).parents[3]
_SLOT = re.compile(r"\{(\w*)\}")
_TYPED = frozenset(("type", "anyOf", "allOf", "oneOf", "enum", "const", "$ref"))
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_SECTION_ID = re.compile(r"[A-Z][A-Z0-9_]{0,39}")


class DeclarationError(ValueError):
    """A mistake in an extension; its message names the file."""


def check_tools(registry: ToolRegistry) -> None:
    """Raise `DeclarationError` for the first tool whose options can't be right."""
    specs = registry.specs()
    names = {spec.name for spec in specs}
    for spec in specs:
        function = registry.get_tool(spec.name)
        for problem in (*_tool_problems(spec, names), *_function_problems(function)):
            raise DeclarationError(f"{place_of(function)}the tool {spec.name!r}: {problem}")


def check_brainlets() -> None:
    """Raise `DeclarationError` for the first brainlet with an option of a wrong type or a wrong signature.

    So does a module without any.
    """
    for module in modules_in("aisha.brainlets"):
        if not any(hasattr(value, BRAINLET_MARK) for value in vars(module).values()):
            raise DeclarationError(f"{own_name(module)}.py has no brainlet: mark a function with @brainlet(...)")
    for brainlet in discover_brainlets("aisha.brainlets").ordered:
        problem = _wrong_type(brainlet) or _wrong_signature(brainlet.run, "outputs", "turn") or _wrong_model(brainlet)
        _raise(problem, brainlet.run, f"the brainlet {brainlet.name!r}")


def _wrong_model(brainlet: Brainlet) -> str | None:
    if not isinstance(brainlet.options, BrainletOptions):
        return "options must be BrainletOptions(...)"
    if brainlet.capability not in (None, *(capabilities := get_args(Capability))):
        return f"there is no capability {brainlet.capability!r}; there are {', '.join(capabilities)}"
    if (provider := brainlet.options.provider) not in (None, *providers()):
        return f"there is no provider {provider!r}; there are {', '.join(providers())}"
    return None


def check_scans() -> None:
    """Raise `DeclarationError` for the first scan with an option of a wrong type or a wrong signature.

    So does a function that is one in all but its mark.
    """
    for module in modules_in("aisha.application.scans"):
        for name, value in vars(module).items():
            if inspect.isfunction(value) and value.__module__ == module.__name__ and _is_unmarked_scan(value):
                _raise("it finds something, but is no scan: mark it with @scan(...)", value, f"{name}()")
    for name, scan in scans().items():
        problem = _wrong_type(scan.spec) or _wrong_signature(scan.analyse, "reader", yields=True)
        if empty := [field for field in ("title", "description", "when") if not getattr(scan.spec, field).strip()]:
            problem = f"{' and '.join(empty)} must be a text for people"
        if others := [other.spec.scan_type for other in scans().values() if other.spec.title == scan.spec.title][1:]:
            problem = (
                f"the scan {others[-1]!r} has the title {scan.spec.title!r}, too: their events could not be told apart"
            )
        _raise(problem, scan.analyse, f"the scan {name!r}")


def _is_unmarked_scan(function: Callable[..., Any]) -> bool:
    if function.__name__.startswith("_") or hasattr(function, SCAN_MARK):
        return False
    hints = get_type_hints(function)
    return [*hints.values()] in ([ScanReader, Iterator[Finding]], [ScanReader, Iterable[Finding]])


def check_data_sections() -> None:
    """Raise `DeclarationError` for the first data section with a wrong id, description or signature."""
    for section in data_sections().values():
        problem = _wrong_signature(section.read, "context")
        if not (isinstance(section.id, str) and _SECTION_ID.fullmatch(section.id)):
            problem = f"ID must be capital letters, digits and _, such as 'MY_TEAM', not {section.id!r}"
        elif not (isinstance(section.description, str) and section.description.strip()):
            problem = "DESCRIPTION must be a text that tells a model what is in it"
        _raise(problem, section.read, "the data section")


def check_prompt_sections() -> None:
    """Raise `DeclarationError` for the first prompt section with a wrong signature, or without a text.

    One that can't be rendered would fail every turn, so it raises its error here.
    """
    facts = PromptFacts(Principal("tenant", "user"), datetime.now(UTC))
    for name, render in prompt_sections():
        problem = _wrong_signature(render, "facts")
        if problem is None and not isinstance(text := render(facts), str):
            problem = f"render() must return a text, not {text!r}"
        _raise(problem, render, f"the prompt section {name!r}")


def check_renderers() -> None:
    """Raise `DeclarationError` for the first module of renderers that has nothing that a handler could call."""
    for module in modules_in("aisha.renderers"):
        public = (value for name, value in vars(module).items() if not name.startswith("_"))
        own = (value for value in public if getattr(value, "__module__", None) == module.__name__)
        if not any(callable(value) and inspect.signature(value).parameters for value in own):
            file = short_path(Path(str(module.__file__)))
            raise DeclarationError(f"{file} has no renderer: give it a function that takes a turn's events")


def check_providers() -> None:
    """Raise `DeclarationError` for the first provider with an option of a wrong type, or with another one's key."""
    variables = Counter(provider.variable for provider in providers().values())
    for name, provider in providers().items():
        problem = _wrong_type(provider) or _provider_problem(provider)
        # The variable switches a provider on: two with one would always be on together.
        if variables[provider.variable] > 1:
            problem = f"another provider has the variable {provider.variable}, too: give each its own"
        if problem:
            raise DeclarationError(f"shared/{FOLDER.replace('.', '/')}/{name}.py: {problem}")


def _provider_problem(provider: Provider) -> str | None:
    if not _VARIABLE.fullmatch(provider.variable):
        return f"variable: {provider.variable!r} must be the name of a variable, such as ACME_API_KEY"
    for name, price in provider.prices.items():
        if problem := _wrong_type(price):
            return f"prices: that of {name}: {problem}"
    if negative := [model for model, price in provider.prices.items() if min(price.input, price.output) < 0]:
        return f"prices: that of {negative[0]} is below 0"
    if provider.prices and provider.model is not None and provider.model not in provider.prices:
        return f"prices: the model {provider.model!r} has none; they are of {', '.join(provider.prices)}"
    if problem := _wrong_parameters(provider.create, "model", "access", "terms"):
        return f"create: {problem}"
    if isinstance(model := provider.create, type):
        missing = (name for name in ("stream", "close") if not hasattr(model, name))
        if problem := next((f"{model.__name__} has no {name}()" for name in missing), None):
            return problem
        if problem := _wrong_parameters(model.stream, "self", "request"):  # type: ignore[attr-defined]
            return f"{model.__name__}.{problem}"
        result = get_type_hints(model.stream).get("return")  # type: ignore[attr-defined]
        if not inspect.isgeneratorfunction(model.stream) and get_origin(result) not in (Iterator, Generator):  # type: ignore[attr-defined]
            return f"{model.__name__}.stream() must yield its events (-> Iterator[ModelEvent]), not return them at once"
    return None


def place_of(function: Callable[..., Any] | None) -> str:
    """Return `file:line: ` of a function of the package; empty for one that a JSON file describes."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    # The tool of a JSON file is run by an adapter, whose line says nothing about the file.
    if code is None or "adapters" in Path(code.co_filename).parts:
        return ""
    return f"{short_path(Path(code.co_filename))}:{code.co_firstlineno}: "


def short_path(file: Path) -> str:
    """Return the path as a developer sees it, from the project's folder."""
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


def _raise(problem: str | None, function: Callable[..., Any], what: str) -> None:
    if problem:
        raise DeclarationError(f"{place_of(function)}{what}: {problem}")


def _tool_problems(spec: ToolSpec, names: set[str]) -> Iterator[str]:
    if problem := _wrong_type(spec):
        yield problem
    if problem := problem_of_module(spec.module):
        yield f"module: {problem}"
    if not spec.clients:
        yield "clients: without any, nobody is offered it"
    if not all(example.strip() for example in spec.examples):
        yield "examples: one of them is empty"
    # `{name}` is the name of the record, which the planner looks up for an id.
    slots = {slot for example in spec.examples for slot in _SLOT.findall(example)}
    for slot in sorted(slots - {"name", *spec.properties}):
        yield f"examples: {{{slot}}} is neither {{name}} nor one of its parameters ({', '.join(spec.properties)})"
    for act in spec.ordered_by:
        if (name := act.rpartition(":")[2]) not in ACTS:
            yield f"ordered_by: there is no act {name!r}; there are {', '.join(sorted(ACTS))}"
    for step in spec.typical_followups:
        if step.tool is not None and step.tool not in names:
            yield f"typical_followups: {step.text!r} calls {step.tool!r}, which is no tool"
    for name, schema in spec.properties.items():
        if not _TYPED & set(schema):
            yield f"the parameter {name!r} may be anything: give it a type that JSON has, such as str"


def _function_problems(function: Callable[..., Any] | None) -> Iterator[str]:
    """Yield what is wrong with the function of a tool; nothing for a tool that a JSON file describes."""
    if not place_of(function) or function is None:
        return
    if problem := _wrong_kind(function, f"{function.__name__}()"):
        yield problem
    try:
        fields = arguments_model(function).model_fields
    except TypeError as error:
        yield str(error)
        return
    for name, field in fields.items():
        # pydantic checks no defaults: a wrong one would only be noticed when a call leaves the argument out.
        if not field.is_required():
            try:
                annotation: Any = Annotated[field.annotation, *field.metadata]
                adapter = TypeAdapter[Any](annotation)
                adapter.validate_python(field.default)
            except ValidationError as error:
                yield f"the default of {name!r}: {error.errors()[0]['msg']}"


def _wrong_type(declared: msgspec.Struct) -> str | None:
    """Return which option of a struct has a value of a wrong type, or None."""
    for field in msgspec.structs.fields(type(declared)):
        try:
            msgspec.convert(getattr(declared, field.name), field.type)
        except msgspec.ValidationError as error:
            choices = _choices(field.type)
            return f"{field.name}: {error}" + (f"; there are {', '.join(choices)}" if choices else "")
        except TypeError:
            # A function, for which msgspec has no check.
            continue
    return None


def _choices(kind: Any) -> tuple[str, ...]:
    """Return the values of a Literal, or of the Literal that a sequence has; empty for other types."""
    inner = (argument for argument in get_args(kind) if get_origin(argument) is Literal)
    return get_args(kind) if get_origin(kind) is Literal else get_args(next(inner, None))


def _wrong_signature(function: Callable[..., Any], *names: str, yields: bool = False) -> str | None:
    name = f"{getattr(function, '__name__', 'it')}()"
    return _wrong_parameters(function, *names) or _wrong_kind(function, name, yields=yields)


def _wrong_parameters(function: Callable[..., Any], *names: str) -> str | None:
    try:
        inspect.signature(function).bind(*names)
    except TypeError:
        return f"{getattr(function, '__name__', 'it')}() must take {' and '.join(names)}"
    return None


def _wrong_kind(function: Callable[..., Any] | None, name: str, *, yields: bool = False) -> str | None:
    """Return what is wrong with a function that is asynchronous, or that yields where it should return or vice versa.

    Nothing would fail: what it returns would only be no result.
    """
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return f"{name} must be a plain function: leave out async"
    if inspect.isgeneratorfunction(function) != yields:
        return f"{name} must yield what it finds" if yields else f"{name} must return its result, not yield it"
    return None
