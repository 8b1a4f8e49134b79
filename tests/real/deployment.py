"""A function of the built template as Lambda would start it: its code, its layers, its variables, a real runtime client."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from infra.local.runtime_api import Sandbox

LAYERS = ("DependenciesLayer", "SharedLayer")


@dataclass(frozen=True)
class Deployment:
    """What `sam build` made in `folder`, run by `python`, an interpreter with awslambdaric and no other package.

    `values` are of the template's parameters and resources by name; `outside` are variables that only a local run needs.
    """

    folder: Path
    python: Path
    values: Mapping[str, str]
    outside: Mapping[str, str]
    logs: Path

    def sandbox(self, name: str) -> Sandbox:
        """A REST function under awslambdaric."""
        return Sandbox([self.command(name)], self.environment(name), cwd=self.folder / name, log=self._log(name))

    def streaming_sandbox(self, name: str, adapter: Path, port: int) -> Sandbox:
        """A function with a web server of its own on `port`, and AWS's adapter as the extension in front of it."""
        code = self.folder / name
        commands = [[str(code / self._property(name, "Handler"))], [str(adapter)]]
        environment = self.environment(name) | {"AWS_LWA_PORT": str(port)}
        return Sandbox(commands, environment, cwd=code, log=self._log(name))

    def command(self, name: str) -> list[str]:
        """What runs a REST function's handler."""
        return [str(self.python), "-m", "awslambdaric", self._property(name, "Handler")]

    def environment(self, name: str) -> dict[str, str]:
        """All variables of a function: Lambda's, the template's, and those that lead to this machine's services."""
        lambdas = {
            "PATH": f"{self.python.parent}:/usr/local/bin:/usr/bin:/bin",
            "PYTHONPATH": ":".join(str(self.folder / layer / "python") for layer in LAYERS),
            "PYTHONDONTWRITEBYTECODE": "1",  # Lambda's file system is read-only.
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_LAMBDA_FUNCTION_NAME": name,
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(self._property(name, "MemorySize")),
            "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            "LAMBDA_TASK_ROOT": str(self.folder / name),
            "_HANDLER": self._property(name, "Handler"),
        }
        own = self._resources[name].get("Environment", {}).get("Variables", {})
        shared = self._globals["Environment"]["Variables"]
        given = {key: self._text(value) for key, value in {**shared, **own}.items()}
        return lambdas | {key: value for key, value in given.items() if value is not None} | dict(self.outside)

    @cached_property
    def _document(self) -> Any:
        return yaml.safe_load((self.folder / "template.yaml").read_text(encoding="utf-8"))

    @property
    def _globals(self) -> dict[str, Any]:
        return dict(self._document["Globals"]["Function"])

    @property
    def _resources(self) -> dict[str, dict[str, Any]]:
        return {name: one.get("Properties", {}) for name, one in self._document["Resources"].items()}

    def _property(self, name: str, key: str) -> Any:
        return {**self._globals, **self._resources[name]}[key]

    def _text(self, value: Any) -> str | None:
        """A variable's value; None for no value. Every condition (a key, memory) is false here."""
        if not isinstance(value, dict):
            return str(value)
        if "Fn::If" in value:
            return self._text(value["Fn::If"][2])
        name = value["Ref"]
        if name == "AWS::NoValue":
            return None
        if name in self._resources:
            return self.values.get(name, f"not-deployed-{name}")
        return self.values.get(name) or str(self._document["Parameters"][name]["Default"])

    def _log(self, name: str) -> Path:
        return self.logs / f"{name}.log"
