"""Amazon Bedrock's models by the Converse API, with the AWS credentials of the function's role and no key.

BEDROCK_REGION switches the provider on and names the region. BEDROCK_GUARDRAIL, `<id or ARN>:<version>`, applies a
guardrail to every request and answer.
"""

import re
from collections.abc import Iterator, Mapping
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from aisha.adapters.llm.apis.answer_reader import AnswerReader
from aisha.adapters.llm.apis.converse_wire import (
    CACHE_POINT,
    ConverseReader,
    called_tools,
    conversation,
    system_blocks,
    tool_spec,
)
from aisha.adapters.llm.apis.streamed_chat import UNREADABLE, StreamedChatModel
from aisha.adapters.llm.provider import Access, ConnectedModel, Provider
from aisha.adapters.llm.stream_deadline import FIRST_TOKEN_SHARE, remaining
from aisha.adapters.llm.terms import ModelTerms
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import ModelRequest

if TYPE_CHECKING:
    from botocore.client import BaseClient

NAME = "bedrock"
CONNECT_SECONDS = 5.0
READ_SECONDS = 60.0
"""The client's own limit of silence. A request's is shorter: it is waited for elsewhere and then given up."""
TRIES = 2
_CACHES_PROMPTS = re.compile(r"anthropic\.claude|amazon\.nova")
_CACHES_TOOLS = re.compile(r"anthropic\.claude")
_REASONS = {
    "ThrottlingException": "it limits our rate",
    "ServiceQuotaExceededException": "it limits our rate",
    "AccessDeniedException": "the function's role may not use this model",
    "UnrecognizedClientException": "the AWS credentials were refused",
    "ExpiredTokenException": "the AWS credentials were refused",
    "ResourceNotFoundException": "it does not know this model",
    "ModelNotReadyException": "the model is not ready",
    "ModelTimeoutException": "it timed out",
    "ValidationException": "it refused the request",
}


