"""What clang could not resolve never turns into a number."""

from pathlib import Path

from cudalint.frontend import load
from cudalint.host import model as host_model
from cudalint.host.facts import HostFacts
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.model import ModelOptions, run

NO_HOST = HostFacts((), (), ())


def facts(tmp_path: Path, source: str) -> KernelFacts:
    """The facts of the one kernel of a source, which is no text for a compiler at run time: it includes."""
    file = tmp_path / "a.cu"
    file.write_text(f"{source}#include <cuda_runtime.h>\n")
    (kernel,) = run(load(str(file)), NO_HOST, ModelOptions())
    return kernel


def exact_lines(kernel: KernelFacts) -> list[int]:
    return [access.span.line for access in kernel.accesses if access.transactions.certainty == "exact"]


def test_elements_of_an_unknown_parameter_type(tmp_path: Path) -> None:
    kernel = facts(
        tmp_path, "__global__ void k(strange *a, float *o)\n{\n  int i = threadIdx.x;\n  o[0] = a[i];\n}\n"
    )
    assert len(kernel.accesses) == 1
    assert any("unresolved" in reason for reason, _ in kernel.modelling.unknowns)


def test_elements_of_an_alias_of_an_unknown_type(tmp_path: Path) -> None:
    source = (
        "typedef strange alias;\n__global__ void k(alias *a, float *o)\n{\n  o[0]\n  = a[threadIdx.x];\n}\n"
    )
    kernel = facts(tmp_path, source)
    assert exact_lines(kernel) == [4]


def test_member_of_a_record_with_an_unknown_member(tmp_path: Path) -> None:
    source = "struct S { strange s; int k; };\n__global__ void k(S *a)\n{\n  a[threadIdx.x].k = 1;\n}\n"
    assert exact_lines(facts(tmp_path, source)) == []


def test_array_of_unknown_length(tmp_path: Path) -> None:
    source = "__global__ void k(float *o)\n{\n  __shared__ float t[NOWHERE];\n  t[threadIdx.x * 2] = 1;\n}\n"
    kernel = facts(tmp_path, source)
    assert kernel.modelled
    assert exact_lines(kernel) == []


def test_enumerator_of_an_unknown_value(tmp_path: Path) -> None:
    source = (
        "enum { A = NOWHERE, B };\n__global__ void k(float *o)\n"
        "{\n  o[threadIdx.x * A] = 1;\n  o[threadIdx.x * B] = 1;\n}\n"
    )
    assert exact_lines(facts(tmp_path, source)) == []


def test_statement_that_is_lost_is_told(tmp_path: Path) -> None:
    source = (
        "struct Missing;\n__global__ void k(float *o, Missing *p)\n{\n"
        "  o[threadIdx.x] = p[threadIdx.x].weight;\n  o[threadIdx.x] = 2;\n}\n"
    )
    kernel = facts(tmp_path, source)
    assert exact_lines(kernel) == [5]
    assert "statement that could not be parsed" in dict(kernel.modelling.unknowns)


def test_known_declarations_stay_exact_next_to_unknown_ones(tmp_path: Path) -> None:
    source = (
        "strange other;\ntypedef float real;\nstruct P { real x, y; };\n"
        "__global__ void k(real *o, P *p)\n{\n  o[threadIdx.x] = 1;\n  p[threadIdx.x].y = 1;\n}\n"
    )
    assert exact_lines(facts(tmp_path, source)) == [6, 7]


def test_statements_lost_with_a_template_record_are_told(tmp_path: Path) -> None:
    source = (
        "template <class T> struct P { strange s; T k; };\n"
        "__global__ void k(P<float> *a, float *o)\n{\n"
        "  a[threadIdx.x].k = 1;\n  o[threadIdx.x] = 2; /* a; */\n  if (o) {\n    ; // b;\n  }\n}\n"
    )
    kernel = facts(tmp_path, source)
    assert exact_lines(kernel) == [5]
    assert dict(kernel.modelling.unknowns)["statement that could not be parsed"] == 2  # once a shape


def test_no_statement_is_lost_where_only_text_stands(tmp_path: Path) -> None:
    source = (
        "strange other;\n#define NOTHING(x)\n#define TWICE(x) x; x\n"
        "__global__ void k(float *o)\n{\n  NOTHING(a;);\n#if 0\n  gone();\n#if 1\n#endif\n  too();\n#endif\n"
        "#ifdef GONE\n  gone();\n#else\n  o[2] = 1;\n#endif\n"
        "#ifndef GONE\n  o[1] = 1;\n#else\n  gone();\n#endif\n"
        "  TWICE(o[threadIdx.x] = 1);\n  typedef int local;\n  using other_type = float;\n"
        '  const char *text = "a; b;";\n  for (;;) { break; }\n  static_assert(true, "x;");\n'
        "  do { o[0] = ';'; } while (0);\n#pragma unroll\n  for (int i = 0; i < 2; ++i) o[i] = 3;\n}\n"
    )
    assert "statement that could not be parsed" not in dict(facts(tmp_path, source).modelling.unknowns)


def test_a_constant_of_a_missing_name_is_no_number(tmp_path: Path) -> None:
    source = (
        "__global__ void k(float *a) { a[threadIdx.x] = 1.0f; }\n"
        "template <class T> void run(T *a)\n"
        "{\n"
        "    constexpr int WIDTH = MISSING;\n"
        "    static const int HEIGHT = 2 * MISSING;\n"
        "    k<<<WIDTH, HEIGHT>>>(a);\n"
        "}\n"
        "void all(float *a) { run(a); }\n"
    )
    file = tmp_path / "a.cu"
    file.write_text(f"{source}#include <cuda_runtime.h>\n")
    unit = load(str(file))
    (launch,) = host_model.run(unit).launches
    assert (launch.grid[0], launch.block[0]) == (None, None)
