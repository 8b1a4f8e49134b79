"""DynamoDB: one table of CRM records, one of conversations. The only place that knows their keys."""
