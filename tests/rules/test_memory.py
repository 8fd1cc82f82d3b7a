"""The classification of global accesses at its edges, on facts written by hand."""

import pytest
from msgspec.structs import replace

from cudalint.host.facts import Argument, Buffer, HostFacts, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import VOID, Pointer, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context
from cudalint.rule.standing import on_access
from cudalint.rules.memory import (
    array_of_structs_access,
    misaligned_global_access,
    short_block_row,
    strided_global_access,
    transposed_global_access,
)
from cudalint.simt.facts.accesses.access import (
    Access,
    Basis,
    Element,
    Lanes,
    Layout,
    Transactions,
    Trial,
    Weight,
)
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.query.pattern import Pattern, amount, classify, number, sites, strides
from cudalint.source.span import NOWHERE, Span
from tests.support.asked import asked

MODULES = (
    strided_global_access,
    misaligned_global_access,
    transposed_global_access,
    array_of_structs_access,
)
BLOCK = Configuration((256, 1, 1), (64, 1, 1), 0, "default", "launch", None)
NARROW = replace(BLOCK, block=(4, 64, 1))
GUESS = replace(NARROW, origin="usual shape")
FLOAT = Scalar("float", "float", 4)
PARAMETER = e.Variable(1, "in", Pointer(FLOAT), "parameter", NOWHERE)
PLACES = tuple(Span("a.cu", line, 5, line, 12) for line in (10, 11))
BODY = s.Block(
    tuple(
        s.Evaluate(
            e.Index(
                e.VariableReference(PARAMETER, PARAMETER.type, NOWHERE),
                e.Literal(0, VOID, NOWHERE),
                FLOAT,
                place,
            ),
            place,
        )
        for place in PLACES
    ),
    NOWHERE,
)

FUNCTION = Function("k", "k", "k", (PARAMETER,), BODY, VOID, NOWHERE, NOWHERE, kernel=True)
GIVEN = e.VariableReference(PARAMETER, PARAMETER.type, NOWHERE)
LAUNCH = LaunchFact(
    "k", "k", NOWHERE, BLOCK.grid, BLOCK.block, 0, "default",
    (Argument(buffer=Buffer(1, "device", 4096, "in", None), offset=0),),
    e.Launch("k", "k", GIVEN, GIVEN, None, None, (GIVEN,), VOID, NOWHERE), "run",
)  # fmt: skip
CONTEXT = Context(Unit("a.cu", "sm_90", {}, {}, {}, ("k",), (), ()), (), HostFacts((LAUNCH,), (), ()), 90)


def exact(sectors: float, ideal: float) -> Transactions:
    return Transactions(sectors, ideal, "exact", sectors, sectors)


def bounded(low: float, high: float, ideal: float) -> Transactions:
    return Transactions((low + high) / 2, ideal, "bounded", low, high)


NO_LAYOUT = Layout()


def load(sectors: Transactions, layout: Layout = NO_LAYOUT, **facts: object) -> Access:
    """A load of 4 bytes at line 10 with these facts."""
    base = Access(
        Span("a.cu", 10, 5, 10, 12), "in[i]", "global", "load", 4, sectors, "k", buffer="in",
        configuration=BLOCK, layout=layout, element=Element(4), weight=Weight(8, share=1.0),
    )  # fmt: skip
    return replace(base, **facts)  # type: ignore[arg-type]


def kernel(*accesses: Access) -> KernelFacts:
    return KernelFacts("k", FUNCTION, (BLOCK,), {Access: accesses, Workload: ()})


def findings(*accesses: Access) -> list[Finding]:
    one = kernel(*accesses)
    found = [f for module in MODULES for f in asked(module, one, CONTEXT)]
    return [*found, *asked(short_block_row, CONTEXT.unit, replace(CONTEXT, kernels=(one,)))]


