"""Reading as the tests below need it: everything at once, or what is said about it."""

from cranfield.data.judgments import Judgments
from cranfield.data.run import Ranking, Run, check_ranking
from cranfield.errors import DataError, Finding, Findings
from cranfield.formats import read_judgments, read_run


def grades(judgments: Judgments) -> dict[str, dict[str, float]]:
    return {query: judgments[query] for query in judgments.queries}


def rankings(run: Run, findings: Findings | None = None) -> dict[str, Ranking]:
    """The rankings of a run as `align` meets them: a later one replaces an earlier one."""
    found = Findings() if findings is None else findings
    read: dict[str, Ranking] = {}
    for ranking in run.rankings(found):
        found.extend(check_ranking(ranking, run.path))
        read[ranking.query] = ranking
    found.stop_if_wrong()
    return read


def scores(run: Run) -> dict[str, dict[str, float]]:
    return {
        query: dict(zip(ranking.documents, ranking.scores.tolist(), strict=True))
        for query, ranking in rankings(run).items()
    }


def judged(source: object, **options: object) -> dict[str, dict[str, float]]:
    return grades(read_judgments(source, **options))


def retrieved(source: object, **options: object) -> dict[str, dict[str, float]]:
    return scores(read_run(source, **options))


def wrong_in_judgments(source: object, **options: object) -> list[Finding]:
    try:
        read_judgments(source, **options)
    except DataError as error:
        return list(error.findings)
    raise AssertionError("nothing was found wrong")


def wrong_in_run(source: object, **options: object) -> list[Finding]:
    try:
        rankings(read_run(source, **options))
    except DataError as error:
        return list(error.findings)
    raise AssertionError("nothing was found wrong")


def kinds(findings: list[Finding]) -> list[str]:
    return [finding.kind for finding in findings]
