"""Names of measures: read in anyone's spelling, printed in one.

Ours is `nDCG@10`, `AP(rel=2)@100`, `nDCG(gain=exponential)`. Understood are trec_eval's (`ndcg_cut_10`, `P.5,10`,
`set_F.4`), ir_measures' (`nDCG(dcg='exp-log2')@10`), ranx's (`ndcg_burges@10`, `recall@100-l2`, `rbp.95`) and the ways
of BEIR and MTEB (`NDCG@10`, `ndcg_at_10`), Elasticsearch and OpenSearch (`mean_reciprocal_rank@10`, `Coverage@10`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cranfield.errors import UsageError
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.measures.definition import AT, TABLE, Definition, Measure, Value, shown
from cranfield.phrases import short, spoken

PLUGINS = "cranfield.measures"
"""The entry points through which other packages add measures."""

_NAME = re.compile(
    r"(?P<name>[\w+,-]+?)\s*"
    r"(?:\((?P<params>.*)\))?"
    r"(?:@(?P<at>[\d.]+(?:e-?\d+)?))?"
    r"(?:-l(?P<level>\d+))?"
)
_NUMBERED = re.compile(r"(?P<name>.*?[^\W\d])(?:_at|_cut)?[._](?P<numbers>[\d.]+(?:,[\d.]+)*)(?:-l(?P<level>\d+))?")
_GAINS = re.compile(r"(?P<name>\w+?)[._](?P<gains>-?\d+=[\d.]+(?:,-?\d+=[\d.]+)*)")
_PERSISTENCE = re.compile(r"rbp(?P<resid>_resid)?[._]p=(?P<p>.*)", re.IGNORECASE)
_UTILITY = re.compile(r"utility[._](?P<worths>-?[\d.]+(?:,-?[\d.]+){3})", re.IGNORECASE)
_DECIMAL = re.compile(r"[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?", re.IGNORECASE)
LONGEST_NAME = 60
"""Letters of a name that are compared with known ones."""
LIKE = 0.6
"""How alike a misspelt name and a known one must be, as difflib counts."""
LONGEST_WORD = 10_000
"""Letters of a name with all its parameters."""
_MISSPELT = re.compile(r"(?P<name>.*?)(?:_at|_cut)?[@._:-]*(?P<at>\d+(?:\.\d+)?)?")
_COMMON = ("nDCG", "AP", "RR", "P", "R", "F", "Success", "Rprec", "DCG", "ERR", "RBP", "Bpref")
"""Measures that most people mean; they are suggested first."""
_PARAMETER = re.compile(r"\s*(\w+)\s*=\s*(\{[^}]*\}|'[^']*'|\"[^\"]*\"|[^,]*?)\s*(?:,|$)")

_PRESETS: dict[str, dict[str, Value]] = {
    # trec_eval's own names mean what its latest version computes.
    "iprec_at_recall": {"levels": "trec_eval-10"},
    "11pt_avg": {"levels": "trec_eval-10"},
    "rbp_resid": {"p": 0.9},
    "prefs_num_prefs_ful_ret": {"pairs": "retrieved"},
    **{f"prefs_{name}_ret": {"pairs": "retrieved"} for name in ("simp", "pair", "avgjg")},
    **{f"prefs_{name}_imp": {"pairs": "implied"} for name in ("simp", "pair", "avgjg")},
    "prefs_avgjg_rnonrel": {"counting": "trec_eval"},
    "prefs_avgjg_rnonrel_ret": {"counting": "trec_eval", "pairs": "retrieved"},
    "context_precision": {"norm": "retrieved"},
    "contextual_precision": {"norm": "retrieved"},
    "pair_accuracy": {"pairs": "retrieved"},
    "pairaccuracy": {"pairs": "retrieved"},
    "ndcg_burges": {"gain": "exponential"},
    "dcg_burges": {"gain": "exponential"},
    **{
        f"ncu{stop}{comma}{utility}": {"stop": stops, "utility": utilities}
        for stop, stops in (("gu", "graded-uniform"), ("rb", "rank-biased"))
        for utility, utilities in (("p", "precision"), ("br", "blended"))
        for comma in (",", "")
    },
}
_WITH_GAINS = {"ndcg": "nDCG", "ndcg_rel": "nDCGrel", "rndcg": "Rndcg", "g": "G", "dcg": "DCG"}
_OF_JUDGES = ("kappa", "cohen", "fleiss", "krippendorff", "scott", "gwet", "ac1", "ac2", "icc", "alpha", "pi")
"""Names, without capitals, of coefficients that tell how far judges agree."""
COVERAGE = "coverage"
"""With a cutoff it is a name of OpenSearch for Judged; alone, most people mean that of recommendations."""
Choices = Mapping[str, Mapping[str, Value]]
Families = Mapping[str, tuple[str, ...]]
"""Words that name several measures in a tool, and which these are."""
_SEVERAL = {
    "recall": "R@100, or SetR for the whole retrieved set",
    "success": "Success@10, or Success for the whole ranking",
    "ndcg_cut": "nDCG@10, or nDCG for the whole ranking",
    "map_cut": "AP@100, or AP for the whole ranking",
    "relative_P": "RelP@10",
    "iprec_at_recall": "IPrec@0.1",
    "Rprec_mult": "RprecMult@0.5",
    "Rprec_mult_avgjg": "RprecMult_avgjg@0.5",
    "unj": "Unjudged@10",
    "official": "such as AP Rprec P@10",
    "set": "such as SetP SetR SetF, or SET for the user model",
    "all_trec": "such as AP nDCG P@10",
    "prefs": "such as PrefSimp PrefPair PrefAvg",
    "all_prefs": "such as PrefSimp PrefPair PrefAvg",
    "qrels_jg": "such as AP_avgjg P_avgjg@10",
}
"""Names of trec_eval for several measures, and what to write for one of them."""
_OTHER_PARAMETERS = {"gains": "gain", "cutoff_rel": "rel", "min_rel": "min_grade", "max_rel": "max_grade"}
_OTHER_VALUES: dict[tuple[str, Value], tuple[str, Value]] = {
    ("dcg", "log2"): ("gain", "linear"),
    ("dcg", "exp-log2"): ("gain", "exponential"),
    # cwl_eval's columns
    ("expected", "EU"): ("expected", "utility"),
    ("expected", "ETU"): ("expected", "total_utility"),
    ("expected", "EC"): ("expected", "cost"),
    ("expected", "ETC"): ("expected", "total_cost"),
    ("expected", "ED"): ("expected", "depth"),
}


def parse(name: str | Measure) -> Measure:
    """The one measure that a name stands for.

    >>> parse("ndcg_cut_10"), parse("map@100-l2"), parse("NDCG@10")
    (nDCG@10, AP(rel=2)@100, nDCG@10)
    """
    measures = parse_all(name)
    if len(measures) != 1:
        raise UsageError(f"{_shown(name)} names {len(measures)} measures; give one.")
    return measures[0]


def parse_all(
    names: str | Measure | Iterable[str | Measure],
    *,
    rel: float | None = None,
    choices: Choices | None = None,
    families: Families | None = None,
) -> list[Measure]:
    """All measures that some names stand for, each once; `rel` is the relevance level of those that do not say.

    `choices` are parameters by measure that a name leaves open; they come before what a tool's spelling means.
    `families` are words that name several measures.

    >>> parse_all("P.5,10 AP")
    [P@5, P@10, AP]
    """
    distinct: dict[Measure, Measure] = {}
    for parsed in _parsed(names, choices or {}, families or {}):
        # The level comes first: of AP and AP(rel=1) only one takes it.
        measure = _with_level(parsed, rel)
        # Each is called as it was first asked for, and knows its other spellings.
        distinct[measure] = distinct[measure].with_spelling_of(measure) if measure in distinct else measure
    return list(distinct.values())


def _parsed(names: str | Measure | Iterable[Any], choices: Choices, families: Families) -> Iterator[Measure]:
    """All measures that names stand for, one after the other."""
    if isinstance(names, Measure):
        yield _with_choices(names, choices).complete()
    elif isinstance(names, str):
        for word in words(names):
            yield from _parse_word(word, choices, families)
    elif isinstance(names, Iterable):
        for name in names:
            yield from _parsed(name, choices, families)
    elif type(names).__module__.partition(".")[0] == "ir_measures":
        # Its measures print the names that are read here.
        yield from _parsed(str(names), choices, families)
    else:
        raise UsageError(f"{_shown(names)} was found where a measure belongs, such as nDCG @ 10 or its name.")


def catalogue() -> dict[str, Definition]:
    """Every measure there is by name, those of installed plugins included."""
    _load_plugins()
    return dict(TABLE)


def _parse_word(word: str, choices: Choices, families: Families) -> list[Measure]:
    family = "recall" if word.casefold() == "recall" else word
    if family in families:
        return [measure for name in families[family] for measure in _parse_word(name, choices, {})]
    if family in _SEVERAL:
        raise UsageError(
            f"{word!r} names several measures in trec_eval; write {_SEVERAL[family]}.\n"
            "Under the profile trec_eval-10 it means all of them."
        )
    if word.casefold() == COVERAGE:
        recommended = spoken(command="`cranfield recommendation`", python="`cranfield.recommendation`")
        raise UsageError(
            f"{word!r} may mean two things: the share of results that were judged is Judged@10; the share of a "
            f"catalogue that is ever recommended is computed by {recommended}."
        )
    if len(word) > LONGEST_WORD:
        raise UsageError(f"{_shown(word)} has {len(word):,} characters; a measure's name has at most {LONGEST_WORD:,}.")
    if measures := _known(word, choices):
        return measures
    _load_plugins()
    if measures := _known(word, choices):
        return measures
    parts = re.split(r",(?![^({]*[)}])", word)
    if len(parts) > 1:
        return [measure for part in parts for measure in _parse_word(part, choices, families)]
    base = base_name(word)
    if misread := find(base, has_at=True):
        _, at = AT.get(misread.at or "", ("", "10"))
        example = f"is written like {misread.name}@{at}" if misread.at else "takes no cutoff"
        raise UsageError(
            f"{_shown(word)} cannot be read as a measure; {misread.name} {example}.\n"
            f"`cranfield measures {misread.name}` lists its parameters."
        )
    if base.casefold() in _OF_JUDGES:
        agree = spoken(command="`cranfield agree`", python="`cranfield.agree`")
        raise UsageError(f"{_shown(word)} measures agreement between judges, not rankings; {agree} computes it.")
    near = near_measures(word)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"There is no measure {_shown(word)}.{hint}\n`cranfield measures` lists all of them.")


def near_measures(word: str) -> list[str]:
    """Measures that a misspelt word may mean, with its parameters and cutoff: a common one first.

    >>> near_measures("nDCG10"), near_measures("ndgc@10"), near_measures("presicion@5")
    (['nDCG@10'], ['nDCG@10'], ['precision@5'])
    """
    word = word[:LONGEST_NAME]
    params = "".join(re.findall(r"\(.*\)", word))
    match = _MISSPELT.fullmatch(word.replace(params, "", 1))
    if match is None:
        return []
    base, at = match["name"].casefold(), match["at"]
    spellings = {name.casefold(): name for name in reversed(_spellings(TABLE))}
    if base in spellings:
        name = spellings[base] if spellings[base] in TABLE else match["name"]
        return [_written(name, params, at)]
    likeness = _likeness(spellings, base, base + (at or ""))
    common = {name.casefold() for name in _spellings(_COMMON)}
    first = [name for name in likeness if name in common][:1]
    better = [name for name in likeness if not first or likeness[name] > likeness[first[0]]]
    by_measure: dict[Definition | None, str] = {}
    for name in [*first, *better]:
        by_measure.setdefault(find(name, has_at=at is not None), spellings[name])
    written = [_written(name, params, at) for name in list(by_measure.values())[:3]]
    return [name for name in written if name.endswith(at or "")] or written


def _likeness(known: Iterable[str], base: str, numbered: str) -> dict[str, float]:
    """How like known names are to a misspelt one, the most alike first; those that are not alike are left out."""
    from difflib import SequenceMatcher

    found = {name: SequenceMatcher(None, name, numbered if name[-1].isdigit() else base).ratio() for name in known}
    return {name: found[name] for name in sorted(found, key=lambda name: -found[name]) if found[name] >= LIKE}


def _spellings(names: Iterable[str]) -> list[str]:
    """Names of measures and their aliases."""
    return [spelling for name in names for spelling in (name, *TABLE[name].aliases)]


def _written(name: str, params: str, at: str | None) -> str:
    """A measure as it can be asked for, with as much of the parameters and the cutoff as it takes."""
    definition = find(name, has_at=at is not None)
    example = f"@{AT.get(definition.at or '', ('', '10'))[1]}" if definition and definition.needs_at else ""
    cutoff = f"@{at}" if at and not name.endswith(at) else example  # it may be part of the name
    for written in (f"{name}{params}{cutoff}", f"{name}{cutoff}"):
        try:
            if _known(written, {}):
                return written
        except UsageError:
            continue
    return name


def _labels(word: str, measures: Sequence[Measure]) -> list[str]:
    """What results call the measures of a word: what the user wrote, but for names of our own, which we complete.

    >>> [_labels(word, _known(word, {})) for word in ("MRR@10", "ndcg_cut.5,10", "nDCG( gain = linear )@10")]
    [['MRR@10'], ['ndcg_cut.5', 'ndcg_cut.10'], ['']]
    """
    match = _NAME.fullmatch(word)
    if not measures or (match and match["level"] is None and match["name"] == measures[0].name):
        return [""] * len(measures)
    if len(measures) == 1:
        label = re.sub(r"\s+", "", word)
        return [label if len(label) <= LONGEST_NAME and label.isprintable() else ""]
    numbered = _NUMBERED.fullmatch(word)
    assert numbered is not None  # nothing else names several
    start, end = numbered.span("numbers")
    return [word[:start] + number + word[end:] for number in numbered["numbers"].split(",")]


_read: dict[tuple[str, int], list[Measure]] = {}


def _known(word: str, choices: Choices) -> list[Measure]:
    """The measures that a word names; remembered until a measure is added or replaced, for the same few come often."""
    key = word, len(TABLE)
    if not choices and key in _read and all(TABLE.get(measure.name) is measure.definition for measure in _read[key]):
        return _read[key]
    named = _as_name(word, choices) or _as_gains(word) or _as_utility(word) or _as_numbered(word, choices)
    measures = [
        replace(_with_choices(measure, choices), asked=word, label=label)
        for measure, label in zip(named, _labels(word, named), strict=True)
    ]
    if measures and not choices:
        _read[key] = measures
    return measures


def _as_name(word: str, choices: Choices) -> list[Measure]:
    match = _NAME.fullmatch(word)
    if not match:
        return []
    definition = find(match["name"], has_at=match["at"] is not None)
    if definition is None:
        return []
    definition, given = _as_ir_measures_means(definition, _params(match["params"] or "", word))
    params = _preset(match["name"], definition, choices) | given
    return [_chosen(definition, params, match["at"], match["level"])]


def _as_ir_measures_means(definition: Definition, given: dict[str, Value]) -> tuple[Definition, dict[str, Value]]:
    """Two measures that ir_measures prints as parameters of another: `SetP(relative=True)`, `NumRet(rel=1)`."""
    if definition.name == "SetP" and isinstance(given.get("relative"), bool):
        others = {name: value for name, value in given.items() if name != "relative"}
        return TABLE["SetRelP" if given["relative"] else "SetP"], others
    if definition.name == "NumRet" and "rel" in given:
        return TABLE["NumRelRet"], given
    return definition, given


def _as_numbered(word: str, choices: Choices) -> list[Measure]:
    """`P_5`, `P.5,10`, `ndcg_cut_10`, `ndcg_at_10`, `set_F.4`, `rbp.95`."""
    match = _NUMBERED.fullmatch(word)
    if not match:
        return []
    name, numbers = match["name"], match["numbers"].split(",")
    if name.casefold() == "rbp":
        return [_chosen(TABLE["RBP"], {"p": _number(f"0.{numbers[0].removeprefix('0.')}")}, None, match["level"])]
    if name.casefold() == "set_f":
        # trec_eval's parameter is beta squared.
        return [_chosen(TABLE["SetF"], {"beta": _number(x) ** 0.5}, None, match["level"]) for x in numbers]
    definition = find(name, has_at=True)
    if definition is None:
        return []
    preset = _preset(name, definition, choices)
    return [_chosen(definition, preset, at, match["level"]) for at in numbers]


def _as_gains(word: str) -> list[Measure]:
    """`ndcg.1=3,2=9`, `G_1=3`, `rbp_p=0.9`, `rbp_resid_p=0.8`."""
    match = _GAINS.fullmatch(word)
    if match and match["name"].casefold() in _WITH_GAINS:
        definition = TABLE[_WITH_GAINS[match["name"].casefold()]]
        return [_chosen(definition, {"gain": _gains(match["gains"].split(","), "=", word)}, None, None)]
    if match := _PERSISTENCE.fullmatch(word):
        return [_chosen(TABLE["RBPResidual" if match["resid"] else "RBP"], {"p": _number(match["p"])}, None, None)]
    return []


def _as_utility(word: str) -> list[Measure]:
    """`utility.2,-1,0,0`: the worths of four outcomes."""
    match = _UTILITY.fullmatch(word)
    if not match:
        return []
    worths = map(_number, match["worths"].split(","))
    return [_chosen(TABLE["Utility"], dict(zip("abcd", worths, strict=True)), None, None)]


def find(name: str, *, has_at: bool) -> Definition | None:
    """The definition of that name or alias; of two, the one that fits whether `@` was given."""
    if name in TABLE and (TABLE[name].at is not None or not has_at):
        return TABLE[name]
    folded = name.casefold()
    matching = [
        definition
        for definition in TABLE.values()
        if folded in (name.casefold() for name in (definition.name, *definition.aliases))
    ]
    fitting = [d for d in matching if (d.at is not None if has_at else not d.needs_at)]
    return next(iter(fitting or matching), None)


def _chosen(definition: Definition, params: Mapping[str, Value], at: str | None, level: str | None) -> Measure:
    chosen: dict[str, Value] = dict(params)
    if at is not None:
        if definition.at is None:
            raise UsageError(f"{definition.name} takes no cutoff; leave out {_shown('@' + at)}.")
        chosen[definition.at] = _number(at)
    if level is not None:
        if "rel" not in definition.parameters:
            raise UsageError(
                f"{definition.name} reads grades, not a relevance level; leave out {_shown('-l' + level)}"
                + (", or map lower grades to 0 with gain={1:0,...}." if "gain" in definition.parameters else ".")
            )
        chosen["rel"] = _number(level)
    return Measure(definition).replaced(chosen).complete()


def _preset(name: str, definition: Definition, choices: Choices) -> dict[str, Value]:
    """What a tool's spelling means beyond the measure itself, unless something else is chosen."""
    return _PRESETS.get(name.casefold(), {}) | dict(choices.get(definition.name, {}))


