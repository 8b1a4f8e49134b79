"""Schemas of command analytics."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from aisha.api.params import Moment, NoneIfEmpty, OptionalText
from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.application.conversations.analytics import CommandSummary

Name = Annotated[str, Field(min_length=1, max_length=200)]
Milliseconds = Annotated[float, Field(ge=0, le=86_400_000)]


class _Body(StrictBody):
    # One NaN would make every average of the summary NaN.
    model_config = ConfigDict(allow_inf_nan=False)


class TimingBody(_Body):
    """Durations in milliseconds: speech to text, the model, text to speech, and the whole command."""

    stt_ms: Milliseconds | None = None
    llm_ms: Milliseconds | None = None
    tts_ms: Milliseconds | None = None
    total_ms: Milliseconds | None = None


class MetadataBody(_Body):
    """The model that answered, and the tools that it used."""

    provider: Name | None = None
    model: Name | None = None
    tools_used: Annotated[list[Name], Field(max_length=100)] | None = None


class CommandBody(_Body):
    """One executed command. The tenant and the user come from the token."""

    command_name: Name = Field(description="E.g. project_status.")
    command_type: Name = Field(description="E.g. button_command.")
    execution_time_ms: Milliseconds
    success: bool
    error_message: Annotated[str, Field(max_length=2000)] | None = None
    timing: TimingBody | None = None
    metadata: MetadataBody | None = None


class RecordedJson(CamelModel):
    """The command is recorded."""

    success: bool
    id: str


class SummaryQuery(CamelModel):
    """Filters of the commands to count."""

    command_name: OptionalText = Field(None, max_length=200)
    command_type: OptionalText = Field(None, max_length=200)
    success: Annotated[bool | None, NoneIfEmpty] = Field(
        None, description="Only commands that succeeded, or only those that failed."
    )
    start_date: Moment = Field(None, description="A date or a date-time; without an offset, in the user's time zone.")
    end_date: Moment = Field(None, description="A date, of which the whole day counts, or a date-time.")


class FrequentCommandJson(CamelModel):
    command_name: str
    count: int
    average_ms: float


class FailedCommandJson(CamelModel):
    command_name: str
    error_message: str
    timestamp: datetime


class PerformanceJson(CamelModel):
    """Averages in milliseconds of the commands that succeeded; null without measurements."""

    avg_stt_ms: float | None
    avg_llm_ms: float | None
    avg_tts_ms: float | None
    avg_total_ms: float | None


class SummaryJson(CamelModel):
    """The tenant's commands of the last 90 days. `successRate` is a percentage, durations are in milliseconds.

    The figures cover the commands among the `commandsRead` newest ones that match the filters. `truncated` is true when
    there are older commands.
    """

    success: bool
    total_commands: int
    success_rate: float
    average_execution_ms: float
    most_frequent_commands: list[FrequentCommandJson]
    recent_failures: list[FailedCommandJson]
    performance_metrics: PerformanceJson
    commands_read: int
    truncated: bool


def command_fields(body: CommandBody) -> dict[str, Any]:
    """Return the command as one flat object, without omitted members."""
    parts = (body.timing, body.metadata)
    fields = body.model_dump(exclude={"timing", "metadata"}, exclude_none=True)
    return fields | {
        name: value for part in parts if part for name, value in part.model_dump(exclude_none=True).items()
    }


def summary_json(summary: CommandSummary) -> dict[str, Any]:
    """Return a summary as JSON, including averages that are null."""
    body = SummaryJson.from_attributes(
        summary,
        success=True,
        most_frequent_commands=summary.most_frequent,
        performance_metrics={f"avg_{name}": value for name, value in summary.averages.items()},
    )
    json_ready: dict[str, Any] = body.model_dump(mode="json", by_alias=True)
    return json_ready
