"""Headers of known libraries that are nowhere are stood in for; one that the project holds comes first."""

from pathlib import Path

import pytest

from cudalint.frontend import LoadOptions, load
from cudalint.ir.unit import Unit

TENSORS = """
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>
template <typename scalar_t>
__global__ void scale(
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> rows, scalar_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows.size(1)) out[i] = rows[blockIdx.y][i];
}
void run(at::Tensor rows, torch::Tensor out) {
    TORCH_CHECK(rows.is_cuda(), "rows");
    auto stream = at::cuda::getCurrentCUDAStream();
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(rows.scalar_type(), "scale", ([&] {
        scale<scalar_t><<<dim3(4, 4), 256, 0, stream>>>(
            rows.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), out.data_ptr<scalar_t>());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
    }));
}
"""
USES = {
    "fmt/format.h": 'std::string f(int n) { return fmt::format("{}", n); }',
    "spdlog/spdlog.h": 'void f(int n) { spdlog::info("{}", n); }',
    "glog/logging.h": 'void f(int n) { CHECK_GT(n, 0) << "n"; LOG(INFO) << n; }',
    "gtest/gtest.h": """struct F : ::testing::TestWithParam<int> {};
        testing::AssertionResult same(int a, int b) {
            if (a == b) return testing::AssertionSuccess();
            return testing::AssertionFailure() << a << " is not " << b;
        }
        TEST_P(F, g) {
            if (GetParam() > 3) GTEST_SKIP() << "too many";
            EXPECT_EQ(GetParam(), 1) << 2;
            EXPECT_TRUE(same(GetParam(), 2));
        }""",
    "nlohmann/json.hpp": 'int f(nlohmann::json j) { return j["a"].get<int>() + j.value("b", 2); }',
    "dmlc/parameter.h": """#include <dmlc/registry.h>
        struct Fit : dmlc::Parameter<Fit> {
            int rounds;
            DMLC_DECLARE_PARAMETER(Fit) {
                DMLC_DECLARE_FIELD(rounds).set_default(8).set_range(1, 64).describe("How many.");
            }
        };
        DMLC_REGISTER_PARAMETER(Fit);
        dmlc::omp_uint f(Fit &fit) {
            if (fit.rounds > 4) k<<<1, 4>>>(nullptr);
            return dmlc::omp_uint(fit.UpdateAllowUnknown(std::map<std::string, std::string>{}).size()); }""",
    "hip/hip_runtime.h": """#include <hipcub/hipcub.hpp>
        #ifndef WITH_HIP
        #error "a program that launches as HIP does is one of HIP"
        #endif
        hipError_t f(int *a, hipStream_t s) {
            hipLaunchKernelGGL(k, dim3(4), dim3(64), 0, s, a);
            hipFuncAttributes made;
            hipFuncGetAttributes(&made, (const void *)k);
            return hipMemcpyAsync(a, a + 4, 16, hipMemcpyDeviceToDevice, s); }""",
    "nonstd/span.hpp": """#include <boost/stacktrace.hpp>
        void f(nonstd::span<int> a) {
            if (a.size() > 4 && boost::stacktrace::stacktrace().size()) k<<<1, 4>>>(a.data()); }""",
    "Python.h": """#include <pybind11/pybind11.h>
        int f(pybind11::object o, PyObject *p) { return pybind11::len(o) + o.cast<int>(); }
        PYBIND11_MODULE(parts, m) { m.def("f", &f); }""",
    "vendor/Random123/philox.h": """__global__ void g(unsigned *a) {
            r123::Philox4x32::ctr_type at = {{threadIdx.x, 0, 0, 0}};
            r123::Philox4x32::key_type key = {{1, 2}};
            a[threadIdx.x] = r123::Philox4x32()(at, key)[0]; }""",
    "cutlass/array.h": """#include <cutlass/arch/memory.h>
        #include <cutlass/numeric_conversion.h>
        __global__ void g(cutlass::half_t *a, float *b) {
            cutlass::Array<cutlass::half_t, 8> part;
            cutlass::arch::global_load<decltype(part), 16>(part, a + 8 * threadIdx.x, true);
            part.at(1) = cutlass::half_t(float(part[0].get()) + 1.f);
            auto wide = cutlass::NumericArrayConverter<float, cutlass::half_t, 8>()(part);
            cutlass::Array<cutlass::uint4b_t, 8> small;
            small[3] = cutlass::uint4b_t(7u);
            static_assert(sizeof(part) == 16 && sizeof(wide) == 32 && sizeof(small) == 4, "");
            b[threadIdx.x] = wide[3] + int(small[3]);
        }""",
    "torch/csrc/stable/tensor.h": """#include <torch/headeronly/core/TensorAccessor.h>
        __global__ void g(torch::headeronly::HeaderOnlyGenericPackedTensorAccessor<long, 2> a) {
            a[threadIdx.x][0] = 1;
        }
        void f(const torch::stable::Tensor &a) {
            STD_TORCH_CHECK(a.dim() == 2, "two dimensions");
            g<<<1, 32>>>(torch::headeronly::HeaderOnlyGenericPackedTensorAccessor<long, 2>(
                a.mutable_data_ptr<long>(), a.sizes().data(), a.strides().data())); }""",
    "rmm/device_uvector.hpp": """void f(rmm::cuda_stream_view s) {
        rmm::device_uvector<int> v(4, s);
        k<<<1, 4, 0, s>>>(v.data()); }""",
    "rmm/mr/pool_memory_resource.hpp": """#include <rmm/device_scalar.hpp>
        struct Pool {
            rmm::mr::pool_memory_resource pool;
            cuda::mr::any_resource<cuda::mr::device_accessible> before;
            Pool(size_t n) : pool(rmm::mr::cuda_memory_resource{}, n),
                before(rmm::mr::set_current_device_resource(pool)) {}
        };
        void f(rmm::cuda_stream_view s, rmm::device_async_resource_ref r) {
            rmm::device_scalar<float> v(s, r);
            rmm::device_scalar<int> w(0, s);
            rmm::mr::limiting_resource_adaptor part(r, 1 << 20);
            if (part.get_allocated_bytes() < 8) k<<<1, 4, 0, v.stream()>>>((int *)v.data()); }""",
    "dmlc/io.h": """#include <dmlc/logging.h>
        struct Part : dmlc::Serializable {
            void Load(dmlc::Stream *s) override { CHECK(s->Read(&count)) << "count"; }
            void Save(dmlc::Stream *s) const override { s->Write(count); }
            int count;
        };
        namespace dmlc { template <> struct has_saveload<Part> { static constexpr bool value = true; }; }
        namespace dmlc { namespace serializer {
        template <> struct Handler<short> { static bool Read(Stream *s, short *n) { return s->Read(n); } };
        } }
        int *own(std::vector<int> &v) { return dmlc::BeginPtr(v) + *dmlc::ThreadLocalStore<int>::Get(); }""",
    "torch/torch.h": """at::Tensor order(const at::Tensor &a, const at::Tensor &b) {
            at::TensorArg first{a, "a", 1}, second{b, "b", 2};
            at::checkAllSameGPU("order", {first, second});
            TORCH_CHECK(a.size(0) == b.size(0), "sizes differ", a.size(0))
            if (a.is_pinned()) return a.to(at::kCPU);
            return a.index_select(0, std::get<1>(b.sort(true, 0, true))).view_as(a); }""",
    "ATen/cuda/detail/IndexUtils.cuh": """#include <ATen/cuda/detail/TensorInfo.cuh>
        __global__ void g(at::cuda::detail::TensorInfo<c10::Half, int> rows, __half *a, at::BFloat16 *b) {
            int at = at::cuda::detail::IndexToOffset<c10::Half, int, -1>::get(threadIdx.x, rows);
            c10::Half one = rows.data[at], two = __shfl_down_sync(~0u, one.operator __half(), 1);
            if (one < two && one > 0 && two != 1.5 && 2 >= one) atomicAdd(a, one);
            a[at] = two;
            b[at] = __shfl_xor_sync(~0u, b[at], 2) + b[1];
        }
        void f(at::Tensor a, at::Tensor b) { b.masked_fill_(b == 3, 0).div_(a.clamp(1)); }""",
    "rapids_logger/logger.hpp": """#include <orders/core/logger_macros.hpp>
        rapids_logger::logger &log() { static rapids_logger::logger one{"orders"}; return one; }
        void f(int n) { log().set_level(rapids_logger::level_enum::warn); ORDERS_LOG_WARN("%d", n); }""",
    "benchmark/benchmark.h": """void f(benchmark::State &s) {
            for (auto _ : s) k<<<1, 4>>>(nullptr);
            s.SetLabel("rows"); s.counters["rows"] = 4; }
        BENCHMARK(f)->Arg(8)->Unit(benchmark::kMillisecond);""",
    "opencv2/core/cuda/common.hpp": """using namespace cv::cuda;
        using namespace cv::cuda::device;
        __global__ void g(const PtrStepSz<uchar3> src, PtrStepf dst) {
            device::BrdRowReflect101<float> border(src.cols);
            int x = threadIdx.x;
            float3 c = device::saturate_cast<float3>(src(blockIdx.x, x)) * 0.5f;
            dst(blockIdx.x, border.idx_col(x - 1)) = c.x;
        }
        __global__ void h(PtrStepSzf src, float *out) {
            __shared__ float a[64], b[64];
            __shared__ int at[64];
            int *more = DynamicSharedMem<int>();
            float most = src(0, threadIdx.x), sum = most;
            int where = threadIdx.x;
            cv::cuda::device::reduce<64>(smem_tuple(a, b), thrust::tie(most, sum), threadIdx.x,
                thrust::make_tuple(maximum<float>(), cv::cuda::device::plus<float>()));
            reduceKeyVal<64>(a, most, at, where, threadIdx.x, cv::cuda::device::less<float>());
            Emulation::smem::atomicAdd(more, where);
            LinearFilter<BorderReader<PtrStepSzf, BrdReplicate<float>>> between(
                BorderReader<PtrStepSzf, BrdReplicate<float>>(src, BrdReplicate<float>(src.rows, src.cols)));
            if (WithOutMask()(0, where)) out[threadIdx.x] = between(0.5f, sum);
        }
        void f(const GpuMat &a, GpuMat &b, Stream &s) {
            g<<<device::divUp(a.rows, 1), 32, 0, StreamAccessor::getStream(s)>>>(a, b);
            cudaSafeCall(cudaGetLastError());
        }""",
    "glm/glm.hpp": """__global__ void g(glm::vec3 *v, glm::mat3 m) {
            glm::vec3 a = glm::transpose(m) * v[threadIdx.x];
            a += 2.0f * glm::normalize(a) - a / 3.0f;
            v[threadIdx.x] = glm::max(glm::mat3(1.0f) * m * a, 0.0f);
        }""",
    "Eigen/Dense": "__global__ void g(Eigen::Matrix3f *m) { m[threadIdx.x](1, 2) = m[threadIdx.x].sum(); }",
}