def _with_choices(measure: Measure, choices: Choices) -> Measure:
    of_measure = choices.get(measure.name, {})
    chosen = {name: value for name, value in of_measure.items() if name not in measure.given}
    return measure(**chosen).labelled(measure) if chosen else measure


def _with_level(measure: Measure, rel: float | None) -> Measure:
    takes_level = "rel" in measure.definition.parameters and "rel" not in measure.given
    return measure(rel=rel).labelled(measure) if rel is not None and takes_level else measure


def _params(text: str, word: str) -> dict[str, Value]:
    params: dict[str, Value] = {}
    end = 0
    for match in _PARAMETER.finditer(text):
        if match.start() != end or match.start() == len(text):
            break
        end = match.end()
        name, value = match[1], _value(match[2], word)
        name, value = _OTHER_VALUES.get((name, value) if isinstance(value, str) else ("", ""), (name, value))
        name = _OTHER_PARAMETERS.get(name, name)
        if name in params:
            raise UsageError(f"{_shown(word)} gives {name} twice.")
        params[name] = value
    if end != len(text):
        raise UsageError(
            f"{_shown(word)}: {_shown(text[end:])} was found where a parameter such as rel=2 belongs.\n"
            "Write parameters as name=value, with commas between: AP(rel=2,norm=min)@10."
        )
    return params


