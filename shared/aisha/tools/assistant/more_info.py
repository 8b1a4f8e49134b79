"""The tool that attaches more context to a conversation when the model asks for it."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.context import SectionRequest
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, InvalidInputError

Id = Annotated[str, Field(min_length=1, max_length=80)]


class _Request(DeferredModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)


class Section(_Request):
    """One section."""

    section_id: Id = Field(description="E.g. MY_PIPELINE")
    reason: str | None = Field(None, max_length=300)


class Sections(_Request):
    """Data sections."""

    sections: list[Section] = Field(min_length=1, max_length=10)


class Ids(_Request):
    """Ids."""

    ids: list[Id] = Field(min_length=1, max_length=20)


@toolkit(name="assistant", description="What the assistant needs for itself.")
class MoreInformation:
    @tool(always=True, persistent=False)
    def req_more_info(
        self,
        context: ToolContext,
        data: Annotated[Sections | None, "Data sections"] = None,
        # Named as clients send it: the same shape is `req_more_info` of the API.
        domainKnowledge: Annotated[Ids | None, "Articles"] = None,
        tools: Annotated[Ids | None, "Tools"] = None,
    ) -> dict[str, Any]:
        """Attach more context to this conversation: data sections, knowledge articles and further tools."""
        sections = [SectionRequest(section.section_id, section.reason) for section in data.sections] if data else []
        articles, names = _ids(domainKnowledge), _ids(tools)
        if not (articles or names or sections):
            raise InvalidInputError(
                "Nothing was requested", suggestion="Give at least one of data, domainKnowledge and tools."
            )
        # Only a turn has a conversation to attach to; MCP and voice calls have none.
        if context.attach is None:
            raise ConflictError("Nothing can be attached here", suggestion="Use the tools that are available.")
        return context.attach(sections, articles, names)


def _ids(request: Ids | None) -> Sequence[str]:
    return request.ids if request else ()
