"""What the page says is what the library says."""

import datetime
import json
import re

import pytest

import cranfield as cf
from cranfield.reporting.embedding import unpacked
from cranfield.show.table import number
from cranfield.show.web_text import signed

JUDGED = {f"q{at}": {"d1": 1} for at in range(8)}
OLD = {query: ["x", "d1"] for query in JUDGED}
NEW = {query: ["d1"] for query in JUDGED}


def data_of(page):
    """What stands in a page as data, without numbers."""
    packed = re.findall(r'<script type="application/octet-stream" id="\w+">([^<]*)</script>', page)
    return [unpacked(text)[0] for text in packed]


@pytest.fixture(scope="module")
def compared_with(garden):
    """What the library says, compared with some baselines."""
    return {baseline: cf.compare(garden, baseline=baseline) for baseline in ("bm25", "title")}


class TestTheVerdict:
    def test_is_that_of_a_comparison(self, garden_report, compared_with):
        assert garden_report.contents.first.verdict == compared_with["bm25"].verdict()

    def test_begins_in_plain_words(self, garden_report):
        plain, *others = garden_report.contents.first.sentences
        assert (
            plain
            == "Compared with bm25 on nDCG@10: hybrid is better; title is worse; no significant difference for dense."
        )
        assert others[0].startswith("Differences: ")
        assert f'<p class="verdict"><bdi>{plain}</bdi></p>' in garden_report.html
        assert '<p class="evidence"><bdi>Differences: ' in garden_report.html

    def test_is_about_the_measure_that_is_chosen(self, garden_report):
        assert garden_report.contents.views["RR", "bm25"].verdict.startswith("Compared with bm25 on RR:")

    def test_of_one_system_tells_its_mean(self):
        made = cf.report(cf.evaluate(JUDGED, {"only": OLD}, "RR"))
        assert made.contents.first.verdict == ("only has RR 0.5000 (95% interval 0.5000 to 0.5000) over 8 queries.")
        assert made.contents.baselines == ()


class TestSystems:
    @pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "R@100"])
    @pytest.mark.parametrize("baseline", ["bm25", "title"])
    def test_have_the_means_and_differences_of_the_library(
        self, garden, garden_report, compared_with, measure, baseline
    ):
        compared = {one.run: one for one in compared_with[baseline].of(measure)}
        for system in garden_report.contents.views[measure, baseline].systems:
            mean = garden.mean(measure, system.run)
            assert system.mean == number(mean.value)
            if system.compared is None:
                assert system.run == baseline
                continue
            found = compared[system.run]
            assert system.compared.difference == signed(found.difference)
            assert (system.compared.wins, system.compared.ties, system.compared.losses) == (
                found.wins,
                found.ties,
                found.losses,
            )
            significant = found.is_significant(0.05)
            words = {True: ("better" if found.is_better else "worse"), False: "not significant"}
            assert system.compared.word == words[significant]

    def test_have_no_groups_and_ranks_as_these_need_every_pair(self, garden_report):
        found = garden_report.contents.views["nDCG@10", "bm25"]
        assert [(system.run, system.rank, system.group, system.is_first) for system in found.systems] == [
            (run, "", "", False) for run in ("hybrid", "dense", "bm25", "title")
        ]
        assert found.corrected == "Holm's correction for 3 comparisons with bm25, per measure"
        assert "tied for first" not in garden_report.html
        assert 'data-by="rank"' not in garden_report.html

    def test_of_every_pair_come_best_first_with_groups_and_ranks(self, garden):
        made = cf.report(garden, all_pairs=True)
        found = made.contents.views["nDCG@10", "bm25"].systems
        assert "--all-pairs" in made.contents.method.command
        assert made.contents.first.corrected == "Holm's correction for all 6 pairs, per measure"
        assert "tied for first" in made.html
        assert [(system.run, system.rank, system.group) for system in found] == [
            ("hybrid", "1–2", "a"),
            ("dense", "1–3", "ab"),
            ("bm25", "2–3", "b"),
            ("title", "4", "c"),
        ]

    def test_can_be_copied_as_the_library_writes_tables(self, garden_report):
        copies = garden_report.contents.first.copies
        assert copies["CSV"].startswith(
            "run,nDCG@10,nDCG@10 low,nDCG@10 high,difference to bm25,difference to bm25 low,difference to bm25 high,p,"
        )
        assert "hybrid,0.6294,0.5722,0.6865,0.0734," in copies["CSV"]
        assert copies["Markdown"].startswith("| run | nDCG@10 |")
        assert r"\begin{tabular}" in copies["LaTeX"]

    def test_of_a_measure_of_which_less_is_better_come_least_first(self):
        slow = {query: ["x", "y", "d1"] for query in JUDGED}
        scores = cf.evaluate(JUDGED, {"slow": slow, "quick": NEW}, "SL")
        assert [system.run for system in cf.report(scores).contents.first.systems] == ["quick", "slow"]
        assert cf.report(scores).contents.first.systems[0].compared.word == "better"


