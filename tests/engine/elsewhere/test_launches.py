"""Blocks that only the text of a project tells: in other files, in templates, through other functions."""

from pathlib import Path

import pytest

from cudalint.engine.analysis import Task, analyse
from cudalint.engine.elsewhere import tree
from cudalint.engine.elsewhere.launches import Elsewhere
from cudalint.settings.config import Settings

KERNEL = "__global__ void scale(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n"
Block = tuple[tuple[int | None, int | None, int | None], bool]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "Makefile").write_text("all:\n")
    return tmp_path


def blocks(project: Path, kernel: str = "scale", **files: str) -> list[Block]:
    """What the texts tell of a kernel in a.cu or, where there is one, a.cuh; `_` stands for the dot."""
    for name, text in files.items():
        (project / name.replace("_", ".")).write_text(text)
    own = project / ("a.cuh" if "a_cuh" in files else "a.cu")
    return [(one.block, one.most) for one in Elsewhere(str(own)).launches(kernel, str(own))]


def test_wrapper_that_another_file_hands_a_block(project: Path) -> None:
    found = blocks(
        project,
        a_h="#define ROW 16\nvoid launch_scale(dim3 grid, dim3 block, float *x, int n);\n",
        a_cu='#include "a.h"\n' + KERNEL + "void launch_scale(dim3 grid, dim3 block, float *x, int n)\n"
        "{\n    scale<<<grid, block>>>(x, n);\n}\n",
        b_cc='#include "a.h"\nvoid run(float *x, int n)\n{\n    dim3 block(ROW, ROW / 2);\n'
        "    dim3 grid(n / 16, 1);\n    launch_scale(grid, block, x, n);\n}\n",
    )
    assert found == [((16, 8, 1), False)]


def test_a_file_that_shares_no_header_says_nothing(project: Path) -> None:
    found = blocks(
        project,
        a_cu=KERNEL + "void launch_scale(dim3 grid, dim3 block, float *x, int n)\n"
        "{\n    scale<<<grid, block>>>(x, n);\n}\n",
        b_cc="void run(float *x, int n)\n{\n    dim3 block(64);\n    launch_scale(1, block, x, n);\n}\n",
    )
    assert found == [((None, None, None), False)]


@pytest.mark.parametrize(
    ("made", "block"),
    [
        ("dim3 block(std::min<int>(128, n));", ((128, 1, 1), True)),
        ("dim3 block; block.x = 32; block.y = 4;", ((32, 4, 1), False)),
        ("int block = n > 64 ? 256 : 64;", ((256, 1, 1), True)),
        ("int block = 256; while (block > n) block /= 2;", ((256, 1, 1), True)),
        ("int block = 256; if (n > 9) block *= 2;", ((None, None, None), False)),
        ("int block = 256; choose(&block);", ((None, None, None), False)),
        ("const unsigned block = 4u << 5;", ((128, 1, 1), False)),
        ("auto block = dim3{2 * 32, 2};", ((64, 2, 1), False)),
        ("int block = n;", ((None, None, None), False)),
    ],
)
def test_what_a_variable_is(project: Path, made: str, block: Block) -> None:
    template = (
        f"template <class T> void run(T *x, int n)\n{{\n    {made}\n    scale<<<n, block>>>(x, n);\n}}\n"
    )
    found = blocks(project, a_cuh=KERNEL + template)
    x, most = found[0]
    assert (x, most) == block or (block == ((None, None, None), False) and x[0] is None)


def test_a_launcher_that_is_handed_the_kernel(project: Path) -> None:
    found = blocks(
        project,
        a_cuh=KERNEL,
        b_cuh='#include "a.cuh"\nconstexpr int THREADS = 192;\ntemplate <class K, class... A>\n'
        "void start(K kernel, int n, A... rest)\n{\n    kernel<<<n / THREADS, THREADS>>>(rest...);\n}\n",
        c_cu='#include "b.cuh"\nvoid run(float *x, int n) { start(scale, n, x, n); }\n',
    )
    assert found == [((192, 1, 1), False)]


def test_a_macro_that_is_handed_the_kernel_and_the_block(project: Path) -> None:
    found = blocks(
        project,
        a_cuh=KERNEL,
        c_cu='#include "a.cuh"\n#define START(kernel, threads, ...) \\\n'
        "    (kernel)<<<1, (threads)>>>(__VA_ARGS__)\n"
        "void run(float *x, int n) { START(scale, 96, x, n); }\n",
    )
    assert found == [((96, 1, 1), False)]


def test_a_policy_that_a_template_is_given(project: Path) -> None:
    found = blocks(
        project,
        a_cuh=KERNEL + "struct Wide { enum { width = 64, height = 2 }; };\n"
        "template <class Policy> struct Run {\n    static void run(float *x, int n)\n    {\n"
        "        const dim3 block(Policy::width, Policy::height);\n"
        "        scale<<<n, block>>>(x, n);\n    }\n};\n"
        "template <class P = Wide> void all(float *x, int n) { Run<P>::run(x, n); }\n",
    )
    assert found == [((64, 2, 1), False)]


def test_a_block_that_is_a_template_argument_of_the_kernel(project: Path) -> None:
    own = project / "a.cuh"
    own.write_text(
        "template <class T, int TPB> __global__ void scale(T *x) { x[threadIdx.x] *= TPB; }\n"
        "template <class T, int TPB> void run(T *x) { scale<T, TPB><<<1, TPB>>>(x); }\n"
    )
    (found,) = Elsewhere(str(own)).launches("scale", str(own))
    assert (found.block, found.by_argument) == ((None, 1, 1), (1, None, None))


