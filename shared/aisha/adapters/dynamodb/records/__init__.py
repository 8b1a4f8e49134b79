"""CRM records in DynamoDB: their items, indexes, words and counters."""
