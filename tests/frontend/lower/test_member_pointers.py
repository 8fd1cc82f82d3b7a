"""Pointers to members: offsets that are added to the address of an object, and methods called on it."""

from pathlib import Path

from cudalint.frontend import load
from cudalint.host.model import run

CODE = """#include <cuda_runtime.h>
struct Sizes { int head; int rest; };
struct Buffers { float *in; float *out; Sizes sizes; };
class Engine {
public:
    using Step = void (Engine::*)(int);
    void clear(int n) { cudaMemset(all.out, 0, n); }
    void copy(int n) { cudaMemcpy(all.out, all.in, n, cudaMemcpyDeviceToDevice); }
    void make(float *Buffers::*which, int n) { cudaMalloc(&(all.*which), n); }
    void run(int n)
    {
        const Step steps[] = {&Engine::clear, &Engine::copy};
        for (Step step : steps) (this->*step)(n);
    }
    Buffers all;
};
int main()
{
    Engine engine, *same = &engine;
    int Sizes::*length = &Sizes::rest;
    engine.all.sizes.*length = 256;
    engine.make(&Buffers::in, 1024);
    engine.make(&Buffers::out, 2048);
    same->run(engine.all.sizes.rest);
    (same->*(&Engine::clear))(128);
    return 0;
}
"""


def test_members_are_found_and_methods_run(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(CODE)
    unit = load(str(file))
    assert unit.problems == ()
    calls = run(unit).calls
    assert not any(call.unseen for call in calls)
    sized = [(call.kind, call.bytes) for call in calls if call.kind != "host-work"]
    assert sized == [("allocate", 1024), ("allocate", 2048), ("memset", 256), ("copy", 256), ("memset", 128)]
    made = {call.destination.id: call.bytes for call in calls if call.kind == "allocate" and call.destination}
    copy = next(call for call in calls if call.kind == "copy")
    assert copy.source is not None and copy.destination is not None
    assert (made[copy.source.id], made[copy.destination.id]) == (1024, 2048)
