"""Judging without a server: pages share the work, and what they save is taken in once."""

import json
import re
from html import unescape
from itertools import chain

import pytest

from cranfield.assessing.offline import import_labels, offline_page, shares, write_pages
from cranfield.errors import DataError

KEYS = [f"{number:032x}" for number in range(100)]


@pytest.fixture
def service(make_service):
    return make_service("ada", "ben", "cleo")


def people(service):
    return [judge for judge in service.judges if judge.kind == "person"]


def saved(service, path, *labels, judge=2):
    content = {"cranfield": "labels", "project": service.project.id, "judge": judge, "labels": labels}
    path.write_text(json.dumps(content))
    return path


def label(number, item=1, grade=2, kind="label", **more):
    return {"key": KEYS[number], "item": item, "kind": kind, "grade": grade, "before": None, **more}


def test_every_pair_falls_to_one_judge_and_all_have_about_as_much(service):
    mine = shares(service, people(service))
    assert sorted(chain(*mine)) == list(range(1, len(service.items) + 1))
    assert max(map(len, mine)) - min(map(len, mine)) <= 28


def test_two_labels_of_each_pair_fall_to_two_judges(make_service):
    service = make_service("ada", "ben", "cleo", labels=2)
    mine = shares(service, people(service))
    assert sorted(chain(*mine)) == sorted([*range(1, len(service.items) + 1)] * 2)
    assert all(len(set(items)) == len(items) for items in mine)


def test_what_is_labelled_already_falls_to_nobody(service, sender):
    done = sender(service, 2).work(5)
    assert not set(done) & set(chain(*shares(service, people(service))))


def test_a_page_holds_what_is_judged_and_nothing_of_runs(service, tmp_path):
    written = write_pages(service, tmp_path / "page.html", ["ada"])
    text = (tmp_path / "page.html").read_text()
    assert [(page.judge, page.pairs) for page in written] == [("ada", 84)]
    assert "Bed 3" in text
    assert not re.search("bm25|dense", text)
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert re.search(r"default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'", unescape(text))


def test_a_name_cannot_lead_out_of_the_folder(make_service, tmp_path):
    service = make_service("../eve", "ben")
    written = write_pages(service, tmp_path / "page.html", [])
    assert sorted(path.name for path in tmp_path.glob("*.html")) == ["page-_eve.html", "page-ben.html"]
    assert len(written) == 2


def test_hostile_texts_stay_text(service):
    card = service.preview(2, [1])[0]._replace(text="</script><script>alert(1)</script>", title="<img onerror=x>")
    page = offline_page(service.project, people(service)[0], [card])
    assert "alert(1)</script>" not in page
    assert "<img" not in page


class TestImport:
    def test_labels_become_events_of_their_judge(self, service, tmp_path):
        path = saved(service, tmp_path / "labels.json", label(1), label(2, 2, None, "cannot"), label(3, 3, 0, note="?"))
        assert str(import_labels(service, path)) == f"{path}: 3 new labels of ada"
        assert service.state.labels(1) == [(2, 2.0)]
        assert service.state.current(2, 2).kind == "cannot"
        event = service.store.event_of(KEYS[3])
        assert (event.how, event.note) == ("import", "?")

    def test_a_file_that_comes_twice_counts_once(self, service, tmp_path):
        path = saved(service, tmp_path / "labels.json", label(1), label(2, 1, 3, after=KEYS[1]))
        import_labels(service, path)
        again = import_labels(service, path)
        assert (again.new, again.repeated, again.stale) == (0, 2, 0)
        assert service.state.labels(1) == [(2, 3.0)]

    def test_more_of_the_same_page_adds_only_what_is_new(self, service, tmp_path):
        import_labels(service, saved(service, tmp_path / "labels.json", label(1)))
        more = import_labels(service, saved(service, tmp_path / "labels.json", label(1), label(2, 2)))
        assert (more.new, more.repeated) == (1, 1)

    def test_what_the_judge_changed_here_meanwhile_is_not_overwritten(self, service, sender, tmp_path):
        page = sender(service, 2)
        service.record(2, page.label(1, 0))
        done = import_labels(service, saved(service, tmp_path / "labels.json", label(1)))
        assert (done.new, done.stale) == (0, 1)
        assert service.state.labels(1) == [(2, 0.0)]
        assert "1 left out" in str(done)

    @pytest.mark.parametrize(
        ("wrong", "words"),
        [
            ({"key": "x"}, "key"),
            ({"kind": "adjudicate"}, "kind"),
            ({"kind": ["label"]}, "kind"),
            ({"grade": 7}, "grade"),
            ({"grade": "2"}, "grade|understood"),
            ({"grade": float("nan")}, "NaN|grade|JSON"),
            ({"item": 0}, "number"),
            ({"item": 10**30}, "number"),
            ({"item": True}, "number|understood"),
            ({"note": "x" * 3000}, "characters"),
            ({"note": 7}, "note"),
            ({"more": [1]}, "note"),
        ],
    )
    def test_a_wrong_label_is_named_with_its_number(self, service, tmp_path, wrong, words):
        path = saved(service, tmp_path / "labels.json", label(1), {**label(2, 2), **wrong})
        with pytest.raises(DataError, match=words):
            import_labels(service, path)
        assert service.store.verify() == []
