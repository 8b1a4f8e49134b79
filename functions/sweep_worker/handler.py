"""Does the sweep's messages. One that fails comes again alone; after five tries it is set aside and the sweep goes on."""

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from aisha.api.event_app import EventApp
from aisha.application.sweep import abandon_message, handle_message
from aisha.observability import error_fields, log_message_failure, logger, message_scope, observed_handler

app = EventApp()
PROCESSOR = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
MOST_TRIES = 5
"""The template's `maxReceiveCount`: the queue sets the message aside after this try."""


def work(record: SQSRecord) -> None:
    """One message. Raises what makes it come again."""
    with message_scope("process sweep", record.message_id, record.body):
        try:
            handle_message(record.json_body, app.services.sweep_dependencies)
        except Exception as error:
            tries = int(record.attributes.approximate_receive_count)
            log_message_failure("a message of the sweep failed", error, record.message_id, tries)
            if tries >= MOST_TRIES:
                _abandon(record)
            raise


def _abandon(record: SQSRecord) -> None:
    try:
        abandon_message(record.json_body, app.services.sweep_dependencies)
    except Exception as error:
        logger.error("the sweep could not go on without the message", extra=error_fields(error))


@observed_handler("receive sweep", lambda: app.services.tracer)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`batchItemFailures` names the messages that are to come again; all others are done."""
    return {**process_partial_response(event, work, PROCESSOR, context)}
