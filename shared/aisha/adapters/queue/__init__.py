"""Where work for later waits: SQS, or this process."""
