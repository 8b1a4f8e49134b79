"""Start a function of the built template like Lambda, with its code, layers, variables and runtime client."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from infra.sam.runtime_api import Sandbox

LAYERS = ("DependenciesLayer", "SharedLayer")
PSEUDO_PARAMETERS = {
    "AWS::Region": "us-east-1",
    "AWS::Partition": "aws",
    "AWS::AccountId": "012345678912",
    "AWS::StackName": "aisha-local",
    "AWS::URLSuffix": "amazonaws.com",
}
# E.g. `${Stage}`, but not `${!Literal}`, which CloudFormation leaves as it is.
_PLACEHOLDER = re.compile(r"\$\{([^!}][^}]*)\}")
_BESIDE = '"$0" & exec "$1"'
"""Shell: the adapter in the background, then the function's own command, because an emulator starts one command."""


@dataclass(frozen=True)
class Deployment:
    """The build of `sam build` in `folder`, run by `python`, an interpreter with awslambdaric and no other package.

    `values` are of the template's parameters and resources by name; `outside` are variables that only a local run
    needs.
    """

    folder: Path
    python: Path
    values: Mapping[str, str]
    outside: Mapping[str, str]
    logs: Path

    @property
    def functions(self) -> tuple[str, ...]:
        """The template's functions by logical name, sorted."""
        resources = self._document["Resources"].items()
        return tuple(sorted(name for name, one in resources if one["Type"] == "AWS::Serverless::Function"))

    def is_streaming(self, name: str) -> bool:
        """Return whether the function runs its own web server, behind AWS's adapter."""
        return str(self.property_of(name, "Handler")).endswith(".sh")

    def sandbox(self, name: str) -> Sandbox:
        """Return a REST function under awslambdaric."""
        return Sandbox([self.command(name)], self.environment(name), cwd=self.folder / name, log=self.log(name))

    def streaming_sandbox(self, name: str, adapter: Path, port: int) -> Sandbox:
        """Return a function with its own web server on `port`, and AWS's adapter as the extension in front of it."""
        code = self.folder / name
        commands = [[str(code / self.property_of(name, "Handler"))], [str(adapter)]]
        environment = self.environment(name) | {"AWS_LWA_PORT": str(port)}
        return Sandbox(commands, environment, cwd=code, log=self.log(name))

    def command(self, name: str, adapter: Path | None = None) -> list[str]:
        """Return a function's command: its handler under awslambdaric, or its web server beside the adapter."""
        handler = str(self.property_of(name, "Handler"))
        if self.is_streaming(name):
            return ["/bin/sh", "-c", _BESIDE, str(adapter), str(self.folder / name / handler)]
        return [str(self.python), "-m", "awslambdaric", handler]

    def environment(self, name: str) -> dict[str, str]:
        """Return all variables of a function: Lambda's, the template's, and those of the local services."""
        lambdas = {
            "PATH": f"{self.python.parent}:/usr/local/bin:/usr/bin:/bin",
            "PYTHONPATH": ":".join(str(self.folder / layer / "python") for layer in LAYERS),
            "PYTHONDONTWRITEBYTECODE": "1",  # Lambda's file system is read-only.
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
            "AWS_REGION": PSEUDO_PARAMETERS["AWS::Region"],
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_LAMBDA_FUNCTION_NAME": name,
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(self.property_of(name, "MemorySize")),
            "AWS_LAMBDA_FUNCTION_TIMEOUT": str(self.property_of(name, "Timeout")),
            "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            "LAMBDA_TASK_ROOT": str(self.folder / name),
            "_HANDLER": str(self.property_of(name, "Handler")),
        }
        # The template's variables last, as in Lambda.
        return lambdas | self.variables(name)

    def variables(self, name: str) -> dict[str, str]:
        """Return the variables of the template for a function, and those of `outside`."""
        own = self._resources[name].get("Environment", {}).get("Variables", {})
        shared = self._globals.get("Environment", {}).get("Variables", {})
        resolved = {key: self._text(value) for key, value in {**shared, **own}.items()}
        return {key: value for key, value in resolved.items() if value is not None} | dict(self.outside)

    def property_of(self, name: str, key: str) -> Any:
        """Return a property of a function, its own or the template's default, with parameters resolved."""
        value = {**self._globals, **self._resources[name]}[key]
        return self._text(value) if isinstance(value, dict) else value

    def log(self, name: str) -> Path:
        """Return the file of a function's output."""
        return self.logs / f"{name}.log"

    @cached_property
    def _document(self) -> Any:
        return yaml.safe_load((self.folder / "template.yaml").read_text(encoding="utf-8"))

    @property
    def _globals(self) -> dict[str, Any]:
        return dict(self._document["Globals"]["Function"])

    @property
    def _resources(self) -> dict[str, dict[str, Any]]:
        return {name: resource.get("Properties", {}) for name, resource in self._document["Resources"].items()}

    def _text(self, value: Any) -> str | None:
        """Return a value as text, None for no value. Every condition (a key, memory, an alarm) is false here."""
        if not isinstance(value, dict):
            return str(value)
        kind, inner = next(iter(value.items()))
        if kind == "Fn::If":
            # The value for a condition that is false.
            return self._text(inner[2])
        if kind == "Fn::Sub":
            text, extra = (inner, {}) if isinstance(inner, str) else inner
            return _PLACEHOLDER.sub(lambda match: self._text(extra.get(match[1], {"Ref": match[1]})) or "", text)
        if kind == "Fn::Join":
            # A parameter that is a list has commas in its text.
            parts = inner[1] if isinstance(inner[1], list) else (self._text(inner[1]) or "").split(",")
            return str(inner[0]).join(self._text(part) or "" for part in parts)
        if kind == "Fn::GetAtt":
            return f"not-deployed-{inner if isinstance(inner, str) else '.'.join(inner)}"
        if kind == "Ref":
            return self._reference(str(inner))
        raise ValueError(f"a local run can't fill in {kind}")

    def _reference(self, name: str) -> str | None:
        if name == "AWS::NoValue":
            return None
        if name in self.values:
            return self.values[name]
        if name in PSEUDO_PARAMETERS:
            return PSEUDO_PARAMETERS[name]
        parameter = self._document["Parameters"].get(name)
        return f"not-deployed-{name}" if parameter is None else str(parameter.get("Default", f"not-given-{name}"))
