"""The arithmetic of the page on performance, and a process that is measured."""

import sys
from pathlib import Path

import pytest

from tools.benchmark import REFERENCE, Run, measured, quantile, sources, table, tail, times


@pytest.mark.parametrize(
    ("part", "expected"), [(0.0, 1), (0.1, 1), (0.5, 5), (0.9, 9), (0.91, 10), (0.99, 10), (1.0, 10)]
)
def test_a_quantile_is_one_of_the_values(part: float, expected: int) -> None:
    assert quantile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], part) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(0.04, "0.02"), (1.0, "0.50"), (2.0, "1.0"), (19.0, "9.5"), (30.0, "15")]
)
def test_ratios_have_two_digits(value: float, expected: str) -> None:
    assert times(value, 2.0) == expected


def test_a_row_is_the_median_of_the_rounds_over_that_of_the_reference() -> None:
    own = [Run(2.0, 4.0, 100.0), Run(9.0, 4.0, 100.0), Run(1.0, 4.0, 100.0)]
    other = [Run(6.0, 2.0, 50.0), Run(5.0, 2.0, 50.0), Run(50.0, 2.0, 50.0)]
    assert list(table({REFERENCE: own, "other": other}))[2:] == [
        f"| {REFERENCE} | 1.0 | 1.0 | 1.0 |",
        "| other | 3.0 | 0.50 | 0.50 |",
    ]


def test_the_tail_names_the_slowest_files_and_their_share() -> None:
    each = {f"{number}.cu": 1.0 for number in range(95)} | {"slow.cu": 50.0, "b.cu": 5.0}
    text = " ".join(tail(each, lambda file: file))
    assert "90% of the files at most 1.0, 99% of the files at most 50" in text
    assert "The 5 slowest files take 39% of the sum: `slow.cu` (50), `b.cu` (5.0), " in text


def test_a_draw_is_the_same_for_one_seed_and_leaves_out_what_lacks_a_header(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / f"{number}.cu").write_text('#include "own.h"\n' if number % 3 else "int x;\n")
    drawn = sources([str(tmp_path)], 9, seed=4)
    assert sorted(Path(file).name for file in drawn) == ["0.cu", "3.cu", "6.cu"]
    assert drawn == sources([str(tmp_path)], 9, seed=4)


def test_a_process_is_measured_with_its_children(tmp_path: Path) -> None:
    work = "sum(i * i for i in range(2_000_000))"
    started = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {work!r}])"
    run = measured([sys.executable, "-c", started], tmp_path)
    assert run.cpu > 0.05
    assert 1 < run.memory < 1000
