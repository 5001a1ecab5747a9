"""A server of the Model Context Protocol: assistants evaluate, compare, explain and check files of one folder.

JSON-RPC 2.0, a message a line. Every tool is one public call, and answers what the command prints with `--format json`.
Nothing is written, and no file outside the folder is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import CranfieldError, UsageError, did_you_mean
from cranfield.phrases import shown
from cranfield.version import VERSION

if TYPE_CHECKING:
    from cranfield.data.document_groups import DocumentGroups

PROTOCOLS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of the protocol in which the tools are the same, the newest first."""
NOT_JSON, NO_REQUEST, NO_METHOD, WRONG_ARGUMENTS, BROKEN = -32700, -32600, -32601, -32602, -32603
INSTRUCTIONS = (
    "Offline evaluation of ranked retrieval. Paths are relative to the folder that the server was started for. Begin "
    "with check, which says what files hold; evaluate scores runs, compare tests differences for significance."
)


class Tool(NamedTuple):
    """What an assistant can call."""

    description: str
    arguments: Mapping[str, str]
    """Each with what it is; a name that ends with * takes several texts, one with ? may be left out."""
    call: Callable[..., Any]

    def schema(self) -> dict[str, Any]:
        """Its arguments as JSON Schema."""
        names = {name.rstrip("*?"): (name, about) for name, about in self.arguments.items()}
        text = {"type": "string"}
        return {
            "type": "object",
            "properties": {
                plain: {**({"type": "array", "items": text} if "*" in name else text), "description": about}
                for plain, (name, about) in names.items()
            },
            "required": [plain for plain, (name, _) in names.items() if "?" not in name],
            "additionalProperties": False,
        }


def _evaluate(judgments: str, runs: list[str], measures: list[str] | None = None, group_by: str | None = None) -> Any:
    from cranfield.evaluating.evaluation import evaluate

    return evaluate(judgments, runs, measures, group_by=_groups(group_by))


def _groups(group_by: str | None) -> DocumentGroups | None:
    """Chunks by a separator or a pattern; as a path it would be of any folder."""
    from cranfield.formats.document_groups import groups_of_text

    return None if group_by is None else groups_of_text(group_by)


def _compare(judgments: str, runs: list[str], *, baseline: str | None = None, **choices: Any) -> Any:
    from cranfield.comparing.comparison import compare

    return compare(_evaluate(judgments, runs, **choices), baseline=baseline)


def _explain(judgments: str, run: str, query: str, measure: str, group_by: str | None = None) -> Any:
    from cranfield.explaining import explain

    return explain(judgments, run, measure, query, group_by=_groups(group_by))


def _check(files: list[str]) -> Any:
    from cranfield.checking import check

    return check(files)


def _measures(name: str | None = None) -> Any:
    from cranfield.catalogue import Catalogue, entries, entry

    return Catalogue(tuple(entries()) if name is None else (entry(name),), in_full=name is not None)


JUDGMENTS, RUNS = "Path of the judgments (qrels)", "Paths of the runs"
MEASURES = "Measures such as nDCG@10, AP or P(rel=2)@5; the usual ones if left out"
GROUP_BY = "To count documents instead of chunks: a separator (# for d7#3), or a pattern with a group ('^(.+)_[0-9]+$')"
PATHS = ("judgments", "runs", "run", "files")
"""Arguments that name files."""

TOOLS = {
    "evaluate": Tool(
        "Scores of runs against judgments: means with intervals, coverage, warnings.",
        {"judgments": JUDGMENTS, "runs*": RUNS, "measures*?": MEASURES, "group_by?": GROUP_BY},
        _evaluate,
    ),
    "compare": Tool(
        "Which run is better, and is the difference significant? Paired tests over queries, corrected for many.",
        {
            "judgments": JUDGMENTS,
            "runs*": RUNS,
            "measures*?": MEASURES,
            "baseline?": "Name of the run that others are compared with; the first if left out",
            "group_by?": GROUP_BY,
        },
        _compare,
    ),
    "explain": Tool(
        "How one score is calculated: the ranking with grades, and the sum term by term.",
        {
            "judgments": JUDGMENTS,
            "run": "Path of the run",
            "query": "Id of the query",
            "measure": "One measure, such as nDCG@10",
            "group_by?": GROUP_BY,
        },
        _explain,
    ),
    "check": Tool(
        "What files hold, what is wrong with them, and whether judgments and runs fit together.",
        {"files*": "Paths of judgments and runs"},
        _check,
    ),
    "measures": Tool(
        "The catalogue of measures, or the full definition of one, with formula and source.",
        {"name?": "A measure, in any tool's spelling; all measures if left out"},
        _measures,
    ),
}