def _value(text: str, word: str) -> Value:
    """A number, a word or gains of grades."""
    if text[:1] in ("'", '"'):
        return text[1:-1]
    if text.startswith("{"):
        return _gains(re.findall(r"[^,{}]+", text), ":", word)
    if _DECIMAL.fullmatch(text):
        return _number(text)
    return {"None": None}.get(text, {"true": True, "false": False}.get(text.casefold(), text))


def _gains(pairs: Iterable[str], between: str, word: str) -> dict[float, float]:
    """Gains by grade, each grade named once."""
    gains: dict[float, float] = {}
    for pair in pairs:
        grade, _, gain = pair.partition(between)
        number = _number(grade.strip())
        if number in gains:
            raise UsageError(f"{_shown(word)} names the gain of grade {shown(number)} twice; name it once.")
        gains[number] = _number(gain.strip())
    return gains


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise UsageError(f"{_shown(text)} was found where a number belongs.") from None
    if not abs(number) <= LARGEST_GRADE:
        raise UsageError(
            f"{_shown(text)} is too large; a number must lie between -{LARGEST_GRADE:g} and {LARGEST_GRADE:g}."
        )
    return int(number) if number == int(number) else number


def _shown(text: object) -> str:
    """What was found, cut where nobody would read on."""
    return short(repr(text), 60)


def base_name(word: str) -> str:
    """A name without what follows it: a cutoff, parameters, a number.

    >>> base_name("Accuracy(rel=2)@3")
    'Accuracy'
    """
    return re.split(r"[@(._]", word)[0]


def words(text: str) -> list[str]:
    """The names in a string, at white space that is not inside parentheses."""
    return re.findall(r"(?:\([^)]*\)|\S)+", text)


def _load_plugins() -> None:
    from importlib.metadata import entry_points

    for plugin in entry_points(group=PLUGINS):
        plugin.load()
