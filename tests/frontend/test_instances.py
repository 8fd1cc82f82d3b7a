"""Kernel templates that nothing instantiates get usual arguments, and every such choice is named."""

from pathlib import Path

import pytest

from cudalint.frontend import LoadOptions, load
from cudalint.host.model import run
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from tests.support.modelled import host


def kernels(unit: Unit) -> dict[str, Function]:
    return {unit.functions[key].name: unit.functions[key] for key in unit.kernels}


def loaded(tmp_path: Path, source: str) -> Unit:
    file = tmp_path / "a.cu"
    file.write_text(source)
    return load(str(file))


def test_usual_arguments_by_the_names_of_the_parameters(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <typename T, typename IndexT, int BLOCK_SIZE, bool CHECK>\n"
        "__global__ void k(T* out, IndexT n) { __shared__ T s[BLOCK_SIZE]; out[n] = s[0]; }\n",
    )
    kernel = kernels(unit)["k"]
    assert kernel.assumed == ("T = float", "IndexT = int", "BLOCK_SIZE = 256", "CHECK = false")
    assert not kernel.dependent
    assert kernel.parameters[0].type == t.Pointer(t.FLOAT)
    assert unit.kernels_in_source == ((unit.path, 2, "k"),)
    assert unit.problems == ()


def test_defaults_of_the_source_are_no_assumption(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path, "template <class T, int N = 7>\n__global__ void k(T* a) { a[threadIdx.x * N] = 0; }\n"
    )
    kernel = kernels(unit)["k"]
    assert kernel.assumed == ("T = float",)
    assert kernel.template_arguments == ("float", 7)


def test_an_instantiated_kernel_stands_as_it_is(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class T> __global__ void k(T* a) { a[threadIdx.x] = 0; }\n"
        "void run(double* a) { k<<<1, 32>>>(a); }\n",
    )
    assert [(f.assumed, f.template_arguments) for f in kernels(unit).values()] == [((), ("double",))]


def test_what_the_source_instantiates_is_no_assumption(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "namespace own { enum Mode { A, B };\n"
        "template <class T, int N> __global__ void k(T* a) { a[threadIdx.x * N] = 0; }\n"
        "// template __global__ void k<char, 1>(char*);\n"
        "template __global__ void k<double, 3>(double*);\ntemplate __global__ void k< float, 2 >(float *a);\n"
        "template <Mode M> __global__ void m(int* a) { a[M] = 0; }\ntemplate __global__ void m<B>(int*);\n"
        "template <int N> void call(int* a) { if (N < 2) k<int, 5><<<1, 1>>>(a); } }\n",
    )
    found = [(f.name, f.assumed, f.template_arguments) for f in map(unit.functions.__getitem__, unit.kernels)]
    assert found == [
        ("k", (), ("double", 3)),
        ("k", (), ("float", 2)),
        ("m", ("M = own::Mode(0)",), (0,)),  # named from outside, where B is not known
    ]
    assert unit.problems == ()


def test_launch_bounds_that_name_constants_of_classes(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "struct Base { enum { least = 2 }; };\n"
        "namespace own { struct Traits : Base { static constexpr int threads = 64; }; }\n"
        "__global__ void __launch_bounds__(own::Traits::threads * 3) a(int *x) { x[0] = 1; }\n"
        "template <class T> __global__ void __launch_bounds__(T::threads, T::least) b(int *x) { x[0] = 1; }\n"
        "__global__ void __launch_bounds__(own::Traits::other) c(int *x) { x[0] = 1; }\n"
        "constexpr int lanes() { return 32; }\n"
        "namespace own { constexpr int rows() { return Traits::threads / 16; } }\n"
        "constexpr int loop() { int n = 1; while (n < 100) n *= 2; return n; }\n"
        "__global__ void __launch_bounds__(own::rows() * lanes()) d(int *x) { x[0] = 1; }\n"
        "__global__ void __launch_bounds__(loop()) e(int *x) { x[0] = 1; }\n"
        "void run(int *x) { b<own::Traits><<<1, 64>>>(x); }\n",
    )
    assert {name: f.launch_bounds for name, f in kernels(unit).items()} == {
        "a": (192,),
        "b": (64, 2),
        "c": (),
        "d": (128,),
        "e": (128,),
    }