class ProtocolError(Exception):
    """A request that cannot be answered, with the code that JSON-RPC has for it."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class ModelContextServer:
    """Answers messages about the files of a folder."""

    root: Path

    def answers(self, lines: Iterable[bytes]) -> Iterator[str]:
        """An answer, a line of JSON, to every message that asks for one."""
        for line in lines:
            if line.strip() and (answer := self.answer(line)) is not None:
                yield json.dumps({"jsonrpc": "2.0", **answer}, ensure_ascii=True, allow_nan=False)

    def answer(self, line: bytes) -> dict[str, Any] | None:
        """The answer to one message; nothing to a notification."""
        number: Any = None
        try:
            request = _request(line)
            number = request.get("id")
            result = self._result(request["method"], request.get("params") or {})
        except ProtocolError as error:
            return {"id": number, "error": {"code": error.code, "message": str(error)}}
        except Exception as error:  # whatever it is, the next request is answered
            return {"id": number, "error": {"code": BROKEN, "message": f"{type(error).__name__}: {error}"}}
        return None if "id" not in request else {"id": number, "result": result}

    def _result(self, method: str, given: Mapping[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            asked = given.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in PROTOCOLS else PROTOCOLS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "cranfield", "version": VERSION},
                "instructions": INSTRUCTIONS,
            }
        if method == "tools/list":
            return {
                "tools": [
                    {
                        "name": name,
                        "description": tool.description,
                        "inputSchema": tool.schema(),
                        "annotations": {"readOnlyHint": True, "openWorldHint": False},
                    }
                    for name, tool in TOOLS.items()
                ]
            }
        if method == "tools/call":
            return self._called(given.get("name"), given.get("arguments") or {})
        if method == "ping" or method.startswith("notifications/"):
            return {}
        raise ProtocolError(NO_METHOD, f"There is no method {method!r}.")

    def _called(self, name: object, given: object) -> dict[str, Any]:
        tool = TOOLS.get(name) if isinstance(name, str) else None
        if tool is None:
            near = did_you_mean(str(name), TOOLS)
            raise ProtocolError(
                WRONG_ARGUMENTS, f"There is no tool {name!r}; there are {', '.join(TOOLS)}. {near}".strip()
            )
        try:
            found = tool.call(**self._arguments(tool, given)).to_dict()
        except CranfieldError as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        text = json.dumps(found, ensure_ascii=False, allow_nan=False)
        return {"content": [{"type": "text", "text": text}], "structuredContent": found, "isError": False}

    def _arguments(self, tool: Tool, given: object) -> dict[str, Any]:
        """What a tool is called with: every argument as its schema says, and paths inside the folder."""
        schema = tool.schema()
        if not isinstance(given, Mapping):
            raise UsageError("Arguments are an object with a value for each name.")
        for name in given:
            if name not in schema["properties"]:
                near = did_you_mean(str(name), schema["properties"])
                raise UsageError(
                    f"There is no argument {name!r}; there are {', '.join(schema['properties'])}. {near}".strip()
                )
        if missing := [name for name in schema["required"] if given.get(name) is None]:
            raise UsageError(f"Missing: {', '.join(missing)}.")
        return {
            name: self._argument(name, value, is_list="items" in schema["properties"][name])
            for name, value in given.items()
            if value is not None
        }

    def _argument(self, name: str, value: object, *, is_list: bool) -> Any:
        values = value if is_list and isinstance(value, list) else [value]
        if not values or not all(isinstance(text, str) for text in values):
            raise UsageError(f"{name} must be {'a list of texts' if is_list else 'a text'}, not {shown(value)}.")
        texts = [str(self._inside(str(text))) if name in PATHS else text for text in values]
        return texts if is_list else texts[0]

    def _inside(self, path: str) -> Path:
        """A file below the root, wherever links lead."""
        root = self.root.resolve()
        try:
            full = (root / path).resolve()
            is_there = full.is_file()
        except (OSError, ValueError):
            raise UsageError(f"{path!r} cannot be a path.") from None
        if not full.is_relative_to(root):
            raise UsageError(f"{path!r} is outside the folder that this server reads, {root}.")
        if not is_there:
            raise UsageError(f"There is no file {path!r} in {root}.")
        return full


def _request(line: bytes) -> Mapping[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ProtocolError(NOT_JSON, "This line is not JSON.") from None
    if not isinstance(message, Mapping) or not isinstance(message.get("method"), str):
        raise ProtocolError(NO_REQUEST, "A message is an object with a method.")
    if not isinstance(message.get("params") or {}, Mapping):
        raise ProtocolError(WRONG_ARGUMENTS, "params must be an object.")
    return message