class BedrockChatModel(StreamedChatModel["_Answer"]):
    """One model, by its id, its inference profile or an ARN of either.

    A request that was refused before any byte of an answer came is tried once more by botocore, after a pause of at
    most a second.
    """

    def __init__(self, model: str, access: Access, terms: ModelTerms) -> None:
        super().__init__(NAME, model, terms)
        self._guardrail = guardrail_config(access.settings.get("BEDROCK_GUARDRAIL"))
        self._client = bedrock_client(access.key, access.base_url)

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._client.close()

    def reader(self) -> ConverseReader:
        return ConverseReader()

    def open(self, request: ModelRequest) -> "_Answer":
        # The thread sends the request whatever the deadline is.
        remaining(request.deadline)
        return _Answer(self._client, self.body(request))

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the arguments of `converse_stream`."""
        model = request.model or self.model
        inference: dict[str, Any] = {"maxTokens": self.terms.output_tokens(request.max_tokens)}
        if request.temperature is not None and self.terms.takes_temperature:
            inference["temperature"] = request.temperature
        fields: dict[str, Any] = {
            "modelId": model,
            "messages": conversation(request.messages),
            "inferenceConfig": inference,
        }
        if system := system_blocks(
            request.messages, json_mode=request.json_mode, is_cached=bool(_CACHES_PROMPTS.search(model))
        ):
            fields["system"] = system
        # The API requires the tools of calls in the history, also when none may be called.
        if tools := [*map(tool_spec, request.tools)] or called_tools(request.messages):
            fields["toolConfig"] = {"tools": [*tools, CACHE_POINT] if _CACHES_TOOLS.search(model) else tools}
        if self._guardrail:
            fields["guardrailConfig"] = self._guardrail
        if self.terms.options:
            fields["additionalModelRequestFields"] = dict(self.terms.options)
        return fields

    def texts(self, answer: "_Answer", reader: AnswerReader, deadline: float) -> Iterator[str]:
        silence = remaining(deadline) * FIRST_TOKEN_SHARE
        first_text_by = monotonic() + silence
        while True:
            seconds = min(remaining(deadline), silence if reader.has_text else first_text_by - monotonic())
            try:
                event = answer.next(seconds)
            except Empty:
                remaining(deadline)
                raise self.unavailable("it took too long", request_id=answer.request_id) from None
            except Exception as error:  # botocore raises errors of urllib3 and of its parsers, too
                # The answer is complete: only the end of the stream was lost.
                if reader.finished:
                    return
                remaining(deadline)
                raise self._failed(error) from error
            if event is None:
                return
            try:
                text = reader.take(event)
            except UNREADABLE as error:
                raise self.unreadable(error, answer.request_id) from error
            if text:
                yield text

    def _failed(self, error: Exception) -> ModelUnavailableError:
        from botocore import exceptions

        if isinstance(error, exceptions.ClientError):
            # Errors within a stream are named in another case than those before it.
            code = str(error.response.get("Error", {}).get("Code", ""))
            code = code[:1].upper() + code[1:]
            answered = error.response.get("ResponseMetadata", {})
            status = answered.get("HTTPStatusCode")
            reason = _REASONS.get(code, "it is out of order")
            return self.unavailable(reason, status, answered.get("RequestId"))
        if isinstance(error, (exceptions.NoCredentialsError, exceptions.PartialCredentialsError)):
            return self.unavailable("there are no AWS credentials")
        if isinstance(error, exceptions.ParamValidationError):
            return self.unavailable("its client refused the request")
        timeouts = (exceptions.ReadTimeoutError, exceptions.ConnectTimeoutError)
        return self.unavailable("it took too long" if isinstance(error, timeouts) else "the connection failed")


class _Answer:
    """Reads one answer in a thread of its own: botocore's timeouts are those of a client, not of a request."""

    def __init__(self, client: "BaseClient", body: Mapping[str, Any]) -> None:
        self.request_id: str | None = None
        self._client, self._body = client, body
        self._events: SimpleQueue[Mapping[str, Any] | Exception | None] = SimpleQueue()
        self._left = Event()
        Thread(target=self._run, name="bedrock", daemon=True).start()

    def next(self, seconds: float) -> Mapping[str, Any] | None:
        """Return the next event, None at the end. Raises `Empty` after `seconds`, and what reading raised."""
        event = self._events.get(timeout=max(seconds, 0))
        if isinstance(event, Exception):
            raise event
        return event

    def close(self) -> None:
        """End the receiving at the next event."""
        self._left.set()

    def _run(self) -> None:
        try:
            response: dict[str, Any] = self._client.converse_stream(**self._body)  # type: ignore[attr-defined]
            self.request_id = response["ResponseMetadata"].get("RequestId")
            stream = response["stream"]
            try:
                for event in stream:
                    if self._left.is_set():
                        return
                    self._events.put(event)
            finally:
                stream.close()
            self._events.put(None)
        except Exception as error:  # handed to the thread that waits, which raises it
            self._events.put(error)


def bedrock_client(region: str, endpoint: str | None = None) -> "BaseClient":
    """Return a client of the service bedrock-runtime; `endpoint` None means the region's own."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": TRIES},
        max_pool_connections=50,
    )
    # A session of its own: boto3's shared one is not safe for threads.
    session = boto3.session.Session()
    client: BaseClient = session.client("bedrock-runtime", region_name=region, endpoint_url=endpoint, config=config)
    return client


def guardrail_config(guardrail: str | None) -> dict[str, str] | None:
    """Return the request's guardrail. Raises ValueError for one without a version."""
    if not guardrail:
        return None
    identifier, _, version = guardrail.rpartition(":")
    if not identifier or not (version == "DRAFT" or version.isdecimal()):
        raise ValueError(f"BEDROCK_GUARDRAIL: write <id or ARN>:<version>, such as gr1abc:1, not {guardrail}")
    return {"guardrailIdentifier": identifier, "guardrailVersion": version}


def create(model: str, access: Access, terms: ModelTerms) -> ConnectedModel:
    return BedrockChatModel(model, access, terms)


def check(settings: Mapping[str, str]) -> None:
    """Raise ValueError for a guardrail without its version."""
    guardrail_config(settings.get("BEDROCK_GUARDRAIL"))


PROVIDER = Provider("BEDROCK_REGION", create, settings=("BEDROCK_GUARDRAIL",), check=check)
