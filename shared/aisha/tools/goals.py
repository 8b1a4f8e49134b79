"""Goals: objectives with key results, of one person or shared."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, cast

from pydantic import ConfigDict, Field

from aisha.application.scans import goal_progress
from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.parameters import Cursor, Limit, conditions, query
from aisha.application.tooling.results import EntityRef, RecordList, WriteResult
from aisha.application.tooling.visibility import readable, readable_page
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.queries import MAX_PAGE, RecordQuery, Update
from aisha.domain.records import Goal, GoalStatus, GoalStatusInput, KeyResult, Percent
from aisha.domain.tools import FollowUp

GoalId = Annotated[str, Field(min_length=1, max_length=200), "Id of a goal, as get_goals gives it, or its title"]
Amount = Annotated[float, Field(allow_inf_nan=False)]
_MOST_NAMED = 5
_GOAL_FOLLOWUPS = (
    FollowUp("Show our goals", "🎯", "get_goals"),
    FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary"),
    FollowUp("What should I do next?", "💡", "suggest_next_actions"),
)


class KeyResultProgress(DeferredModel):
    """A key result and how far it is: `progress` in percent, `missing` in its own unit."""

    title: str
    target: float
    current: float
    progress: Percent
    missing: float


class GoalEvaluation(DeferredModel):
    """How far a goal is. `progress` follows from the key results, or is `stored_progress` where there are none.

    `missing` says in words what is left to do, nothing when the goal is reached.
    """

    goal: EntityRef
    status: GoalStatus
    progress: Percent
    stored_progress: Percent
    is_reached: bool
    key_results: list[KeyResultProgress]
    missing: list[str]


class KeyResultValue(DeferredModel):
    """A new value of a key result."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    title: str = Field(min_length=1, max_length=200, description="Title of the key result, or enough of it to tell it")
    current: Amount = Field(description="Where it now stands, in the unit of its target")


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
        typical_followups=(
            FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary"),
            FollowUp("Forecast my pipeline", "📈", "forecast_pipeline"),
            FollowUp("What should I do next?", "💡", "suggest_next_actions"),
        ),
    )
    def get_goals(
        self,
        context: ToolContext,
        status: Annotated[GoalStatusInput | None, "Where the goal stands"] = None,
        scope: Annotated[Literal["mine", "shared"] | None, "mine: the user's own; shared: everybody's"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Goal]:
        """List the user's own goals and then the shared ones, each with its key results, progress and status."""
        wanted = query("goal", None, limit, cursor, conditions(status=status, scope=scope))
        return RecordList[Goal].of(readable_page(context.principal, context.records, wanted))

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
        """Say how far a goal is: its progress from its key results, and what each of them still lacks. Changes nothing."""
        goal = _goal(context, goal_id)
        measured = [_measured(result) for result in goal.key_results]
        progress = goal_progress.current_progress(goal)
        return GoalEvaluation(
            goal=EntityRef(type=goal.TYPE, id=goal.id, name=goal.display_name), status=goal.status, progress=progress,
            stored_progress=goal.progress, is_reached=progress == 100, key_results=measured,
            missing=_left(measured, progress),
        )  # fmt: skip

    @tool(
        access="write",
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
        status: Annotated[GoalStatusInput | None, "New status"] = None,
        progress: Annotated[Percent | None, "New progress, 0 to 100; without it, it follows the key results"] = None,
        key_results: Annotated[
            list[KeyResultValue] | None, Field(min_length=1, max_length=20), "New values of key results"
        ] = None,
    ) -> WriteResult[Goal]:
        """Change where a goal stands: its status, its progress, or the current values of its key results.

        Only what is given changes. New values of key results change the progress, too, unless that is given.
        """
        goal = _goal(context, goal_id)
        changes: dict[str, Any] = {"status": status, "progress": progress}
        if key_results is not None:
            results = _with_values(goal, key_results)
            changes["key_results"] = [result.model_dump() for result in results]
            changes["progress"] = goal_progress.progress(results) if progress is None else progress
        changes = {name: value for name, value in changes.items() if value is not None}
        if not changes:
            raise InvalidInputError(
                "Nothing to change was given", suggestion="Give a status, a progress or values of key results."
            )
        update = Update("goal", goal.id, changes, expected_version=goal.version)
        return WriteResult[Goal].of(context.records.write(update)[0])


def _goal(context: ToolContext, id_or_title: str) -> Goal:
    """The goal with this id, or the only one of the user's that is called so."""
    if id_or_title.startswith("goal_"):
        return cast(Goal, readable(context.principal, context.records, "goal", id_or_title))
    wanted = RecordQuery("goal", name_contains=id_or_title, limit=MAX_PAGE)
    goals = cast(list[Goal], readable_page(context.principal, context.records, wanted).items)
    exact = [goal for goal in goals if goal.title.casefold() == id_or_title.casefold()]
    return _only(exact or goals, id_or_title, "goal", [goal.title for goal in goals])


def _only[T](found: Sequence[T], said: str, what: str, titles: Sequence[str]) -> T:
    if len(found) == 1:
        return found[0]
    if not found:
        choice = f" There are: {'; '.join(titles[:_MOST_NAMED])}." if titles else ""
        raise NotFoundError(f"There is no {what} called {said!r}.{choice}", suggestion="Look it up with get_goals.")
    names = "; ".join(titles[:_MOST_NAMED])
    raise InvalidInputError(f"{said!r} may be: {names}", detail=list(titles), suggestion="Ask which one is meant.")


def _with_values(goal: Goal, values: Sequence[KeyResultValue]) -> list[KeyResult]:
    results = list(goal.key_results)
    for value in values:
        place = _place_of(results, value.title)
        results[place] = results[place].model_copy(update={"current": value.current})
    return results


def _place_of(results: Sequence[KeyResult], title: str) -> int:
    wanted = title.casefold()
    exact = [place for place, result in enumerate(results) if result.title.casefold() == wanted]
    partly = [place for place, result in enumerate(results) if wanted in result.title.casefold()]
    found = exact or partly
    titles = [results[place].title for place in found] or [result.title for result in results]
    return _only(found, title, "key result", titles)


def _measured(result: KeyResult) -> KeyResultProgress:
    return KeyResultProgress(
        title=result.title, target=result.target, current=result.current, progress=goal_progress.achieved(result),
        missing=goal_progress.missing(result),
    )  # fmt: skip


def _left(results: Sequence[KeyResultProgress], progress: int) -> list[str]:
    if not results:
        return [] if progress == 100 else ["There are no key results to measure it by"]
    return [f"{one.title}: {one.missing:g} to go ({one.current:g} of {one.target:g})" for one in results if one.missing]