def read(folder: Path, text: str) -> Unit:
    file = folder / "a.cu"
    file.write_text(text)
    return load(str(file), LoadOptions())


def test_kernels_behind_a_dispatch_over_types_are_instantiated(tmp_path: Path) -> None:
    unit = read(tmp_path, TENSORS)
    assert (unit.problems, unit.errors) == ((), ())
    arguments = {f.template_arguments for f in unit.functions.values() if f.kernel}
    assert arguments == {("double",), ("float",), ("c10::Half",)}


@pytest.mark.parametrize("header", USES)
def test_what_host_code_and_kernels_use_of_a_library_parses(header: str, tmp_path: Path) -> None:
    unit = read(
        tmp_path,
        f"#include <{header}>\n__global__ void k(int *a) {{ a[threadIdx.x] = 1; }}\n{USES[header]}\n",
    )
    assert (unit.problems, unit.errors) == ((), ())
    assert {function.name for function in unit.functions.values() if function.kernel} >= {"k"}


def test_a_header_of_the_project_comes_first(tmp_path: Path) -> None:
    (tmp_path / "fmt").mkdir()
    (tmp_path / "fmt" / "format.h").write_text("namespace fmt { constexpr int own = 3; }\n")
    unit = read(
        tmp_path, "#include <fmt/format.h>\n__global__ void k(int *a) { a[threadIdx.x] = fmt::own; }\n"
    )
    assert (unit.problems, unit.errors) == ((), ())


def test_other_libraries_stay_missing(tmp_path: Path) -> None:
    unit = read(tmp_path, "#include <torchlight/extension.h>\n#include <torch.h>\n")
    assert [problem.header for problem in unit.problems] == ["torchlight/extension.h", "torch.h"]


def test_a_program_with_a_port_to_hip_is_one_of_cuda(tmp_path: Path) -> None:
    (tmp_path / "hip_port.h").write_text(
        "#define START(k, n, ...) hipLaunchKernelGGL(k, 1, n, 0, 0, __VA_ARGS__)\n"
    )
    (tmp_path / "cuda_port.h").write_text("#define START(k, n, ...) k<<<1, n>>>(__VA_ARGS__)\n")
    unit = read(
        tmp_path,
        '#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#include "hip_port.h"\n#error "other devices"\n'
        '#else\n#include "cuda_port.h"\n#endif\n'
        "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nvoid run(int *a) { START(k, 32, a); }\n",
    )
    assert (unit.problems, unit.errors) == ((), ())
