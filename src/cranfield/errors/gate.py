"""Rules that cannot be understood, and runs that cannot be compared with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cranfield.errors.findings import Finding, UsageError, did_you_mean
from cranfield.errors.results import unwritable
from cranfield.phrases import examples, sentences, shown, spoken

# The rule file


def wrong_rule(path: str | None, line: int | None, message: str, advice: str = "") -> UsageError:
    """Something in the rules that cannot be meant."""
    return UsageError(Finding("error", "wrong-rule", message, advice, path, line).in_full())


def unknown_rule_key(path: str | None, line: int | None, where: str, key: str, known: Sequence[str]) -> UsageError:
    """A key nobody knows; `where` is the rule it stands in, or nothing at the top of the file."""
    has = f"{where} has no key {key!r}; it has" if where else f"there is no rule or setting {key!r}; there are"
    return wrong_rule(path, line, f"{has} {', '.join(known)}", did_you_mean(key, known))


def misplaced_setting(path: str | None, line: int | None, where: str, key: str) -> UsageError:
    """A setting of all rules that stands below the head of one; in TOML it then belongs to that."""
    advice = "It is for all rules, so it stands at the top of the file, before the first [[...]]."
    return wrong_rule(path, line, f"{where} has no key {key!r}", advice)


def missing_rule_key(path: str | None, line: int | None, where: str, keys: Sequence[str]) -> UsageError:
    """A rule that does not say what it needs."""
    return wrong_rule(path, line, f"{where} needs {' or '.join(keys)}")


def contradicting_rule_keys(path: str | None, line: int | None, where: str, keys: Sequence[str]) -> UsageError:
    """A rule that says two things that exclude each other."""
    return wrong_rule(path, line, f"{where} has both {' and '.join(keys)}", "Keep one of them.")


def wrong_rule_value(
    path: str | None, line: int | None, where: str, key: str, expected: str, found: object, advice: str = ""
) -> UsageError:
    """A value of the wrong kind or size."""
    of = f"{where}: " if where else ""
    return wrong_rule(path, line, f"{of}{key} must be {expected}, not {shown(found)}", advice)


def no_rules_in(path: str | None) -> UsageError:
    """A rule file that rules nothing."""
    advice = 'Add one, for instance:\n    [[not_worse]]\n    measure = "nDCG@10"\n    margin = 0.02'
    return wrong_rule(path, None, "there is no rule in it" if path else "there is no rule", advice)


def no_rule_file(name: str) -> UsageError:
    """Nobody said what to hold a run against."""
    return UsageError(
        f"There are no rules: neither {name} nor [tool.cranfield.gate] in pyproject.toml is here.\n"
        "Begin with: cranfield gate init QRELS RUN\n"
        "Or give one rule here: cranfield gate QRELS RUN --baseline FILE -m nDCG@10 --margin 0.02"
    )


def two_rule_files(name: str) -> UsageError:
    """Rules in two places; one would be ignored."""
    return UsageError(
        f"There are rules in {name} and in [tool.cranfield.gate] of pyproject.toml.\n"
        "Keep them in one of both, or name one with --rules FILE."
    )


# The baseline


def no_baseline() -> UsageError:
    """Rules that look at a baseline, and none was given."""
    return UsageError(
        'The rules compare a run with a baseline, but none is named.\nName it: --baseline FILE, or baseline = "FILE" '
        "in the rules. `cranfield gate init QRELS RUN` writes one."
    )


def baseline_missing(path: str) -> Finding:
    """The baseline that rules name is not there."""
    advice = "Write it with the run that others are to be compared with: cranfield gate init QRELS RUN"
    return Finding("error", "no-baseline", "there is no such file; it is the baseline", advice, path)


def test_baseline_missing(path: str) -> Finding:
    """The baseline of a test is not there."""
    advice = "Write it with the system that later ones are compared with: pytest --cranfield-update"
    return Finding("error", "no-baseline", "there is no such file; it is the baseline of this test", advice, path)


def marker_incomplete(missing: Sequence[str]) -> UsageError:
    """A comparison with the baseline of a test that does not say how."""
    asked = " and ".join(f"{name}=" for name in missing)
    return UsageError(
        f"assert_not_worse needs {asked}; say it there or in @pytest.mark.cranfield(measure=…, margin=…)."
    )


def marker_positional(value: object, names: Sequence[str]) -> UsageError:
    """A value in the marker without its name."""
    return UsageError(f"@pytest.mark.cranfield takes names with values: {', '.join(names)}; not {shown(value)} alone.")


def marker_unknown(name: str, names: Sequence[str]) -> UsageError:
    """A name in the marker that means nothing."""
    words = f"@pytest.mark.cranfield has no {name!r}; it has {', '.join(names)}."
    return UsageError(sentences(words, did_you_mean(name, names)))


def between_run_and_baseline(finding: Finding) -> Finding:
    """Why a run and its baseline cannot be compared, and what to do."""
    shared = spoken(command="--allow-different-judgments", python="allow_different_judgments=True")
    advice = {
        "different-judgments": f"Write {_again()}\nOr compare what both share: {shared}.",
        "different-settings": f"Measure the run as the baseline was, or write {_again()}",
    }
    message = finding.message.replace("the result of the baseline", "the baseline").replace("the result of ", "")
    return replace(finding, message=message, path="this run", advice=advice.get(finding.kind, finding.advice))


def _again() -> str:
    """How a baseline is written again: by the command, in Python, or by the plugin of pytest."""
    how = spoken(
        command="cranfield gate init --force QRELS RUN",
        python="cranfield.save(scores, PATH), or pytest --cranfield-update",
    )
    return f"the baseline again with the run it was made of: {how}"


def not_in_baseline(measure: str, path: str | None, has: Sequence[str]) -> UsageError:
    """A rule about a measure that the baseline was not measured by."""
    return UsageError(
        sentences(
            f"{measure} is not in the baseline{f' {path}' if path else ''}, which has {', '.join(has)}.",
            did_you_mean(measure, has),
        )
        + f"\nWrite {_again()}"
    )


def not_in_results(measure: str, has: Sequence[str]) -> UsageError:
    """A rule about a measure that saved results do not have."""
    return UsageError(
        sentences(f"{measure} was not measured; these were: {', '.join(has)}.", did_you_mean(measure, has))
        + f"\nSave it too: cranfield evaluate QRELS RUN -m '{measure}' ... --save FILE"
    )


def several_runs(what: str, runs: Sequence[str], how: str) -> UsageError:
    """Results of several runs where one is meant."""
    return UsageError(f"There are {len(runs)} runs in {what}: {examples(runs, 10)}.\nName one of them: {how}")


def no_folder(path: str) -> Finding:
    """A file in a folder that is not there."""
    return unwritable(path, "there is no such folder")


def would_overwrite(path: str) -> UsageError:
    """A file that somebody may still need."""
    return UsageError(
        f"{path} is there already. Nothing was written.\n"
        "To raise it where a run is better: cranfield gate update QRELS RUN\n"
        "To replace it, lower scores included: cranfield gate init --force QRELS RUN"
    )


# Queries


def unknown_protected(queries: Sequence[str], judged: Iterable[str]) -> Finding:
    """Protected queries that were not judged, so that no rule could protect them."""
    near = did_you_mean(queries[0], judged)
    words = (
        "is protected by a rule, but is not a query"
        if len(queries) == 1
        else "are protected by a rule, but are not queries"
    )
    return Finding(
        "error",
        "unknown-protected",
        f"{examples(queries)} {words} that can be compared",
        near or "Take it out of the rule, or judge it.",
    )


def no_queries_file(by: str) -> UsageError:
    """Slices by a column of no file."""
    return UsageError(
        f"A rule goes by {by}, a column of a queries file, but no file is named.\n"
        'Name it: --queries FILE, or queries = "FILE" in the rules.'
    )


def unknown_slice(path: str | None, column: str, value: str, values: Sequence[str]) -> Finding:
    """A rule for a slice that no query belongs to."""
    message = f"a rule is about {column} {value!r}, which no judged query has; known: {examples(values, 10)}"
    return Finding("error", "unknown-slice", message, did_you_mean(value, values), path)
