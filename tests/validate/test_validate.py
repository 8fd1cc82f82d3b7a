"""What `cudalint validate` reads: machine code, times and counters, and the pairs it ships."""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cudalint.errors import UsageError
from cudalint.gpu.devices import device
from cudalint.gpu.throughput import throughput
from cudalint.rule import measured
from cudalint.validate import (
    compiling,
    counting,
    evidence,
    gpu,
    machine_code,
    pairs,
    prediction,
    profiling,
    report,
    timing,
)
from cudalint.validate.evidence import QUESTIONS, Evidence, NothingToAsk, Question
from cudalint.validate.machine_code import Code, Instruction
from cudalint.validate.profiling import Counted, Executed
from cudalint.validate.result import Result
from tests.support.timings import TOLD

SASS = """
.text._Z4slowPfPKf:
	//## File "/tmp/pair.cu", line 7
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/tmp/pair.cu", line 9 inlined at "/tmp/pair.cu", line 12
        /*0010*/              @!P0 LDG.E R2, desc[UR4][R2.64] ;
        /*0020*/                   DFMA R4, R2, R6, R8 ;
        /*0030*/                   STG.E desc[UR4][R2.64], R4 ;
.text._Z4fastPfPKf:
	//## File "/tmp/pair.cu", line 20
        /*0000*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
"""
HEAD = '"Line No","Source","Address","Source","Instructions Executed","Thread Instructions Executed",' + (
    '"Predicated-On Thread Instructions Executed","Address Space","Access Operation","L1 Wavefronts Shared",'
    '"L2 Theoretical Sectors Global"'
)
COUNTERS = f"""\
"File Path","/tmp/pair.cu"
"Function Name","void apart::slow<float, Box<int>>(float *, const float *)"
{HEAD}
"9","out[i] = tile[k];","-","-","40","1280","1280","Global(1),Shared(2)","Load(2),Store(1)","68","80"
"","","0x10","      LDS R9, [R4]","10","320","320","Shared","Load","32","0"
"","","0x20","      LDS R9, [R4+0x20]","10","320","320","Shared","Load","36","0"
"","","0x30","      STG.E [R2], R9","20","640","640","Global","Store","0","80"
"","","0x40"," @!P1 STG.E [R6], R9","20","640","160","Global","Store","0","20"
"","","0x50"," @P2  STG.E [R8], R9","20","640","0","Global","Store","0","0"
"","","...","...","-","-","-","-","-","-","-"
"","","0x10","      LDS R9, [R4]","10","320","320","Shared","Load","32","0"
"""


def test_machine_code_is_read_by_kernel_and_line() -> None:
    found = machine_code.codes(SASS)
    slow, fast = found["_Z4slowPfPKf"], found["_Z4fastPfPKf"]
    assert [(one.name, one.line) for one in slow.instructions] == [
        ("LDC", 7),
        ("LDG.E", 9),
        ("DFMA", 9),
        ("STG.E", 9),
    ]
    assert (fast.count(r"LDG\S*\.128"), slow.count(r"LDG\S*\.128")) == (1, 0)
    assert (slow.writes, fast.writes) == (True, False)


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_Z4slowPfPKf", "slow"),
        ("_Z14slow_and_smallPf", "slow_and_small"),
        ("_Z4slowIfEvPT_", "slow"),
        ("_ZL4slowPf", "slow"),
        ("_ZN2v24slowEPf", "slow"),
        ("_ZN12_GLOBAL__N_14slowEPf", "slow"),
        ("slow", "slow"),
    ],
)
def test_a_kernel_is_known_by_its_own_name(mangled: str, name: str) -> None:
    assert machine_code.plain_name(mangled) == name


@pytest.mark.parametrize(
    ("relation", "bad", "good", "holds"),
    [
        ("bad only", 3, 0, True),
        ("bad only", 3, 1, False),
        ("good only", 0, 2, True),
        ("good only", 1, 2, False),
        ("more in bad", 2, 1, True),
        ("more in bad", 1, 1, False),
        ("more in bad", 2, 0, False),
        ("more in good", 1, 2, True),
        ("more in good", 0, 2, False),
        ("both", 1, 1, True),
        ("both", 1, 0, False),
        ("neither", 0, 0, True),
        ("neither", 0, 1, False),
        ("equal", 4, 4, True),
        ("equal", 4, 5, False),
        ("equal", 0, 0, False),
        ("both", 0, 0, False),
        ("bad only", 0, 0, False),
        ("good only", 0, 0, False),
    ],
)
def test_evidence_holds_by_its_relation(relation: str, bad: int, good: int, holds: bool) -> None:
    one = msgspec.convert(
        {"arch": "sm_90", "what": "x", "relation": relation, "bad": bad, "good": good}, Evidence
    )
    assert one.holds is holds


