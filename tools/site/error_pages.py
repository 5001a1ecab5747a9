"""Every message that a user can meet, with its kind, its cause and what to do, by calling what words it."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType

from cranfield import errors
from cranfield.errors import CranfieldError, DataError, Finding, UsageError
from cranfield.phrases import command_line
from tools.site.error_examples import example_of
from tools.site.listing import ROOT, slug
from tools.site.pages import Child, Page

WORDED = ("Finding", "UsageError", "DataError", "CranfieldError")
"""What a function gives that words a problem; others are parts of sentences."""
USAGE = "usage"
ARGUMENTS = "errors/arguments"
"""The page of messages outside of `errors/`."""
MOST = 240
"""Characters of a message outside of errors/ that the list shows."""


_PARAMETER = re.compile(r"; `\w+` (?:is|are|says) .*")
"""What a docstring says of a parameter, which is not for readers of the message."""


@dataclass(frozen=True)
class Message:
    """One way in which something can be wrong."""

    module: str
    name: str
    cause: str
    kind: str
    severity: str
    text: str
    advice: str
    python: str = ""
    """The lines that are others in Python, as those that name an option."""

    @property
    def exit_code(self) -> int | None:
        """What a command ends with that meets it; a warning does not end it."""
        if self.severity != "error":
            return None
        return UsageError.exit_code if self.kind == USAGE else CranfieldError.exit_code


def messages() -> list[Message]:
    """All that `errors/` words, module by module."""
    in_python = [_message(module, name) for module in _modules() for name in _wordings(module)]
    with command_line():
        on_command_line = [_message(module, name) for module in _modules() for name in _wordings(module)]
    return [replace(one, python=_others(one, other)) for one, other in zip(on_command_line, in_python, strict=True)]


def _others(message: Message, other: Message) -> str:
    """The lines of the other message that the first does not have."""
    known = message.text.split("\n")
    return "\n".join(line for line in other.text.split("\n") if line not in known)


def error_pages() -> Iterator[Page]:
    """The list of kinds, a page for each subject, and the arguments that are refused where they are read."""
    by_module: dict[str, list[Message]] = defaultdict(list)
    for message in messages():
        by_module[message.module].append(message)
    children = [Child(title(module), address(module)) for module in by_module]
    refused = Child("Arguments", ARGUMENTS)
    yield Page("errors/index", _index(by_module), children=(*children, refused))
    for module, known in by_module.items():
        yield Page(address(module), _page(module, known))
    yield Page(refused.name, _arguments())


def _modules() -> Iterator[ModuleType]:
    for found in sorted(pkgutil.iter_modules(errors.__path__), key=lambda module: module.name):
        if found.name != "findings":
            yield import_module(f"cranfield.errors.{found.name}")


def _wordings(module: ModuleType) -> Iterator[str]:
    for name, value in vars(module).items():
        own = inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
        # What is given its message has none of its own: others call it with theirs.
        signature = inspect.signature(value) if own else None
        if signature and signature.return_annotation in WORDED and "message" not in signature.parameters:
            yield name


def _message(module: ModuleType, name: str) -> Message:
    function = getattr(module, name)
    about = module.__name__.rpartition(".")[2]
    cause = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
    said = example_of(f"{about}.{name}", function)
    if isinstance(said, DataError) and len(said.findings) == 1:
        said = said.findings[0]
    if isinstance(said, Finding):
        return Message(about, name, cause, said.kind, said.severity, said.in_full(), said.advice)
    _, _, advice = str(said).partition("\n")
    return Message(about, name, cause, USAGE, "error", str(said), advice)


def title(module: str) -> str:
    """What the page of a module of `errors/` is called in lists."""
    return module.replace("_", " ").capitalize()


def address(module: str) -> str:
    """The address of that page."""
    return f"errors/{module.replace('_', '-')}"


def _index(by_module: dict[str, list[Message]]) -> str:
    kinds: dict[str, dict[str, Message]] = defaultdict(dict)
    for known in by_module.values():
        for message in known:
            if message.kind != USAGE:
                kinds[message.kind].setdefault(message.module, message)
    rows = [
        f"| `{kind}` | {severity_of(found)} | {', '.join(_pointer(message) for message in found.values())} |"
        for kind, found in sorted(kinds.items())
    ]
    subjects = [
        f"- [{title(module)}]({address(module).removeprefix('errors/')}.md): {_about(module)}" for module in by_module
    ]
    parts = [
        "# Errors and warnings",
        "Every message, with its cause and what to do. Paste words of yours into the search, or find its kind below: "
        "kinds are stable, and stand in JSON (`cranfield check --format json`) and in `error.findings` in Python. Each "
        "message below was made by the code that makes yours; names and numbers in it are examples. It is shown as a "
        "command prints it; lines that differ in Python follow.",
        "An **error** stops the work: whatever would change a score without a word is one. The command then exits "
        "with 3 for bad or mismatched data, and with 2 for wrong usage. A **warning** stands in the output, in every "
        "format, and stops nothing.",
        "## By subject",
        "\n".join([*subjects, "- [Arguments](arguments.md): values that a function or a command refuses"]),
        "## By kind",
        "\n".join(["| kind | severity | about |", "| --- | --- | --- |", *rows]),
    ]
    return "\n\n".join(parts)


def severity_of(found: dict[str, Message]) -> str:
    """Whether messages of one kind are errors, warnings, or one here and the other there."""
    return " or ".join(sorted({message.severity for message in found.values()}))


def _pointer(message: Message) -> str:
    anchor = slug(heading(message))
    return f"[{title(message.module).lower()}]({address(message.module).removeprefix('errors/')}.md#{anchor})"


def _about(module: str) -> str:
    doc = inspect.getdoc(import_module(f"cranfield.errors.{module}")) or ""
    first = " ".join(doc.partition("\n\n")[0].split())
    return first[:1].lower() + first[1:].removesuffix(".")


def _page(module: str, known: list[Message]) -> str:
    head = f"# {title(module)}: errors and warnings\n\n{(_about(module)[:1].upper() + _about(module)[1:])}."
    return "\n\n".join([head, *map(_entry, known)])


def heading(message: Message) -> str:
    """What a message stands under: what is wrong."""
    cause = _PARAMETER.sub("", message.cause)
    return cause.replace("`", "").removesuffix(".")


def _entry(message: Message) -> str:
    code = f", exit code {message.exit_code}" if message.exit_code else ""
    kind = "" if message.kind == USAGE else f"`{message.kind}`, "
    severity = "wrong usage" if message.kind == USAGE else message.severity
    python = f"\n\nIn Python:\n\n```text\n{message.python}\n```" if message.python else ""
    return f"## {heading(message)}\n\n{kind}{severity}{code}\n\n```text\n{message.text}\n```{python}"


def _arguments() -> str:
    """Messages that stand where an argument is read, as their templates."""
    parts = [
        "# Arguments that are refused",
        "Values that a function or a command cannot take. Each message says what is expected; … stands for your value "
        "or a name. All of them are wrong usage: `UsageError` in Python, exit code 2 of a command.",
    ]
    for package, texts in arguments().items():
        parts += [f"## {package}", "\n".join(f"- {text}" for text in texts)]
    return "\n\n".join(parts)


def arguments() -> dict[str, list[str]]:
    """By package, the texts of errors that are raised outside of `errors/`."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for path in sorted((ROOT / "src" / "cranfield").rglob("*.py")):
        package = path.relative_to(ROOT / "src" / "cranfield").parts[0].removesuffix(".py")
        if package != "errors":
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and _name(call.func) in ("UsageError", "BadParameter") and call.args:
                    text = _template(call.args[0])
                    if len(re.sub(r"[…\W]", "", text)) > 12:
                        found[package.replace("_", " ")][text] = None
    return {package: [*texts] for package, texts in found.items()}


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(name):
            return name
        case ast.Attribute(_, name):
            return name
    return ""


def _template(text: ast.expr) -> str:
    """What a text says, with … for what is only known later."""
    match text:
        case ast.Constant(str(words)):
            said = words
        case ast.JoinedStr(parts):
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)
        case ast.BinOp(left, ast.Add(), right):
            said = _template(left) + _template(right)
        case _:
            said = "…"
    return (
        re.sub(r"([*_<\[\]|`\\#])", r"\\\1", " ".join(said.split()))[:MOST] if not isinstance(text, ast.BinOp) else said
    )
