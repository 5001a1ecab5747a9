"""Offline evaluation of ranked retrieval: from judgments and runs to numbers one can trust.

>>> import cranfield as cf
>>> scores = cf.evaluate({"q1": {"d1": 2, "d2": 0}}, {"q1": {"d1": 0.9, "d2": 0.4}}, ["nDCG@10", cf.AP])
>>> print(scores.mean("AP").value)
1.0
"""

import re

with open(f"{__file__}i", encoding="utf-8") as stub:  # noqa: PTH123  # loading pathlib takes longer than all else here
    # Each name is loaded when it is first asked for: the command answers --help without waiting for NumPy.
    _HOMES = {name: home for home, name in re.findall(r"^from (\S+) import (\w+)", stub.read(), re.MULTILINE)}
del stub

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__version__":
        return import_module("cranfield.version").VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    home = _HOMES[name]
    if home == "cranfield":
        return import_module(f"cranfield.{name}")
    globals()[name] = getattr(import_module(home), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)
