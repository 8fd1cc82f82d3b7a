"""The records of `cudalint validate`: written, taken up again, and what a broken one costs."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cudalint.errors import UsageError
from cudalint.rule.measured import CountedLine, Device, Measured, Record
from cudalint.validate import (
    command,
    counting,
    main,
    pairs,
    records,
    timing,
)
from cudalint.validate.result import Result
from tests.support.timings import TOLD


def test_a_record_is_written_and_read(tmp_path: Path) -> None:
    one = records.measured(timing.read("CU101", json.dumps(TOLD)), 2.5)
    record = Record("2026-01-02", Device("NVIDIA H200", 90, 13000, 1, 2, 132, 3), "0", "nvcc 13.0", (one,))
    path = tmp_path / records.file_name(record)
    path.write_text(records.text(record))
    assert path.name == "nvidia_h200_2026-01-02.json"
    assert records.read(path) == record
    assert record.of("CU101") == one and record.of("CU999") is None
    assert one.slowdown == 3.0 and one.predicted == 2.5


DEVICE = Device("NVIDIA H200", 90, 13000, 1, 2, 132, 3)
LOAD = CountedLine("CU101", "k", 7, "global", "load", 4.0, 4.0, "exact")


def _record(*rules: Measured, counters: tuple[CountedLine, ...] = (), compiler: str = "nvcc 13.0") -> Record:
    return Record(records.today(), DEVICE, "0", compiler, rules, counters)


def _measured(code: str, slowdown: float) -> Measured:
    return Measured(code, slowdown, 0.0, slowdown, 0.0, 1.0, 0.0, "events", 50)


def test_a_record_of_the_day_takes_up_what_is_measured_again() -> None:
    before = _record(_measured("CU101", 2.0), _measured("CU103", 3.0), counters=(LOAD,))
    now = records.timed_again(before, _record(_measured("CU103", 4.0)))
    assert [(one.code, one.slowdown) for one in now.rules] == [("CU101", 2.0), ("CU103", 4.0)]
    assert now.counters == before.counters
    other = _record(_measured("CU103", 4.0), compiler="nvcc 12.9")
    assert records.timed_again(before, other) == other
    store = msgspec.structs.replace(LOAD, code="CU102")
    again = msgspec.structs.replace(LOAD, counted=5.0)
    assert records.counted_again(records.counted_again(before, (store,)), (again,)).counters == (again, store)


def _choice(**given: Any) -> main.Choice:
    plain = dict.fromkeys(("compile_only", "counters", "sanitizer"), False)
    rest = {"rules": (), "device": 0, "arch": None, "repeat": 50, "record": None, "driver": "", "jobs": 1}
    return main.Choice(**(plain | rest | {"output_format": "text", "output": None} | given))


def test_counters_go_into_the_record_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / records.file_name(_record())
    records.write(_record(_measured("CU101", 2.0)), path)
    told = counting.Comparison("the report\n", "{}", True, (LOAD,))
    monkeypatch.setattr(counting, "counted", lambda *_: told)
    assert main.main(_choice(counters=True, record=str(tmp_path))) == 0
    assert records.read(path) == _record(_measured("CU101", 2.0), counters=(LOAD,))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff\xfe", b'{"date": 3}', b"[]"])
def test_a_broken_record_is_told_before_anything_is_counted(
    broken: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / records.file_name(_record())
    path.write_bytes(broken)
    monkeypatch.setattr(counting, "counted", lambda *_: pytest.fail("counted in vain"))
    with pytest.raises(UsageError, match="is not a record of measurements"):
        main.main(_choice(counters=True, record=str(tmp_path)))
    assert path.read_bytes() == broken


def test_two_records_of_today_are_told(tmp_path: Path) -> None:
    for name in ("a", "b"):
        records.write(_record(), tmp_path / f"{name}_{records.today()}.json")
    with pytest.raises(UsageError, match=r"several records of today \(a_.*, b_"):
        records.of_today(tmp_path)


def test_a_record_that_cannot_be_written_costs_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / records.file_name(_record())
    records.write(_record(), path)
    before = path.read_bytes()
    monkeypatch.setattr(
        counting, "counted", lambda *_: counting.Comparison("the report\n", "{}", True, (LOAD,))
    )
    path.with_name(path.name + ".part").mkdir()  # where the new one would be written
    with pytest.raises(UsageError, match="cannot be written"):
        main.main(_choice(counters=True, record=str(tmp_path)))
    assert capsys.readouterr().out == "the report\n"
    assert path.read_bytes() == before


def test_times_are_told_where_their_record_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (pair,) = pairs.pairs(("CU101",))
    result = Result(pair, timing.read("CU101", json.dumps(TOLD)))
    monkeypatch.setattr(command, "validate", lambda *_: (result,))
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        main.main(_choice(record=str(tmp_path / "file")))
    assert "CU101 strided-global-access" in capsys.readouterr().out
    assert main.main(_choice(record=str(tmp_path / "new" / "folder"))) == 0
    assert records.of_today(tmp_path / "new" / "folder")[1].of("CU101") is not None