def test_a_choice_that_does_not_compile_gives_way(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class T> __global__ void k(T* a) { a[threadIdx.x] = T(1) % 2; }\n"
        "template <int N> __global__ void w(int* a) { static_assert(N == 32); a[0] = N; }\n",
    )
    assert {name: f.assumed for name, f in kernels(unit).items()} == {"k": ("T = int",), "w": ("N = 32",)}
    assert unit.problems == ()


def test_a_template_that_nothing_fits_stays_dependent_with_a_reason(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class T> __global__ void good(T* a) { *a = 0; }\n"
        "template <class V> __global__ void bad(V v) { typename V::kind::deeper a; v.strange(a); }\n",
    )
    found = kernels(unit)
    assert found["bad"].dependent and found["bad"].assumed == ()
    assert found["good"].assumed == ("T = float",)
    (problem,) = unit.problems
    assert "'bad'" in problem.reason and problem.span.line == 2
    assert problem.template == "unused"


def test_a_template_whose_launch_could_not_be_parsed_is_lost(tmp_path: Path) -> None:
    template = "template <int N> __global__ void %s(gone::T *a) { static_assert(N == 77); a[0] = N; }\n"
    source = '#include "gone.h"\n' + "".join(template % name for name in ("one", "two", "three", "four"))
    unit = loaded(
        tmp_path,
        f"{source}void run(gone::T *a) {{ one<77> << <1, 32>> > (a); auto k = two<77>; }}\n"
        "template __global__ void three<77>(gone::T *);\n// four<77><<<1, 1>>>(a);\n",
    )
    found = {problem.reason.split("'")[1]: problem.template for problem in unit.problems}
    assert found == {"gone.h": "", "one": "lost", "two": "lost", "three": "lost", "four": "unused"}


def test_a_template_that_an_instance_of_the_host_launches_is_read(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <int N> __global__ void k(int *a) { static_assert(N == 77); a[0] = N; }\n"
        "template <int N> void start(int *a) { k<N><<<1, 32>>>(a); }\n"
        "template void start<77>(int *);\n",
    )
    assert unit.problems == ()
    assert [unit.functions[key].template_arguments for key in unit.kernels] == [(77,)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("extern template void n::start<77>(int *);\nvoid run(int *a) { n::start<77>(a); }\n", []),
        ("", []),
        ("template void n::start<77>(int *);\n", []),
        ("void run(int *a) { n::start<77>(a); }\n", []),
        ("#define LAUNCH(width) n::k<width><<<1, 32>>>\n", ["lost"]),
        ('#include "gone.h"\nvoid run(gone::T a) { n::start<77>(a); }\n', ["", "lost"]),
    ],
)
def test_a_template_that_sleeping_templates_launch_is_no_problem(
    tmp_path: Path, text: str, found: list[str]
) -> None:
    unit = loaded(
        tmp_path,
        "namespace n { template <int N> __global__ void k(int *a) { static_assert(N == 77); a[0] = N; }\n"
        "template <int N> void start(int *a) { k<N><<<1, 32>>>(a); } }\n" + text,
    )
    assert [problem.template for problem in unit.problems] == found


def test_namespaces_classes_enumerations_and_function_objects(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "namespace { namespace q { enum M { A };\n"
        "template <M m, class Op, class T> __global__ void k(T* a, Op op) { *a = op(*a) + m; } } }\n"
        "template <class T> class S { static __global__ void inner(T* x) { x[threadIdx.x] = 1; } };\n",
    )
    found = kernels(unit)
    assert found["k"].assumed == ("m = q::M(0)", "Op = a function object without a body", "T = float")
    assert found["inner"].assumed == ("T = float",)


def test_text_that_is_not_on_disk(tmp_path: Path) -> None:
    text = "template <class T> __global__ void k(T* a) { *a = 0; }\n"
    unit = load(str(tmp_path / "unsaved.cu"), LoadOptions(text=text))
    assert kernels(unit)["k"].assumed == ("T = float",)
    assert unit.headers == ()


def test_a_header_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("#pragma once\ntemplate <class T> __global__ void k(T* a) { *a = 0; }\n")
    unit = loaded(tmp_path, '#include "k.cuh"\n')
    assert kernels(unit)["k"].assumed == ("T = float",)
    assert [Path(p).name for p, _, _ in unit.kernels_in_source] == ["k.cuh"]
    assert [Path(h).name for h in unit.headers] == ["k.cuh"]


