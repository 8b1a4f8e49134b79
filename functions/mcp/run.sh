#!/bin/sh
# Starts the ASGI app behind the Lambda Web Adapter, which forwards each event to it as an HTTP request.
export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}/opt/python:${LAMBDA_RUNTIME_DIR:-/var/runtime}"
exec python3 -m uvicorn handler:app --host 127.0.0.1 --port "${AWS_LWA_PORT:-8080}" --no-access-log --log-level warning