def _code(name: str, *instructions: str) -> Code:
    return Code(f"_Z{len(name)}{name}Pf", tuple(Instruction(one, "", 0) for one in instructions))


EMPTY = _code("fast", "LDC", "EXIT")  # what is left of a kernel without a result


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.code)
def test_no_question_is_answered_by_a_kernel_that_is_not_there(question: Question) -> None:
    fine = (_code("slow", "STG.E", "EXIT"),)
    for bad, good, variant in (
        ((), fine, "bad"),
        (fine, (), "good"),
        (fine, (EMPTY,), "good"),
        ((), (), "bad"),
    ):
        with pytest.raises(NothingToAsk, match=f"of the {variant} variant"):
            evidence.answers(question.code, "sm_90", bad, good)
    told = evidence.answers(question.code, "sm_90", fine, fine)
    assert [one.holds for one in told] == [one.relation == "neither" for one in told]


def test_questions_are_those_of_the_architecture() -> None:
    assert evidence.questions("CU205", "sm_75") == ()
    assert len(evidence.questions("CU205", "sm_90a")) == 1


def test_a_launched_kernel_that_is_not_in_the_machine_code_is_named() -> None:
    (pair,) = pairs.pairs(("CU101",))
    seen = prediction.model(pair.path, "sm_90")
    names = {one.name for launches in seen.launches.values() for one in launches}
    every = {code.name: code for code in (_code(name, "STG.E") for name in names)}
    (bad,) = compiling.launched(every, seen, "bad")
    assert machine_code.plain_name(bad.name) == seen.launches["bad"][0].name
    with pytest.raises(NothingToAsk, match=f"`{seen.launches['bad'][0].name}` of the bad variant is not in"):
        compiling.launched({"_Z1kv": _code("k")}, seen, "bad")


def test_times_are_medians_with_the_half_of_their_quartiles() -> None:
    told = timing.read("CU101", json.dumps(TOLD))
    assert (told.bad.median_ms, told.good.median_ms, told.slowdown) == (3.0, 1.0, 3.0)
    assert told.bad.spread == pytest.approx((4.5 - 1.5) / 2 / 3)
    assert told.spread == pytest.approx(told.bad.spread)
    assert told.right
    wrong = timing.read("CU101", json.dumps(TOLD | {"error": {"bad": 1.0, "good": 0.0}}))
    assert not wrong.right


@pytest.mark.parametrize("text", ["", "Segmentation fault", "[]", "{}", '{"device": "x", "ms": 3}'])
def test_output_that_is_no_result_is_told(text: str) -> None:
    with pytest.raises(timing.RunError, match="unreadable"):
        timing.read("CU101", text)


class Driver:
    """A driver of two GPUs, of compute capability 8.6 and 10.0."""

    def cuDeviceGet(self, handle: Any, number: int) -> int:
        handle._obj.value = 70 + number
        return 0 if number < 2 else 101

    def cuDeviceGetAttribute(self, value: Any, which: int, handle: Any) -> int:
        value._obj.value = {(75, 70): 8, (76, 70): 6, (75, 71): 10, (76, 71): 0}[which, handle.value]
        return 0


def test_counters_are_compared_for_the_architecture_of_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "_driver", Driver)
    assert (gpu.architecture(0), gpu.architecture(1)) == ("sm_86", "sm_100")
    with pytest.raises(UsageError, match="--device 2: no such GPU"):
        gpu.architecture(2)


def test_a_source_page_of_other_columns_is_told() -> None:
    with pytest.raises(timing.RunError, match="no column 'L1 Wavefronts Shared'"):
        list(profiling.read(COUNTERS.replace("L1 Wavefronts Shared", "Wavefronts")))
    uncounted = COUNTERS.replace("Instructions Executed", "Samples")
    with pytest.raises(timing.RunError, match="not all of the columns Instructions Executed"):
        list(profiling.read(uncounted))
    assert len(list(profiling.read(COUNTERS + uncounted))) == 2  # one kernel could not be counted