class TestBaselines:
    def test_every_system_can_be_chosen(self, garden_report):
        assert garden_report.contents.baselines == ("bm25", "dense", "hybrid", "title")

    def test_what_is_named_comes_first(self, garden):
        assert cf.report(garden, baseline="hybrid").contents.baselines == ("hybrid", "bm25", "dense", "title")

    def test_of_very_many_systems_only_those_that_are_named(self):
        runs = {f"s{at:02}": OLD if at % 2 else NEW for at in range(21)}
        made = cf.report(cf.evaluate(JUDGED, runs, "RR"), baseline="s03")
        assert made.contents.baselines == ("s03",)

    def test_one_that_does_not_exist_is_answered(self, garden):
        with pytest.raises(cf.UsageError, match=r"There is no run 'hybird'.*hybrid"):
            cf.report(garden, baseline="hybird")


class TestData:
    def test_warnings_come_with_the_page(self, garden, garden_report):
        assert garden_report.contents.health.warnings == tuple(map(str, garden.warnings))

    def test_each_system_has_its_coverage(self, garden_report):
        title = garden_report.contents.health.runs[3]
        assert (title.run, title.answered, title.silent, title.tied) == ("title", 68, ("q13", "q16"), 1671)

    def test_grades_are_counted(self, garden_report):
        bars = garden_report.contents.health.grades
        assert [(bar.grade, bar.judgments) for bar in bars] == [("0", 988), ("1", 171), ("2", 83), ("3", 96)]

    def test_very_many_grades_have_no_bars(self):
        graded = {"q1": {f"d{at}": at / 7 for at in range(40)}}
        assert cf.report(cf.evaluate(graded, {"q1": ["d1"]}, "RR")).contents.health.grades == ()


class TestSavedResults:
    def test_give_the_same_systems_as_scores(self, garden, garden_report, tmp_path):
        cf.save(garden, tmp_path / "kept.json")
        made = cf.report(cf.load(tmp_path / "kept.json"))
        assert made.contents.views["AP", "dense"].systems == garden_report.contents.views["AP", "dense"].systems
        assert made.contents.health.grades == ()

    def test_may_come_in_several_parts(self, garden, tmp_path):
        first = cf.evaluate(JUDGED, {"old": OLD}, "RR")
        made = cf.report([first, cf.evaluate(JUDGED, {"new": NEW}, "RR")])
        assert [system.run for system in made.contents.first.systems] == ["new", "old"]

    def test_a_comparison_brings_its_own_choices(self, garden):
        compared = cf.compare(garden, baseline="dense", test="t")
        made = cf.report(compared)
        assert made.contents.choices == compared.choices
        assert made.contents.first.verdict == compared.verdict()


