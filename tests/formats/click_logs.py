"""A small click log, and logs as plain values."""

from hypothesis import strategies as st

HEADER = "session,query,position,document,clicked\n"
LOG = HEADER + "s1,q1,1,a,0\ns1,q1,2,b,1\ns2,q1,1,b,1\ns2,q1,2,a,0\ns2,q2,1,c,0\n"
IMPRESSIONS = [("s1", "q1", ["a", "b"], [0, 1]), ("s2", "q1", ["b", "a"], [1, 0]), ("s2", "q2", ["c"], [0])]


def contents(log):
    """A log as plain values, impression by impression."""
    return [
        (
            log.sessions[log.session[at]],
            log.queries[log.query[at]],
            [log.documents[code] for code in log.document[log.starts[at] : log.starts[at + 1]]],
            log.clicked[log.starts[at] : log.starts[at + 1]].astype(int).tolist(),
        )
        for at in range(len(log))
    ]


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


impressions = st.lists(
    st.tuples(
        st.sampled_from("st"),
        st.sampled_from("pq"),
        st.lists(st.tuples(st.sampled_from("abcde"), st.booleans()), min_size=1, max_size=5, unique_by=lambda r: r[0]),
    ),
    min_size=1,
    max_size=8,
)


def result(**columns):
    return {"session": "s", "query": "q", "position": 1, "document": "a", "clicked": 1, **columns}
