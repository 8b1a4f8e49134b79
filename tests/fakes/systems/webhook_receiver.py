"""A fake of a customer's webhook on this machine."""

from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer


class WebhookReceiver(LoopbackServer):
    """Records requests as (headers with lower-case names, body) and answers with `statuses`, repeating the last."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.statuses = [204]
        self.received: list[tuple[dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"{self.address}/hook"


class _Handler(LoopbackHandler):
    fake: WebhookReceiver

    def do_POST(self) -> None:
        self.fake.received.append((self.lower_headers(), self.content()))
        statuses = self.fake.statuses
        status = statuses.pop(0) if len(statuses) > 1 else statuses[0]
        self.send(status, headers={"Location": f"{self.fake.url}/elsewhere"} if 300 <= status < 400 else {})
