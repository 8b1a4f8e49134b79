"""Small faults in the functions of a module, such as a condition turned round, each as code that can replace it."""

import ast
from pathlib import Path
from types import CodeType

from msgspec import Struct

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Continue: ast.Break,
}  # fmt: skip
_SWAPPED_CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}
_FUNCTIONS = (ast.FunctionDef,)
_MEASURING = frozenset("log logger timings metrics seconds usage".split())
"""Names of what only measures: a fault in a statement about it is nothing that a user could notice."""
_TUNING = frozenset(("score_cutoff", "batch", "max_tokens", "temperature"))
"""Arguments that decide how fast a result is found, not which."""
_MIN_CUT = 20
"""A text is cut for display from this length on; one letter more or less is the same."""


class Mutant(Struct, frozen=True):
    """A fault in the outermost function `function` of a file, at `line`. `before` and `after` are the line's code."""

    path: Path
    function: str
    line: int
    before: str
    after: str
    code: CodeType


def places_in(path: Path) -> list[tuple[Path, int, int]]:
    """Return all faults that a module's functions can have, each as what `mutant_at` takes."""
    nodes = _nodes(ast.parse(path.read_text(encoding="utf-8")))
    return [(path, place, choice) for place, (node, _) in enumerate(nodes) for choice in range(len(_changes(node)))]


def mutant_at(path: Path, place: int, choice: int, file_name: str) -> Mutant | None:
    """Return one fault, or None if its function is not found. `file_name` is what the code says of its origin."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node, name = _nodes(tree)[place]
    line, before = getattr(node, "lineno", 0), _line(node)
    _changes(node)[choice]()
    ast.fix_missing_locations(tree)
    code = _code_of(compile(tree, file_name, "exec"), name)
    return Mutant(path, name, line, before, _line(node), code) if code is not None else None


def _nodes(tree: ast.Module) -> list[tuple[ast.AST, str]]:
    """Return the nodes of all functions, each with its function's name."""
    return [(node, name) for function, name in _functions(tree) for node in _body_nodes(function)]


def _functions(tree: ast.Module) -> list[tuple[ast.FunctionDef, str]]:
    """Return the outermost functions and methods with their qualified names."""
    functions: list[tuple[ast.FunctionDef, str]] = []

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, _FUNCTIONS):
                functions.append((node, f"{prefix}{node.name}"))

    visit(tree.body, "")
    return functions


def _body_nodes(function: ast.FunctionDef) -> list[ast.AST]:
    """Return the nodes of a function without its annotations, defaults, decorators, docstring and assertions.

    Left out too is what changes nothing but speed, measurements and the wording of errors.
    """
    nodes: list[ast.AST] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return
        if _is_measuring(node) or (isinstance(node, ast.keyword) and node.arg in _TUNING):
            return
        nodes.append(node)
        # Not below: the words of an error and the length of a shown text decide nothing.
        if isinstance(node, ast.Raise) or _is_cut(node):
            return
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child)

    for statement in function.body:
        visit(statement)
    return [node for node in nodes if hasattr(node, "lineno")]


def _is_measuring(node: ast.AST) -> bool:
    """Return whether a statement only logs or measures: `timings.spend(...)`, `turn.timings.usage += ...`."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=target))):
            pass
        case ast.AugAssign(target=target):
            pass
        case _:
            return False
    names = {child.attr for child in ast.walk(target) if isinstance(child, ast.Attribute)}
    names |= {child.id for child in ast.walk(target) if isinstance(child, ast.Name)}
    return not names.isdisjoint(_MEASURING)


def _is_cut(node: ast.AST) -> bool:
    """Return whether a slice cuts a long text for display."""
    match node:
        case ast.Slice(lower=None, upper=ast.Constant(value=int() as length)):
            return length >= _MIN_CUT
        case _:
            return False


def _changes(node: ast.AST) -> list["_Change"]:
    changes: list[_Change] = []
    match node:
        case ast.Compare(ops=[only]) if type(only) in _SWAPPED:
            changes.append(_Change(node, "ops", [_SWAPPED[type(only)]()]))
        case ast.BoolOp() | ast.BinOp() if type(node.op) in _SWAPPED:
            changes.append(_Change(node, "op", _SWAPPED[type(node.op)]()))
        case ast.If() | ast.While() | ast.IfExp():
            changes.append(_Change(node, "test", ast.UnaryOp(ast.Not(), node.test)))
        case ast.UnaryOp(op=ast.Not()):
            changes.append(_Change(node, "operand", ast.UnaryOp(ast.Not(), node.operand)))
        case ast.Constant(value=bool() as value):
            changes.append(_Change(node, "value", not value))
        case ast.Constant(value=int() | float() as number):
            changes.append(_Change(node, "value", number + 1))
        case ast.Return(value=ast.expr() as value) if not _is_nothing(value):
            changes.append(_Change(node, "value", ast.Constant(value=None)))
        case ast.Call(func=ast.Name(id=str() as name)) if name in _SWAPPED_CALLS:
            changes.append(_Change(node, "func", ast.Name(_SWAPPED_CALLS[name], ast.Load())))
        case ast.Expr(value=ast.Call()) | ast.Raise():
            changes.append(_Change(node, "", None))
        case _:
            pass
    return changes


def _is_nothing(node: ast.expr) -> bool:
    """Return whether a returned value is None, False or an empty text, which a caller can't tell apart."""
    return isinstance(node, ast.Constant) and (node.value is None or node.value is False or node.value == "")


class _Change:
    """A change of one field of a node; without a field the statement does nothing."""

    def __init__(self, node: ast.AST, field: str, value: object) -> None:
        self.node, self.field, self.value = node, field, value

    def __call__(self) -> None:
        if self.field:
            setattr(self.node, self.field, self.value)
        else:
            position = ast.copy_location(ast.Pass(), self.node)
            self.node.__class__ = ast.Pass
            self.node.__dict__ = position.__dict__


def _line(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0][:160]


def _code_of(module: CodeType, name: str) -> CodeType | None:
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == name:
                return constant
            if name.startswith(f"{constant.co_qualname}.") and (code := _code_of(constant, name)) is not None:
                return code
    return None
