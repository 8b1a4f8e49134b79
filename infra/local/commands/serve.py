"""The command that runs a local server in the foreground."""

import argparse
import json
import logging
import signal
import threading
from datetime import UTC, datetime

from aisha.bootstrap import Services
from aisha.bootstrap.extensions import check_extensions
from infra.admin.connect import pairs_in
from infra.endpoints import check_endpoints
from infra.local.errors import LocalError
from infra.local.server.crm import CrmTeam, close_crm, open_crm
from infra.local.server.server import LocalServer
from infra.local.server.stores import DynamoDBLocalStore

QUESTION = "Tell me about Jack Russel"


def serve(options: argparse.Namespace) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("infra").setLevel(logging.INFO)
    try:
        check_extensions(Services())
        check_endpoints()
    except ValueError as error:
        raise LocalError(f"AiSHA can't start: {error}") from error
    real = DynamoDBLocalStore(options.dynamodb_port, options.opensearch_port) if options.services == "real" else None
    # They end the server like Ctrl-C, so that the data is stored.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    folder, crm = options.folder, None
    if options.crm:
        team = CrmTeam(options.crm_time_zone, pairs_in(options.crm_users), pairs_in(options.crm_variables))
        crm = open_crm(options.crm, options.crm_url, folder, team)
        # Records of the CRM and demo data stay apart.
        folder = folder / f"crm-{options.crm}"
    with LocalServer(folder, options.port, real, with_memory=True, crm=crm) as server:
        print(_banner(server), flush=True)
        threading.Thread(target=server.warm_up, daemon=True).start()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, lambda *_: None)  # A second signal must not interrupt the storing of data.
    if crm is not None and not options.crm_url:
        close_crm(options.folder)
    print("Stopped.", flush=True)


def _banner(server: LocalServer) -> str:
    token = server.signer.user_token("alice", "demo", datetime.now(UTC))
    curl = (
        f"curl -s {server.url}/api/ai/chat -H 'Authorization: Bearer {token}' "
        f"-H 'Content-Type: application/json' -d '{json.dumps({'message': QUESTION})}'"
    )
    return (
        f"\nAiSHA is at {server.url}, its API's page at {server.url}/docs\n"
        f"Model: {server.services.model_name}. Data: {server.store.describe()}. "
        "`make reset` restores the demo data.\n"
        f"`make chat` talks to it here; as alice of tenant demo, for 12 hours:\n\n{curl}\n\nCtrl-C stops it.\n"
    )
