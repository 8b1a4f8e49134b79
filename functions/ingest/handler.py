"""Takes what is to be remembered from its queue. A message that fails comes again alone; after five tries it is set aside."""

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from aisha import bootstrap
from aisha.observability import logger

PROCESSOR = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)


def ingest(record: SQSRecord) -> int:
    """One message; how many memories were new. Raises what makes it come again."""
    try:
        return bootstrap.ingest_memory(record.json_body)
    except Exception as error:
        tries = record.attributes.approximate_receive_count
        extra = {"message_id": record.message_id, "tries": tries, "error": type(error).__name__, "reason": str(error)}
        logger.warning("a memory message failed", extra=extra)
        raise


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`batchItemFailures` names the messages that are to come again; all others are done."""
    return {**process_partial_response(event, ingest, PROCESSOR, context)}