def test_variable_templates_are_variables(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class T> __constant__ T mask[10];\n"
        "template <class T, int N> constexpr T less = T(8) - N;\n"
        "__global__ void k(float* o) { o[less<int, 6>] = mask<float>[threadIdx.x]; }\n",
    )
    assert {v.name: v.storage for v in unit.variables.values()}["mask"] == "constant"
    body = kernels(unit)["k"].body
    assert body is not None
    nodes = list(walk(body))
    assert not any(isinstance(node, e.Unknown) for node in nodes)
    assert any(isinstance(node, e.Literal) and node.value == 2 for node in nodes)


def test_parted_brackets_of_a_launch_are_read_beside_templates(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class T> __global__ void k(T *a) { a[threadIdx.x] = 0; }\n"
        "__global__ void plain(float *a) { a[threadIdx.x] = 0; }\n"
        "void run(float *a) { plain << <8, 64 >> > (a); }\n",
    )
    (run,) = (one for one in unit.functions.values() if one.name == "run")
    assert run.body is not None and any(isinstance(node, e.Launch) for node in walk(run.body))
    assert unit.problems == ()


def test_parted_brackets_of_a_launch_are_read_in_headers(tmp_path: Path) -> None:
    (tmp_path / "launches.h").write_text(
        "template <int W> __global__ void k(float *a) { a[threadIdx.x * W] = 0; }\n"
        "inline void run(float *a) { k<4> << <8, 64 >> > (a); }\n"
    )
    unit = loaded(tmp_path, '#include "launches.h"\nvoid twice(float *a) { run(a); run(a); }\n')
    assert [one.template_arguments for one in kernels(unit).values()] == [(4,)]
    assert unit.problems == ()


def test_what_a_header_inside_a_namespace_launches_is_read(tmp_path: Path) -> None:
    (tmp_path / "kernels.h").write_text(
        "template <int W> __global__ void k(float *a) { a[threadIdx.x * W] = 0; }\n"
    )
    (tmp_path / "launches.h").write_text(
        "__global__ void plain(float *a) { a[threadIdx.x] = 1; }\n"
        "void run(float *a) { k<4><<<8, 64>>>(a); plain<<<8, 64>>>(a); }\n"
    )
    unit = loaded(tmp_path, 'namespace one {\n#include "kernels.h"\n#include "launches.h"\n}\n')
    assert {one.name for one in kernels(unit).values()} == {"k", "plain"} and unit.problems == ()


def test_operands_of_assembly_need_no_comma(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "__global__ void k(unsigned *a) {\n"
        '    asm volatile("st.global.u32 [%1], %0;" ::"r"(threadIdx.x) "l"(a + threadIdx.x) : "memory");\n'
        "}\n",
    )
    assert kernels(unit)["k"].body is not None and unit.problems == ()


def test_instances_that_only_explicit_instantiations_make_are_read(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class F, class... P> void entry(F f, P... p);\n"
        "template <class T> __global__ void k(T *p) { p[threadIdx.x] = 0; }\n"
        "template <class T> void typed(T *p) { k<<<1, 64>>>(p); }\n"
        "template <class F, class... P> void entry(F f, P... p) { typed(p...); }\n"
        "template <class T> struct Box { void run(T *p) { k<<<1, 32>>>(p); } };\n"
        "template void entry<int, float *>(int, float *);\n"
        "template struct Box<double>;\n",
    )
    assert sorted(unit.functions[key].template_arguments for key in unit.kernels) == [("double",), ("float",)]
    assert not any(unit.functions[key].assumed for key in unit.kernels)


def test_a_template_that_host_code_alone_may_call_is_whole(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "struct Owner { Owner(const Owner &other); float *data() const; };\n"
        "template <class T> __global__ void k(T *p) { p[threadIdx.x] = 0; }\n"
        "template <class T> void entry(Owner owner, T *p) { Owner mine(owner); k<<<1, 64>>>(p); }\n"
        "template void entry<float>(Owner, float *);\n",
    )
    assert [unit.functions[key].template_arguments for key in unit.kernels] == [("float",)]
    assert unit.problems == ()


