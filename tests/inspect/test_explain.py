"""`cudalint inspect --explain FILE:LINE`: exact text for each kind of thing on a line, and the JSON of it."""

from pathlib import Path

import pytest

from cudalint.errors import UsageError
from cudalint.inspect.picture import addresses_of, groups_of, sectors_of, signed
from cudalint.report.explain import _runs
from cudalint.settings.location import Place, parse
from tests.support.command_line import STRIDED, Command, report

KERNEL = """\
__global__ void work(float *out, const float *in, const int *order, int n)
{
    __shared__ float tile[32][32];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t][0] = 1.0f;
    int at = order[i];
    out[i] = in[at];
    if (t % 4 == 1)
        out[i + n] = 2.0f;
    if (t < 20)
        __syncthreads();
    if (order[i] > n)
        tile[0][t] = 3.0f;
}

void run(float *out, const float *in, const int *order, int n)
{
    work<<<64, 32>>>(out, in, order, n);
}
"""

HEAD = """\
a.cu:{line} in kernel work, a.cu:1
  launch at a.cu:18: grid 64x1x1, block 32x1x1, 0 bytes dynamic shared, stream default
    out: separate buffer, at byte offset 0
    in: separate buffer, at byte offset 0
    order: separate buffer, at byte offset 0
    n: free integer, valuations 8192, 4640, 11034, 5131

"""

STRIDE = """\
a.cu:4 in kernel spread, a.cu:1
  launch at a.cu:12: grid 65536x1x1, block 256x1x1, 0 bytes dynamic shared, stream default
    out: buffer a of 134217728 bytes, at byte offset 0
    in: buffer b of 134217728 bytes, at byte offset 0

  a.cu:4:5: global store of 4 bytes, out[i] (buffer out)
{both}
  a.cu:4:14: global load of 4 bytes, in[i] (buffer in)
{both}"""

STRIDED_ACCESS = """\
    8 sectors/request (ideal 4); exact
    per valuation, block 256x1x1: 8, 8, 8, 8 (ideal 4)
    32 of 32 lanes active; lane stride 8 bytes (2 words); first byte at the start of a sector
    worst request: 8 sectors, 128 of 256 bytes used (# used, . unused)
      lane    0       8       16      24
      sector  aaaabbbbccccddddeeeeffffgggghhhh
      a  byte   0  ####....####....####....####....  16 used, 16 unused  lanes 0-3
      b  byte  32  ####....####....####....####....  16 used, 16 unused  lanes 4-7
      c  byte  64  ####....####....####....####....  16 used, 16 unused  lanes 8-11
      d  byte  96  ####....####....####....####....  16 used, 16 unused  lanes 12-15
      e  byte 128  ####....####....####....####....  16 used, 16 unused  lanes 16-19
      f  byte 160  ####....####....####....####....  16 used, 16 unused  lanes 20-23
      g  byte 192  ####....####....####....####....  16 used, 16 unused  lanes 24-27
      h  byte 224  ####....####....####....####....  16 used, 16 unused  lanes 28-31
"""

CONFLICT = """\
  a.cu:5:5: shared store of 4 bytes, tile[t][0] (buffer tile)
    32 wavefronts/request (ideal 1); exact
    per valuation, block 32x1x1: 32, 32, 32, 32 (ideal 1)
    32 of 32 lanes active; lane stride 128 bytes (32 words)
    worst request (words per bank; a = 10, w = 32):
      lanes 0-31: 1 bank, up to 32 words per bank
      bank    0       8       16      24
      words   w...............................
      bank  0: 32 words, 0-992 step 32; lanes 0-31
"""

GATHER = """\

  a.cu:7:14: global load of 4 bytes, in[at] (buffer in)
    31 sectors/request (ideal 4); bounded, 1 to 32: addresses depend on loaded data; counted with
      scattered ones
    depends on loaded data: order[i] at a.cu:6:14
    assumed: scattered loaded data
"""

SPLIT = """\
  a.cu:8:9: if (t % 4) == 1: divergent, 100% of warps diverge
    operations per execution: 3 if taken, 0 if not
    first divergent warp: taken by 8 lanes (#), not by 24 (-)
      lane    0       8       16      24
      taken   -#---#---#---#---#---#---#---#--
"""

