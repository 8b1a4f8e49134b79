"""Command analytics as the API takes and shows them."""

from datetime import datetime
from typing import Annotated, Any

from msgspec.structs import asdict
from pydantic import ConfigDict, Field

from aisha.api.params import Moment, NoneIfEmpty, OptionalText
from aisha.api.schemas.chat import CamelModel
from aisha.application.conversations.analytics import CommandSummary

Name = Annotated[str, Field(min_length=1, max_length=200)]
Milliseconds = Annotated[float, Field(ge=0, le=86_400_000)]


class _Body(CamelModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class TimingBody(_Body):
    """Milliseconds of the stages: speech to text, the model, text to speech, all together."""

    stt_ms: Milliseconds | None = None
    llm_ms: Milliseconds | None = None
    tts_ms: Milliseconds | None = None
    total_ms: Milliseconds | None = None


class MetadataBody(_Body):
    """Who answered, and with which tools."""

    provider: Name | None = None
    model: Name | None = None
    tools_used: Annotated[list[Name], Field(max_length=100)] | None = None


class CommandBody(_Body):
    """One command that ran. The tenant and the user are the token's."""

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
    """What is counted; a filter that is left out leaves nothing out."""

    command_name: OptionalText = Field(None, max_length=200)
    command_type: OptionalText = Field(None, max_length=200)
    success: Annotated[bool | None, NoneIfEmpty] = Field(None, description="Only what succeeded, or only what failed.")
    start_date: Moment = Field(None, description="A day or an instant; without an offset in the user's time zone.")
    end_date: Moment = Field(None, description="A day, which counts to its end, or an instant.")


class FrequentCommandJson(CamelModel):
    command_name: str
    count: int
    average_ms: float


class FailedCommandJson(CamelModel):
    command_name: str
    error_message: str
    timestamp: datetime


class PerformanceJson(CamelModel):
    """Averages in milliseconds over what succeeded; null where nothing was measured."""

    avg_stt_ms: float | None
    avg_llm_ms: float | None
    avg_tts_ms: float | None
    avg_total_ms: float | None


class SummaryJson(CamelModel):
    """The tenant's commands of the last 90 days. `successRate` is in percent, times in milliseconds.

    When `truncated` is true there are older commands that were not looked at: the figures are exact for the
    `commandsRead` newest ones, those that the filters take.
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


COMMAND_EXAMPLE = {
    "commandName": "project_status",
    "commandType": "button_command",
    "executionTimeMs": 1240,
    "success": True,
    "timing": {"sttMs": 210, "llmMs": 800, "ttsMs": 190, "totalMs": 1200},
    "metadata": {"provider": "openai", "model": "gpt-4o", "toolsUsed": ["get_pipeline_summary"]},
}
SUMMARY_EXAMPLE = {
    "success": True,
    "totalCommands": 4,
    "successRate": 75.0,
    "averageExecutionMs": 1010.5,
    "mostFrequentCommands": [{"commandName": "project_status", "count": 4, "averageMs": 1010.5}],
    "recentFailures": [
        {"commandName": "project_status", "errorMessage": "The model timed out", "timestamp": "2026-03-02T08:58:00Z"}
    ],
    "performanceMetrics": {"avgSttMs": 210.0, "avgLlmMs": 800.0, "avgTtsMs": None, "avgTotalMs": 1200.0},
    "commandsRead": 4,
    "truncated": False,
}


def command_fields(body: CommandBody) -> dict[str, Any]:
    """Return what the client measured as one flat object, without what it left out."""
    parts = (body.timing, body.metadata)
    fields = body.model_dump(exclude={"timing", "metadata"}, exclude_none=True)
    return fields | {
        name: value for part in parts if part for name, value in part.model_dump(exclude_none=True).items()
    }


def summary_json(summary: CommandSummary) -> dict[str, Any]:
    """Return a summary, with null for averages of nothing."""
    shown = SummaryJson(
        success=True,
        total_commands=summary.total_commands,
        success_rate=summary.success_rate,
        average_execution_ms=summary.average_execution_ms,
        most_frequent_commands=[FrequentCommandJson(**asdict(one)) for one in summary.most_frequent],
        recent_failures=[FailedCommandJson(**asdict(one)) for one in summary.recent_failures],
        performance_metrics=PerformanceJson(**{f"avg_{name}": value for name, value in summary.averages.items()}),
        commands_read=summary.commands_read,
        truncated=summary.truncated,
    )
    json_ready: dict[str, Any] = shown.model_dump(mode="json", by_alias=True)
    return json_ready
