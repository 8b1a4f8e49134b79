"""Takes what is to be remembered from its queue. A message that fails comes again alone; after five tries it is set aside."""

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
    """One message; how many memories were new. Raises what makes it come again."""
    with message_scope("process memory", record.message_id, record.body):
        try:
            return memory.ingest(record.json_body, app.services.memory_store, app.services.embedder)
        except Exception as error:
            tries = int(record.attributes.approximate_receive_count)
            log_message_failure("a memory message failed", error, record.message_id, tries)
            raise


@observed_handler("receive memory", lambda: app.services.tracer)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`batchItemFailures` names the messages that are to come again; all others are done."""
    return {**process_partial_response(event, ingest, PROCESSOR, context)}
