"""Generate tool_schemas/*.json from the decorated functions. usage: python -m infra.schemas [--check]

With --check nothing is written: the exit code is 1 when a file is missing, stale or left over.
"""

import ast
import inspect
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Part
from aisha.application.tooling import discover
from aisha.application.tooling.published import published

FOLDER = Path(__file__).parents[1] / "tool_schemas"
CRM_SCHEMA = "crm/_schema.json"
"""The schema of mapping files of CRMs, which an editor checks them with."""


def files() -> dict[str, str]:
    """Return the schema of every tool, and that of mapping files, by file name."""
    specs = discover("aisha.tools", schemas=None).specs()
    schemas = {f"{spec.name}.json": published(spec) for spec in specs}
    schemas[CRM_SCHEMA] = _mapping_schema()
    return {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas.items()}


def _mapping_schema() -> dict[str, Any]:
    """Return the schema of mapping files, with the docstrings of their members for the author's editor."""
    schema = MappingFile.model_json_schema(by_alias=True)
    # Pydantic's `use_attribute_docstrings` would read the sources at each import, which doubles its time.
    for model in Part.__subclasses__():
        properties = (schema if model is MappingFile else schema["$defs"][model.__name__])["properties"]
        (declared,) = ast.parse(inspect.getsource(model)).body
        for member, text in pairwise(getattr(declared, "body", [])):
            match member, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(description))):
                    alias = model.model_fields[name].alias or name
                    properties[alias]["description"] = inspect.cleandoc(description)
    return schema


def drift(expected: dict[str, str]) -> list[str]:
    """Return the differences between the folder and the code."""
    paths = [*FOLDER.glob("*.json"), *FOLDER.glob(CRM_SCHEMA)]
    present = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    stale = [name for name, text in expected.items() if present.get(name) != text]
    return sorted(stale + [name for name in present if name not in expected])


def main() -> int:
    expected = files()
    different = drift(expected)
    if "--check" in sys.argv:
        for name in different:
            print(f"tool_schemas/{name} is not what the code says: run `make schemas`", file=sys.stderr)
        return 1 if different else 0
    for name in different:
        path = FOLDER / name
        path.write_text(expected[name], encoding="utf-8") if name in expected else path.unlink()
    print(f"{len(expected)} schemas, {len(different)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
