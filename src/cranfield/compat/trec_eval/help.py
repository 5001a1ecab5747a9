"""What -h prints."""

from __future__ import annotations

from cranfield.catalogue import CatalogueEntry
from cranfield.compat.trec_eval.arguments import Options
from cranfield.compat.trec_eval.requests import entries_of

OPTIONS = """\
Usage: cranfield trec-eval [OPTIONS] QRELS RUN

  Evaluate a run as trec_eval does: its arguments, its output byte for byte, its exit codes.

      cranfield trec-eval -q -c -m official qrels.txt bm25.run
      cranfield trec-eval -m P.5,10 -m ndcg_cut.10 -l 2 qrels.txt bm25.run
      zcat bm25.run.gz | cranfield trec-eval --like 9.0.8 qrels.txt -

  QRELS has lines `query iteration document grade`, RUN lines `query Q0 document rank score tag`; `-` is standard
  input. Only the scores order a ranking; equal ones come by document id, descending.

Options:
  --like VERSION            Compute as this version of trec_eval: 10.0 or 9.0.8. [default: 10.0]
  -q, --query_eval_wanted   Also print every query's values.
  -n, --nosummary           Print no means.
  -m, --measure NAME        A measure, or a set of them; may be repeated. Parameters follow a dot: P.5,10.
                            Sets are official (default), set, all_trec, prefs, all_prefs and qrels_jg.
  -c, --complete_rel_info_wanted
                            Average over all judged queries; one without results counts 0.
  -l, --level_for_rel N     Grade from which a document is relevant. [default: 1]
  -M, --Max_retrieved_per_topic N
                            Evaluate only the top N documents of each ranking.
  -J, --Judged_docs_only    Remove unjudged documents before scoring (condensed lists).
  -N, --Number_docs_in_coll N
                            Size of the collection, for utility. [default: 0]
  -R, --Rel_info_format FORMAT
                            What QRELS holds: qrels, qrels_jg, prefs or qrels_prefs. [default: qrels]
  -T, --Results_format FORMAT
                            What RUN holds: trec_results. [default: trec_results]
  -Z, --Zscore FILE         Print deviations from means of other runs; FILE has lines
                            `query measure mean deviation`.
  -D, --Debug_level N[.QUERY]
                            Evaluate only this query.
  -o                        Ignored, as in trec_eval.
  -v, --version             Show which version of trec_eval this is like, and exit.
  -h, --help                Show this message, with -m also the definitions of measures, and exit."""


def help_text(options: Options) -> str:
    """All options, and the definitions of the measures that are named."""
    definitions = [
        f"{entry.name} is {CatalogueEntry(entry.measure.definition).text()}"
        for entry in (entries_of(options.named, options.version) if options.named else [])
        if entry.measure is not None
    ]
    return "\n\n".join([OPTIONS, *definitions]) + "\n"
