"""The local server: the gateway with its data and its settings, in this process and on 127.0.0.1 only."""

import errno
import importlib
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Self
from unittest.mock import patch

import httpx
import uvicorn
from starlette.types import ASGIApp

from aisha.adapters.crm.writing.connected_records import ConnectedRecordRepository
from aisha.adapters.llm.planner.planner import OfflinePlanner
from aisha.application.turn.brainlets.tool_ranking import rank_tools
from aisha.bootstrap import Services
from aisha.bootstrap.models import message_encoder
from aisha.domain.language.reader import read
from aisha.domain.models import Caller, ModelMessage, ModelRequest
from aisha.domain.principal import Principal
from aisha.settings import settings
from infra.admin.data import DATA_COMMANDS
from infra.local.errors import LocalError, PortInUseError
from infra.local.server.app import WARM_UP_HEADER, make_app
from infra.local.server.crm import LocalCrm
from infra.local.server.keys import AUDIENCE, ISSUER, TokenSigner
from infra.local.server.memory import empty_memory, memory_environment, remember_demo
from infra.local.server.stores import EmbeddedStore, Store
from infra.local.server.sweep import sweep
from infra.local.server.template import load_template
from infra.local.tables import REGION, TABLES

ROOT = Path(__file__).parents[3]
WARM_UP_SECONDS = 60.0
WARM_UP_MESSAGE = "Tell me about my warm leads"
HOST = "127.0.0.1"
GRACE_SECONDS = 3
START_SECONDS = 30
LOG_LEVEL = "WARNING"
MAIL_FROM = "AiSHA <aisha@demo.example>"