BOUNDED = """\
  a.cu:9:9: global store of 4 bytes, out[i + n] (buffer out)
    4 sectors/request (ideal 1); bounded, 4 to 5: the valuations differ
    per valuation, block 32x1x1: 4, 4, 4, 5 (ideal 1)
"""

BARRIER = """\
  a.cu:11:9: barrier reached by some threads of a block
    block 32x1x1: thread (0, 0, 0) reaches it, thread (20, 0, 0) of block (0, 0, 0) does not
    skipped because of `t < 20` at a.cu:10
    holds under every valuation
"""

LOADED = """\

  a.cu:12:9: if order[i] > n: data-dependent
    depends on loaded data: order[i] at a.cu:12:9
    operations per execution: 3 if taken, 0 if not
"""


@pytest.fixture
def explain(cudalint: Command, tmp_path: Path):
    """The text for a line of KERNEL."""
    (tmp_path / "a.cu").write_text(KERNEL)

    def run(line: int) -> str:
        done = cudalint("inspect", "a.cu", "--explain", f"a.cu:{line}")
        assert (done.returncode, done.stderr) == (0, "")
        assert max(map(len, done.stdout.splitlines())) <= 100
        return done.stdout

    return run


def test_a_strided_load_shows_half_used_sectors(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    done = cudalint("inspect", "a.cu", "--explain", "a.cu:4")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == STRIDE.format(both=STRIDED_ACCESS)


def test_a_bank_conflict_shows_the_words_of_each_bank(explain) -> None:
    assert explain(5) == HEAD.format(line=5) + CONFLICT


def test_a_gather_says_where_the_unknown_enters(explain) -> None:
    assert GATHER in explain(7)


def test_a_divergent_branch_shows_who_takes_it(explain) -> None:
    assert explain(8) == HEAD.format(line=8) + SPLIT


def test_a_bounded_number_says_what_it_hangs_on(explain) -> None:
    assert explain(9).startswith(HEAD.format(line=9) + BOUNDED)


def test_a_barrier_names_who_is_missing(explain) -> None:
    assert explain(11) == HEAD.format(line=11) + BARRIER


def test_a_branch_on_data_says_where_it_enters(explain) -> None:
    assert explain(12).endswith(LOADED)


def test_an_access_under_data_names_its_condition(explain) -> None:
    text = " ".join(explain(13).split())
    assert "1 wavefront/request (ideal 1); exact" in text
    assert "depends on loaded data: order[i] at a.cu:12:9" in text


def test_json_has_the_same_facts_only_when_asked(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    plain = report(cudalint("inspect", "a.cu", "--output-format", "json"))
    document = report(cudalint("inspect", "a.cu", "--output-format", "json", "--explain", "a.cu:4"))
    explained = document.pop("explain")
    assert document == plain
    assert (explained["path"], explained["line"]) == ("a.cu", 4)
    (kernel,) = explained["kernels"]
    (launch,) = kernel["launches"]
    assert launch["arguments"][1] == {
        "name": "in", "value": 0, "tried": [], "pointer": True, "buffer": "b", "buffer_bytes": 1 << 27,
        "unknown": None,
    }  # fmt: skip
    load = kernel["accesses"][1]
    assert load["expression"] == "in[i]"
    assert load["trials"] == [{"block": [256, 1, 1], "per_request": [8.0] * 4, "ideal": [4.0] * 4}]
    assert load["worst_request"]["lanes"] == list(range(0, 256, 8))
    assert load["worst_request"]["sectors"][1] == {
        "first": 32, "lanes": [4, 5, 6, 7], "used": 16, "unused": 16,
        "used_bytes": [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27],
    }  # fmt: skip


def test_instantiations_with_the_same_numbers_share_an_explanation(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "template <int N> __global__ void k(float *p)\n"
        "{\n"
        "    p[threadIdx.x] = N;\n"
        "    p[threadIdx.x * N] = 1.0f;\n"
        "}\n"
        "void run(float *p) { k<1><<<1, 64>>>(p); k<2><<<1, 64>>>(p); }\n"
    )
    same = cudalint("inspect", "a.cu", "--explain", "a.cu:3").stdout
    apart = cudalint("inspect", "a.cu", "--explain", "a.cu:4").stdout
    assert [row for row in same.splitlines() if " in kernel " in row] == [
        "a.cu:3 in kernel k<1>, k<2>, a.cu:1"
    ]
    assert [row for row in apart.splitlines() if " in kernel " in row] == [
        "a.cu:4 in kernel k<1>, a.cu:1", "a.cu:4 in kernel k<2>, a.cu:1"
    ]  # fmt: skip


def test_an_empty_line_names_the_nearest_and_fails(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    done = cudalint("inspect", "a.cu", "--explain", "a.cu:2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "cudalint: --explain a.cu:2: no memory access, branch or barrier of a kernel and no CUDA call of a "
        "timeline on this line; "
        "the nearest is line 4 (out[i])\n"
    )
    other = cudalint("inspect", "a.cu", "--explain", "b.cu:2")
    assert other.returncode == 2
    assert other.stderr.endswith("on this line; nor on any other line of the file\n")


@pytest.mark.parametrize("text", ["a.cu", "a.cu:", ":3", "a.cu:0", "a.cu:x", "a.cu:-1", ""])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not FILE:LINE"):
        parse(text, "--explain")


def test_a_place_is_a_path_as_reports_print_it() -> None:
    assert parse("./src/../a.cu:12", "--explain") == Place("a.cu", 12)


def test_bad_syntax_is_a_usage_error(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    done = cudalint("inspect", "a.cu", "--explain", "a.cu")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cudalint: --explain: 'a.cu' is not FILE:LINE; expected one like src/a.cu:12\n"


def test_an_access_that_straddles_sectors_counts_in_both() -> None:
    first, second = sectors_of([28, None], 8)
    assert (first.first, first.lanes, first.used) == (0, (0,), (28, 29, 30, 31))
    assert (second.first, second.lanes, second.used) == (32, (0,), (0, 1, 2, 3))


def test_wide_shared_accesses_are_served_in_groups() -> None:
    lanes = [16 * lane for lane in range(32)]
    assert [(g.first, g.last, g.passes) for g in groups_of(lanes, 8, "store")] == [(0, 15, 2), (16, 31, 2)]
    assert [(g.first, g.last, g.passes) for g in groups_of(lanes, 4, "load")] == [(0, 31, 4)]
    quarters = [(0, 7, 1), (8, 15, 1), (16, 23, 1), (24, 31, 1)]
    assert [(g.first, g.last, g.passes) for g in groups_of(lanes, 16, "load")] == quarters
    pairs = [8 * (lane // 2) for lane in range(32)]
    assert [(g.first, g.last, g.passes) for g in groups_of(pairs, 8, "load")] == [(0, 31, 1)]


def test_addresses_before_the_buffer_are_negative() -> None:
    assert signed([(1 << 40) - 4, 0, None]) == (-4, 0, None)
    assert addresses_of([4, 0, 4, None]) == ((0, (1,)), (4, (0, 2)))


def test_numbers_at_equal_distances_are_one_run() -> None:
    assert _runs([0, 1, 2, 3, 7, 9]) == "0-3, 7, 9"
    assert _runs([1, 5, 9, 12]) == "1-9 step 4, 12"
    assert _runs([4]) == "4"
    assert _runs([0, 16]) == "0, 16"


def test_a_value_chosen_by_data_names_the_condition(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__global__ void k(float *p, const int *flag)\n"
        "{\n"
        "    int at = threadIdx.x;\n"
        "    if (flag[at])\n"
        "        at = 7;\n"
        "    p[at] = 1.0f;\n"
        "}\n"
    )
    done = cudalint("inspect", "a.cu", "--explain", "a.cu:6")
    assert (
        "  a.cu:6:5: global store of 4 bytes, p[at] (buffer p)\n"
        "    1 sector/request (ideal 1); bounded, 1 to 32: addresses depend on loaded data; counted with\n"
        "      scattered ones\n"
        "    depends on loaded data: flag[at] at a.cu:4:9\n"
    ) in done.stdout


def test_a_line_of_a_call_shows_what_is_inlined_there(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__device__ float fetch(const float *p, int i)\n"
        "{\n"
        "    float x = p[3 * i];\n"
        "    return x;\n"
        "}\n"
        "__global__ void k(float *out, const float *in)\n"
        "{\n"
        "    out[threadIdx.x] = fetch(in, threadIdx.x);\n"
        "}\n"
    )
    done = cudalint("inspect", "a.cu", "--explain", "a.cu:8")
    assert (
        "  a.cu:8:24: global load of 4 bytes, p[3 * i] (buffer in)\n    inlined from a.cu:3:15\n"
        in done.stdout
    )
