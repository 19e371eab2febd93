from pathlib import Path
from textwrap import dedent

from tools import clauses


def table(tmp_path: Path, source: str) -> dict[str, list[str]]:
    file = tmp_path / "test_it.py"
    file.write_text(dedent(source))
    return clauses.tests_by_clause([file], tmp_path)


def test_every_clause_has_a_test_and_every_test_a_clause() -> None:
    known = clauses.clauses(clauses.pages())
    named = clauses.tests_by_clause(clauses.test_files(), clauses.TOP)
    assert clauses.faults(known, named) == []


def test_each_page_has_clauses_of_its_own_letter() -> None:
    for page, letter in (("jackaroo", "J"), ("tjau", "W"), ("trix", "T")):
        found = clauses.clauses([clauses.TOP / f"docs/rules/{page}.md"])
        assert found
        assert {clause[0] for clause in found} == {letter}


def test_all_spellings_of_a_clause_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("- **J5.Jb** Black.\n- **T3.1 `slaps`** Text. **T9.9** is no clause.\n")
    assert clauses.clauses([page]) == ["J5.Jb", "T3.1"]


def test_marks_count_wherever_they_stand(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        """
        pytestmark = [pytest.mark.clause("A1.1"), pytest.mark.long]

        @pytest.mark.clause("A1.2")
        class TestIt:
            pytestmark = pytest.mark.clause("A1.3")

            @pytest.mark.clause("A1.4", "A1.5")
            def test_it(self): ...

        @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.clause("A1.6"))])
        def test_each(n): ...
        """,
    )
    inner, outer = "test_it.py::TestIt::test_it", "test_it.py::test_each"
    assert found == {
        "A1.1": [inner, outer],
        "A1.2": [inner],
        "A1.3": [inner],
        "A1.4": [inner],
        "A1.5": [inner],
        "A1.6": [outer],
    }


def test_a_skipped_test_or_a_helper_shows_nothing(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        """
        @pytest.mark.skip
        @pytest.mark.clause("A1.1")
        def test_later(): ...

        @pytest.mark.xfail(reason="wrong")
        @pytest.mark.clause("A1.1")
        class TestIt:
            def test_it(self): ...

        @pytest.mark.clause("A1.1")
        def helper(): ...
        """,
    )
    assert found == {}


def test_gaps_strangers_and_doubles_are_faults() -> None:
    assert clauses.faults(["A1.1", "A1.2", "A1.2"], {"A1.1": ["t::a"], "A1.3": ["t::b"]}) == [
        "A1.2 is defined twice",
        "A1.2 has no test",
        "A1.2 has no test",
        "t::b names A1.3, which no page has",
    ]
