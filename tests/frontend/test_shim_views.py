"""Multidimensional views, and headers of CCCL that only CCCL has to include."""

from pathlib import Path

from cudalint.frontend import LoadOptions, load
from tests.support.modelled import modelled

VIEW = """
#include <cuda/std/mdspan>
namespace v = cuda::std;
using right = v::mdspan<float, v::extents<int, v::dynamic_extent, 32>>;
using left = v::mdspan<const float, v::dextents<int, 2>, v::layout_left>;
__global__ void copy(right to, left from) {
    int i = threadIdx.x;
    to(blockIdx.x, i) = from(blockIdx.x, i);
}
void run(float *a, const float *b, int n) { copy<<<n, 32>>>(right(a, n), left(b, n, 32)); }
"""


def test_elements_of_views_are_accesses() -> None:
    unit, kernel = modelled(VIEW)
    assert unit.problems == ()
    load, store = (next(a for a in kernel.accesses if a.operation == one) for one in ("load", "store"))
    assert load.space == store.space == "global"
    assert store.transactions.per_request == 4


def test_private_headers_of_cccl_and_what_standard_headers_bring_along(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        "#include <cuda/std/__concepts/concept_macros.h>\n#include <cooperative_groups.h>\n"
        "_CCCL_TEMPLATE(class T)\n_CCCL_REQUIRES(sizeof(T) == 4)\n_CCCL_API T twice(T a) { return a + a; }\n"
        "constexpr bool less() { return std::make_tuple(1, 2) < std::make_tuple(1, 3); }\n"
        "static_assert(less() && __CUDA_ARCH_LIST__ > 0);\n"
        "__global__ void k(float *a) {\n"
        "    std::array<float, 2> own{1, 2};\n"
        "    if (cooperative_groups::details::bar_has_flipped(0u, 1u)) a[threadIdx.x] = twice(own[1]);\n"
        "}\n"
    )
    unit = load(str(file), LoadOptions())
    assert unit.problems == () and unit.errors == ()


def test_memory_resources_iterators_and_solvers(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text("""
#include <cublasLt.h>
#include <cuda/iterator>
#include <cuda/memory_resource>
#include <cusolverDn.h>
#include <memory>
#include <memory_resource>
#include <thrust/transform.h>
struct Host {
    explicit Host(std::pmr::memory_resource *r) : upstream(r, [](std::pmr::memory_resource *) {}) {}
    void *take(size_t n) { return upstream->allocate(n, 16); }
    std::shared_ptr<std::pmr::memory_resource> upstream;
};
static_assert(cuda::mr::synchronous_resource_with<Host, cuda::mr::host_accessible>);
struct Layout {
    Layout() = default;
    Layout(Layout &&) = default;
    operator cublasLtMatrixLayout_t() const { return held; }
    cublasLtMatrixLayout_t held;
};
cublasStatus_t set(Layout &layout, long &rows) {
    return cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof(rows));
}
template <class T> cusolverStatus_t CUSOLVERAPI sweeps(cusolverDnHandle_t h, syevjInfo_t i, T *n);
std::shared_ptr<void> owner(std::unique_ptr<void, void (*)(void *)> p) { return std::move(p); }
__global__ void k(int *a) { auto first = cuda::make_counting_iterator(3); a[threadIdx.x] = *(first + 2); }
""")
    unit = load(str(file), LoadOptions())
    assert (unit.problems, unit.errors) == ((), ())
