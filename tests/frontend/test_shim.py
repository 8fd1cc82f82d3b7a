"""The bundled headers: every one parses by itself, and a project's own header comes first."""

import os
import string
from pathlib import Path

import pytest

from cudalint.frontend import load, parse
from cudalint.frontend.flags import translate
from cudalint.ir.types import Record

SHIM = Path(parse.SHIM)
# Parts of another header, which includes them.
GROUPS = sorted(
    {str(p.parent.relative_to(SHIM)) for p in SHIM.rglob("*") if p.is_file() and p.parent.name != "cudalint"}
)


def errors(text: str, tmp_path: Path) -> list[str]:
    """What clang says of a text; errors inside the shim count."""
    file = tmp_path / "a.cu"
    file.write_text(text)
    return [d.message for d in parse.parse(str(file), translate(["-arch=sm_90"], os.getcwd())).errors]


@pytest.mark.parametrize("folder", GROUPS)
def test_headers_of_a_folder_parse_together(folder: str, tmp_path: Path) -> None:
    names = sorted(p.name for p in (SHIM / folder).iterdir() if p.is_file())
    prefix = "" if folder == "." else folder.removeprefix("fallback/") + "/"
    text = "".join(f"#include <{prefix}{name}>\n" for name in names if name != "cudalint_prelude.h")
    assert errors(text, tmp_path) == []


