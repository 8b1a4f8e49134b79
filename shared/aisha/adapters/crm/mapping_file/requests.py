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
"""The variables of an endpoint's templates: docs/mapping-files.md explains each."""
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
    """The way to the next page of a list."""

    type: Literal["single_page", "cursor", "header_cursor", "json_link", "header_link", "offset", "page_number"] = (
        "single_page"
    )
    """The kind of paging; docs/mapping-files.md has a table of the kinds.

    `offset` and `page_number` end with a page that is not full, at `total_path`, or with `stop_after_empty_page`.
    """
    limit: Annotated[int, Field(ge=1, le=5000)] = 100
    """Rows on a page, for the endpoint's `{limit}`."""
    cursor_path: Selector | None = None
    """The place in the answer of the next page's `{cursor}`."""
    cursor_key: str | None = None
    """The header of the answer that has the next page's `{cursor}`, of a `header_cursor`."""
    next_url_path: Selector | None = None
    """The place in the answer of the next page's path or URL, of a `json_link`."""
    stop_after_empty_page: bool = False
    """True for lists whose pages may have fewer rows than `limit`: only a page without any is the last."""
    has_more_path: Selector | None = None
    """The place in the answer of a value that is true unless the page is the last."""
    window: Annotated[int, Field(ge=100)] | None = None
    """The most rows that one list reaches, if the CRM limits that.

    After so many the list is read again from the last row's `updated_at`, so it must be sorted by that.
    """
    total_path: Selector | None = None
    """The place in the answer of the number of all rows."""
    base_page: Literal[0, 1] = 1
    """The number of the first page."""

    @model_validator(mode="after")
    def _has_path(self) -> Self:
        for kind, member in (
            ("cursor", "cursor_path"), ("header_cursor", "cursor_key"), ("json_link", "next_url_path"),
        ):  # fmt: skip
            if self.type == kind and getattr(self, member) is None:
                raise ValueError(f"a paginator of type {kind} needs {member}")
        return self


class Endpoint(Part):
    """One request. `path`, `params`, `json`, `form` and `headers` are templates.

    An entry of a template is left out when its placeholder has no value.
    """

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    path: Path_
    """The path after `base_url`.

    `{resources.<name>.id}` is, as in dlt, the id of the record of that resource to which the rows belong.
    """
    params: dict[str, str] = Field(default_factory=dict)
    body: JsonValue = Field(default=None, alias="json")
    """The JSON to send."""
    form: dict[str, str] | Literal["{fields}", "{record}"] | None = None
    """Form fields to send in place of JSON, or `{fields}` for all of them."""
    headers: dict[str, str] = Field(default_factory=dict)
    data_selector: Selector | None = None
    """The place of the rows, or of the row, in the answer."""
    paginator: Paginator | None = None
    ids_only: bool = False
    """True when rows have only an id: each record is then read by `get`."""
    cost: Annotated[int, Field(ge=1, le=1000)] = 1
    """The number of requests as which this one counts for the limits."""

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
