"""The consumer of memory's queue. A failed message is delivered again; after five tries it goes to the dead letters."""

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from aisha.api.event_app import EventApp
from aisha.application.memory import ingest as memory
from aisha.observability import log_message_failure, message_scope, observed_handler

app = EventApp()
PROCESSOR = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)


def ingest(record: SQSRecord) -> int:
    """Store the memories of one message and return how many are new. Any error makes the queue deliver it again."""
    with message_scope("process memory", record.message_id, record.body):
        try:
            return memory.ingest(record.json_body, app.services.memory_store, app.services.embedder)
        except Exception as error:
            # Counted by SQS; at the fifth the message goes to the dead letters.
            tries = int(record.attributes.approximate_receive_count)
            log_message_failure("a memory message failed", error, record.message_id, tries)
            raise


@observed_handler("receive memory", lambda: app.services.tracer)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Process a batch and return, as `batchItemFailures`, the messages to deliver again."""
    return {**process_partial_response(event, ingest, PROCESSOR, context)}
