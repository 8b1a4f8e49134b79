"""The ports of the application. Adapters are named by technology and role, e.g. `DynamoDBRecordRepository`."""

from aisha.domain.ports.crm import CrmConnector, RecordRepository
from aisha.domain.ports.memory import Embedder, MemoryStore
from aisha.domain.ports.messaging import IssueTracker, MailSender, MoodWebhook, WebhookSender
from aisha.domain.ports.models import ChatModel, SpeechSynthesizer, VoiceSessions
from aisha.domain.ports.platform import Clock, SecretStore, WorkQueue, WritableSecretStore
from aisha.domain.ports.storage import AuditLog, ConversationRepository, EntryRepository
from aisha.domain.ports.usage import RateLimiter, SpendingLedger

__all__ = [
    "AuditLog",
    "ChatModel",
    "Clock",
    "ConversationRepository",
    "CrmConnector",
    "Embedder",
    "EntryRepository",
    "IssueTracker",
    "MailSender",
    "MemoryStore",
    "MoodWebhook",
    "RateLimiter",
    "RecordRepository",
    "SecretStore",
    "SpeechSynthesizer",
    "SpendingLedger",
    "VoiceSessions",
    "WebhookSender",
    "WorkQueue",
    "WritableSecretStore",
]