def test_shapes_in_braces_are_those_of_the_launch(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "__global__ void k(float *p) { p[threadIdx.x] = 0; }\n"
        "void a(float *p, int n, cudaStream_t s) { k<<<n, {8, 4, 1}, 0, s>>>(p); }\n"
        "void b(float *p) { k<<<{2, 3}, {8, 4}>>>(p); }\n",
    )
    assert unit.problems == ()
    assert [launch.block for launch in host(unit).launches] == [(8, 4, 1), (8, 4, 1)]


def test_a_class_gets_the_members_that_a_template_uses(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <typename Policy, typename T, typename MainOp>\n"
        "__global__ void rows(T *out, const T *in, int n, MainOp op) {\n"
        "  typename Policy::acc_t sum = 0;\n"
        "  for (int j = threadIdx.x; j < n; j += Policy::WarpSize) sum += op(in[j], j);\n"
        "  out[threadIdx.y * Policy::rows() + threadIdx.x] = Policy::finish(sum);\n"
        "}\n"
        "template <typename Idx, typename DType, typename Binary>\n"
        "__global__ void edges(const DType *u, DType *out, const Idx *row, Idx n) {\n"
        "  Idx i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n && Binary::use_left) out[i] = Binary::Call(u + row[i], u + i);\n"
        "}\n"
        "template <class Shape> __global__ void strange(Shape s) { s.next()->next(); }\n",
    )
    found = kernels(unit)
    shown = "a class with the members that the kernel uses"
    assert found["rows"].assumed == (f"Policy = {shown}", "T = float", f"MainOp = {shown}")
    assert found["edges"].assumed == ("Idx = int", "DType = float", f"Binary = {shown}")
    assert not found["rows"].dependent and not found["edges"].dependent and found["strange"].dependent
    assert [problem.template for problem in unit.problems] == ["unused"]
    steps = [n for n in walk(found["rows"].body) if isinstance(n, e.Literal) and n.value == 32]  # type: ignore[arg-type]
    assert steps


def test_a_pack_has_a_type_where_none_does_not_fit() -> None:
    code = """
constexpr unsigned most() { return 0; }
template <class F, class... R> constexpr unsigned most(F *, R *...) { return sizeof(F); }
template <class T, int B, class... V> __global__ void rows(T *out, const V *...all) {
    __shared__ __align__(most(static_cast<V *>(nullptr)...)) char tile[B * 4];
    tile[threadIdx.x] = 1;
    out[threadIdx.x] = tile[threadIdx.x] + (0 + ... + all[threadIdx.x]);
}
"""
    unit = load("a.cu", LoadOptions(text=code))
    assert unit.problems == ()
    (kernel,) = (function for function in unit.functions.values() if function.kernel)
    assert len(kernel.parameters) == 2 and not kernel.dependent


def test_a_host_template_that_launches_by_a_macro_of_a_header(tmp_path: Path) -> None:
    (tmp_path / "launch.h").write_text("#define START(kernel, n, ...) (kernel)<<<4, (n)>>>(__VA_ARGS__)\n")
    (tmp_path / "kernels.cuh").write_text("template <class T> __global__ void fill(T *a) { *a = 1; }\n")
    source = (
        '#include "kernels.cuh"\n#include "launch.h"\n'
        "template <class T> void run(T *a) { START(fill, 192, a); }\ntemplate void run<float>(float *);\n"
    )
    unit = loaded(tmp_path, source)
    assert [launch.block for launch in run(unit).launches] == [(192, 1, 1)]


def test_a_function_and_flags_are_chosen(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "enum class Way { rows, columns };\n"
        "template <class P, float (*F)(float, const P &), Way W> __global__ void k(float *a, P p)\n"
        "{ static_assert(W == Way::columns); a[threadIdx.x] = F(a[threadIdx.x], p); }\n",
    )
    assert kernels(unit)["k"].assumed == ("P = float", "F = a function without a body", "W = Way(1)")