def test_a_tool_that_cannot_be_run_or_says_nothing_is_told() -> None:
    with pytest.raises(timing.RunError, match="cannot be run"):
        timing.output(["/nowhere/ncu"], 10.0)
    with pytest.raises(timing.RunError, match="exit status 3"):
        timing.output([sys.executable, "-c", "raise SystemExit(3)"], 10.0)


def test_counters_are_kept_by_line_space_and_operation() -> None:
    found = {(c.line, c.space, c.operation): c for c in profiling.read(COUNTERS)}
    assert set(found) == {(9, "shared", "load"), (9, "global", "store")}
    assert found[9, "shared", "load"].whole.per_request == (3.4, 3.4)
    one, predicated = found[9, "global", "store"].instructions  # the third had no lane
    assert one.per_request == (4.0, 4.0)
    assert predicated.requests == (5.0, 20.0) and predicated.per_request == (1.0, 4.0)
    assert {(c.file, c.kernel) for c in found.values()} == {("/tmp/pair.cu", "slow")}


NCU = """#!/bin/sh
# Nsight Compute as it is where kernels fail: what runs under it ends with the first that does.
here=$(dirname "$0")
if [ "$1" = -i ]; then cat "$here/page"; exit; fi
while [ "$1" != -o ]; do shift; done
touch "$2"; rm -f "$here/pid"; shift 2
"$@" & echo $! > "$here/pid"
wait $! && exit
echo "==ERROR== LaunchFailed"
echo "==PROF== Report: here"
exit 9
"""


def test_a_kernel_that_fails_ends_ncu_and_what_was_not_begun_is_told(tmp_path: Path) -> None:
    ncu = tmp_path / "ncu"
    ncu.write_text(NCU)
    ncu.chmod(0o755)
    (tmp_path / "page").write_text(COUNTERS)
    fails = [
        "sh",
        "-c",
        f"until [ -s {tmp_path}/pid ]; do sleep 0.01; done; kill $(cat {tmp_path}/pid); sleep 1",
    ]
    every = profiling.profile(ncu, [["true"], ["false"], fails, ["true"]], tmp_path)
    assert (every.begun, every.ended, every.failed) == (3, {1: 1}, "==ERROR== LaunchFailed")
    assert every.lines == tuple(profiling.read(COUNTERS))
    after = profiling.profile(ncu, [["true"]], tmp_path)
    assert (after.begun, after.ended, after.failed) == (1, {}, "")
    (tmp_path / "page").write_text(COUNTERS.replace("Instructions Executed", "Samples"))
    assert profiling.profile(ncu, [fails], tmp_path).lines == ()
    with pytest.raises(timing.RunError, match="not all of the columns"):
        profiling.profile(ncu, [["true"]], tmp_path)
    ncu.write_text("#!/bin/sh\necho '==ERROR== no counters for this user'\nexit 1\n")
    with pytest.raises(timing.RunError, match="no counters for this user"):
        profiling.profile(ncu, [["true"]], tmp_path)


def _counted(*per_request: float) -> Counted:
    kinds = tuple(Executed((10.0, 10.0), 10.0 * number) for number in per_request)
    return Counted("a.cu", "k", 1, "global", "load", kinds)


@pytest.mark.parametrize(
    ("counted", "predicted", "each", "others", "right"),
    [
        (_counted(4.0), 4.03, (4.03,), (), True),
        (_counted(4.0), 4.1, (4.1,), (4.0,), False),
        (_counted(1.0, 4.0), 2.6, (1.0, 4.0), (), True),
        (_counted(1.0), 2.5, (1.0, 4.0), (), True),  # only one of the line's two was executed
        (_counted(2.0), 2.5, (1.0, 4.0), (2.0,), False),
        (_counted(8.0, 4.0), 8.0, (8.0,), (4.0,), True),  # one of another line was moved here
    ],
)
def test_a_line_is_right_as_a_whole_or_access_by_access(
    counted: Counted, predicted: float, each: tuple[float, ...], others: tuple[float, ...], right: bool
) -> None:
    subject = counting.Subject("CU101", "a.cu")
    assert counting.Line(subject, counted, predicted, each, others, "exact").right is right
    assert counting.Line(subject, counted, predicted, each, others, "bounded").right


