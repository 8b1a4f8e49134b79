"""The requests of a mapping file: endpoints with their placeholders and pages."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

from aisha.adapters.crm.mapping_file.errors import suggested
from aisha.adapters.crm.mapping_file.paths import compiled, steps_of
from aisha.adapters.http_tools.templates import names_in
from aisha.domain.json_values import texts_in

PLACEHOLDERS = frozenset(
    """
    id number target value group fields record version key key_field since now unmodified_since cursor limit offset page
    columns column_list
    """.split()
)
"""The variables of an endpoint's templates: docs/connecting.md explains each."""
_PARENT_ID = re.compile(r"resources\.(\w+)\.id")


def _checked(expression: str) -> str:
    compiled(expression)
    return expression


Selector = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_checked)]
Path_ = Annotated[str, Field(pattern=r"^/\S*$", max_length=4000)]


class Part(BaseModel):
    """A part of a mapping file: an unknown member is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Paginator(Part):
    """The way to the next page; `limit` is the size of a page.

    `cursor`: `cursor_path` is its place in the answer; `header_cursor`: in the header `cursor_key`. `json_link`:
    `next_url_path` is the next page's path or URL; `header_link`: the header `Link` has it.
    `offset` and `page_number` end with a page that is not full, or at `total_path`, or with `stop_after_empty_page` at
    a page without rows. The parameters' values go where the endpoint's templates have `{cursor}`, `{offset}`, `{page}`
    and `{limit}`.
    `window` is the most rows that one list reaches: after it, the list begins again at the last row's `updated_at`, so
    it must be in that order.
    """

    type: Literal["single_page", "cursor", "header_cursor", "json_link", "header_link", "offset", "page_number"] = (
        "single_page"
    )
    limit: Annotated[int, Field(ge=1, le=5000)] = 100
    cursor_path: Selector | None = None
    cursor_key: str | None = None
    next_url_path: Selector | None = None
    stop_after_empty_page: bool = False
    has_more_path: Selector | None = None
    window: Annotated[int, Field(ge=100)] | None = None
    total_path: Selector | None = None
    base_page: Literal[0, 1] = 1

    @model_validator(mode="after")
    def _has_path(self) -> Self:
        for kind, member in (
            ("cursor", "cursor_path"), ("header_cursor", "cursor_key"), ("json_link", "next_url_path"),
        ):  # fmt: skip
            if self.type == kind and getattr(self, member) is None:
                raise ValueError(f"a paginator of type {kind} needs {member}")
        return self


class Endpoint(Part):
    """One request. `path`, `params`, `json`, `form` and `headers` are templates; an entry without a value is left out.

    `form` is a body of form fields, or the text `{fields}`. `data_selector` picks the rows, or the row, from the
    answer. `{resources.<name>.id}` is the id of the record of that resource that the rows stand below, as in dlt.
    `cost` counts against the limits. With `ids_only` the rows hold their id alone, and each record is read by
    `get`.
    """

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    path: Path_
    params: dict[str, str] = Field(default_factory=dict)
    body: JsonValue = Field(default=None, alias="json")
    form: dict[str, str] | Literal["{fields}", "{record}"] | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    data_selector: Selector | None = None
    paginator: Paginator | None = None
    ids_only: bool = False
    cost: Annotated[int, Field(ge=1, le=1000)] = 1

    @model_validator(mode="after")
    def _knows_names(self) -> Self:
        for name in self.names():
            outer, _, inner = name.partition(".")
            if _PARENT_ID.fullmatch(name) or outer == "connection":
                continue
            if outer not in PLACEHOLDERS or (inner and outer not in ("fields", "record")):
                suggestion = suggested(outer, sorted(PLACEHOLDERS), "placeholders ")
                raise ValueError(
                    f"{{{name}}} is no placeholder. {suggestion} Braces of another kind have a space inside."
                )
        # A ref has room for one parent.
        if len(self._parents()) > 1:
            raise ValueError(f"its records stand below one resource, not {' and '.join(sorted(self._parents()))}")
        if self.body is not None and self.form is not None:
            raise ValueError("a request has json or form, not both")
        return self

    def names(self) -> set[str]:
        """Return the placeholders in the request."""
        return set(names_in([self.path, self.params, self.headers, self.body, self.form]))

    def _parents(self) -> set[str]:
        return {match[1] for name in self.names() if (match := _PARENT_ID.fullmatch(name))}

    @property
    def parent(self) -> str | None:
        """Return the name of the resource that the request is below a record of, if it is."""
        return next(iter(self._parents()), None)

    @property
    def is_queried_by_id(self) -> bool:
        """True where a record's id stands within a longer text, such as a query's, in which nothing escapes it."""
        path, _, query = self.path.partition("?")
        texts = [*path.split("/"), *texts_in([self.params, self.body, self.form])]
        within = [text for text in texts if text not in (f"{{{name}}}" for name in names_in(text))]
        return any(
            name in ("id", "target") or _PARENT_ID.fullmatch(name) for name in names_in([query, *within, self.headers])
        )

    def sends(self, place: str) -> bool:
        """Return whether the request has the field at a place; it may have parts of `{fields}` alone."""
        parts = [name.partition(".")[2] for name in self.names() if name.partition(".")[0] in ("fields", "record")]
        return "" in parts or steps_of(place)[0].name in parts

    def has(self, *placeholders: str) -> bool:
        """Return whether the request has one of these, or a part of it such as `{fields.attributes}`."""
        return not {name.partition(".")[0] for name in self.names()}.isdisjoint(placeholders)
