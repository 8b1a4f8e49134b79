"""Queues of work for later: SQS, or this process."""
