"""Memory's queue in a fake SQS, with the template's number of tries, and the Lambda that polls it."""

from aisha.adapters.queue.sqs import SqsWorkQueue
from infra.local.server.template import read_document
from tests.fakes.aws.api_gateway import ROOT
from tests.fakes.aws.queue_lambda import REGION, QueueLambda, make_queue


class MemoryLambda(QueueLambda):
    """A `QueueLambda` of the memory queue. Failed messages become visible again after `visibility` seconds."""

    def __init__(self, visibility: int = 0) -> None:
        document = read_document(ROOT / "template.yaml")
        tries = document["Resources"]["MemoryQueue"]["Properties"]["RedrivePolicy"]["maxReceiveCount"]
        url, self.dead_url = make_queue("memory", tries, visibility)
        super().__init__("ingest", url)
        self.queue = SqsWorkQueue({"memory": self.url}, REGION)
