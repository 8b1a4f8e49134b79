"""Work in a process that is killed at a chosen request to the database, which survives.

The process is a fork of the test's, and its database is in the test's process: each request goes there through a
socket. So the requests before the kill are done, and none after it.
"""

import os
import pickle
import signal
import socket
import struct
import threading
import traceback
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import botocore.client
from botocore.exceptions import ClientError

# botocore does not type what is replaced in the forked process.
client_class: Any = botocore.client.BaseClient
_LENGTH = struct.Struct("!I")


class BrokenForkError(AssertionError):
    """An error of the forked process; the message is its traceback."""


def run_killed_at(number: int, work: Callable[[], Any], answer_with: Callable[[str, dict[str, Any]], Any]) -> Any:
    """Run `work` in a process that is killed right before its request `number` (from 1).

    Return its result, or None when it was killed. `answer_with` answers a request (the operation's name and its
    parameters) in this process.
    """
    here, there = socket.socketpair()
    with warnings.catch_warnings():
        # A fork without the other threads is safe here: they hold no lock that the child needs.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        here.close()
        _run(number, work, there)
    there.close()
    with here:
        result = _serve(here, answer_with)
    _, status = os.waitpid(child, 0)
    if isinstance(result, BrokenForkError):
        raise result
    if result is None:
        assert os.WIFSIGNALED(status)
        assert os.WTERMSIG(status) == signal.SIGKILL
    return result


def _run(number: int, work: Callable[[], Any], line: socket.socket) -> NoReturn:
    """Run the forked process, which ends here."""
    lock, request_count = threading.Lock(), 0

    def make_api_call(_: Any, operation: str, parameters: dict[str, Any]) -> Any:
        nonlocal request_count
        with lock:
            request_count += 1
            if request_count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            _send(line, ("request", operation, parameters))
            kind, value = _receive(line)
        if kind == "error":
            raise ClientError(value, operation)
        return value

    client_class._make_api_call = make_api_call
    try:
        _send(line, ("result", work(), None))
    except BaseException:
        _send(line, ("broken", traceback.format_exc(), None))
    finally:
        os._exit(0)


def _serve(line: socket.socket, answer_with: Callable[[str, dict[str, Any]], Any]) -> Any:
    while (message := _receive(line)) is not None:
        kind, value, parameters = message
        if kind == "result":
            return value
        if kind == "broken":
            return BrokenForkError(value)
        try:
            _send(line, ("answer", answer_with(value, parameters)))
        except ClientError as error:
            _send(line, ("error", error.response))
    return None


def _send(line: socket.socket, message: Any) -> None:
    packed = pickle.dumps(message)
    line.sendall(_LENGTH.pack(len(packed)) + packed)


def _receive(line: socket.socket) -> Any:
    """Return the next message, None when the other side is gone."""
    head = _read(line, _LENGTH.size)
    return pickle.loads(_read(line, _LENGTH.unpack(head)[0])) if head else None


def _read(line: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        if not (part := line.recv(size - len(parts))):
            return b""
        parts += part
    return bytes(parts)