@pytest.mark.parametrize(
    ("access", "pattern"),
    [
        (load(exact(4, 4), Layout(4, offset=0)), Pattern.IDEAL),
        (load(exact(8, 4), Layout(8)), Pattern.STRIDED),
        (load(exact(8, 4), Layout(-8)), Pattern.STRIDED),
        (load(exact(32, 4), Layout(32)), Pattern.STRIDED),
        (load(exact(4, 4), Layout(-4, offset=0)), Pattern.IDEAL),
        # a gather has no stride
        (load(exact(20, 4)), Pattern.UNKNOWN),
        (load(exact(20, 4), basis=Basis(data_dependent=True)), Pattern.UNKNOWN),
        (load(exact(4, 1), lanes=Lanes(worst=(0, 4, 256, 260, 512, 768))), Pattern.SCATTERED),
        (load(exact(5, 4), lanes=Lanes(worst=tuple(range(4, 132, 4)))), Pattern.UNKNOWN),
        # lanes that are apart in every request, whichever of them data leaves
        (load(exact(8, 4), Layout(8), basis=Basis(data_dependent=True)), Pattern.STRIDED),
        # strides that double each iteration, and a pitch known only at run time
        (load(exact(12, 3), Layout(lane_strides=(8, 16, 32))), Pattern.STRIDED),
        (load(bounded(16, 32, 4), Layout(lane_strides=(16, 32))), Pattern.STRIDED),
        (load(bounded(4, 32, 4), Layout(lane_strides=(4, 32))), Pattern.IDEAL),
        # one address, one lane
        (load(exact(1, 0.125), Layout(0, uniform=True)), Pattern.IDEAL),
        (load(exact(2, 0.25), Layout(0, row_breaks=(16, 4096))), Pattern.IDEAL),
        (load(exact(2, 1), lanes=Lanes(active=1.0)), Pattern.IDEAL),
        # the rim of a tile, and code that no run came to
        (load(exact(6, 1), Layout(4096), lanes=Lanes(active=6.0)), Pattern.STRIDED),
        (load(exact(8, 4), Layout(8), basis=Basis(assumed=("an untaken branch is taken",))), Pattern.STRIDED),
        # unit stride off a sector
        (load(exact(5, 4), Layout(4, offset=12)), Pattern.MISALIGNED),
        (load(exact(5, 4), Layout(4)), Pattern.UNKNOWN),
        (load(exact(7, 4), Layout(4, offset=12)), Pattern.UNKNOWN),
        (load(bounded(4.5, 5, 4), Layout(4, offset=12)), Pattern.UNKNOWN),
        (load(bounded(5, 5, 4), Layout(4, offset=12)), Pattern.MISALIGNED),
        (load(bounded(4, 5, 4), Layout(4)), Pattern.IDEAL),
        # a row pitch: something slower walks along the row
        (load(exact(32, 4), Layout(4096, row_stride=4)), Pattern.TRANSPOSED),
        (load(exact(32, 4), Layout(4096, step_stride=4)), Pattern.TRANSPOSED),
        (load(exact(32, 4), Layout(4096, step_stride=-4)), Pattern.TRANSPOSED),
        (load(exact(32, 4), Layout(4096, grid_strides=(131072, None, 4))), Pattern.TRANSPOSED),
        (load(exact(32, 4), Layout(4096, grid_strides=(131072, None, 0))), Pattern.STRIDED),
        (load(exact(32, 4), Layout(4096)), Pattern.STRIDED),
        (load(exact(16, 4), Layout(16, step_stride=4)), Pattern.STRIDED),
        (load(bounded(31, 32, 4), Layout(lane_strides=(16384, 16516), row_stride=4)), Pattern.TRANSPOSED),
        # records
        (load(exact(12, 4), Layout(12), element=Element(4, ("float3", 12))), Pattern.RECORDS),
        (load(exact(24, 4), Layout(24), element=Element(4, ("float3", 12))), Pattern.STRIDED),
        (load(exact(18, 16), Layout(16), element=Element(4, ("Q", 16)), bytes=16), Pattern.UNKNOWN),
        # rows shorter than a warp
        (load(exact(8, 4), Layout(4, row_breaks=(4, 4096)), configuration=NARROW), Pattern.SHORT_ROWS),
        (load(exact(8, 4), Layout(4, row_breaks=(4, 4096)), configuration=GUESS), Pattern.UNKNOWN),
        (load(exact(32, 4), Layout(row_breaks=(1, 512)), configuration=NARROW), Pattern.SHORT_ROWS),
        (load(exact(4, 4), Layout(4, row_breaks=(16, 4096)), configuration=NARROW), Pattern.IDEAL),
        # whole sectors, each in a cache line of its own
        (load(exact(4, 4), Layout(4, row_breaks=(8, 4096)), configuration=NARROW), Pattern.SHORT_ROWS),
        (load(bounded(4, 8, 4), Layout(4, row_breaks=(8, 4100)), configuration=NARROW), Pattern.SHORT_ROWS),
        (load(exact(4, 4), Layout(4, row_breaks=(8, 64)), configuration=NARROW), Pattern.IDEAL),
        # whole sectors a row, but rows of an odd width: not this rule's cause
        (load(exact(6, 4), Layout(4, row_breaks=(16, 4100)), configuration=NARROW), Pattern.UNKNOWN),
        # no number
        (load(Transactions(None, None, "unknown", None, None), Layout(8)), Pattern.UNKNOWN),
        (load(exact(32, 1), Layout(128), space="shared"), Pattern.UNKNOWN),
    ],
)  # fmt: skip
def test_classify(access: Access, pattern: Pattern) -> None:
    assert classify(access) is pattern


