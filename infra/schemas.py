"""Generate tool_schemas/*.json from the decorated functions. usage: python -m infra.schemas [--check]

With --check nothing is written: the exit code is 1 when a file is missing, stale or left over.
"""

import json
import sys
from pathlib import Path

from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.application.tooling import discover
from aisha.application.tooling.published import published

FOLDER = Path(__file__).parents[1] / "tool_schemas"
CRM_SCHEMA = "crm/_schema.json"
"""The schema of mapping files of CRMs, which an editor checks them with."""


def files() -> dict[str, str]:
    """Return the schema of every tool, and that of mapping files, by file name."""
    specs = discover("aisha.tools", schemas=None).specs()
    schemas = {f"{spec.name}.json": published(spec) for spec in specs}
    schemas[CRM_SCHEMA] = MappingFile.model_json_schema(by_alias=True)
    return {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas.items()}


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
