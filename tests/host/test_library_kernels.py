"""Kernels that Thrust and CUB make of a program's functions: for which calls, and what they are handed."""

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.host.model import run
from cudalint.ir.unit import Unit
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.model import ModelOptions
from cudalint.simt.model import run as simulate

HEADERS = """
#include <cstdlib>
#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
struct Half { __host__ __device__ float operator()(float x) const { return x / 2; } };
struct OnHost { float operator()(float x) const { return x / 2; } };
struct Less { __host__ __device__ bool operator()(float a, float b) const { return a < b; } };
struct Even { __host__ __device__ bool operator()(int i) const { return i % 2 == 0; } };
struct Scaled { float *to; int step; __device__ void operator()(int i) const { to[i * step] = 1; } };
"""
VECTORS = "thrust::device_vector<float> a(4096), b(4096); thrust::host_vector<float> h(4096);\n"


def modelled(body: str) -> tuple[Unit, HostFacts]:
    unit = load("a.cu", LoadOptions(text=f"{HEADERS}int main() {{\n{VECTORS}{body}\nreturn 0;\n}}\n"))
    assert unit.problems == ()
    return unit, run(unit)


@pytest.mark.parametrize(
    "call",
    [
        "thrust::transform(a.begin(), a.end(), b.begin(), Half());",
        "thrust::transform(thrust::device, a.begin(), a.end(), b.begin(), Half());",
        "thrust::reduce(a.begin(), a.end(), 0.0f, thrust::maximum<float>());",
        "thrust::sort(a.begin(), a.end(), Less());",
        "thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(4096), b.begin(),"
        " Even());",
        "thrust::for_each(thrust::device, thrust::make_counting_iterator(0),"
        " thrust::make_counting_iterator(4096), Scaled{a.data().get(), 1});",
        "cub::DeviceTransform::Transform(a.data().get(), b.data().get(), 4096, Half());",
        "cub::DeviceFor::Bulk(4096, Scaled{a.data().get(), 1});",
    ],
)
def test_a_call_with_a_function_launches_a_kernel_over_its_range(call):
    unit, host = modelled(call)
    (launch,) = host.made
    assert (launch.grid, launch.block) == ((16, 1, 1), (256, 1, 1))
    assert host.launches == ()
    kernel = unit.functions[launch.key or ""]
    assert kernel.made
    assert kernel.key in unit.kernels
    assert kernel.extent == launch.span
    assert kernel.extent.path == unit.path


@pytest.mark.parametrize(
    "call",
    [
        "thrust::transform(h.begin(), h.end(), h.begin(), OnHost());",
        "thrust::transform(thrust::host, h.begin(), h.end(), h.begin(), OnHost());",
        "thrust::sort(a.begin(), a.end());",
        "thrust::reduce(a.begin(), a.end());",
    ],
)
def test_nothing_is_made_on_the_host_and_without_a_function(call):
    unit, host = modelled(call)
    assert host.made == ()
    assert unit.kernels == ()


def test_a_question_for_temporary_memory_launches_nothing():
    question = (
        "cub::DeviceReduce::Reduce(room, bytes, a.data().get(), b.data().get(), 4096, cub::Max(), 0.0f);"
    )
    unit, host = modelled(f"void *room = nullptr; size_t bytes = 0;\n{question}\n")
    assert len(unit.kernels) == 1
    assert host.made == ()
    assert simulate(unit, host, ModelOptions()) == ()


def test_the_walk_goes_on_as_if_nothing_was_made():
    _, without = modelled("thrust::sort(a.begin(), a.end());")
    _, host = modelled("thrust::sort(a.begin(), a.end(), Less());")
    assert [call.kind for call in host.calls] == [call.kind for call in without.calls]


def test_members_of_the_function_are_known_on_the_device():
    call = "cub::DeviceFor::Bulk(4096, Scaled{a.data().get(), 2});"
    unit, host = modelled(call)
    (kernel,) = simulate(unit, host, ModelOptions())
    assert kernel.name == "cub::DeviceFor::Bulk"
    (store,) = kernel.all_of(Access)
    assert (store.expression, store.transactions.per_request) == ("this->to[i * this->step]", 8)


def test_accesses_stand_on_the_arguments():
    unit, host = modelled("thrust::transform(a.begin(), a.end(), b.begin(), Half());")
    (kernel,) = simulate(unit, host, ModelOptions())
    text = f"{HEADERS}int main() {{\n{VECTORS}".count("\n") + 1
    columns = {access.operation: access.span.column for access in kernel.all_of(Access)}
    assert {access.span.line for access in kernel.all_of(Access)} == {text}
    assert columns == {"load": 19, "store": 39}