@pytest.mark.parametrize(
    ("access", "code"),
    [
        (load(exact(8, 4), Layout(8)), "CU101"),
        (load(exact(5, 4), Layout(4, offset=12)), "CU102"),
        (load(exact(32, 4), Layout(4096, row_stride=4)), "CU103"),
        (load(exact(12, 4), Layout(12), element=Element(4, ("float3", 12))), "CU104"),
        (load(exact(8, 4), Layout(4, row_breaks=(4, 4096)), configuration=NARROW), "CU105"),
    ],
)
def test_one_cause_one_finding(access: Access, code: str) -> None:
    (finding,) = findings(access)
    assert finding.code == code
    assert finding.evidence["transactions"] == access.transactions.per_request
    assert finding.evidence["ideal"] == 4
    assert "block" in finding.notes[-1]


def test_load_and_store_of_one_place_are_one_finding() -> None:
    access = load(exact(8, 4), Layout(8))
    (finding,) = findings(access, replace(access, operation="store"))
    assert "load and store" in finding.message


def test_lines_of_one_array_are_one_finding() -> None:
    access = load(exact(8, 4), Layout(8, offsets=(0,)))
    second = replace(
        access,
        span=Span("a.cu", 12, 5, 12, 12),
        expression="in[i + 1]",
        layout=Layout(8, offsets=(4,)),
    )
    (finding,) = findings(access, second)
    assert finding.span.line == 10
    assert [related.span.line for related in finding.related] == [12]
    assert "vector type" in finding.help
    (finding,) = findings(access, replace(second, layout=Layout(8, offsets=(4, 8))))
    assert "vector type" not in finding.help
    twin = replace(access, buffer="other", span=Span("a.cu", 9, 1, 9, 2))
    assert [finding.span.line for finding in findings(access, twin)] == [9]


def test_a_column_is_told() -> None:
    column = load(exact(32, 4), Layout(4096))
    for reported in (Layout(4096), Layout(4096, walks=True), Layout(72)):
        assert [finding.code for finding in findings(replace(column, layout=reported))] == ["CU101"]


def test_one_walk_along_rows_is_one_cause() -> None:
    walk = load(exact(32, 4), Layout(4096, step_stride=4))
    first = load(exact(32, 4), Layout(4096), span=Span("a.cu", 9, 5, 9, 12))
    (finding,) = findings(first, walk)
    assert finding.code == "CU103"
    both = findings(replace(first, buffer="other"), walk)
    assert sorted(finding.code for finding in both) == ["CU101", "CU103"]


def test_invented_numbers_are_not_told() -> None:
    assert findings(load(exact(32, 4), Layout(lane_strides=(17920, 18048), walks=True))) == []
    assert findings(load(bounded(16, 32, 4), Layout(lane_strides=(16, 32)))) == []
    (finding,) = findings(load(exact(12, 3), Layout(lane_strides=(8, 16, 32))))
    assert "lane strides 8 to 32 bytes" in finding.message


def test_short_rows_are_one_finding_a_kernel() -> None:
    access = load(exact(8, 4), Layout(4, row_breaks=(4, 4096)), configuration=NARROW)
    other = replace(access, buffer="out", operation="store", span=Span("a.cu", 12, 5, 12, 12))
    (finding,) = findings(access, other)
    assert [related.span.line for related in finding.related] == [12]


def test_a_struct_copied_whole_wants_alignment() -> None:
    copy = load(exact(4, 1), Layout(4), element=Element(4, ("quad", 4), whole=True, alignment=1), bytes=1)
    (finding,) = findings(copy)
    assert "__align__(4)" in finding.help


def test_a_guessed_shape_lowers_the_confidence() -> None:
    access = load(exact(8, 4), Layout(8))
    guess = replace(BLOCK, origin="usual shape")
    assert findings(access)[0].confidence is Confidence.HIGH
    assert findings(replace(access, configuration=guess))[0].confidence is Confidence.MEDIUM


