"""Tools for goals: objectives with key results, of one user or shared."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from aisha.application.records import crud
from aisha.application.scans import goal_progress
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Cursor, Limit, Text
from aisha.application.tooling.results import EntityRef, RecordList, WriteResult
from aisha.domain.crm.enumerations import GoalStatus
from aisha.domain.crm.queries import MAX_PAGE
from aisha.domain.crm.records import Goal, KeyResult, Percent
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.tools import FollowUp

GoalId = Annotated[str, Field(min_length=1, max_length=200), "Id of a goal, as get_goals gives it, or its title"]
Amount = Annotated[float, Field(allow_inf_nan=False)]
MAX_CHOICES = 5
"""Titles in an error that asks which one is meant."""
_GOAL_FOLLOWUPS = (FollowUp("Show our goals", "🎯", "get_goals"), followups.PIPELINE, followups.NEXT_STEPS)


class KeyResultProgress(DeferredModel):
    """A key result: `progress` is in percent, `missing` in the unit of its target."""

    title: str
    target: float
    current: float
    progress: Percent
    missing: float


class GoalEvaluation(DeferredModel):
    """The progress of a goal in percent, from its key results, or `stored_progress` where there are none.

    `missing` says in words what is left to do; it is empty when the goal is reached.
    """

    goal: EntityRef
    status: GoalStatus
    progress: Percent
    stored_progress: Percent
    is_reached: bool
    key_results: list[KeyResultProgress]
    missing: list[str]


class NewKeyResult(DeferredModel):
    """A key result of a new goal: what is counted, and how much of it is to be reached."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    title: str = Field(min_length=1, max_length=200, description="What is counted, for example 'deals won'")
    target: Amount = Field(description="How much of it is to be reached")
    current: Amount = Field(default=0, description="How much there is already")


class KeyResultValue(DeferredModel):
    """A new value of a key result."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    title: str = Field(
        min_length=1, max_length=200, description="Title of the key result, or enough of it to identify it"
    )
    current: Amount = Field(description="New value, in the unit of its target")


@toolkit(name="goals", description="Read, evaluate and update goals and their key results.", module="goals")
class Goals:
    @tool(
        examples=(
            "show me my goals",
            "what are our goals",
            "list the {status} goals",
            "what are our okrs",
            "which objectives are {scope}",
            "how do our goals stand",
        ),
        typical_followups=(followups.PIPELINE, followups.FORECAST, followups.NEXT_STEPS),
    )
    def get_goals(
        self,
        context: ToolContext,
        status: Annotated[GoalStatus | None, "Status of the goal"] = None,
        scope: Annotated[Literal["mine", "shared"] | None, "mine: the user's own; shared: those of everybody"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Goal]:
        """Get the goals. The user's own come first, then the shared ones, with key results, progress and status."""
        return crud.search_page(context, Goal, crud.equal(status=status, scope=scope), limit, cursor)

    @tool(
        examples=(
            "how far is the goal {name}",
            "evaluate the progress of the goal {name}",
            "what is still missing to reach the goal {name}",
            "how much progress has the objective {name} made",
            "check the key results of the goal {name}",
        ),
        typical_followups=_GOAL_FOLLOWUPS,
    )
    def evaluate_goal(self, context: ToolContext, goal_id: GoalId) -> GoalEvaluation:
        """Evaluate a goal: its progress from its key results, and what each of them is missing. Changes nothing."""
        goal = _find_goal(context, goal_id)
        key_results = [_measure(result) for result in goal.key_results]
        progress = goal_progress.current_progress(goal)
        return GoalEvaluation(
            goal=EntityRef.of(goal),
            status=goal.status,
            progress=progress,
            stored_progress=goal.progress,
            is_reached=progress == 100,
            key_results=key_results,
            missing=_list_missing(key_results, progress),
        )

    @tool(
        access="write",
        examples=(
            "create a goal: {title}",
            "add a new goal {title}",
            "set up a goal called {title}",
            "set a new objective: {title}",
        ),
        typical_followups=_GOAL_FOLLOWUPS,
    )
    def create_goal(
        self,
        context: ToolContext,
        title: Annotated[Text, "What is to be reached, for example 'Close 10 deals this quarter'"],
        scope: Annotated[Literal["mine", "shared"], "mine: the user's own; shared: for everybody"] = "mine",
        period: Annotated[Text | None, "When, for example 'this quarter' or 'Q1 2027'"] = None,
        key_results: Annotated[
            list[NewKeyResult] | None, Field(min_length=1, max_length=20), "What it is measured by"
        ] = None,
    ) -> WriteResult[Goal]:
        """Create a goal.

        With key results, if the user names figures to measure it by.
        """
        # The progress is computed, not taken from the model: it follows from the figures.
        results = [KeyResult(**result.model_dump()) for result in key_results or ()]
        return crud.create_record(
            context,
            Goal,
            title=title,
            scope=scope,
            period=period,
            key_results=results,
            progress=goal_progress.progress(results),
        )

    @tool(
        access="write",
        ordered_by=("update_goal", "update_record"),
        examples=(
            "set the goal {name} to {status}",
            "the goal {name} is at {progress} percent",
            "update the progress of the goal {name} to {progress}",
            "update the key results of the objective {name}",
            "close the goal {name} as {status}",
        ),
        typical_followups=_GOAL_FOLLOWUPS,
    )
    def update_goal(
        self,
        context: ToolContext,
        goal_id: GoalId,
        status: Annotated[GoalStatus | None, "New status"] = None,
        progress: Annotated[Percent | None, "New progress, 0 to 100; by default that of the key results"] = None,
        key_results: Annotated[
            list[KeyResultValue] | None, Field(min_length=1, max_length=20), "New values of key results"
        ] = None,
    ) -> WriteResult[Goal]:
        """Update a goal: its status, its progress, or the current values of its key results.

        Only what is given changes. New values of key results change the progress, too, unless it is given.
        """
        changes = crud.require_changes(status=status, progress=progress, key_results=key_results)
        goal = _find_goal(context, goal_id)
        if key_results is not None:
            # Given by title, because a model has seen the titles and key results have no ids.
            results = _with_values(goal, key_results)
            changes["key_results"] = [result.model_dump() for result in results]
            # A progress that is given takes precedence over that of the key results.
            changes.setdefault("progress", goal_progress.progress(results))
        return crud.update_record(context, Goal, goal.id, changes, expected_version=goal.version)