def test_a_size_is_what_all_calls_tell(project: Path) -> None:
    text = KERNEL + "template <class T> void run(T *x, int n)\n{\n    scale<<<1, n>>>(x, n);\n}\n"
    calls = "void one(float *x) { run(x, 32); }\nvoid other(float *x) { run(x, 64); }\n"
    assert blocks(project, a_cuh=text + calls) == [((64, 1, 1), True)]
    some = blocks(project, a_cuh=text + calls + "void any(float *x, int k) { run(x, k); }\n")
    assert some[0][0][0] is None


def test_answers_change_with_the_texts(project: Path) -> None:
    header = "void launch_scale(dim3 block, float *x);\n"
    own = (
        '#include "a.h"\n'
        + KERNEL
        + "void launch_scale(dim3 block, float *x) { scale<<<1, block>>>(x, 1); }\n"
    )
    caller = '#include "a.h"\nvoid run(float *x) {{ launch_scale({}, x); }}\n'
    assert blocks(project, a_h=header, a_cu=own, b_cc=caller.format("dim3(64)")) == [((64, 1, 1), False)]
    before = Elsewhere(str(project / "a.cu"))
    before.launches("scale", str(project / "a.cu"))
    assert Elsewhere(str(project / "a.cu")).still(before.answers)
    (project / "b.cc").write_text(caller.format("dim3(128, 2)"))
    assert not Elsewhere(str(project / "a.cu")).still(before.answers)


def test_the_model_runs_the_block_of_the_text(project: Path) -> None:
    blocks(
        project,
        a_h="void launch_scale(const dim3 &block, float *x);\n",
        a_cu='#include "a.h"\n' + KERNEL + "void launch_scale(const dim3 &block, float *x)\n"
        "{\n    scale<<<1, block>>>(x, 4);\n}\n",
        b_cc='#include "a.h"\nvoid run(float *x) { launch_scale(96, x); }\n',
    )
    (kernel,) = analyse(Task(str(project / "a.cu"), Settings(), inspect=True)).inspection
    (launch,) = kernel["launches"]
    assert (launch["origin"], launch["block"], launch["line"]) == ("launch in the text", [96, 1, 1], 5)


def test_the_sources_that_hold_a_word(project: Path) -> None:
    texts = {
        "a.cu": "scale",
        "b.cu": "upscale scaled _scale",
        "c.h": "",
        "d.cu": "rescale(); scale();",
        "e.cu": "x\nscale",
        "f.cu": "sca",
        "g.cu": "le",
    }
    for name, text in texts.items():
        (project / name).write_text(text)
    within = tree.project(str(project / "a.cu"))
    tree.refresh(within)
    found = tree.containing("scale", str(project / "a.cu"), within)
    assert [Path(path).name for path in found] == ["a.cu", "d.cu", "e.cu"]


def test_a_kernel_that_is_compiled_at_run_time_and_named_in_a_string(project: Path) -> None:
    launcher = (
        "#include <embedded/a_cuh.hpp>\nstatic const int TX = 32;\nvoid run(float *x, int n)\n{\n"
        '    auto scale = find("shop::scale", {{a_cuh_src}});\n'
        "    dim3 threads(TX, 4, 1);\n    dim3 blocks(n / TX);\n"
        "    Queued queued(blocks, threads, stream());\n    scale(queued, x, n);\n}\n"
    )
    assert blocks(project, a_cuh=KERNEL, a_hpp=launcher) == [((32, 4, 1), False)]


def test_a_kernel_of_a_module_that_the_driver_launches(project: Path) -> None:
    launcher = (
        "void run(void **given)\n{\n    CUmodule m = built(a_cuh_text);\n    CUfunction f;\n"
        '    f = function(m, "scale");\n    cuLaunchKernel(f, 8, 1, 1, 64, 2, 1, 0, 0, given, 0);\n}\n'
    )
    assert blocks(project, a_cuh=KERNEL, a_cc=launcher) == [((64, 2, 1), False)]


def test_a_string_in_a_file_without_the_source_says_nothing(project: Path) -> None:
    launcher = (
        "void run(float *x)\n{\n"
        '    auto scale = find("scale");\n    dim3 threads(32);\n    dim3 blocks(8);\n'
        "    Queued queued(blocks, threads);\n    scale(queued, x);\n}\n"
    )
    assert blocks(project, a_cuh=KERNEL, b_hpp=launcher) == []


def test_a_macro_that_hands_the_kernel_on(project: Path) -> None:
    found = blocks(
        project,
        a_cuh=KERNEL,
        b_h='#include "a.cuh"\n#define START_WITH(kernel, grid, threads, bytes, ...) \\\n'
        "    kernel<<<grid, threads, bytes>>>(__VA_ARGS__)\n"
        "#define START(kernel, grid, threads, ...) START_WITH(kernel, grid, threads, 0, __VA_ARGS__)\n",
        c_cu='#include "b.h"\nvoid run(float *x, int n)\n{\n    dim3 threads(32, 6);\n'
        "    START((::scale), n, threads, x, n);\n}\n",
    )
    assert found == [((32, 6, 1), False)]
