"""Write a generated file, or check that it is current."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def write_or_check(file: Path, text: str, source: str, module: str) -> int:
    """Write the file if it differs, or with --check only say that; return the exit code.

    `source` is what the file follows from, and `module` generates it.
    """
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return 0
    name = file.relative_to(ROOT)
    if "--check" in sys.argv:
        print(f"{name} is not what {source} says: run `python -m {module}`", file=sys.stderr)
        return 1
    file.write_text(text, encoding="utf-8")
    print(f"{name} written")
    return 0