def test_a_kernel_beside_functions_of_its_name(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "namespace far { namespace {\n"
        "template <class T, int N = 2> struct Row { T *at; };\n"
        "template <class T, int TPB> __global__ void fill(const Row<T> row, int n = 1) { row.at[n] = TPB; }\n"
        "template <class T, int TPB> __global__ void fill(T *out) { out[threadIdx.x] = TPB; }\n"
        "template <class T, int TPB> void fill(const Row<T> &row, int n, int blocks)\n"
        "{ fill<T, TPB><<<blocks, TPB>>>(row, n); }\n"
        "} }\n",
    )
    found = [unit.functions[key] for key in unit.kernels]
    assert [(kernel.name, kernel.assumed) for kernel in found] == [("fill", ("T = float", "TPB = 256"))] * 2
    assert [len(kernel.parameters) for kernel in found] == [2, 1]
    assert unit.problems == ()


def test_a_vector_beside_a_made_up_class(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "__device__ float2 pair(float x, float y, float2);\n"
        "template <class Source, class DstType>\n"
        "__global__ void merge(Source one, Source other, DstType *out)\n"
        "{ out[threadIdx.x] = pair(one(0.f, threadIdx.x), other(0.f, threadIdx.x), out[0]); }\n"
        "template <class Reductor> __global__ void add(int *out) { Reductor::template all<32>(out); }\n",
    )
    found = kernels(unit)
    shown = "a class with the members that the kernel uses"
    assert found["merge"].assumed == (f"Source = {shown}", "DstType = float2")
    assert found["add"].assumed == (f"Reductor = {shown}",)


def test_of_many_instances_those_have_bodies_that_differ_most(tmp_path: Path) -> None:
    launches = "\n".join(
        f"  k<{kind}, {size}><<<1, 32>>>(({kind} *)out);"
        for kind in ("float", "int")
        for size in range(1, 33)
    )
    unit = loaded(
        tmp_path,
        "template <class T, int N> __global__ void k(T *out) { out[threadIdx.x] = N; }\n"
        f"void run(void *out) {{\n{launches}\n}}\n",
    )
    assert len(unit.kernels) == 12
    assert sum(f.kernel for f in unit.functions.values()) == 64
    assert [unit.functions[key].template_arguments for key in unit.kernels[:2]] == [
        ("float", 1),
        ("float", 2),
    ]
    assert {unit.functions[key].template_arguments[0] for key in unit.kernels} == {"float", "int"}
    assert not unit.problems


def test_launch_bounds_of_a_template_that_nothing_instantiates(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "static constexpr int LANES = 32;\n"
        "template <class T, int W>\n"
        "__global__ void __launch_bounds__(W *LANES) product(T *x, Missing<T> y) {}\n"
        "template <class T> __global__ void __launch_bounds__(256, 2) plain(T *x, Missing<T> y) {}\n",
    )
    assert {name: f.launch_bounds for name, f in kernels(unit).items()} == {"product": (), "plain": (256, 2)}


def test_launches_that_nothing_instantiates_say_template_arguments(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class T, int W, int B, int S> __global__ void k(T *p) { p[threadIdx.x] = W + B + S; }\n"
        "template <class T> struct Grid {\n"
        "  void run(T *p, int w) {\n"
        "    const int threads = 192;\n"
        "    int slots = w;\n"
        "    if (w < 16) k<T, 16, threads, slots><<<1, threads>>>(p);\n"
        "    else k<T, (W > 2), threads, 7><<<1, threads>>>(p);\n"
        "  }\n"
        "};\n",
    )
    assumed = {unit.functions[key].template_arguments: unit.functions[key].assumed for key in unit.kernels}
    assert assumed == {
        ("float", 16, 192, 4): ("T = float", "S = 4"),
        ("float", 4, 192, 7): ("T = float", "W = 4"),
    }


def test_of_several_types_one_alone_may_be_a_pair_or_a_class(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <class To, class Ti> __global__ void packed(To *to, const Ti *from) {\n"
        "  to[threadIdx.x].x = from[2 * threadIdx.x]; to[threadIdx.x].y = from[2 * threadIdx.x + 1]; }\n"
        "template <class Out, class InType> __global__ void taken(Out *out, const InType *in) {\n"
        "  in[threadIdx.x].keep(out[threadIdx.x]); out[0] = out[1]; }\n"
        "template <class T> __global__ void four(T *a) { a[threadIdx.x].w = 0; }\n",
    )
    found = {name: kernel.template_arguments for name, kernel in kernels(unit).items()}
    assert (found["packed"], found["four"]) == (("float2", "float"), ("float4",))
    assert "InType = a class with the members that the kernel uses" in kernels(unit)["taken"].assumed
    assert unit.problems == ()
