"""Load the functions of template.yaml by path and call them as Lambda does."""

import sys
import threading
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.types import ASGIApp

from aisha.bootstrap import Services
from infra.local.server.lambda_events import LambdaContext
from infra.local.server.template import FunctionConfig


class LocalFunction:
    """One function. Its module is loaded at the first call; a failed load is repeated at the next."""

    def __init__(self, config: FunctionConfig, services: Services) -> None:
        self.config, self._services = config, services
        self._module: ModuleType | None = None
        self._lock = threading.Lock()

    def invoke(self, event: dict[str, Any], request_id: str) -> Any:
        """Call the handler in this thread, one event at a time as in a sandbox. Raises the handler's errors."""
        with self._lock:
            config = self.config
            deadline = time.time() + config.timeout
            context = LambdaContext(config.name, config.memory, request_id, deadline)
            return self._loaded().handler(event, context)

    def app(self) -> ASGIApp:
        """Return the ASGI app of a function that runs a web server."""
        with self._lock:
            app: ASGIApp = self._loaded().app
            return app

    def _loaded(self) -> ModuleType:
        if self._module is None:
            module = _load(f"local_function_{self.config.name}", self.config.folder / "handler.py")
            # The module has created its app with the default services of the process.
            if hasattr(module, "app"):
                module.app.services = self._services
            self._module = module
        return self._module


def _load(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # As `import` does: dataclasses and pydantic look up their module by its name.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
