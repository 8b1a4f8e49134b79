"""Outgoing email and webhooks, and the queues of deferred work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from aisha.application.notifications.delivery import Channels
    from aisha.application.sweep import SweepDependencies
    from aisha.bootstrap.services import Services
    from aisha.domain.ports import MailSender, MoodWebhook, WorkQueue


def mail(services: Services) -> MailSender | None:
    """Return the mail sender of the settings; None without one."""
    settings = services.settings
    if settings.mail == "ses":
        from aisha.adapters.mail.ses import SesMailSender

        return SesMailSender(settings.required("mail_from"), settings.region)
    if settings.mail == "smtp" and settings.smtp_url is not None:
        from aisha.adapters.mail.smtp import SmtpMailSender

        return SmtpMailSender(settings.required("mail_from"), settings.smtp_url.get_secret_value())
    if settings.mail == "outbox":
        from aisha.adapters.mail.outbox import OutboxMailSender

        return OutboxMailSender(settings.required("mail_from"), settings.required("outbox_folder"))
    return None


def notification_channels(services: Services) -> Channels:
    """Return the channels that deliver notifications outside of the app."""
    from aisha.adapters.webhooks.signed_webhook import SignedWebhookSender
    from aisha.application.notifications.delivery import Channels

    webhooks = SignedWebhookSender(allow_private=services.settings.webhooks_to_private)
    return Channels(services.mail, webhooks)


def mood_webhook(services: Services) -> MoodWebhook | None:
    """Return the webhook that receives the users' moods; None without one."""
    settings = services.settings
    if settings.mood_webhook_url is None:
        return None
    from aisha.adapters.webhooks.signed_webhook import SignedWebhookSender
    from aisha.application.sentiment.webhook import SECRET, SignedMoodWebhook

    sender = SignedWebhookSender(allow_private=settings.webhooks_to_private)
    return SignedMoodWebhook(sender, settings.mood_webhook_url, lambda: services.secrets.get(SECRET))


def work_queue(services: Services) -> WorkQueue | None:
    """Return the queue of deferred work of the settings; None without one."""
    settings = services.settings
    if settings.queue == "sqs":
        from aisha.adapters.queue.sqs import SqsWorkQueue

        urls = {"memory": settings.memory_queue_url, "sweep": settings.sweep_queue_url}
        return SqsWorkQueue({name: url for name, url in urls.items() if url}, settings.region)
    if settings.queue == "in_process":
        from aisha.adapters.queue.in_process import InProcessWorkQueue

        return InProcessWorkQueue(_consumers(services))
    return None


def _consumers(services: Services) -> Mapping[str, Any]:
    """Return the consumer of each queue: they do the work of the functions `ingest` and `sweep_worker`."""

    def remember(message: Mapping[str, Any]) -> None:
        from aisha.application.memory.ingest import ingest

        ingest(message, services.memory_store, services.embedder)

    def sweep(message: Mapping[str, Any]) -> None:
        from aisha.application.connections.dependencies import TASK
        from aisha.application.connections.sync import handle_sync

        # Sweeps and the reading of CRMs share one queue.
        if message.get("task") == TASK:
            handle_sync(message, services.sync_dependencies)
            return
        from aisha.application.sweep import handle_message

        handle_message(message, services.sweep_dependencies)

    return {"memory": remember, "sweep": sweep}


def sweep_dependencies(services: Services) -> SweepDependencies:
    """Return the dependencies of a sweep. Raises ValueError without a queue."""
    settings, queue = services.settings, services.work_queue
    if queue is None:
        raise ValueError("AISHA_QUEUE is none: a sweep needs a queue")
    from aisha.application.sweep import SweepDependencies, SweepLimits

    limits = SweepLimits(settings.sweep_records, settings.sweep_page, settings.sweep_concurrency)
    return SweepDependencies(services.tool_ports, queue, limits, services.notification_channels, settings.memory_days)
