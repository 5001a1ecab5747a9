"""trec_eval's own command: its arguments in, its bytes out."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.compat.trec_eval.arguments import Options, parse
from cranfield.compat.trec_eval.outcome import CommandOutcome, Exit, TrecEvalError

__all__ = ["CommandOutcome", "Exit", "trec_eval"]


def trec_eval(arguments: Sequence[str]) -> CommandOutcome:
    """What trec_eval prints and says when it is called with these arguments, and how it exits.

    >>> trec_eval(["-v"]).messages
    ('trec_eval version 10.0-rc3',)
    """
    try:
        options = parse(arguments)
        if options.wants_version:
            return CommandOutcome(messages=(f"trec_eval version {options.version.calls_itself}",))
        if options.wants_help:
            from cranfield.compat.trec_eval.help import help_text

            return CommandOutcome(output=help_text(options).encode())
        return _evaluated(options)
    except TrecEvalError as error:
        return CommandOutcome(messages=(f"trec_eval: {error}",), code=error.code)


def _evaluated(options: Options) -> CommandOutcome:
    from cranfield.compat.trec_eval import computing, printing, requests, zscores
    from cranfield.compat.trec_eval.judgments import read_judgments
    from cranfield.compat.trec_eval.quirks import Setting
    from cranfield.compat.trec_eval.runs import read_run

    setting = Setting(options.version, options.level, options.docs)
    # Before anything is read: a typo should not cost minutes.
    lines = requests.lines_of(options.requests, setting)
    requests.must_go_with(options.judgments_format, lines)
    judgments_path, run_path = options.files
    read = read_judgments(judgments_path, options.judgments_format, options.version)
    run = read_run(run_path, read.judgments.position, options.version)
    means = None if options.zscores is None else zscores.read_means(options.zscores)
    values = computing.values_of(read, run, lines, options)
    if means is not None:
        values = computing.as_deviations(values, lines, means)
    output = ""
    if options.per_query:
        output += printing.query_lines(values, lines, as_zscores=means is not None)
    if options.summary:
        summaries = [
            computing.summary_of(line, column, read.judgments, run, options)
            for line, column in zip(lines, values.columns, strict=True)
        ]
        output += printing.summary_lines(summaries, lines, as_zscores=means is not None)
    notes = [
        *options.notes,
        *requests.notes_on(options.requests, options.version),
        *read.notes,
        *run.notes,
        *computing.notes_on_queries(read.judgments, run, options),
    ]
    return CommandOutcome(output.encode("latin-1"), tuple(f"trec_eval: warning: {note}" for note in notes))