KERNELS = {
    "half": """
#include <cuda_fp16.h>
__global__ void k(half *a, const half2 *b, __half *c) {
  int i = threadIdx.x;
  half2 v = __hfma2(b[i], __float2half2_rn(2.f), b[i + 1]);
  a[i] = __low2half(v) + __float2half(1.f) * c[i];
  if (__hgt(a[i], c[i])) a[i] += __high2half(v);
  atomicAdd(a + i, c[i]);
  a[i] = __shfl_down_sync(0xffffffff, a[i], 1);
}
""",
    "bfloat16": """
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16 *a, __nv_bfloat162 *b) {
  int i = threadIdx.x;
  b[i] = __floats2bfloat162_rn(1.f, __bfloat162float(a[i]));
  a[i] = __hadd(a[i], __float2bfloat16(float(i)));
}
""",
    "groups": """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int *o) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int v = cg::reduce(tile, o[block.thread_rank()], cg::plus<int>());
  v += tile.shfl_down(v, 4);
  cg::coalesced_group active = cg::coalesced_threads();
  cg::grid_group grid = cg::this_grid();
  if (tile.thread_rank() == 0 && active.size() > 1) o[tile.meta_group_rank()] = v;
  grid.sync();
}
""",
    "cub": """
#include <cub/cub.cuh>
template <int B> __global__ void k(const float *a, float *o) {
  using Reduce = cub::BlockReduce<float, B>;
  using Scan = cub::BlockScan<int, B, cub::BLOCK_SCAN_WARP_SCANS>;
  using Load = cub::BlockLoad<float, B, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  __shared__ union { typename Reduce::TempStorage reduce; typename Scan::TempStorage scan; typename
  Load::TempStorage load; } t; float items[4];
  Load(t.load).Load(a, items, 100, 0.f);
  __syncthreads();
  float sum = Reduce(t.reduce).Sum(items);
  float most = Reduce(t.reduce).Reduce(items[0], cub::Max());
  int place, total;
  Scan(t.scan).ExclusiveSum(int(threadIdx.x), place, total);
  if (threadIdx.x == 0) o[blockIdx.x] = sum + most + place + total;
}
void f(float *a) { k<128><<<1, 128>>>(a, a); }
""",
    "thrust": """
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/transform_reduce.h>
#include <thrust/sort.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/iterator/counting_iterator.h>
struct Square { __host__ __device__ float operator()(float x) const { return x * x; } };
__global__ void k(float *a) { a[threadIdx.x] = 1; }
float f(cudaStream_t s) {
  thrust::host_vector<float> h(100);
  thrust::device_vector<float> d = h;
  k<<<1, 100>>>(thrust::raw_pointer_cast(d.data()));
  k<<<1, 100>>>(thrust::raw_pointer_cast(&d[0]));
  thrust::sort(thrust::cuda::par.on(s), d.begin(), d.end(), thrust::greater<float>());
  auto end = thrust::copy_if(d.begin(), d.end(), d.begin(), [] __device__(float x) { return x > 0; });
  int count = end - d.begin();
  thrust::for_each(thrust::device, thrust::make_counting_iterator(0), thrust::make_counting_iterator(count),
  [] __device__(int) {}); float least = *thrust::min_element(d.begin(), d.end());
  return least + thrust::transform_reduce(d.begin(), d.end(), Square(), 0.f, thrust::plus<float>()) +
  thrust::reduce(d.begin(), d.end());
}
""",
    "matrix": """
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *a, const half *b, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int t = 0; t < fc.num_elements; t++) fc.x[t] *= 2;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
""",
    "asynchronous": """
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
__global__ void k(const float4 *a, float4 *o) {
  __shared__ float4 t[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&t[threadIdx.x], &a[threadIdx.x], cuda::aligned_size_t<16>(16), bar);
  bar.arrive_and_wait();
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&t[threadIdx.x], &a[threadIdx.x], sizeof(float4), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __pipeline_memcpy_async(&t[threadIdx.x], &a[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  asm volatile("cp.async.wait_all;" ::: "memory");
  o[threadIdx.x] = t[threadIdx.x];
}
""",
    "collectives": """
#include <cub/cub.cuh>
struct Prefix { int sum; __device__ int operator()(int all) { int old = sum; sum += all; return old; } };
__global__ void k(int *a, int n) {
  using Scan = cub::BlockScan<int, 64>; using Heads = cub::BlockDiscontinuity<int, 64>;
  using Exchange = cub::BlockExchange<int, 64, 4>; using Reduce = cub::WarpReduce<int>;
  __shared__ typename Scan::TempStorage s; __shared__ typename Heads::TempStorage d;
  __shared__ typename Exchange::TempStorage e; __shared__ typename Reduce::TempStorage r;
  int items[4], flags[4], all; Prefix prefix{0};
  cub::LoadDirectBlockedVectorized(threadIdx.x, a, items);
  Scan(s).ExclusiveScan(items, items, cub::Max(), all, prefix);
  Scan(s).InclusiveSum(items[0], items[0]);
  Heads(d).FlagHeadsAndTails(flags, flags, items, cub::Inequality());
  Exchange(e).ScatterToStripedGuarded(items, flags);
  if (Reduce(r).Sum(items[0]) > n) cub::StoreDirectWarpStriped(threadIdx.x, a, items, n);
  cub::TransformInputIterator<int, Prefix, int *> sums(a, prefix);
  a[0] = sums[3] + *(cub::CountingInputIterator<int>(2) + 1);
}
""",
    "atomics": """
#include <cuda/atomic>
#include <cuda/semaphore>
__global__ void k(int *a, float *f, cuda::atomic<int, cuda::thread_scope_device> *counter) {
  cuda::atomic_ref<int, cuda::thread_scope_block> r(a[threadIdx.x]);
  int old = r.fetch_max(2, cuda::memory_order_relaxed), expected = 0;
  if (r.compare_exchange_strong(expected, 1)) *counter = 3;
  (*counter)++;
  __nv_atomic_fetch_add(f, 1.f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_min(a, old, __NV_ATOMIC_RELAXED);
  __nv_atomic_compare_exchange_n(a, &expected, 3, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
}
""",
    "random": """
#include <curand_kernel.h>
__global__ void k(curandState *s, float *o) {
  curandState mine = s[threadIdx.x];
  curand_init(1234, threadIdx.x, 0, &mine);
  o[threadIdx.x] = curand_uniform(&mine) + curand_normal(&mine);
  s[threadIdx.x] = mine;
}
""",
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_that_use_a_library_are_whole(name: str, tmp_path: Path) -> None:
    assert errors(KERNELS[name], tmp_path) == []


def test_what_programs_ask_of_the_system_is_declared(tmp_path: Path) -> None:
    names = (
        "glob fnmatch ftw grp pwd netdb spawn syslog wordexp ifaddrs sys/epoll sys/statvfs sys/prctl regex"
    )
    text = "".join(f"#include <{name}.h>\n" for name in names.split()) + (
        "size_t files(const char *pattern) {\n"
        "    glob_t found; if (glob(pattern, GLOB_MARK | GLOB_TILDE, nullptr, &found)) return 0;\n"
        "    size_t n = 0; for (size_t i = 0; i < found.gl_pathc; ++i) n += found.gl_pathv[i][0] == 'a';\n"
        "    globfree(&found); return n; }\n"
        "bool host(const char *name, addrinfo *hints) {\n"
        "    addrinfo *list = nullptr; epoll_event event = {EPOLLIN | EPOLLET, {}}; event.data.fd = 3;\n"
        '    syslog(LOG_ERR, "%s", getpwuid(0)->pw_dir); regex_t r; regcomp(&r, name, REG_EXTENDED);\n'
        "    return getaddrinfo(name, nullptr, hints, &list) == 0 && list->ai_family == AF_INET; }\n"
        "static_assert(sizeof(glob_t) == 72 && sizeof(addrinfo) == 48 && sizeof(epoll_event) == 12);\n"
    )
    assert errors(text, tmp_path) == []


def test_sizes_of_the_types_that_memory_traffic_depends_on(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        "#include <cuda_fp8.h>\n#include <curand_kernel.h>\n"
        "__global__ void k(__half *a, __half2 *b, __nv_bfloat162 *c, __nv_fp8_e4m3 *d, __nv_fp8x4_e4m3 *e,"
        " curandState *f, curandStatePhilox4_32_10_t *g) {}\n"
    )
    unit = load(str(file))
    kernel = unit.functions[unit.kernels[0]]
    sizes = [p.type.pointee for p in kernel.parameters]  # type: ignore[union-attr]
    assert all(isinstance(kind, Record) for kind in sizes)
    assert [kind.bytes for kind in sizes] == [2, 4, 4, 1, 4, 48, 64]


def test_a_header_of_the_project_comes_before_a_stand_in(tmp_path: Path) -> None:
    (tmp_path / "GL").mkdir()
    (tmp_path / "GL" / "gl.h").write_text("typedef struct { int own; } GLuint;\n")
    assert errors('#include "GL/gl.h"\nint f(GLuint u) { return u.own; }\n', tmp_path) == []


def test_a_host_class_overrides_what_an_exception_says(tmp_path: Path) -> None:
    text = (
        "#include <stdexcept>\nstruct A : std::exception { const char *what() const noexcept override; };\n"
        "struct B : std::runtime_error { B(); ~B() override; const char *what() const noexcept override; };\n"
        "__host__ __device__ void f(int n) { if (n < 0) throw 1; }\n"
    )
    assert errors(text, tmp_path) == []


def test_no_macro_of_one_letter_reaches_into_a_header(tmp_path: Path) -> None:
    names = [letter + digit for letter in string.ascii_uppercase for digit in ("", *string.digits)]
    names += ["SIZE", "BLOCK", "TILE", "TYPE", "REAL", "MIN", "MAX", "ROWS", "DIM", "KEY"]
    file = tmp_path / "a.cu"
    file.write_text(
        "#include <algorithm>\n#include <map>\n#include <iostream>\n#include <random>\n#include <memory>\n"
        "#include <thrust/device_vector.h>\n#include <thrust/complex.h>\n#include <cub/cub.cuh>\n"
        "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n#include <cuda/atomic>\n#include <mma.h>\n"
        "#include <curand_kernel.h>\n#include <cublas_v2.h>\n#include <cufft.h>\n"
    )
    flags = translate(["-arch=sm_90", *(f"-D{name}=1 +" for name in names)], os.getcwd())
    assert [d.message for d in parse.parse(str(file), flags).errors] == []


COMPLEX = """
#include <thrust/complex.h>
typedef thrust::complex<float> C;
__global__ void k(C *o, const C *a, float *f) {
  int i = threadIdx.x;
  o[i] = a[i] * a[i + 32] / C(1.f, 2.f) + 2.f * thrust::exp(a[i]) - thrust::conj(a[i]);
  f[i] = a[i].real() + thrust::abs(a[i]);
}
void run(C *o, C *a, float *f) { k<<<1, 32>>>(o, a, f); }
"""


def test_complex_numbers_are_read_and_written_as_pairs(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(COMPLEX)
    unit = load(str(file))
    assert unit.problems == ()
    kernel = unit.functions[unit.kernels[0]]
    pair = kernel.parameters[0].type.pointee  # type: ignore[union-attr]
    assert isinstance(pair, Record)
    assert (pair.bytes, pair.align) == (8, 8)
    bodies = {f.name for f in unit.functions.values() if f.body is not None}
    assert {"operator*", "operator/", "real", "conj", "exp"} <= {name.split("::")[-1] for name in bodies}


def test_an_aligned_shared_array_and_a_launch_from_a_kernel_are_whole(tmp_path: Path) -> None:
    text = (
        "__global__ void child(int *a) { a[threadIdx.x] = 1; }\n"
        "__global__ void k(int *a) { __shared__ alignas(16) int t[64]; t[threadIdx.x] = a[0];\n"
        "  extern __shared__ alignas(128) int rest[]; rest[threadIdx.x] = t[0];\n"
        "  if (threadIdx.x == 0) child<<<1, 32>>>(a); }\n"
    )
    assert errors(text, tmp_path) == []


HEADERS_THAT_COME_ALONG = {
    "map": "std::tuple<int, int> t = std::make_tuple(1, 2);",
    "chrono": "int most = std::numeric_limits<int>::max();",
    "iomanip": "std::stringstream s;",
    "iostream": "void f(int *a, int *b) { std::copy(a, a + 3, b); }",
    "cub/cub.cuh": "auto t = std::chrono::steady_clock::now(); half a; nv_bfloat16 b;",
    "cublas_v2.h": "__half a = __float2half(1.0f); __nv_bfloat16 b;",
    "cuda_runtime.h": "__device__ int f(char4 a, uchar4 b) { return __dp4a(a, a, 0) + __dp4a(b, b, 0u); }",
    "thrust/device_vector.h": "void f(thrust::device_vector<int> d) { thrust::sort(d.begin(), d.end()); }",
    "helper_cuda.h": "void f() { checkCudaErrors(cudaDeviceSynchronize()); }",
    "helper_math.h": "float3 f(float3 a) { return normalize(cross(a, a) * 2.0f + make_float3(1.0f)); }",
}


@pytest.mark.parametrize("header", HEADERS_THAT_COME_ALONG)
def test_what_a_header_brings_along(header: str, tmp_path: Path) -> None:
    assert errors(f"#include <{header}>\n{HEADERS_THAT_COME_ALONG[header]}\n", tmp_path) == []
