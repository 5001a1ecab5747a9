"""The public names of Python with their signatures, from `__init__.pyi` and the docstrings."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any

import cranfield
from cranfield.measures import Measure
from cranfield.show.answer import Answer
from tools.site.listing import slug
from tools.site.pages import Child, Page

SUBJECTS = {
    "Evaluate": ("evaluating", "explaining", "ranking_scores"),
    "Read and write": ("formats", "data", "checking", "conversion", "retrieving"),
    "Measures and rankings": ("measures", "notation", "align"),
    "Compare": ("comparing", "risk_sensitivity", "run_similarity"),
    "Gate": ("gating", "testing"),
    "Report and figures": ("reporting", "figures", "show"),
    "Judge and pool": ("assessing", "model_judging", "pooling", "judging", "correcting"),
    "Clicks": ("click_models",),
    "Fuse": ("fusing",),
    "Recommend": ("recommending",),
    "Other tools' interfaces": ("compat",),
    "Check an installation": ("self_testing",),
    "Errors": ("errors",),
}
"""Pages, and the packages whose public names stand there; any other package has a page of its own name."""

FENCES = "``````", "`````"
"""Around a name and around what is in it: each holds the next."""


def python_pages() -> Iterator[Page]:
    """The list of names, and a page for each subject."""
    subjects = _by_subject()
    children = tuple(Child(title, address(title)) for title in subjects)
    yield Page("python-reference/index", _index(subjects), children=children)
    for title, names in subjects.items():
        yield Page(address(title), _page(title, names))


def address(title: str) -> str:
    """The address of the page of a subject."""
    return f"python-reference/{slug(title)}"


def public_names() -> list[str]:
    """All of them, but for the version."""
    return [name for name in cranfield.__all__ if not name.startswith("__")]


def _by_subject() -> dict[str, list[str]]:
    subject = {package: title for title, packages in SUBJECTS.items() for package in packages}
    found: dict[str, list[str]] = {title: [] for title in SUBJECTS}
    for name in public_names():
        home = name if isinstance(getattr(cranfield, name), ModuleType) else _home(name).split(".")[1]
        found.setdefault(subject.get(home, home.replace("_", " ").capitalize()), []).append(name)
    return {title: names for title, names in found.items() if names}


@cache
def _homes() -> Mapping[str, str]:
    """The module of each name."""
    stub = f"{cranfield.__file__}i"
    with open(stub, encoding="utf-8") as read:  # noqa: PTH123  # of the package, as it reads it itself
        return {name: home for home, name in re.findall(r"^from (\S+) import (\w+)", read.read(), re.MULTILINE)}


def _home(name: str) -> str:
    return _homes()[name]


def _index(subjects: Mapping[str, list[str]]) -> str:
    parts = [
        "# Python reference",
        "Every public name with its signature. How to use them: [In Python](../python.md).",
    ]
    for title, names in subjects.items():
        rows = [f"| [`{name}`]({slug(title)}.md#{slug(f'cranfield.{name}')}) | {_summary(name)} |" for name in names]
        parts += [f"## {title}", "\n".join(["| name | what it is |", "| --- | --- |", *rows])]
    return "\n\n".join(parts)


def _summary(name: str) -> str:
    doc = inspect.getdoc(getattr(cranfield, name)) or ""
    return markdown(" ".join(doc.partition("\n\n")[0].split()), "").replace("|", "\\|")


def _page(title: str, names: list[str]) -> str:
    parts = [f"# {title}", "Of `import cranfield as cf`; each name is `cf.name`."]
    return "\n\n".join([*parts, *(f"## cranfield.{name}\n\n{_entry(name)}" for name in names)])


def _entry(name: str) -> str:
    value = getattr(cranfield, name)
    if isinstance(value, ModuleType):
        return f"{_doc(value, name)}\n\n{_module_list(value)}".strip()
    if isinstance(value, Measure) and name != "measure":
        return f"{_summary(name)} [Its definition](../measures/{name.lower()}.md)"
    if inspect.isclass(value):
        return _class(name, value)
    return _directive(0, "py:function", f"cranfield.{name}{_signature(value)}", _doc(value, name))


def _module_list(module: ModuleType) -> str:
    names = [name for name in getattr(module, "__all__", ()) if not isinstance(getattr(module, name), Measure)]
    shown = [(name, inspect.getdoc(getattr(module, name)) or "") for name in names]
    lines = [f"- `{name}`: {markdown(' '.join(doc.partition(chr(10) * 2)[0].split()), '')}" for name, doc in shown]
    return "\n".join(lines)


def _class(name: str, kind: type) -> str:
    """A class with its fields, properties and methods; what every answer can do stands once."""
    members = [*_fields(kind), *_methods(kind)]
    shared = (
        "Shows itself in a terminal and in a notebook; `tables()`, `rows()`, `to_dict()`, `text()` and `markdown()` "
        "give it in other forms."
        if issubclass(kind, Answer)
        else ""
    )
    head = f"cranfield.{name}{_signature(kind) if _is_made(kind) else ''}"
    return _directive(0, "py:class", head, "\n\n".join(part for part in (_doc(kind, name), shared, *members) if part))


def _is_made(kind: type) -> bool:
    """Whether people make such values themselves; others are given to them."""
    return not dataclasses.is_dataclass(kind) and not issubclass(kind, Exception)


def _fields(kind: type) -> Iterator[str]:
    """Public fields with what is said below them."""
    if not dataclasses.is_dataclass(kind):
        return
    said = _said_of_fields(kind)
    for field in dataclasses.fields(kind):
        if not field.name.startswith("_"):
            body = f":type: {_of_type(field.type)}\n\n{markdown(said.get(field.name, ''), '')}"
            yield _directive(1, "py:attribute", field.name, body)


def _of_type(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _said_of_fields(kind: type) -> dict[str, str]:
    """The docstrings below fields."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("cranfield"):
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
            assert isinstance(tree, ast.ClassDef)
            for line, below in zip(tree.body, tree.body[1:], strict=False):
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    match below:
                        case ast.Expr(ast.Constant(str(text))):
                            found[line.target.id] = inspect.cleandoc(text)
    return found