class TestMethod:
    def test_the_command_makes_the_page_again(self, garden):
        command = cf.report(garden, baseline="hybrid", seed=7).contents.method.command
        assert command.startswith("cranfield report ")
        assert command.endswith(" -m nDCG@10 -m AP -m RR -m R@100 --seed 7 --baseline hybrid -o report.html")

    def test_what_no_command_can_say_is_said_in_python(self):
        scores = cf.evaluate(JUDGED, {"old": OLD, "new": NEW}, "RR", ties="given")
        assert cf.report(scores, test="t").contents.method.command == (
            "cf.report(cf.evaluate(judgments, runs, ['RR'], ties='given'), \"report.html\", test='t')"
        )

    def test_has_no_folder_of_the_machine_anywhere(self, tmp_path):
        folder = tmp_path / "secret" / "client"
        folder.mkdir(parents=True)
        (folder / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
        for name in ("old", "new"):
            (folder / name).mkdir()
            (folder / name / "bm25.run").write_text(f"q1 Q0 d1 1 2.0 {name}\nq1 Q0 d3 1 2.0 {name}\n")
        (folder / "queries.tsv").write_text("query_id\ttext\nq1\tone\nq2\ttwo\n")
        (folder / "documents.tsv").write_text("d1\tone\n")
        runs = [folder / "old" / "bm25.run", folder / "new" / "bm25.run"]
        made = cf.report(
            cf.evaluate(folder / "qrels.txt", runs, "RR"),
            queries=folder / "queries.tsv",
            documents=folder / "documents.tsv",
        )
        everything = made.html + json.dumps(data_of(made.html))
        assert "secret" not in everything
        assert "cranfield report qrels.txt old/bm25.run new/bm25.run -m RR --queries queries.tsv" in everything

    def test_names_every_definition_with_its_source(self, garden_report):
        first = garden_report.contents.method.definitions[0]
        assert first.name == "nDCG@10"
        assert "doi:10.1145/582415.582418" in first.cite


class TestTheTop:
    def test_has_a_title_that_names_few_systems(self, garden_report):
        assert garden_report.contents.title == "bm25, dense, hybrid and title on qrels.txt"

    def test_has_a_title_that_counts_many_systems(self):
        runs = {f"s{at}": OLD if at % 2 else NEW for at in range(6)}
        made = cf.report(cf.evaluate(JUDGED, runs, "RR"), baseline="s3")
        assert made.contents.title == "5 systems compared with s3"

    def test_has_a_note_an_author_and_a_date_that_were_given(self, garden):
        made = cf.report(garden, note="Two <b>changes</b>:\n- titles\n\nMore soon.", author="Ann", date="1 May 2026")
        assert '<p dir="auto">Two &lt;b&gt;changes&lt;/b&gt;:<br>- titles</p><p dir="auto">More soon.</p>' in made.html
        assert "Ann · 1 May 2026" in made.html

    def test_takes_a_date_of_python(self, garden):
        assert cf.report(garden, date=datetime.date(2026, 5, 1)).contents.byline == "2026-05-01"

    def test_has_nothing_of_that_unless_it_was_given(self, garden_report):
        assert 'class="note"' not in garden_report.html
        assert 'class="byline"' not in garden_report.html


class TestSections:
    def test_results_come_before_data_and_method(self, garden_report):
        names = ("verdict", "systems", "effects", "queries", "robustness", "curves", "data", "method", "download")
        places = [garden_report.html.index(f'<section id="{name}"') for name in names]
        assert places == sorted(places)

    def test_that_would_be_empty_are_not_there(self, garden, tmp_path):
        cf.save(garden, tmp_path / "kept.json")
        page = cf.report(cf.load(tmp_path / "kept.json"), sensitivity=False).html
        for name in ("slices", "robustness", "curves"):
            assert f'<section id="{name}"' not in page
            assert f'href="#{name}"' not in page

    def test_have_no_advice_for_the_author(self, garden_report):
        shown = re.sub(r"<script.*?</script>|<style.*?</style>|<pre.*?</pre>", "", garden_report.html, flags=re.DOTALL)
        assert "--" not in re.sub(r"<!--.*?-->", "", shown)


def test_nothing_to_report_is_wrong_usage():
    with pytest.raises(cf.UsageError, match="Nothing to report"):
        cf.report([])


def test_the_page_is_the_same_each_time(garden, garden_report):
    assert cf.report(garden).html == garden_report.html