def test_structs_of_libraries_and_their_fields() -> None:
    state = load(exact(32, 8), Layout(48), element=Element(4, ("curandStateXORWOW", 48)), bytes=8)
    assert findings(state) == []
    part = load(exact(8, 4), Layout(8), element=Element(4, ("float2", 8), alignment=8), expression="p[i].x")
    rest = replace(part, expression="p[i].y", basis=Basis(data_dependent=True))
    assert findings(part, rest) == []
    bytes_ = [
        load(
            exact(4, 1),
            layout=Layout(4),
            element=Element(4, ("uchar4", 4), alignment=4),
            bytes=1,
            expression=f"p[i].{name}",
        )
        for name in "xyz"
    ]
    (finding,) = findings(*bytes_)
    assert "the whole `uchar4`" in finding.help


def test_two_buffers_with_one_stride_are_one_finding() -> None:
    access = load(exact(8, 4), Layout(8))
    assert len(findings(access, replace(access, buffer="out", operation="store"))) == 1
    store = replace(access, buffer="out", operation="store", layout=Layout(12))
    assert len(findings(access, store)) == 2


def test_stencil_reads_are_not_called_misaligned() -> None:
    left = load(exact(5, 4), Layout(4, offset=28), span=Span("a.cu", 10, 5, 10, 12))
    right = load(exact(5, 4), Layout(4, offset=4), span=Span("a.cu", 11, 5, 11, 12))
    left, right = replace(left, expression="in[i - 1]"), replace(right, expression="in[i + 1]")
    assert findings(left, right) == []
    assert [f.code for f in findings(left)] == ["CU102"]
    store = replace(right, operation="store")
    assert [f.span.line for f in findings(right, store)] == [11]


def test_what_is_rarely_accessed_is_called_misaligned_too() -> None:
    often = load(exact(4, 4), Layout(4, offset=0), weight=Weight(64, share=1.0), buffer="other")
    assert [f.code for f in findings(often, load(exact(5, 4), Layout(4, offset=12)))] == ["CU102"]


def test_vector_struct_used_whole_is_one_access_for_the_compiler() -> None:
    fields = [
        load(exact(8, 4), Layout(8), element=Element(4, ("edge", 8), alignment=8), expression=f"p[i].{name}")
        for name in "xy"
    ]
    assert findings(*fields) == []
    assert len(findings(fields[0])) == 1
    unaligned = Element(4, ("edge", 8), alignment=4)
    (finding,) = findings(*[replace(access, element=unaligned) for access in fields])
    assert finding.evidence["fields"] == 2
    assert "__align__(8)" in finding.help


def test_ranges_are_said() -> None:
    assert amount(bounded(12, 32, 4)) == "12 to 32"
    assert amount(exact(12.5, 4)) == "12.5"
    assert number(4.0) == 4
    (finding,) = findings(load(bounded(16, 32, 4), Layout(32)))
    assert "16 to 32 sectors" in finding.message
    assert (finding.evidence["lower"], finding.evidence["upper"]) == (16, 32)


def test_strides_are_positive_and_sorted() -> None:
    assert strides(load(exact(8, 4), Layout(lane_strides=(-16, 8, 16)))) == (8, 16)
    assert strides(load(exact(8, 4))) == ()


def test_sites_group_by_line_and_buffer() -> None:
    one = load(exact(8, 4), Layout(8))
    worse = replace(one, transactions=exact(16, 4), layout=Layout(16))
    (site,) = sites((one, worse), Pattern.STRIDED)
    assert site.worst is worse
    assert len(site.accesses) == 2


def test_the_shapes_are_those_that_the_numbers_are_of() -> None:
    counted = Transactions(4, 2, "bounded", 4, 16)
    given = Access(PLACES[0], "a[i]", "global", "load", 4, counted, "k", configuration=BLOCK)
    small, large = replace(BLOCK, block=(4, 4, 1)), replace(BLOCK, block=(16, 16, 1))
    trials = Trial(small, (4.0,), (2.0,)), Trial(large, (16.0,), (4.0,)), Trial(GUESS, (None,), (None,))
    assert on_access(replace(given, trials=trials)).notes == ("block 4x4x1 and 16x16x1 (launched)",)
    alike = replace(trials[0], per_request=(16.0,)), trials[1]
    assert on_access(replace(given, trials=alike)).notes == ("block 256x1x1 (launched)",)
