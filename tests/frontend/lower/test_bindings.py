"""Structured bindings in kernels: the object is loaded once, its parts keep their values."""

from pathlib import Path

from cudalint.frontend import load
from cudalint.host.facts import HostFacts
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.model import ModelOptions, run


def facts(tmp_path: Path, body: str) -> KernelFacts:
    file = tmp_path / "a.cu"
    file.write_text(
        "struct P { int a; float b; };\n"
        "__device__ P pair(int i) { P p; p.a = 2 * i; p.b = 1.f; return p; }\n"
        f"__global__ void k(float *o, P *p)\n{{\n{body}\n}}\n"
    )
    (kernel,) = run(load(str(file)), HostFacts((), (), ()), ModelOptions())
    return kernel


def test_a_part_of_a_returned_record_has_its_value(tmp_path: Path) -> None:
    kernel = facts(tmp_path, "  auto [at, value] = pair(threadIdx.x);\n  o[at] = value;")
    (store,) = kernel.accesses
    assert (store.operation, store.transactions.certainty) == ("store", "exact")
    assert store.transactions.per_request == 8.0


def test_the_initialiser_is_a_load(tmp_path: Path) -> None:
    kernel = facts(tmp_path, "  auto [at, value] = p[threadIdx.x];\n  o[threadIdx.x] = value;")
    assert [a.operation for a in kernel.accesses] == ["load", "store"]


def test_an_array_in_parts(tmp_path: Path) -> None:
    kernel = facts(tmp_path, "  int q[2] = {0, 4};\n  auto &[x, y] = q;\n  o[threadIdx.x * y + x] = 1;")
    (store,) = kernel.accesses
    assert store.transactions.per_request == 16.0


def test_a_block_group_synchronises_and_ranks(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        "#include <cooperative_groups.h>\n__global__ void k(float *o)\n{\n"
        "  auto block = cooperative_groups::this_thread_block();\n"
        "  o[2 * block.thread_rank()] = 1;\n  block.sync();\n}\n"
    )
    (kernel,) = run(load(str(file)), HostFacts((), (), ()), ModelOptions())
    assert [a.transactions.per_request for a in kernel.accesses] == [8.0]
    assert len(kernel.barriers) == 1


def test_a_tuple_in_parts(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        "#include <tuple>\n"
        "struct S { __device__ std::tuple<int, double, char> get(int n) { return {n, 1.0, 'c'}; } };\n"
        "__global__ void k(float *o)\n{\n"
        "  auto [at, value, letter] = S().get(2);\n"
        "  o[at * threadIdx.x] = value;\n"
        "  auto t = std::make_tuple(4, letter);\n"
        "  auto &[first, second] = t;\n"
        "  first = 8;\n"
        "  o[std::get<0>(t) * threadIdx.x] = value;\n}\n"
    )
    (kernel,) = run(load(str(file)), HostFacts((), (), ()), ModelOptions())
    assert [a.transactions.per_request for a in kernel.accesses] == [8.0, 32.0]
