"""What a fix saves in an instantiation that was not run is told of one that was."""

from pathlib import Path

from tests.support.fixtures import lint

_TEMPLATE = """\
template <int TILE> __global__ void slopes(float *out, const float2 *edge, const float *at, int edges, int n)
{
    int i = blockIdx.x * 256 * TILE + threadIdx.x;
    if (i >= n) return;
    float sum[TILE] = {};
    for (int e = 1; e < edges; ++e) {
        float slope = (edge[e].x - edge[e - 1].x) / (edge[e].y - edge[e - 1].y);
        for (int t = 0; t < TILE; ++t)
            if (i + 256 * t < n) sum[t] += slope * at[i + 256 * t];
    }
    for (int t = 0; t < TILE; ++t)
        if (i + 256 * t < n) out[i + 256 * t] = sum[t];
}
void run(float *out, const float2 *edge, const float *at, int edges)
{
"""
_TILES = (32, 16, 8, 4, 2, 1)


def test_no_instantiation_leaves_the_impact_open(tmp_path: Path) -> None:
    launches = [f"    slopes<{tile}><<<40000, 256>>>(out, edge, at, edges, 10000000);\n" for tile in _TILES]
    source = tmp_path / "slopes.cu"
    source.write_text(_TEMPLATE + "".join(launches) + "}\n")
    found = lint(source).findings
    fast = [f.impact for f in found if f.code == "CU608"]
    grids = [f.impact for f in found if f.code == "CU511"]
    assert len(fast) == 1 and len(grids) >= 3
    assert all(one is not None and one.high < 0.95 for one in (*fast, *grids))