class LocalServer:
    """A server that runs between `start` and `stop`, or as a context manager. Port 0 takes a free one, see `url`.

    The signing key is stored in `folder`, the data in `folder/data` unless `store` is another, and `with_memory` what
    turns did in `folder/memory`. With `crm` the tenant demo has its records there. Only one can run in a process,
    because the functions' settings are the process's.
    `start` raises a `LocalError` when it can't.
    """

    def __init__(
        self,
        folder: Path,
        port: int = 0,
        store: Store | None = None,
        *,
        with_memory: bool = False,
        crm: LocalCrm | None = None,
    ) -> None:
        self._folder, self._port, self._with_memory, self._crm = folder, port, with_memory, crm
        self.store = store or EmbeddedStore(folder / "data")
        self._remembers_demo = False
        self.signer: TokenSigner
        self.services: Services
        self._open = ExitStack()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        with ExitStack() as opened:
            listening = opened.enter_context(_listen(self._port))
            self._port = listening.getsockname()[1]
            try:
                self.store.start()
                opened.callback(self.store.stop)
                self.signer = TokenSigner(self._folder)
            except OSError as error:
                raise LocalError(f"{error.filename or self._folder} can't be used: {error.strerror}.") from error
            # The functions read their settings from the environment, as in Lambda; it is restored at the end.
            opened.enter_context(patch.dict(os.environ, self._environment()))
            # Logs and metrics use the process's cached settings, which must be read again from the new environment.
            opened.callback(settings.cache_clear)
            settings.cache_clear()
            self.services = Services(settings=settings())
            opened.callback(self.services.close)
            if self._crm is None:
                self.store.seed_if_empty(self.services.records)
            template, commands = load_template(ROOT / "template.yaml"), {**DATA_COMMANDS, "sweep": sweep}
            app = make_app(template, self.signer, self.services, self._reset, commands)
            opened.callback(_serve(app, listening))
            if self._crm is not None:
                opened.callback(self._crm.synchronise(self.services))
            # Only now: whatever fails before ends all that was started.
            self._open = opened.pop_all()

    def stop(self) -> None:
        """Finish open requests within a few seconds, and store the data. Does nothing the second time."""
        self._open.close()

    def _reset(self) -> None:
        if self._with_memory:
            empty_memory(self.services)
        self.store.reset(self.services.records)
        if self._remembers_demo:
            threading.Thread(target=remember_demo, args=(self.services,), daemon=True).start()
        self.services.tenant_profiles.forget()
        # Its cache would still have the records of before.
        if isinstance(self.services.records, ConnectedRecordRepository):
            self.services.records.clear()

    def warm_up(self) -> None:
        """Load what the first turn needs, so that it takes no longer than the second, and then the demo's memory."""
        # Each loads its modules at its first use, and so does the judge of writes.
        for part in ("token_verifier", "audit", "model_chains", "turn_dependencies", "rate_limiter", "memory_store"):
            getattr(self.services, part)
        importlib.import_module("aisha.application.turn.confirming.order_check")
        token = self.signer.user_token("alice", "demo", datetime.now(UTC))
        # It is refused, for it has no message, by the functions that the first turn needs.
        headers = {"Authorization": f"Bearer {token}", WARM_UP_HEADER: "1"}
        httpx.post(
            f"{self.url}/api/ai/chat", json={"message": ""}, headers=headers, timeout=WARM_UP_SECONDS, trust_env=False
        )
        read(WARM_UP_MESSAGE)
        # The planner's first step towards an answer; the tools that it asks for are not run.
        tools, message = self.services.tools.specs(), ModelMessage("user", WARM_UP_MESSAGE, is_typed=True)
        rank_tools(WARM_UP_MESSAGE, tools)
        request = ModelRequest(
            [message], tools, Caller(Principal("demo", "alice"), datetime.now(UTC)), time.monotonic() + WARM_UP_SECONDS
        )
        deque(OfflinePlanner(message_encoder(self.services.settings)).stream(request), maxlen=0)
        if self._with_memory and self._crm is None:
            self._remembers_demo = True
            remember_demo(self.services)

    def _environment(self) -> dict[str, str]:
        """Return the functions' settings that differ from those of the template."""
        past_proxies = os.environ.get("no_proxy") or os.environ.get("NO_PROXY")
        return {
            "AISHA_RECORDS_TABLE": TABLES.records,
            "AISHA_CONVERSATIONS_TABLE": TABLES.conversations,
            "AISHA_ENTRIES_TABLE": TABLES.entries,
            "AISHA_DYNAMODB_ENDPOINT": self.store.endpoint or "",
            "AISHA_REGION": REGION,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AISHA_JWKS_URL": f"{self.url}/local/jwks",
            "AISHA_JWT_ISSUER": ISSUER,
            "AISHA_JWT_AUDIENCE": AUDIENCE,
            "AISHA_MAIL": "outbox",
            "AISHA_MAIL_FROM": MAIL_FROM,
            "AISHA_OUTBOX_FOLDER": str(self._folder / "outbox"),
            "AISHA_LOG_LEVEL": os.environ.get("AISHA_LOG_LEVEL", LOG_LEVEL),
            "AISHA_METRICS": os.environ.get("AISHA_METRICS", "0"),
            "no_proxy": ",".join(filter(None, (past_proxies, HOST))),  # The JWKS URL is on this machine.
            **(self._crm.environment if self._crm else {}),
            **(memory_environment(self._folder, self.store.search_endpoint) if self._with_memory else {}),
        }


class _Server(uvicorn.Server):
    """A uvicorn server with an event that is set once it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()


def _serve(app: ASGIApp, listening: socket.socket) -> Callable[[], None]:
    """Serve in a thread, so that the caller handles signals; return the function that ends the server."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = _Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), name="server", daemon=True)
    thread.start()
    if not server.listens.wait(START_SECONDS):
        raise LocalError("The server did not start.")

    def stop() -> None:
        server.should_exit = True
        thread.join()

    return stop


def _listen(port: int) -> socket.socket:
    """Return a socket that listens on the port. Raises `PortInUseError`."""
    # asyncio switches Nagle's algorithm off only where the protocol is named; it would cost 40 ms an answer.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # A server that has just ended leaves its port in TIME_WAIT.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        why = "is in use" if error.errno == errno.EADDRINUSE else f"can't be used ({error.strerror})"
        message = f"Port {port} {why}. Stop what listens there, or choose another, e.g. PORT={port + 1}."
        raise PortInUseError(message) from error
    return listening
