"""The check of everything that extends the product: each kind is loaded once, and the first mistake is reported."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from aisha.application.knowledge.library import articles
from aisha.bootstrap import declarations
from aisha.bootstrap.connections import check_crm_files
from aisha.bootstrap.declarations import DeclarationError, short_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from aisha.bootstrap.services import Services

ROOT = Path(__file__).parents[1]
FOLDERS = (
    "tools",
    "brainlets",
    "renderers",
    "adapters/llm/providers",
    "application/scans",
    "application/prompt/sections",
    "application/knowledge/data_sections",
)
"""The folders of the package in which, or below which, a new file is an extension."""
FILES = {
    "assets/knowledge": ".md",
    "assets/tool_schemas/http": ".json",
    "assets/tool_schemas/mcp": ".json",
    "assets/tool_schemas/crm": ".json",
}
"""Folders with extensions that are not Python, and how the names of their files end."""
_BARE_DECORATOR = re.compile(r"@\w+")


def check_extensions(services: Services) -> None:
    """Load tools, brainlets, scans, sections, articles, providers and renderers, without asking anything outside.

    Raises ValueError with one sentence that names the file, its line and the mistake.
    """
    for folder, suffix in (*FILES.items(), *((folder, ".py") for folder in FOLDERS)):
        _check_names(ROOT / folder, suffix)
    for kind, load in _kinds(services).items():
        try:
            load()
        except DeclarationError:
            raise
        except Exception as error:  # A mistake in another developer's file may raise anything.
            frame = _frame(error)
            place = _place(error, frame) or (f"{kind} can't be loaded: " if kind else "")
            raise ValueError(f"{place}{_message(error, frame)}") from error


def _kinds(services: Services) -> dict[str, Callable[[], object]]:
    return {
        # First, because the tool that runs scans loads them, too.
        "a scan": declarations.check_scans,
        "a tool": lambda: declarations.check_tools(services.tools),
        # Before brainlets, which may name one.
        "a provider": declarations.check_providers,
        "a brainlet": declarations.check_brainlets,
        "a data section": declarations.check_data_sections,
        "a prompt section": declarations.check_prompt_sections,
        "an article": articles,
        "the mapping file of a CRM": lambda: check_crm_files(services.settings),
        "the file of MCP clients": lambda: services.mcp_clients,
        # Its message needs no place: most are about settings and the models file.
        "": services.check_models,
        "a renderer": declarations.check_renderers,
    }


def _check_names(folder: Path, suffix: str) -> None:
    """Raise ValueError for the first file in or below the folder that would not be loaded because of its name."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and "__pycache__" not in file.parts)
    for file in files:
        stem = file.name.partition(".")[0]
        if stem and file.name != f"{stem}{suffix}":
            raise ValueError(f"{short_path(file.resolve())} is not loaded: name it {stem}{suffix}")
        if suffix == ".py" and not stem.isidentifier():
            name = re.sub(r"\W", "_", stem)
            raise ValueError(f"{short_path(file)} can't be imported by its name: name it {name}.py")
        if suffix == ".py" and not (file.parent / "__init__.py").exists():
            raise ValueError(f"{short_path(file)} is not loaded: put an empty __init__.py into its folder")


def _message(error: Exception, frame: traceback.FrameSummary | None) -> str:
    if isinstance(error, SyntaxError):
        return error.msg
    if isinstance(error, TypeError) and frame and _BARE_DECORATOR.fullmatch(mark := (frame.line or "").strip()):
        return f"write {mark}(...), with its options in the parentheses"
    if isinstance(error, AttributeError) and isinstance(error.obj, ModuleType) and error.obj.__file__:
        return f"{short_path(Path(error.obj.__file__))}: define `{error.name}` in it, as docs/extending.md shows"
    return " ".join(str(error).split()) or type(error).__name__


def _place(error: Exception, frame: traceback.FrameSummary | None) -> str:
    """Return `file:line: ` of the extension in which the error came up; empty where its message names the file."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{short_path(Path(error.filename))}:{error.lineno}: "
    return f"{short_path(Path(frame.filename))}:{frame.lineno}: " if frame else ""


def _frame(error: Exception) -> traceback.FrameSummary | None:
    """Return the innermost frame of the error in an extension: below it are libraries, above it the loaders."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if any(ROOT / folder in file.parents for folder in FOLDERS) and not _is_loader(file):
            return frame
    return None


def _is_loader(file: Path) -> bool:
    return file.name in ("__init__.py", "running.py", "contract.py", "registry.py", "facts.py")