def _find_goal(context: ToolContext, id_or_title: str) -> Goal:
    """Return the goal with this id, else the only one with this title, else the only one with these words in it."""
    # By title, too: goals are few, and users name them.
    if id_or_title.startswith("goal_"):
        return crud.read_record(context, Goal, id_or_title)
    goals = crud.search_page(context, Goal, (), MAX_PAGE, name_contains=id_or_title).items
    # A whole title wins: it may be a part of another one.
    exact = [goal for goal in goals if goal.title.casefold() == id_or_title.casefold()]
    return _require_one(exact or goals, id_or_title, "goal", [goal.title for goal in goals])


def _require_one[T](matches: Sequence[T], title: str, kind: str, titles: Sequence[str]) -> T:
    """Return the only match. Raise `NotFoundError` or `InvalidInputError` with the titles to choose from."""
    if len(matches) == 1:
        return matches[0]
    names = "; ".join(titles[:MAX_CHOICES])
    if not matches:
        choice = f" There are: {names}." if names else ""
        raise NotFoundError(f"There is no {kind} called “{title}”.{choice}", suggestion="Look it up with get_goals.")
    raise InvalidInputError(f"“{title}” may be: {names}", detail=list(titles), suggestion="Ask which one is meant.")


def _with_values(goal: Goal, values: Sequence[KeyResultValue]) -> list[KeyResult]:
    results = list(goal.key_results)
    for value in values:
        index = _find_index(results, value.title)
        results[index] = results[index].model_copy(update={"current": value.current})
    return results


def _find_index(results: Sequence[KeyResult], title: str) -> int:
    lowered = [result.title.casefold() for result in results]
    exact = [index for index, name in enumerate(lowered) if name == title.casefold()]
    # Part of a title will do, as in speech; an exact one wins, since it may be a part of another.
    matches = exact or [index for index, name in enumerate(lowered) if title.casefold() in name]
    titles = [results[index].title for index in matches] or [result.title for result in results]
    return _require_one(matches, title, "key result", titles)


def _measure(result: KeyResult) -> KeyResultProgress:
    progress, missing = goal_progress.achieved(result), goal_progress.missing(result)
    return KeyResultProgress.from_attributes(result, progress=progress, missing=missing)


def _list_missing(results: Sequence[KeyResultProgress], progress: int) -> list[str]:
    if not results:
        return [] if progress == 100 else ["There are no key results to measure it by"]
    return [
        f"{result.title}: {result.missing:g} to go ({result.current:g} of {result.target:g})"
        for result in results
        if result.missing
    ]
