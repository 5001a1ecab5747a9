"""What rules of accessibility find in pages as Sphinx and its theme write them, put right. Twice is as good as once."""

from __future__ import annotations

import re
from pathlib import Path

_FOLD = re.compile(r"<summary>(?=<span class=\"toctree-toggle\")")
_EMPTY_HEAD = re.compile(r"<th\b[^>]*>(?:\s|<p>\s*</p>)*</th>")
_WHOLE_PAGE = re.compile(r'(\[\d+,)"index-0"(?=,true\])')
_SIGNATURE = re.compile(r"<dt class=\"sig .*?</dt>", re.DOTALL)


def repair(html: Path) -> None:
    """Repair every page below a folder."""
    for path in html.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if (better := repaired(text)) != text:
            path.write_text(better, encoding="utf-8")
    index = html / "searchindex.js"
    index.write_text(without_places(index.read_text(encoding="utf-8")), encoding="utf-8")


def repaired(text: str) -> str:
    """A page in which what folds has a name, no heading of a table is empty, and parameters are no broken list.

    >>> repaired('<th class="head"><p></p></th><summary><span class="toctree-toggle">')
    '<td></td><summary aria-label="Pages below"><span class="toctree-toggle">'
    >>> repaired('<dt class="sig sig-object py">f(<dl><dd>a</dd></dl>)</dt>')
    '<dt class="sig sig-object py">f(<div class="parameters"><div>a</div></div>)</dt>'
    """
    text = _FOLD.sub('<summary aria-label="Pages below">', text)
    text = _EMPTY_HEAD.sub("<td></td>", text)
    return _SIGNATURE.sub(_with_parameters, text)


def without_places(index: str) -> str:
    """The index of the search in which words of a whole page lead to the page, so that it is found once.

    >>> without_places('"indexentries":{"install":[[3,"index-0",true]],"--all":[[8,"cmdoption-all",false]]}')
    '"indexentries":{"install":[[3,"",true]],"--all":[[8,"cmdoption-all",false]]}'
    """
    return _WHOLE_PAGE.sub(r'\1""', index)


def _with_parameters(signature: re.Match[str]) -> str:
    text = re.sub(r"<dl(?: [^>]*)?>", '<div class="parameters">', signature[0])
    return re.sub(r"<(/?)dd(?: [^>]*)?>", r"<\1div>", text).replace("</dl>", "</div>")
