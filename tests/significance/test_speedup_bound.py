"""What a fix can give at most: Amdahl's law on sectors, wavefronts and the operations of both arms."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cudalint.cuda import effects
from cudalint.cuda.spaces import Certainty, Space
from cudalint.ir.statements import Block, Opaque
from cudalint.ir.types import VOID
from cudalint.ir.unit import Function, Unit
from cudalint.significance import speedup_bound
from cudalint.simt.facts.accesses.access import Access, Transactions, Weight
from cudalint.simt.facts.kernel import KernelFacts, Modelling
from cudalint.simt.query.pattern import Site
from cudalint.source.span import NOWHERE


def _access(number: float, ideal: float, certainty: Certainty = "exact", space: Space = "global") -> Access:
    counted = Transactions(number, ideal, certainty, number, number)
    return Access(NOWHERE, "a[i]", space, "load", 4, counted, "k", weight=Weight(8))


def _site(access: Access) -> Site:
    return Site(access, (access,))


def _kernel(*accesses: Access, assembly: str = "", calls: str = "") -> tuple[KernelFacts, Unit]:
    """A kernel with these accesses, a piece of inline assembly and a call of what nobody sees into."""
    body = Block((Opaque("inline assembly", (), NOWHERE, assembly),) if assembly else (), NOWHERE)
    function = Function("k", "k", "k", (), body, VOID, NOWHERE, NOWHERE, kernel=True)
    unknowns = ((effects.unseen(calls), 1),) if calls else ()
    facts = KernelFacts("k", function, (), {Access: accesses}, Modelling(unknowns=unknowns))
    return facts, Unit("a.cu", "sm_90", {"k": function}, {}, {}, ("k",), (), ())


def test_sectors_of_the_others_bound_what_one_access_can_give():
    strided, other = _access(8, 4), _access(4, 4)
    found = speedup_bound.of_sectors(_site(strided), *_kernel(strided, other))
    assert found is not None
    assert (round(found.times, 2), round(found.part, 2)) == (1.5, 0.67)
    assert speedup_bound.facts(found) == {"up_to": 1.5}
    assert found.note == "fixing it makes the kernel up to 1.5x faster (67% of its sectors are moved here)"


@pytest.mark.parametrize(
    "rest",
    [
        _access(4, 4, "bounded"),  # of which nobody knows the number
        _access(200, 4),  # beside which 8 sectors do not matter
        Access(
            NOWHERE, "b[i]", "global", "load", 4, Transactions(4, 4, "exact", 4, 4), "k", weight=Weight(80)
        ),
    ],
)
def test_nothing_is_said_where_the_part_is_small_or_not_known(rest: Access):
    strided = _access(8, 4)
    assert speedup_bound.of_sectors(_site(strided), *_kernel(strided, rest)) is None
    assert speedup_bound.notes(None) == () and speedup_bound.facts(None) == {}


def test_shared_memory_has_its_own_account():
    conflict = _access(32, 1, space="shared")
    store = _access(1, 1, space="shared")
    found = speedup_bound.of_wavefronts(_site(conflict), *_kernel(conflict, store, _access(8, 4, "bounded")))
    assert found is not None and found.times == pytest.approx(33 / 2)


@pytest.mark.parametrize(
    ("assembly", "calls", "sectors", "wavefronts"),
    [
        ('asm volatile("bar.warp.sync -1;");', "", True, True),
        ('asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 ...");', "", True, True),
        ('asm("ld.param.u32 %0, [size];" : "=r"(n));', "", True, True),
        ('asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" ::);', "", True, False),
        ('asm("st.volatile.shared::cta.u32 [%0], %1;" :: "r"(a), "r"(b));', "", True, False),
        ('asm("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(a), "l"(b));', "", False, False),
        ('asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" ::);', "", False, True),
        ('asm("ld.f32 %0, [%1];" : "=f"(x) : "l"(p));', "", False, False),
        ("WHAT_A_MACRO_WRITES(p)", "", False, False),
        ("", "somewhere_else", False, False),
        ("", "load_matrix_sync", True, True),  # its access has a record
    ],
)
def test_nothing_is_said_beside_what_is_not_counted(
    assembly: str, calls: str, sectors: bool, wavefronts: bool
):
    strided, conflict = _access(8, 4), _access(32, 1, space="shared")
    known = _kernel(strided, conflict, assembly=assembly, calls=calls)
    assert (speedup_bound.of_sectors(_site(strided), *known) is not None) == sectors
    assert (speedup_bound.of_wavefronts(_site(conflict), *known) is not None) == wavefronts


@given(st.lists(st.tuples(st.integers(1, 32), st.integers(1, 32)), min_size=1, max_size=5))
def test_times_are_all_the_work_over_what_is_left(counts: list[tuple[int, int]]):
    accesses = tuple(_access(max(pair), min(pair)) for pair in counts)
    found = speedup_bound.of_sectors(_site(accesses[0]), *_kernel(*accesses))
    before = sum(max(pair) for pair in counts)
    after = before - abs(counts[0][0] - counts[0][1])
    assume(abs(before / after - 1.1) > 1e-9)
    assert (found is not None) == (before / after > 1.1)
    if found is not None:
        assert found.times == pytest.approx(before / after)
