"""A function of the built template as Lambda would start it: its code, its layers, its variables, AWS's runtime client."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from infra.local.runtime_api import Sandbox

SETTINGS = {"aisha-records": "RecordsTable", "aisha-conversations": "ConversationsTable"}
INSTALLED = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Deployment:
    """What `sam build` made in `folder`, and what stands for AWS around it.

    `values` are of parameters and resources by name; `outside` are the variables that only a local run needs.
    """

    folder: Path
    python: Path
    adapter: Path | None
    values: Mapping[str, Any]
    outside: Mapping[str, str]
    logs: Path

    def sandbox(self, name: str) -> Sandbox:
        """A REST function under awslambdaric."""
        command = [str(self.python), "-m", "awslambdaric", str(self._property(name, "Handler"))]
        return Sandbox([command], self.environment(name), cwd=self.folder / name, log=self.logs / f"{name}.log")

    def streaming_sandbox(self, name: str, port: int) -> Sandbox:
        """A function with a web server of its own on `port`, and AWS's adapter as the extension in front of it."""
        code = self.folder / name
        commands = [[str(code / self._property(name, "Handler"))], [str(self.adapter)]]
        environment = self.environment(name) | {"AWS_LWA_PORT": str(port)}
        return Sandbox(commands, environment, cwd=code, log=self.logs / f"{name}.log")

    def environment(self, name: str) -> dict[str, str]:
        """All variables of a function: the template's, Lambda's, and those that lead to this machine's services."""
        given = self._property(name, "Environment", {}) | {}
        template = self._globals()["Environment"]["Variables"] | given.get("Variables", {})
        layers = [str(self.folder / layer / "python") for layer in ("DependenciesLayer", "SharedLayer")]
        lambdas = {
            "PATH": f"{self.python.parent}:{INSTALLED}",
            "PYTHONPATH": ":".join(layers),
            "PYTHONDONTWRITEBYTECODE": "1",  # Lambda's file system is read-only
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
            "_HANDLER": str(self._property(name, "Handler")),
        }
        values = {key: self._resolved(value) for key, value in template.items()}
        return lambdas | {key: value for key, value in values.items() if value is not None} | dict(self.outside)

    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = yaml.safe_load((self.folder / "template.yaml").read_text(encoding="utf-8"))
        return document

    def _globals(self) -> dict[str, Any]:
        found: dict[str, Any] = self._document()["Globals"]["Function"]
        return found

    def _property(self, name: str, key: str, default: Any = None) -> Any:
        properties = self._document()["Resources"][name]["Properties"]
        return properties.get(key, self._globals().get(key, default) if default is None else default)

    def _resolved(self, value: Any) -> str | None:
        """The text of a template's value; None for no value. Every condition is false: there is no secret here."""
        if not isinstance(value, dict):
            return str(value)
        if "Fn::If" in value:
            return self._resolved(value["Fn::If"][2])
        name = value["Ref"]
        if name == "AWS::NoValue":
            return None
        return str(self.values[name] if name in self.values else self._document()["Parameters"][name]["Default"])
