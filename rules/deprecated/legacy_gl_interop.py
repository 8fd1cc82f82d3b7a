"""
## What it does
Finds the first generation of OpenGL interoperability calls: `cudaGLRegisterBufferObject`,
`cudaGLMapBufferObject`, their asynchronous, unmap and unregister variants, `cudaGLSetGLDevice`, and those of
the driver API (`cuGLMapBufferObject` and so on).

## Why it costs
They are deprecated since CUDA 3.0 (`cudaGLSetGLDevice` since 5.0). They map one buffer per call, so a frame
that uses three buffers synchronises OpenGL and CUDA three times in each direction, and they support only
buffers, so a texture has to be copied through one. `cudaGraphicsMapResources` maps any number of buffers and
textures in one call on a stream: one synchronisation in each direction.

## Example
```cuda
cudaGLRegisterBufferObject(vbo);
cudaGLMapBufferObject((void **)&positions, vbo);
move<<<grid, block>>>(positions);
cudaGLUnmapBufferObject(vbo);
```

## Instead
```cuda
cudaGraphicsGLRegisterBuffer(&resource, vbo, cudaGraphicsRegisterFlagsNone);  // once
cudaGraphicsMapResources(1, &resource, stream);
cudaGraphicsResourceGetMappedPointer((void **)&positions, &bytes, resource);
move<<<grid, block, 0, stream>>>(positions);
cudaGraphicsUnmapResources(1, &resource, stream);
```

## Limits
- CUDA 13.0 still declares these functions: the code compiles, with a warning.
- Not reported in code for one CUDA release (`#if CUDART_VERSION < ...`).
- Direct3D interoperability is not checked.

## Source
004 'Graphics interop', which shows them; the header cuda_gl_interop.h of CUDA 13.0, which marks each as
deprecated and since when.
"""

from collections.abc import Iterator

from cudalint.cuda.old_api import GL
from cudalint.ir.expressions import Call
from cudalint.ir.unit import Function
from cudalint.rule.findings import Finding
from cudalint.rule.old_uses import old, uses
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU903",
    name="legacy-gl-interop",
    severity=Severity.WARNING,
    summary="an OpenGL interoperability call that is deprecated since CUDA 3.0",
    guides=("004",),
)


def check(function: Function, context: Context) -> Iterator[Finding]:
    """A finding for each call."""
    for node in uses(function, context):
        if isinstance(node, Call) and node.name in GL:
            yield from old(RULE, GL[node.name], node.span, context, f"`{node.name}`")