def _methods(kind: type) -> Iterator[str]:
    """Public methods and properties that are its own, or of its bases here; those of every answer are left out."""
    seen: dict[str, Any] = {}
    for base in kind.__mro__:
        if base.__module__.startswith("cranfield") and base is not Answer:
            for name, value in vars(base).items():
                seen.setdefault(name, value)
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    for name, value in seen.items():
        if name.startswith("_") or name in fields or name in vars(Answer):
            continue
        if isinstance(value, property) or type(value).__name__ == "cached_property":
            function = value.fget if isinstance(value, property) else value.func
            kind_of = f":type: {_of_type(function.__annotations__.get('return', ''))}"
            yield _directive(1, "py:property", name, f"{kind_of}\n\n{_doc(value, name)}")
        elif isinstance(value, classmethod | staticmethod):
            option = ":classmethod:" if isinstance(value, classmethod) else ":staticmethod:"
            head = f"{name}{_signature(value.__func__, drop_first=isinstance(value, classmethod))}"
            yield _directive(1, "py:method", head, f"{option}\n\n{_doc(value, name)}")
        elif inspect.isfunction(value):
            yield _directive(1, "py:method", f"{name}{_signature(value, drop_first=True)}", _doc(value, name))


def _signature(value: Any, drop_first: bool = False) -> str:
    """Parameters with types and defaults, on one line."""
    try:
        given = inspect.signature(value)
    except (TypeError, ValueError):
        return "()"
    parameters = list(given.parameters.values())[1 if drop_first else 0 :]
    plain = [each.replace(default=_Default(each.default)) if _is_odd(each.default) else each for each in parameters]
    text = str(given.replace(parameters=plain))
    return re.sub(r"'([^']*)'", lambda quoted: quoted[1] if _is_annotation(quoted, text) else quoted[0], text)


def _is_annotation(quoted: re.Match[str], text: str) -> bool:
    """Whether a quoted text is a type, which `from __future__ import annotations` leaves as text."""
    return text[: quoted.start()].endswith((": ", "-> "))


class _Default:
    """A default that is no literal, by a word."""

    def __init__(self, value: object) -> None:
        self.word = getattr(value, "__name__", "...")

    def __repr__(self) -> str:
        return str(self.word) if str(self.word).isidentifier() else "..."


def _is_odd(default: object) -> bool:
    return default is not inspect.Parameter.empty and not isinstance(default, str | int | float | None | tuple)


def _directive(depth: int, kind: str, head: str, body: str) -> str:
    fence = FENCES[depth]
    return f"{fence}{{{kind}}} {head}\n{body}\n{fence}"


def _doc(value: object, name: str) -> str:
    return markdown(inspect.getdoc(value) or "", name)


def markdown(doc: str, name: str) -> str:
    """A docstring as Markdown: examples and formulas in fences, public names linked.

    >>> markdown("Like `evaluate`.\\n\\n>>> 1 + 1\\n2", "")
    'Like {py:obj}`evaluate <cranfield.evaluate>`.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```'
    """
    blocks = re.sub(r"\.\. math:: (.*?)(?=\n\n|\Z)", _formula, doc, flags=re.DOTALL).split("\n\n")
    return "\n\n".join(_fenced(block) if ">>> " in block else _with_links(block, name) for block in blocks)


def _formula(found: re.Match[str]) -> str:
    return f"```{{math}}\n{' '.join(found[1].split())}\n```"


def _fenced(block: str) -> str:
    before, start, example = block.partition(">>> ")
    return f"{before}```pycon\n{start}{inspect.cleandoc(example)}\n```"


def _with_links(block: str, name: str) -> str:
    public = set(public_names()) - {name}

    def linked(code: re.Match[str]) -> str:
        if code[1] not in public:
            return code[0]
        if isinstance(getattr(cranfield, code[1]), Measure) and code[1] != "measure":
            return f"[{code[0]}](../measures/{code[1].lower()}.md)"
        return (
            code[0]
            if isinstance(getattr(cranfield, code[1]), ModuleType)
            else f"{{py:obj}}`{code[1]} <cranfield.{code[1]}>`"
        )

    return block if block.startswith("```") else re.sub(r"(?<!`)`(\w+)`(?!`)", linked, block)
