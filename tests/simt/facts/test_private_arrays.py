"""Shared arrays that threads have to themselves, against a plain count of who uses each element."""

import pytest

from cudalint.simt.facts.private_arrays import PrivateArray
from tests.support.modelled import facts

INDICES = ("t", "63 - t", "t ^ 1", "t / 2", "(t + 1) % 64", "2 * t", "t & 31", "0")


def private(written: str, read: str) -> bool:
    """Whether each element is one thread's, and each thread has one at most."""
    users: dict[int, set[int]] = {}
    elements: dict[int, set[int]] = {}
    for index in (written, read):
        for t in range(64):
            element = eval(index.replace("/", "//"), {"t": t})
            users.setdefault(element, set()).add(t)
            elements.setdefault(t, set()).add(element)
    return all(len(some) == 1 for some in (*users.values(), *elements.values()))


@pytest.mark.parametrize("read", INDICES)
@pytest.mark.parametrize("written", INDICES)
def test_an_array_is_private_where_no_two_threads_meet(written: str, read: str) -> None:
    code = (
        "__global__ void k(float *out, const float *in) {\n"
        "    __shared__ float a[128];\n"
        "    int t = threadIdx.x;\n"
        f"    a[{written}] = in[t];\n    __syncthreads();\n    out[t] = a[{read}];\n}}\n"
    )
    (found,) = facts(code).of(PrivateArray) or (None,)
    assert (found is not None) == private(written, read)
    assert found is None or (found.name, found.threads, found.bytes) == ("a", 64, 512)


def test_an_access_without_an_address_may_be_anyones() -> None:
    code = (
        "__global__ void k(float *out, const float *in, const int *from) {\n"
        "    __shared__ float a[64];\n"
        "    a[threadIdx.x] = in[threadIdx.x];\n"
        "    out[threadIdx.x] = a[threadIdx.x] + a[from[threadIdx.x]];\n}\n"
    )
    assert facts(code).of(PrivateArray) == ()


def test_an_array_that_is_only_written_is_none() -> None:
    code = "__global__ void k() { __shared__ int a[64]; a[threadIdx.x] = 1; }\n"
    assert facts(code).of(PrivateArray) == ()