def test_what_runs_is_counted_of_every_group_but_that_about_the_tool() -> None:
    every = counting.subjects(())
    groups = {subject.file.partition("/")[0] for subject in every}
    assert {"memory", "shared", "sync", "guides", "divergence"} <= groups and "run" not in groups
    assert {subject.code for subject in counting.subjects(("CU101",))} == {"CU101"}
    with pytest.raises(UsageError, match="no fixture that can be run"):
        counting.subjects(("CU002",))


def test_every_pair_is_of_a_rule_and_every_question_of_a_pair() -> None:
    codes = [pair.code for pair in pairs.pairs()]
    assert len(codes) == len(set(codes)) >= 45
    assert {question.code for question in QUESTIONS} <= set(codes)
    files = {path.parent for path in pairs.folder().glob("*/*/pair.cu")}
    assert {pair.path.parent for pair in pairs.pairs()} == files


def test_the_model_counts_what_a_pair_asks_for() -> None:
    """By hand: a float for each of 2^25 threads, from every second place or side by side."""
    (pair,) = pairs.pairs(("CU101",))
    told = prediction.demands(prediction.model(pair.path, "sm_90", prediction.PREDICTED))
    (bad,), (good,) = told["bad"], told["good"]
    threads = 1 << 25
    assert bad.blocks * bad.threads == good.blocks * good.threads == threads
    assert bad.requests == good.requests == 2 * threads / 32
    assert (bad.load_sectors, good.load_sectors) == (8 * threads / 32, 4 * threads / 32)
    assert bad.store_sectors == good.store_sectors == 4 * threads / 32
    assert (bad.different_bytes, good.different_bytes) == (12 * threads, 8 * threads)
    assert bad.wavefronts == bad.passes == bad.collisions == 0


def test_predictions_are_those_of_the_record() -> None:
    """The cost model has not moved since the record was made, for two pairs of different limits."""
    record = measured.shipped()[0]
    known = device(record.device.short)
    rates = throughput(known, record.device.clock_khz * 1e3)
    for code in ("CU103", "CU201", "CU401"):
        (pair,) = pairs.pairs((code,))
        told, one = prediction.predict(pair, f"sm_{record.device.capability}", rates), record.of(code)
        assert told is not None and one is not None and one.predicted is not None
        assert told.slowdown == pytest.approx(one.predicted, rel=0.01)


def test_what_is_exact_today_is_what_the_record_counted() -> None:
    counted = measured.with_counters(measured.shipped())
    assert counted is not None
    exact = [line for line in counting.today(counted) if line.certainty == "exact"]
    assert [line for line in exact if not line.agrees] == []
    assert len(exact) >= 99


def test_the_shipped_record_has_what_the_pages_quote() -> None:
    record = measured.shipped()[0]
    assert len(record.rules) >= 35
    memory = {pair.code for pair in pairs.pairs() if pair.group in ("memory", "shared")}
    memory -= {"CU118", "CU119"}  # waits for loads; the model of demand counts throughput alone
    both = [one for one in record.rules if one.predicted is not None]
    near = [one for one in both if one.predicted and 1 / 1.5 <= one.predicted / one.slowdown <= 1.5]
    assert sum(one.code in memory for one in near) / len(memory) >= 0.8
    assert {"CU401", "CU402", "CU403", "CU404", "CU601"} <= {one.code for one in near}
    for one in record.rules:
        assert one.slowdown == pytest.approx(one.bad_ms / one.good_ms, rel=0.02)
        assert f"{record.device.name} ({record.date}" in measured.sentence(one.code)
    assert measured.sentence("CU001") == ""


def test_tables_name_what_failed_and_what_was_skipped() -> None:
    first, second, third = pairs.pairs()[:3]
    told = timing.read(first.code, json.dumps(TOLD))
    guess = prediction.Prediction(2.0, 1.0, "L1", "L2")
    results = (
        Result(first, told, guess),
        Result(second, failure="no such kernel\nmore"),
        Result(third, skipped="host code"),
    )
    text = report.times(results)
    assert "3.00" in text and "2.00" in text and "0.67" in text
    assert "no such kernel" in text and "more" not in text.split("no such kernel")[1].splitlines()[0]
    assert "host code" in text
    document = json.loads(report.as_json(results, "0"))
    assert [entry["right"] for entry in document["rules"]] == [True, False, True]
    assert document["rules"][0]["limits"] == {"bad": "L1", "good": "L2"}
