"""The consumer of the sweep's queue.

A failed message is delivered again; after five tries it goes to the dead letters, and the sweep continues without it.
"""

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from aisha.api.event_app import EventApp
from aisha.application.connections.dependencies import TASK as SYNC_TASK
from aisha.application.connections.sync import handle_sync
from aisha.application.sweep import abandon_message, handle_message
from aisha.observability import error_fields, log_message_failure, logger, message_scope, observed_handler

app = EventApp()
# By default a batch whose messages all fail raises, which would count as an error of the function, too.
PROCESSOR = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
MAX_TRIES = 5
"""`maxReceiveCount` in template.yaml: after this try the queue moves the message to the dead letters."""


def work(record: SQSRecord) -> None:
    """Process one message. Any error makes the queue deliver it again."""
    with message_scope("process sweep", record.message_id, record.body):
        try:
            if record.json_body.get("task") == SYNC_TASK:
                handle_sync(record.json_body, app.services.sync_dependencies)
            else:
                handle_message(record.json_body, app.services.sweep_dependencies)
        except Exception as error:
            tries = int(record.attributes.approximate_receive_count)
            log_message_failure("a message of the sweep failed", error, record.message_id, tries)
            if tries >= MAX_TRIES:
                _abandon(record)
            raise


def _abandon(record: SQSRecord) -> None:
    try:
        abandon_message(record.json_body, app.services.sweep_dependencies)
    except Exception as error:
        # Swallowed: the caller raises the message's own error, which moves it to the dead letters.
        logger.error("the sweep could not continue without the message", extra=error_fields(error))


@observed_handler("receive sweep", lambda: app.services.tracer)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Process a batch and return, as `batchItemFailures`, the messages to deliver again."""
    return {**process_partial_response(event, work, PROCESSOR, context)}
