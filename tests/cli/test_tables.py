"""Columns stand under each other, and a terminal's width is kept."""

from hypothesis import given
from hypothesis import strategies as st

from lumpyard.console.tables import Column, cell_width, pad, render_pairs, render_table, shorten

NAMES = Column("name", cut=True)
SIZES = Column("size", right=True)
TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=40)


@given(TEXT, st.integers(1, 50))
def test_a_shortened_text_fits(text: str, width: int) -> None:
    assert cell_width(shorten(text, width)) <= max(width, 1)


@given(st.lists(st.tuples(TEXT, TEXT.map(str.strip)), max_size=6), st.integers(40, 100))
def test_no_line_of_a_table_that_can_be_cut_is_wider_than_the_terminal(
    rows: list[tuple[str, str]], width: int
) -> None:
    for line in render_table([NAMES, Column("second", cut=True)], rows, width):
        assert cell_width(line) <= width


def test_where_it_cannot_fit_nothing_is_cut() -> None:
    """It would wrap all the same, and say less."""
    rows = [("textures/enemies/bat_0.png", "assets/textures/enemies/bat_0.png")]
    columns = [Column("lump", cut=True), Column("from", cut=True)]
    assert list(render_table(columns, rows, 33)) == list(render_table(columns, rows))
    assert list(render_table(columns, rows, 34)) != list(render_table(columns, rows))


@given(st.lists(st.tuples(TEXT, TEXT.filter(bool)), min_size=1, max_size=6))
def test_through_a_pipe_nothing_is_cut(rows: list[tuple[str, str]]) -> None:
    lines = list(render_table([NAMES, Column("second", cut=True)], rows))
    assert all(
        first.rstrip(" ") in line and second.rstrip(" ") in line
        for (first, second), line in zip(rows, lines[1:], strict=True)
    )


def test_numbers_stand_to_the_right_and_lines_have_no_spaces_at_their_end() -> None:
    assert list(render_table([SIZES, Column("name")], [("1", "a"), ("2,000", "")])) == [
        " size  name",
        "    1  a",
        "2,000",
    ]


def test_wide_characters_take_two_cells_and_marks_none() -> None:
    assert [cell_width(text) for text in ("abc", "音楽", "e\u0301", "ﾊ")] == [3, 4, 1, 1]
    assert pad("音", 4) + "|" == "音  |"
    assert list(render_table([Column("n"), Column("x")], [("音楽", "1"), ("abcd", "2")], titles=False)) == [
        "音楽  1",
        "abcd  2",
    ]


def test_the_middle_of_a_long_path_is_left_out() -> None:
    assert shorten("textures/walls/brick_dark.png", 16) == "textures…ark.png"


def test_the_widest_column_gives_way_first() -> None:
    lines = list(render_table([NAMES, Column("source", cut=True)], [("n" * 20, "s" * 60)], 60))
    assert [len(line) for line in lines[1:]] == [60]
    assert lines[1].startswith("n" * 20 + "  ")


def test_an_empty_table_without_titles_is_nothing() -> None:
    assert list(render_table([NAMES], [], titles=False)) == []


def test_pairs_align_their_values() -> None:
    assert list(render_pairs([("lumps", "3"), ("archive hash", "ff")])) == [
        "  lumps         3",
        "  archive hash  ff",
    ]
